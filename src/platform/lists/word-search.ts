import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import { type BoundStatement, type SqlParameters, statement } from '../statements/statement.ts';

/*
 * Searches by words: a row is found if each word is somewhere in its texts, in any order, without case. If no row has all
 * words, one wrong letter of one word is forgiven. First come rows with the whole text as a code, then those whose first
 * text begins with it, then the others; each newest first.
 *
 * Texts and their tokens are two tables of the same rows. The policy on the tokens brings what is sought to their index; a
 * reading of the texts in the order of the list does not go through it (see `product_texts` of the schema).
 */

/** How much a search may read, and how many rows it finds at most. */
interface WordSearchBounds {
  /** Rows in the order of the list that are looked at first: what many rows have is found among them. */
  readonly rowsFirst: number;
  /** With so many of these found, the others are sought in the order of the list, too. */
  readonly foundOften: number;
  /** Rows that have the tokens of all words. */
  readonly candidatesMax: number;
  /** Rows that are looked at in the order of the list if too many have the tokens. */
  readonly rowsMax: number;
  readonly foundMax: number;
  /** The same where a wrong letter is forgiven: looking for it takes several times as long. */
  readonly nearlyMax: number;
}

const defaultBounds: WordSearchBounds = {
  rowsFirst: 2_000,
  foundOften: 100,
  candidatesMax: 10_000,
  rowsMax: 20_000,
  foundMax: 1_000,
  nearlyMax: 200,
};

/** The SQL of a search in a list. Rows of texts have `id`, `at` (time of the order), `texts` and `codes`. */
interface WordSearchSql {
  /** The first `count` rows of texts in the order of the list; `behind` is a condition on them as a table `t`. */
  readonly listed: (count: number, behind: string) => string;
  /** `id` and `at` of at most `count` rows with the tokens that are sought, in any order. */
  readonly sought: (count: number) => string;
  /** `texts` and `codes` of the row `c.id`. */
  readonly textsOf: string;
  /** The columns of time and id of a row `t` of texts. */
  readonly place: readonly [at: string, id: string];
  /**
   * At most `count` rows among which are those whose first text begins with `sought.whole`, of a table `sought`: by an index of
   * `search_key` of that text, with `sought.key`. (An index of an expression serves no search behind row-level security.)
   */
  readonly begins: (count: number) => string;
  /** At most `count` rows that have `sought.whole` as a code in a table of its own, if there is one. */
  readonly coded: (count: number) => string;
  /** A join that drops the rows which the filters of the list leave out; `id` is that of a row. */
  readonly kept: (id: string) => string;
  /**
   * A filter of the list that few rows may pass: its name among the values, and the `id` of at most `count` rows that pass it, read
   * from an index alone. Looking each row up for its filters took most of the time of a search for a word of many.
   */
  readonly narrow: { readonly by: string; readonly ids: (count: number) => string };
}

interface FindingRow {
  /** The rows that were looked at; null: more were found than it finds at most. */
  readonly looked_at: number | null;
  /** How many were found where it looked, without what begins with the text and what has it as a code. */
  readonly found_count: number;
  /** The last row that was looked at in the order of the list, for what goes on behind it. */
  readonly last_at: string | null;
  readonly last_id: number | null;
  /** Id, microseconds since 1970 and rank of each row, in a line: a row for each would take several times as long. */
  readonly found: string | null;
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
  /** A regular expression that they must have, too; null: none. */
  readonly expression: string | null;
}

type SearchStatement = (sought: Sought, values: SqlParameters) => BoundStatement<FindingRow>;

interface WordSearch {
  readonly bounds: WordSearchBounds;
  /** What begins with the text or has it as a code, and what has its words among the first rows of the list. */
  readonly first: SearchStatement;
  readonly more: SearchStatement;
  readonly byTokens: SearchStatement;
  readonly nearly: SearchStatement;
}

/** Declares a statement of a search: its tables, those of them that found something, and how many rows were looked at. */
function findingStatement(
  name: string,
  tables: readonly string[],
  kinds: readonly string[],
  lookedAt: string,
  { max, last = 'null::text as last_at, null::bigint as last_id' }: { max: number | string; last?: string },
): SearchStatement {
  const declared = statement<SqlParameters, FindingRow>(
    name,
    `with sought as materialized (
          select lower(:whole) as whole, search_key(:whole) collate "C" as key,
                 lower(:patterns::text[]::text)::text[] as patterns, lower(:expression) as expression),
        ${tables.join(`,
        `)}
   select (select count(*)::integer from found) as found_count,
          case when (select count(*) from found) <= ${max} then (${lookedAt}) end as looked_at, ${last},
          (select string_agg(concat(id, ' ', at, ' ', rank), E'\\n')
             from (${kinds.map((table) => `select id, at, rank from ${table}`).join(' union all ')}) f) as found`,
  );
  return (sought, values) => declared({ ...values, ...sought });
}

/** What filters the list: none, some, or one of them that few rows may pass. */
type Filters = 'none' | 'some' | 'narrow';

/** A statement for each kind of filters. */
function ofFilters(
  { narrow }: WordSearchSql,
  declare: (filters: Filters, suffix: string) => SearchStatement,
): SearchStatement {
  const statements = {
    none: declare('none', '_in_all'),
    some: declare('some', ''),
    narrow: declare('narrow', '_narrow'),
  };
  return (sought, values) => {
    const isGiven = (name: string) => values[name] !== null && values[name] !== undefined;
    const filters = isGiven(narrow.by) ? 'narrow' : Object.keys(values).some(isGiven) ? 'some' : 'none';
    return statements[filters](sought, values);
  };
}

/** More rows than these are not held against the others one by one. */
const narrowMax = 10_000;

/** Drops rows that a narrow filter leaves out, before they are looked up; `narrowed` is a table of the statement. */
const isNarrowed = (filters: Filters, id: string): string =>
  filters === 'narrow'
    ? `((select count(*) from narrowed) > ${narrowMax} or ${id} in (select id from narrowed))`
    : 'true';

const narrowedTable = (filters: Filters, { narrow }: WordSearchSql): string[] =>
  filters === 'narrow' ? [`narrowed as materialized (${narrow.ids(narrowMax + 1)})`] : [];

/**
 * The candidates that meet the condition. With filters of the list these come first: they may leave few candidates, whose texts alone
 * are read. Without any nearly every candidate passes, so only the rows that are found are looked up.
 */
function amongCandidates(sql: WordSearchSql, rank: string, condition: string, filters: Filters): string {
  const [before, inside, behind] =
    filters === 'none'
      ? ['', `where ${condition}`, sql.kept('t.id')]
      : [sql.kept('c.id'), '', `where ${condition}`];
  return `select t.id, (extract(epoch from t.at) * 1000000)::bigint as at, ${rank} as rank
           from (select c.id, c.at, t.texts, t.codes
                   from (select * from candidates where ${isNarrowed(filters, 'id')} order by at desc, id desc) c
                  ${before}
                  cross join lateral (${sql.textsOf} limit 1) t
                  ${inside}) t
          ${behind}`;
}

/**
 * Declares the statements of a search, named after its list. None keeps the texts that it looks at: each takes rows in the order
 * of the list, and ends with the row that fills it.
 */
export function wordSearch(name: string, sql: WordSearchSql, bounds = defaultBounds): WordSearch {
  const { foundMax, nearlyMax, rowsFirst, rowsMax, candidatesMax } = bounds;
  const whole = '(select whole from sought)';
  const hasWords = 't.texts like all ((select patterns from sought)::text[])';
  const hasNearly = `${hasWords} and t.texts ~ (select expression from sought)`;
  const rank = `case when position(E'\\n' || ${whole} || E'\\n' in t.codes) > 0 then 0
                     when starts_with(t.texts, ${whole}) then 1 else 2 end`;
  const found = (ofRank: string, rows: string, condition: string) =>
    `select t.id, (extract(epoch from t.at) * 1000000)::bigint as at, ${ofRank} as rank
           from (${rows}) t ${sql.kept('t.id')}
          where ${condition}`;
  const inOrder = (max: number) => `order by t.at desc, t.id desc limit ${max + 1}`;
  const candidates = `candidates as materialized (${sql.sought(candidatesMax + 1)})`;
  const candidatesWith = (kind: string, ofRank: string, condition: string, max: number) =>
    ofFilters(sql, (filters, suffix) =>
      findingStatement(
        `${name}_${kind}${suffix}`,
        [
          ...narrowedTable(filters, sql),
          candidates,
          `found as materialized (${amongCandidates(sql, ofRank, condition, filters)} ${inOrder(max)})`,
        ],
        ['found'],
        countOf('select from candidates'),
        { max },
      ),
    );
  const countOf = (rows: string) => `select count(*)::integer from (${rows}) looked`;
  const listed = sql.listed(rowsFirst + 1, '');
  const lastListed = (column: string) => `(select ${column} from (${listed}) l order by l.at, l.id limit 1)`;
  const listedBehind = sql.listed(
    rowsMax - rowsFirst + 1,
    `and (${sql.place.join(', ')}) < (:lastAt::timestamptz, :lastId::bigint)`,
  );
  return {
    bounds,
    first: ofFilters(sql, (filters, suffix) => {
      const isKept = isNarrowed(filters, 't.id');
      return findingStatement(
        `${name}_first${suffix}`,
        [
          ...narrowedTable(filters, sql),
          `begins as materialized (${found(rank, sql.begins(foundMax + 1), `starts_with(t.texts, ${whole}) and ${isKept}`)})`,
          `coded as materialized (${found('0', sql.coded(foundMax + 1), 'true')})`,
          `found as materialized (${found(rank, listed, `${hasWords} and ${isKept}`)}
            and (select count(*) from begins) <= ${foundMax} ${inOrder(foundMax)})`,
        ],
        ['begins', 'coded', 'found'],
        countOf(listed),
        { max: foundMax, last: `${lastListed('l.at')}::text as last_at, ${lastListed('l.id')} as last_id` },
      );
    }),
    more: findingStatement(
      `${name}_more`,
      [
        `found as materialized (${found(rank, listedBehind, hasWords)}
            order by t.at desc, t.id desc limit :foundMax::integer + 1)`,
      ],
      ['found'],
      countOf(listedBehind),
      { max: ':foundMax::integer' },
    ),
    byTokens: candidatesWith('sought', rank, hasWords, foundMax),
    nearly: candidatesWith('nearly', '3', hasNearly, nearlyMax),
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
  const sought: Sought = { whole: words.join(' '), patterns: words.map(patternOf), expression: null };
  const { rowsFirst, foundOften, rowsMax, candidatesMax, foundMax } = search.bounds;
  const [[first]] = await database.read(organizationId, search.first(sought, values));
  const begun = foundIn(first!);
  const finding = (row: FindingRow | null, isComplete: boolean) =>
    findingOf(search, row === null ? begun : [...begun, ...foundIn(row)], isComplete);
  if (begun.length > foundMax || isFull(first!)) return finding(null, false);
  if (first!.looked_at! <= rowsFirst) return finding(null, true);
  // Behind what was looked at first, which stays found.
  const more = async () => {
    const { last_at: lastAt, last_id: lastId, found_count: foundFirst } = first!;
    const [[row]] = await database.read(
      organizationId,
      search.more(sought, { ...values, lastAt, lastId, foundMax: foundMax - foundFirst }),
    );
    return row!;
  };
  const isToTheEnd = (row: FindingRow) => row.looked_at! <= rowsMax - rowsFirst;
  // What many have is found sooner in the order of the list.
  const often = first!.found_count < foundOften ? null : await more();
  if (often !== null && (isFull(often) || isToTheEnd(often))) {
    return finding(often, !isFull(often));
  }
  const [, [byTokens]] = await database.read(
    organizationId,
    seek({ text: words.join('\n') }),
    search.byTokens(sought, values),
  );
  if (isFull(byTokens!)) return finding(byTokens!, false);
  if (byTokens!.looked_at! <= candidatesMax) return finding(byTokens!, true);
  return finding(often ?? (await more()), false);
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
      search.nearly(sought, values) as BoundStatement<unknown>,
    ]),
  )) as readonly FindingRow[][];
  const found = replies.flatMap((rows, at) => (at % 2 === 1 ? rows : []));
  return findingOf(
    search,
    found.flatMap(foundIn),
    found.every((row) => !isFull(row) && row.looked_at! <= search.bounds.candidatesMax),
    search.bounds.nearlyMax,
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

function foundIn({ found }: FindingRow): Found[] {
  if (found === null) return [];
  return found.split('\n').map((line) => {
    const [id, at, rank] = line.split(' ', 3);
    return { id: Number(id), at: Number(at), rank: Number(rank) };
  });
}

const isFull = (row: FindingRow): boolean => row.looked_at === null;

/** Each row once, where it comes first; `max` of them. */
function findingOf(
  { bounds }: WordSearch,
  found: readonly Found[],
  isComplete: boolean,
  max = bounds.foundMax,
): Finding {
  const best = new Map<number, Found>();
  for (const row of found) {
    const known = best.get(row.id);
    if (known === undefined || row.rank < known.rank) best.set(row.id, row);
  }
  const rows = [...best.values()].sort(compareFound);
  return { rows: rows.slice(0, max), hasMore: !isComplete || rows.length > max };
}

/** The order of what is found. */
function compareFound(one: Found, other: Found): number {
  return one.rank - other.rank || other.at - one.at || other.id - one.id;
}
