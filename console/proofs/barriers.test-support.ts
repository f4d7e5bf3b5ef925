import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const axe = readFileSync(
  join(import.meta.dirname, '..', '..', 'node_modules', 'axe-core', 'axe.min.js'),
  'utf8',
);

/** Only serious and critical axe findings are barriers, so the rules for lesser ones are off. */
const onlyBarriers = `axe.configure({
  rules: axe._audit.rules
    .filter(({ impact }) => impact === 'minor' || impact === 'moderate')
    .map(({ id }) => ({ id, enabled: false })),
})`;

/**
 * The accessibility barriers of a page, or of one element in it (`within`): serious and critical axe findings, each with its
 * first place.
 */
export async function barriersOn(
  page: Page,
  rules: readonly string[] = [],
  within = 'html',
): Promise<string[]> {
  const isThere = await page.evaluate(`typeof axe === 'object'`);
  // Injected through the debugger: the content security policy allows no script.
  if (!isThere) await page.evaluate(`${axe};${onlyBarriers}`);
  const options = rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {};
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(within)}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})`,
  )) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}, ${nodes.length} times: ${nodes[0]!.html.slice(0, 240)} ${nodes[0]!.failureSummary.slice(0, 400)}`,
    );
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
  }[];
}
