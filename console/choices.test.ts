import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, 'src');
/** Rendered only when there are payment types. */
const knowsItsChoices = join('screens', 'point-of-sale', 'refund-tender.tsx');
const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.tsx') && name !== knowsItsChoices,
);

/** The `data` expressions of each select in a source file. */
function choicesIn(text: string): string[] {
  return [...text.matchAll(/<(?:Multi)?Select\b[\s\S]*?\bdata=\{([\s\S]*?)\n\s*\w+=\{/g)].map((it) => it[1]!);
}

const areRecords = /\bString\(|locationChoices\(|^(?:data|choices|locations|others)\}/;
/** Has a hint for the empty case, or a choice that is always there; the hours of a day are. */
const hasHint = /^choicesOr\(|^Array\.from\(\{ length: \d|^\[\s*(?:\{ value: '|\.\.\.rows)/;

test('a select of records has a hint for the empty case, unless it has a fixed choice', () => {
  const withoutHint = sources.flatMap((name) =>
    choicesIn(readFileSync(join(folder, name), 'utf8'))
      .filter((choices) => areRecords.test(choices) && !hasHint.test(choices))
      .map((choices) => `${name}: ${choices.slice(0, 80)}`),
  );
  expect(withoutHint).toEqual([]);
});

/** The list of staff has the reader, and what a table says by itself is for lists that say something. */
const neverEmpty = ['parts/data-table.tsx', 'screens/settings/staff-members.tsx'];

test('an empty list says what to do next', () => {
  const texts = sources
    .filter((name) => !neverEmpty.includes(name.replaceAll('\\', '/')))
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const silent = texts.filter(({ text }) => /<EmptyState\s+title=(?:"[^"]*"|\{[^}]*\})\s*\/>/.test(text));
  const withoutOne = texts.filter(({ text }) => /<DataTable\b(?:(?!\bempty=)[\s\S])*?\/>/.test(text));
  expect([...silent, ...withoutOne].map(({ name }) => name)).toEqual([]);
});
