import { effectsOf } from '../../src/platform/schema/migration-effects.ts';
import { type Finding, finding, type ProjectFile, type Rule } from './project-files.ts';

/** The migrations behind the baseline: there is a former release whose processes still serve, and tables may be large. */
const isLater = ({ path }: ProjectFile): boolean =>
  (/^migrations\/(\d{4})_.*\.sql$/.exec(path)?.[1] ?? '0001') > '0001';

interface Statement {
  /** Lower case, without comments and without the contents of texts and bodies. */
  readonly sql: string;
  readonly position: number;
  /** Whether `-- expand: reason` stands above it. */
  readonly isExplained: boolean;
}

/** What breaks processes of the former release, and why. */
const breaks: readonly (readonly [RegExp, string])[] = [
  [/^drop (table|view|type|sequence|schema|domain|function|procedure|trigger|policy|index)\b/, 'drops'],
  [/^alter table .*\bdrop (column|constraint)\b/, 'drops'],
  [/^alter \w+ .*\brename\b/, 'renames'],
  [/\balter column \w+ (set not null|type|set data type|drop default)\b/, 'tightens'],
  [/\badd (constraint|check|unique|primary key|foreign key|exclude)\b/, 'tightens'],
  [/\badd column (?!.*\b(default|generated)\b)[^,]*\bnot null\b/, 'tightens'],
  [/^create unique index\b/, 'tightens'],
  [/^create policy\b/, 'tightens'],
  [/^revoke\b/, 'takes rights away: it tightens'],
  [/^truncate\b/, 'empties'],
];

/**
 * A migration runs while processes of the former release serve, so it only adds. What drops, renames or tightens is a file of the
 * phase `contract`, and an index of a table that is there is made concurrently (ADR 0024).
 */
export const migrationsKeepTheFormerRelease: Rule = (files) =>
  files.filter(isLater).flatMap((file) => {
    const isConcurrent = /^-- concurrently: \S/m.test(file.text);
    if (isConcurrent) return concurrentFindings(file);
    return [...phaseFindings(file), ...lockFindings(file)];
  });

function phaseFindings(file: ProjectFile): Finding[] {
  if (/^-- contract: \S/m.test(file.text)) return [];
  const statements = statementsOf(file);
  const made = madeTables(statements);
  return statements.flatMap(({ sql, position, isExplained }) => {
    const found = breaks.find(([pattern]) => pattern.test(sql));
    if (found === undefined || isExplained || isOn(made, sql) || isReplaced(statements, sql)) return [];
    return [
      finding(
        file,
        position,
        `This ${found[1]} what processes of the former release may use: put it into a file with the line ` +
          '"-- contract: why", which runs when they have ended, or write "-- expand: why they still work" above it.',
      ),
    ];
  });
}

function lockFindings(file: ProjectFile): Finding[] {
  const statements = statementsOf(file);
  const made = madeTables(statements);
  return statements.flatMap(({ sql, position, isExplained }) => {
    if (!/^create (unique )?index\b/.test(sql) || isExplained || isOn(made, sql)) return [];
    return [
      finding(
        file,
        position,
        'Writes to the table wait until this index is made: put it into a file of its own with the line ' +
          '"-- concurrently: why", or write "-- expand: why the table is small" above it.',
      ),
    ];
  });
}

/**
 * A lock that lasts as long as a large table takes is felt by every request that needs the table: what reads or writes all rows
 * of a table under a lock is written in steps.
 */
export const migrationsLockShortly: Rule = (files) => files.filter(isLater).flatMap(longLockFindings);

function longLockFindings(file: ProjectFile): Finding[] {
  return effectsOf(file.text).flatMap(({ table, lock, work, position, isExplained }) => {
    const isLong = work === 'writes' || (lock === 'stops reads and writes' && work === 'reads');
    if (!isLong || isExplained) return [];
    return [
      finding(
        file,
        position,
        `This ${work === 'writes' ? 'writes' : 'reads'} all rows of ${table} in one transaction: add a constraint as "not valid" and ` +
          'validate it in a file of its own, fill a column step by step in a background job, or write "-- locks: why the table is ' +
          'small" above it.',
      ),
    ];
  });
}

function concurrentFindings(file: ProjectFile): Finding[] {
  return statementsOf(file).flatMap(({ sql, position }, at, all) => {
    const made = /^create (?:unique )?index concurrently (\w+) on\b/.exec(sql)?.[1];
    if (/^drop index concurrently if exists \w+$/.test(sql)) return [];
    if (made && all[at - 1]?.sql === `drop index concurrently if exists ${made}`) return [];
    return [
      finding(
        file,
        position,
        'A concurrent file has pairs of "drop index concurrently if exists x" and "create index concurrently x on …" only: ' +
          'a try that failed leaves an invalid index behind.',
      ),
    ];
  });
}

function madeTables(statements: readonly Statement[]): ReadonlySet<string> {
  return new Set(
    statements.flatMap(
      ({ sql }) => /^create (?:unlogged )?table (?:if not exists )?(\w+)/.exec(sql)?.[1] ?? [],
    ),
  );
}

/** Whether the file makes anew what a statement drops: a trigger, policy, view or function. */
function isReplaced(statements: readonly Statement[], sql: string): boolean {
  const [, kind, name] =
    /^(?:drop|create) (trigger|policy|view|function) (?:if exists )?(\w+)/.exec(sql) ?? [];
  if (kind === undefined) return false;
  const has = (verb: string) =>
    statements.some((other) => new RegExp(`^${verb} ${kind} (?:if exists )?${name}\\b`).test(other.sql));
  return has('drop') && has('create');
}

/** Whether a statement is about a table that the same file makes. */
function isOn(made: ReadonlySet<string>, sql: string): boolean {
  const table =
    /^alter table (?:if exists |only )*(\w+)/.exec(sql)?.[1] ??
    /\son (?:only )?(?:table )?(\w+)/.exec(sql)?.[1];
  return table !== undefined && made.has(table);
}

function statementsOf({ text }: ProjectFile): readonly Statement[] {
  const blank = (part: string) => part.replaceAll(/[^\n]/g, ' ');
  const masked = text
    .replaceAll(/--.*$/gm, blank)
    .replaceAll(/\$(\w*)\$[\s\S]*?\$\1\$/g, blank)
    .replaceAll(/'(?:[^']|'')*'/g, blank);
  const statements: Statement[] = [];
  let from = 0;
  for (const part of masked.split(';')) {
    const sql = part.trim().replaceAll(/\s+/g, ' ').toLowerCase();
    const position = from + part.length - part.trimStart().length;
    if (sql !== '') {
      const above = text.slice(from, position);
      statements.push({ sql, position, isExplained: /^\s*-- expand: \S/m.test(above) });
    }
    from += part.length + 1;
  }
  return statements;
}
