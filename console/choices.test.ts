import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'src');
/** Is shown with payment types only. */
const knowsItsChoices = join('parts', 'payment-rows.tsx');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.tsx') && name !== knowsItsChoices,
);

/** The choices of each list in a source, as they are written. */
function choicesIn(text: string): string[] {
  return [...text.matchAll(/<(?:Multi)?Select\b[\s\S]*?\bdata=\{([\s\S]*?)\n\s*\w+=\{/g)].map((it) => it[1]!);
}

const areRecords = /\bString\(|locationChoices\(|^(?:data|choices|locations|others)\}/;
/** Says what to do, or has a choice that is always there. */
const saysSomething = /^choicesOr\(|^\[\s*(?:\{ value: '|\.\.\.rows)/;

test('a list of records to choose from says what to do when there are none, unless it has a choice that is always there', () => {
  const silent = sources.flatMap((name) =>
    choicesIn(readFileSync(join(folder, name), 'utf8'))
      .filter((choices) => areRecords.test(choices) && !saysSomething.test(choices))
      .map((choices) => `${name}: ${choices.slice(0, 80)}`),
  );
  expect(silent).toEqual([]);
});
