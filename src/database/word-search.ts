import type { OrganizationId } from '../kernel/ids.ts';
import type { Database } from './database.ts';
import { type BoundStatement, type SqlParameters, statement } from './statement.ts';

/*
 * Searches by words: a row is found if each word is somewhere in its texts, in any order, without case. If no row has all
 * words, one wrong letter of one word is forgiven. First come rows with the whole text as a code, then those whose first
 * text begins with it, then the others; each newest first.
 *
 * Texts and their tokens are two tables of the same rows. The policy on the tokens brings what is sought to their index; a
 * reading of the texts in the order of the list does not go through it (see the migrations that add them).
 */

/** How much a search may read, and how many rows it finds at most. */
export interface WordSearchBounds {
  /** Rows in the order of the list that are looked at first: what many rows have is found among them. */
  readonly rowsFirst: number;
  /** Rows that have the tokens of all words. */
  readonly candidatesMax: number;
  /** Rows that are looked at in the order of the list if too many have the tokens. */
  readonly rowsMax: number;
  readonly foundMax: number;
}

const defaultBounds: WordSearchBounds = {
  rowsFirst: 4_000,
  candidatesMax: 10_000,
  rowsMax: 20_000,
  foundMax: 1_000,
};

/** The SQL of a search in a list. Rows of texts have `id`, `at` (time of the order), `texts` and `codes`. */
export interface WordSearchSql {
  /** The first `count` rows of texts in the order of the list. */
  readonly listed: (count: number) => string;
  /** At most `count` rows with the tokens that are sought, in any order. */
  readonly sought: (count: number) => string;
  /** At most `count` rows whose first text begins with `sought.whole`, of a table `sought`. */
  readonly begins: (count: number) => string;
  /** At most `count` rows that have `sought.whole` as a code in a table of its own, if there is one. */
  readonly coded?: (count: number) => string;
  /** A join that drops the rows which the filters of the list leave out, of a table `t`. */
  readonly kept: string;
}

interface FoundRow {
  /** The rows that were looked at; null: none of them is found, and this row is about their number only. */
  readonly looked_at: number;
  readonly id: number | null;
  /** Microseconds since 1970. */
  readonly at: number | null;
  readonly rank: number | null;
}

/** A row that was found. */
interface Found {
  readonly id: number;
  readonly at: number;
  readonly rank: number;
}

interface Sought {
  /** The words with one space between them. */
  readonly whole: string;
  /** LIKE patterns that the texts must have. */
  readonly patterns: readonly string[];
  /** A regular expression that they must have, too. */
  readonly expression: string;
}

type SearchStatement = (sought: Sought, values: SqlParameters) => BoundStatement<FoundRow>;

export interface WordSearch {
  readonly bounds: WordSearchBounds;
  readonly among: SearchStatement;
  readonly amongMore: SearchStatement;
  readonly byTokens: SearchStatement;
  readonly begins: SearchStatement;
  readonly coded: SearchStatement | null;
}

/** Declares the statements of a search, named after its list. */
export function wordSearch(name: string, sql: WordSearchSql, bounds = defaultBounds): WordSearch {
  const { foundMax, rowsFirst, rowsMax, candidatesMax } = bounds;
  const hasWords = 't.texts like all (sought.patterns) and t.texts ~ sought.expression';
  const rank = `case when position(E'\\n' || sought.whole || E'\\n' in t.codes) > 0 then 0
                    when starts_with(t.texts, sought.whole) then 1 else 2 end`;
  const declare = (kind: string, rows: string, condition: string, ofRank: string): SearchStatement => {
    const declared = statement<SqlParameters, FoundRow>(
      `${name}_${kind}`,
      `with sought as materialized (
          select lower(:whole) as whole, lower(:patterns::text[]::text)::text[] as patterns,
                 lower(:expression) as expression),
        t as materialized (${rows})
   select n.looked_at, f.id, f.at, f.rank
     from (select count(*)::integer as looked_at from t) n
     left join (select t.id, (extract(epoch from t.at) * 1000000)::bigint as at, ${ofRank} as rank
                  from t cross join sought ${sql.kept}
                 where ${condition}
                 order by t.at desc, t.id desc limit ${foundMax + 1}) f on true`,
    );
    return (sought, values) => declared({ ...values, ...sought });
  };
  return {
    bounds,
    among: declare('first', sql.listed(rowsFirst + 1), hasWords, rank),
    amongMore: declare('more', sql.listed(rowsMax + 1), hasWords, rank),
    byTokens: declare('sought', sql.sought(candidatesMax + 1), hasWords, rank),
    begins: declare('begins', sql.begins(foundMax + 1), 'true', rank),
    coded: sql.coded ? declare('coded', sql.coded(foundMax + 1), 'true', '0') : null,
  };
}

/** What a search found: all of it, or the first `foundMax` rows. */
interface Finding {
  /** First come first. */
  readonly rows: readonly Found[];
  /** Whether more rows have the words than these. */
  readonly hasMore: boolean;
}

/**
 * What a text finds in a list: the rows that have all its words, or, if none has, those that have them but for one wrong
 * letter. `values` are those of the list's filters.
 */
export async function findByWords(...asked: Parameters<typeof searchByWords>): Promise<Finding> {
  const finding = await searchByWords(...asked);
  return finding.rows.length === 0 && !finding.hasMore ? searchForgiving(...asked) : finding;
}

/** What comes after a row; one that is no longer found stands among the last kind of rows that are. */
export function rowsAfter(rows: readonly Found[], { id, at }: Omit<Found, 'rank'>): readonly Found[] {
  const cursor = rows.find((row) => row.id === id) ?? { id, at, rank: rows.at(-1)?.rank ?? 0 };
  return rows.filter((row) => compareFound(cursor, row) < 0);
}

/**
 * The rows that have the words of a text; `values` are those of the list's filters. It reads a bounded number of rows,
 * whether many have the words or none. With more rows than it finds at most, or more than it may look at, `hasMore` is true.
 */
async function searchByWords(
  database: Pick<Database, 'read'>,
  organizationId: OrganizationId,
  search: WordSearch,
  text: string,
  values: SqlParameters,
): Promise<Finding> {
  const words = wordsOf(text);
  const sought: Sought = { whole: words.join(' '), patterns: words.map(patternOf), expression: '' };
  const { rowsFirst, rowsMax, candidatesMax } = search.bounds;
  const [begins, coded, first] = await database.read(
    organizationId,
    search.begins(sought, values),
    search.coded?.(sought, values) ?? null,
    search.among(sought, values),
  );
  const ranked = [...foundAmong(coded), ...foundAmong(begins)];
  const finding = (rows: readonly FoundRow[], isComplete: boolean) =>
    findingOf(search, [...ranked, ...foundAmong(rows)], isComplete);
  if (isFull(search, first)) return finding(first, false);
  if (lookedAt(first) <= rowsFirst) return finding(first, true);
  const [, byTokens] = await database.read(
    organizationId,
    seek({ text: words.join('\n') }),
    search.byTokens(sought, values),
  );
  if (lookedAt(byTokens) <= candidatesMax) return finding(byTokens, true);
  const [more] = await database.read(organizationId, search.amongMore(sought, values));
  return finding(more, lookedAt(more) <= rowsMax);
}

const seek = statement<{ text: string }, never>('seek_words', `select set_config('app.sought', :text, true)`);

/**
 * The rows that have the words of a text but for one wrong letter: one too many, one missing, another one, or two that
 * are turned round, in one word of 4 to 32 characters.
 */
async function searchForgiving(
  database: Pick<Database, 'read'>,
  organizationId: OrganizationId,
  search: WordSearch,
  text: string,
  values: SqlParameters,
): Promise<Finding> {
  const words = wordsOf(text);
  const guesses = words.flatMap((word, at) => {
    const others = words.filter((_, index) => index !== at);
    return guessesOf(word).map(({ part, expression }) => ({
      tokens: [...others, part].join('\n'),
      sought: { whole: words.join(' '), patterns: others.map(patternOf), expression },
    }));
  });
  if (guesses.length === 0) return { rows: [], hasMore: false };
  const replies = (await database.read(
    organizationId,
    ...guesses.flatMap(({ tokens, sought }) => [
      seek({ text: tokens }),
      search.byTokens(sought, values) as BoundStatement<unknown>,
    ]),
  )) as readonly FoundRow[][];
  const found = replies.filter((_, at) => at % 2 === 1);
  return findingOf(
    search,
    found.flatMap(foundAmong).map((row) => ({ ...row, rank: 3 })),
    found.every((rows) => !isFull(search, rows) && lookedAt(rows) <= search.bounds.candidatesMax),
  );
}

/** The words of a text, as they are sought: at most eight. */
export function wordsOf(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 8);
}

/** What LIKE takes for a wildcard is not one in a word. */
export function patternOf(word: string): string {
  return `%${word.replace(/[\\%_]/g, '\\$&')}%`;
}

interface Guess {
  /** A part that the text has if this guess is right. */
  readonly part: string;
  /** What the text has in place of the word. */
  readonly expression: string;
}

const forgivenFrom = 4;
const forgivenTo = 32;

/** A wrong letter is in one half of a word, so that the other half is right. Two letters of both may be turned round. */
function guessesOf(word: string): Guess[] {
  const letters = [...word];
  if (letters.length < forgivenFrom || letters.length > forgivenTo) return [];
  const middle = Math.floor(letters.length / 2);
  const turned = (at: number) => letters.with(at, letters[at + 1]!).with(at + 1, letters[at]!);
  const halfIs = (from: number, to: number): Guess => {
    const ways = letters.flatMap((_, at) =>
      at < from || at >= to
        ? [
            [...letters.slice(0, at).map(literal), '.?', ...letters.slice(at + 1).map(literal)].join(''),
            [...letters.slice(0, at).map(literal), '.', ...letters.slice(at).map(literal)].join(''),
            ...(at + 1 < letters.length && (at + 1 < from || at + 1 >= to)
              ? [turned(at).map(literal).join('')]
              : []),
          ]
        : [],
    );
    return { part: letters.slice(from, to).join(''), expression: ways.join('|') };
  };
  const across = turned(middle - 1);
  return [
    halfIs(0, middle),
    halfIs(middle, letters.length),
    { part: across.join(''), expression: across.map(literal).join('') },
  ];
}

/** A letter as a regular expression. */
function literal(letter: string): string {
  return /[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`;
}

function foundAmong(rows: readonly FoundRow[]): Found[] {
  return rows.flatMap(({ id, at, rank }) => (id === null ? [] : [{ id, at: at!, rank: rank! }]));
}

const lookedAt = ([row]: readonly FoundRow[]): number => row!.looked_at;
const isFull = ({ bounds }: WordSearch, rows: readonly FoundRow[]): boolean =>
  foundAmong(rows).length > bounds.foundMax;

/** Each row once, where it comes first. */
function findingOf({ bounds }: WordSearch, found: readonly Found[], isComplete: boolean): Finding {
  const best = new Map<number, Found>();
  for (const row of found) {
    const known = best.get(row.id);
    if (known === undefined || row.rank < known.rank) best.set(row.id, row);
  }
  const rows = [...best.values()].sort(compareFound);
  return { rows: rows.slice(0, bounds.foundMax), hasMore: !isComplete || rows.length > bounds.foundMax };
}

/** The order of what is found. */
function compareFound(one: Found, other: Found): number {
  return one.rank - other.rank || other.at - one.at || other.id - one.id;
}
