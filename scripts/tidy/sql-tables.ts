import type { ProjectFile } from './project-files.ts';

/** A declaration at the margin, down to the next one: the formatter guarantees the indentation. */
interface Block {
  readonly position: number;
  readonly code: string;
  /** What it declares; empty for a loop or a bare expression. */
  readonly name: string;
  /** Or a class. */
  readonly isFunction: boolean;
  /** May be called from anywhere: is exported, or a class. */
  readonly isOpen: boolean;
}

/** A place in the program that reads a table of the migrations. */
interface TableReading {
  readonly file: ProjectFile;
  readonly table: string;
  readonly position: number;
  /** The constant or function that reads, as `selectOrder`. */
  readonly reader: string;
}

/** Code that runs in a shop: no test, no measurement. */
export const isProgram = (file: ProjectFile): boolean =>
  /^(src|seed|cli)\//.test(file.path) && !file.isTest && file.code !== '';

/** The declarations of a file. `code` may be another reading of the file with the same positions. */
export function blocksOf(file: ProjectFile, code = file.code): Block[] {
  const starts = [...file.code.matchAll(/^(?=[a-z])/gm)].map(({ index }) => index);
  return starts.map((position, index) => {
    const end = starts[index + 1] ?? file.code.length;
    const head = file.code.slice(position, end).split('\n', 1)[0]!;
    return {
      position,
      code: code.slice(position, end),
      name: /\b(?:function|class|const)\s+(\w+)/.exec(head)?.[1] ?? '',
      isFunction:
        /^(export )?(default )?(async function|function|(abstract )?class)\b|^(export )?const\b.*=>/.test(
          head,
        ),
      isOpen: /^export\b|\bclass\b/.test(head),
    };
  });
}

/** The tables of the migrations, each with its definition. */
export function tablesOf(files: readonly ProjectFile[]): Map<string, string> {
  const tables = files
    .filter(({ path }) => /^migrations\/.*\.sql$/.test(path))
    .flatMap(({ text }) => [...text.matchAll(/^create table (\w+) \((.*?)^\);/gms)]);
  return new Map(tables.map(([, name, body]) => [name!, body!]));
}

const writes = [
  /\binsert into (\w+)/g,
  /\bupdate (\w+)(?: \w+)?\s+set\b/g,
  /\bdelete from (\w+)/g,
  /(?:insert\w*|settingTable)(?:<[^(]*>)?\(\s*'(\w+)'/gi,
];

/** The tables that a file writes to, with the positions of the writes. */
export function writtenTables(file: ProjectFile): { readonly table: string; readonly position: number }[] {
  return writes
    .flatMap((pattern) => [...file.code.matchAll(pattern)])
    .map((match) => ({ table: match[1]!, position: match.index }));
}

/** Telling SQL from prose such as "Takes a product from brands". */
const isSql =
  /\borganization_id\b|:organizationId\b|\bselect\b[\s\S]*\bfrom\b|\bupdate \w+\b[\s\S]*\bset\b|\bdelete from\b|\bjoin\b/;
const item = String.raw`[\w$\{\}]+(?:\s+(?:as\s+)?\w+)?`;
const sources = new RegExp(
  String.raw`(?<!\b(?:delete|distinct)\s+)\b(?:from|join|using)\s+(?:only\s+|lateral\s+)?(${item}(?:\s*,\s*${item})*)`,
  'g',
);
const namedQueries =
  /(?:\bwith(?:\s+recursive)?\s+|,\s*)(\w+)(?:\s*\([^()]*\))?\s+as\s+(?:not\s+)?(?:materialized\s+)?\(/g;

/**
 * The tables that a file reads: what follows `from`, `join` and `using` in its SQL, subqueries included and the
 * names of a `with` left out. Constants that a text is put together from stand in their place. Where a function
 * gets the table's name, every name of a table that the file quotes counts.
 */
export function readTables(file: ProjectFile, tables: ReadonlyMap<string, string>): TableReading[] {
  const blocks = blocksOf(file, textsOf(file));
  const fragments = new Map(
    blocks.filter((it) => !it.isFunction && it.name !== '').map((it) => [it.name, it]),
  );
  const whole = (text: string, seen: readonly string[]): string =>
    text.replace(/\$\{(\w+)\}/g, (place, name: string) => {
      const fragment = seen.includes(name) ? undefined : fragments.get(name);
      return fragment === undefined ? place : whole(fragment.code, [...seen, name]).replaceAll(';', ' ');
    });
  const readings = new Map<string, TableReading>();
  for (const block of blocks) {
    const text = whole(block.code, [block.name]).replace(/--.*$/gm, '');
    const ownNames = new Set([...text.matchAll(namedQueries)].map(([, name]) => name!));
    const add = (table: string) => {
      if (!tables.has(table) || ownNames.has(table) || readings.has(table)) return;
      readings.set(table, { file, table, position: block.position, reader: block.name });
    };
    for (const sql of text.split(';').filter((part) => isSql.test(part))) {
      for (const [, list] of sql.matchAll(sources)) {
        for (const source of list!.split(',')) {
          const name = source.trim().split(/\s/)[0]!;
          if (!name.startsWith('${')) add(name);
          else for (const [, quoted] of file.code.matchAll(/'(\w+)'/g)) add(quoted!);
        }
      }
    }
  }
  return [...readings.values()];
}

/** The first declaration that makes a statement or holds a text in SQL. */
export function findSql(file: ProjectFile): Block | undefined {
  const texts = blocksOf(file, textsOf(file));
  const makesStatement = /(?<![.\w])(statement|insertMany|insertRows|settingTable)\s*[<(]/;
  const begins = /^\s*(select\s[^{}]*\bfrom|insert into|update \w+ set|delete from|with \w+ as)\s/;
  return (
    blocksOf(file).find((it) => makesStatement.test(it.code)) ??
    texts.find((it) => it.code.split(';').some((part) => begins.test(part)))
  );
}

/** Only the contents of strings and templates, with `;` for the quotes and `${name}` kept; the rest is blank. */
function textsOf(file: ProjectFile): string {
  const { code, bareCode } = file;
  const out = Array.from(code, (character, at) => {
    if (character === '\n') return '\n';
    if (bareCode[at] !== character) return character === ';' ? ' ' : character;
    return /['"`]/.test(character) ? ';' : ' ';
  });
  for (const { 0: place, index } of code.matchAll(/\$\{\w+\}/g)) {
    for (let at = 0; at < place.length; at++) out[index + at] = place[at]!;
  }
  return out.join('');
}
