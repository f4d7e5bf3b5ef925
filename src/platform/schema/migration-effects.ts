/*
 * What the statements of a migration do to the tables that are there: which lock they take, and whether they read or write all of
 * their rows while they hold it. It goes by the text, so it says more rather than less.
 */

/** By what other sessions can do meanwhile: read and write, only read, or neither. */
export type TableLock = 'none' | 'stops writes' | 'stops reads and writes';

/** What happens to the rows of the table. */
export type TableWork = 'none' | 'reads' | 'writes';

interface MigrationEffect {
  readonly table: string;
  readonly lock: TableLock;
  readonly work: TableWork;
  /** Whether all rows get another copy, or an index of them is made: room for as much is needed. */
  readonly takesRoom: boolean;
  /** Where in the text the statement begins. */
  readonly position: number;
  /** Whether `-- expand: reason` stands above it. */
  readonly isExplained: boolean;
}

type Kind = readonly [pattern: RegExp, lock: TableLock, work: TableWork, takesRoom?: true];

const table = String.raw`(?:if exists |only )*"?(\w+)"?`;
/** The first that fits decides; the first group is the table. */
const kinds: readonly Kind[] = [
  [new RegExp(`^create (?:unique )?index concurrently .*?\\son ${table}`), 'none', 'reads', true],
  [new RegExp(`^create (?:unique )?index .*?\\son ${table}`), 'stops writes', 'reads', true],
  [
    new RegExp(`^alter table ${table} .*\\balter column \\w+ (?:set data )?type\\b`),
    'stops reads and writes',
    'writes',
    true,
  ],
  [
    new RegExp(`^alter table ${table} .*\\bgenerated always as .*stored`),
    'stops reads and writes',
    'writes',
    true,
  ],
  // A default that differs for each row writes them all.
  [
    new RegExp(
      `^alter table ${table} .*\\badd (?:column )?.*\\bdefault (?:nextval|gen_random_uuid|clock_timestamp|random)\\b`,
    ),
    'stops reads and writes',
    'writes',
    true,
  ],
  [new RegExp(`^alter table ${table} validate constraint\\b`), 'none', 'reads'],
  [
    new RegExp(`^alter table ${table} .*\\badd (?:constraint \\w+ )?(?:check|foreign key)\\b.*\\bnot valid$`),
    'stops reads and writes',
    'none',
  ],
  [
    new RegExp(`^alter table ${table} .*\\badd (?:constraint \\w+ )?(?:check|foreign key)\\b`),
    'stops reads and writes',
    'reads',
  ],
  [
    new RegExp(
      `^alter table ${table} .*\\badd (?:constraint \\w+ )?(?:unique|primary key|exclude)\\b(?!.*using index)`,
    ),
    'stops reads and writes',
    'reads',
    true,
  ],
  [new RegExp(`^alter table ${table} .*\\bset not null\\b`), 'stops reads and writes', 'reads'],
  [new RegExp(`^alter table ${table} set \\(`), 'none', 'none'],
  [new RegExp(`^alter table ${table}`), 'stops reads and writes', 'none'],
  [new RegExp(`^update ${table}`), 'none', 'writes', true],
  [new RegExp(`^delete from ${table}`), 'none', 'writes'],
  [new RegExp(`^truncate (?:table )?${table}`), 'stops reads and writes', 'none'],
  [new RegExp(`^insert into \\w+.*?\\bselect\\b.*?\\bfrom ${table}`), 'none', 'reads', true],
  [new RegExp(`^(?:create|drop) trigger .*?\\son ${table}`), 'stops writes', 'none'],
  [new RegExp(`^(?:create|drop) policy .*?\\son ${table}`), 'stops reads and writes', 'none'],
  [new RegExp(`^drop table ${table}`), 'stops reads and writes', 'none'],
];

/** The effects of a migration on tables that it did not make itself, in its order. */
export function effectsOf(text: string): readonly MigrationEffect[] {
  const statements = bareStatements(text);
  const made = new Set(
    statements.flatMap(
      ({ sql }) => /^create (?:temp |unlogged )?table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? [],
    ),
  );
  return statements.flatMap(({ sql, position, isExplained }) => {
    for (const [pattern, lock, work, takesRoom = false] of kinds) {
      const name = pattern.exec(sql)?.[1];
      if (name === undefined) continue;
      return made.has(name) ? [] : [{ table: name, lock, work, takesRoom, position, isExplained }];
    }
    return [];
  });
}

/** Blanks in place of comments, texts and bodies: every other letter is where it was. */
export function maskedText(text: string): string {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  return text
    .replaceAll(/--.*$/gm, blank)
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, blank)
    .replaceAll(/'(?:[^']|'')*'/g, blank);
}

/** Lower case, without comments and without the contents of texts and bodies. */
function bareStatements(text: string) {
  const masked = maskedText(text);
  const found: { sql: string; position: number; isExplained: boolean }[] = [];
  let from = 0;
  for (const part of masked.split(';')) {
    const sql = part.trim().replaceAll(/\s+/g, ' ').toLowerCase();
    const position = from + part.length - part.trimStart().length;
    const isExplained = /^\s*-- (?:expand|locks): \S/m.test(text.slice(from, position));
    if (sql !== '') found.push({ sql, position, isExplained });
    from += part.length + 1;
  }
  return found;
}

/** Bodies of `do` blocks, whose statements are not looked at; their tables are named by the texts in them. */
export function blockTables(text: string): readonly string[] {
  const names = [...text.matchAll(/^do \$(\w*)\$([\s\S]*?)\$\1\$/gm)].flatMap(([, , body]) =>
    [...body!.replaceAll(/--.*$/gm, '').matchAll(/'(\w+)'|\b(?:update|into|from|table) (\w+)/g)].map(
      ([, quoted, named]) => (quoted ?? named)!,
    ),
  );
  return [...new Set(names)];
}
