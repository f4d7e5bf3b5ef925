import { createHash } from 'node:crypto';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Jurisdiction } from '../../engines/jurisdictions/jurisdiction.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { selectTaxSettings } from './tax-queries.ts';
import { hasEnded, type SavedTax, savedTax } from './tax-settings.ts';

/* Taxes that a state's preset leaves to the owner, because a city or county sets them: still open until set up or dismissed. */

/** A tax that the preset does not have. */
interface LeftTax {
  /** Stays while the known law has the same words. */
  readonly key: string;
  readonly text: string;
}

/** The owner's reason why such a tax is not due. */
export interface DismissedTax {
  readonly key: string;
  readonly reason: string;
}

/** Words that say nothing about which tax it is. */
const commonWords: ReadonlySet<string> = new Set(['local', 'rate', 'rates', 'state', 'taxes']);

const wordsOf = (text: string): string[] =>
  (text.toLowerCase().match(/[a-z]{4,}/g) ?? []).filter((word) => !commonWords.has(word));

/**
 * What is left of a state's preset, in an organization that has it. A tax of the organization's own sets what the preset leaves, if
 * that is one tax; of several it sets those whose first words it has in its description ("Sales tax: …").
 */
export function openLeftTaxes(
  jurisdiction: Jurisdiction | null,
  taxes: readonly SavedTax[],
  dismissed: readonly DismissedTax[],
  nowMs: number,
): LeftTax[] {
  if (jurisdiction === null) return [];
  const ofPreset = new Set(jurisdiction.taxes.map(({ description }) => description));
  const live = taxes.filter((tax) => !hasEnded(tax, nowMs));
  if (!live.some(({ description }) => ofPreset.has(description))) return [];
  const own = live.filter(({ description }) => !ofPreset.has(description));
  const left = jurisdiction.gaps.filter(({ kind }) => kind === 'local');
  const sets = ({ description }: SavedTax, text: string) => {
    const [named = ''] = text.split(/[:.]/);
    const words = wordsOf(description);
    return left.length === 1 || wordsOf(named).some((word) => words.includes(word));
  };
  return left.flatMap(({ text }) => {
    const key = `${jurisdiction.state}-${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
    const isSettled = dismissed.some((it) => it.key === key) || own.some((tax) => sets(tax, text));
    return isSettled ? [] : [{ key, text }];
  });
}

/** The same of an organization as it is now. */
export async function readLeftTaxes(
  { database, clock, law }: Pick<Context, 'database' | 'clock' | 'law'>,
  organization: OrganizationId,
): Promise<LeftTax[]> {
  const [[row], taxes] = await database.read(organization, selectOrganization({}), selectTaxSettings({}));
  if (row === undefined) return [];
  const state = law.current.find(row.state);
  return openLeftTaxes(state, taxes.map(savedTax), row.left_taxes_dismissed, clock.now());
}

/** For the owner, in words. */
export function warningsOnLeftTaxes(state: string, left: readonly LeftTax[]): string[] {
  return left.map(
    ({ text }) =>
      `The preset of ${state} leaves a tax to you, and none is set up: ${text} Add it under Settings, Taxes, or say there why it is not due.`,
  );
}
