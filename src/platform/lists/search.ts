import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Database } from '../database/database.ts';
import { type BoundStatement, type SqlParameters, statement } from '../statements/statement.ts';

/** How much a search may read. */
interface SearchBounds {
  /** Rows in the order of the list that are looked at first: what many rows have fills a page from them. */
  readonly rowsFirst: number;
  /** Rows with the tokens of the text: one with more is looked for in the list. */
  readonly candidatesMax: number;
  /** Rows of the list that are looked at if too many have the tokens. */
  readonly rowsMax: number;
}

const searchBounds: SearchBounds = { rowsFirst: 2_000, candidatesMax: 10_000, rowsMax: 20_000 };

/**
 * What is sought in the tables of tokens, for the rest of the transaction: their policy shows only the rows that can
 * have it (see `search_tokens` of the schema).
 */
const seek = statement<{ text: string }, never>('seek_text', `select set_config('app.sought', :text, true)`);

/** The SQL of a search in a list. */
interface SearchSql {
  /** A page of the rows with the text, among the first `count` rows of the list. */
  readonly foundAmong: (count: number) => string;
  /** The first `count` rows of the list, with or without the text. */
  readonly listed: (count: number) => string;
  /** A page of all rows with the tokens and the text. */
  readonly foundByTokens: string;
  /** At most `count` of the rows that have the tokens, in any order. */
  readonly candidates: (count: number) => string;
}

interface Counted {
  readonly count: number;
}

/** A page that is looked for in several ways, each of which answers the same rows if it is complete. */
export interface SearchPage<Row> {
  readonly text: string;
  readonly rowsPerPage: number;
  readonly bounds: SearchBounds;
  readonly amongFirst: BoundStatement<Row>;
  readonly countFirst: BoundStatement<Counted>;
  readonly amongMore: BoundStatement<Row>;
  readonly countMore: BoundStatement<Counted>;
  readonly amongAll: BoundStatement<Row>;
  readonly countCandidates: BoundStatement<Counted>;
}

/** Declares the statements of a search, named after its list. The tables of tokens must be read after `seek`. */
export function searchStatements<Row>(
  name: string,
  rowsPerPage: number,
  { foundAmong, listed, foundByTokens, candidates }: SearchSql,
  bounds = searchBounds,
): (text: string, values: SqlParameters) => SearchPage<Row> {
  const { rowsFirst, rowsMax, candidatesMax } = bounds;
  // One row more than the bound: whether there are more.
  const countOf = (rows: string): string => `select count(*)::integer as count from (${rows}) r`;
  const statements = {
    amongFirst: statement<SqlParameters, Row>(`${name}_first`, foundAmong(rowsFirst)),
    countFirst: statement<SqlParameters, Counted>(`${name}_rows`, countOf(listed(rowsFirst + 1))),
    amongMore: statement<SqlParameters, Row>(`${name}_more`, foundAmong(rowsMax)),
    countMore: statement<SqlParameters, Counted>(`${name}_more_rows`, countOf(listed(rowsMax + 1))),
    amongAll: statement<SqlParameters, Row>(`${name}_all`, foundByTokens),
    countCandidates: statement<SqlParameters, Counted>(
      `${name}_sought`,
      countOf(candidates(candidatesMax + 1)),
    ),
  };
  return (text, values) => ({
    text,
    rowsPerPage,
    bounds,
    amongFirst: statements.amongFirst(values),
    countFirst: statements.countFirst(values),
    amongMore: statements.amongMore(values),
    countMore: statements.countMore(values),
    amongAll: statements.amongAll(values),
    countCandidates: statements.countCandidates(values),
  });
}

/**
 * A page of the rows that have a text: complete, and bounded whether many rows have it, few at the end of the list, or
 * none. Fails with INVALID_PARAMS if too many rows have the parts of the text, and too few of the first have all of it.
 */
export async function readSearchPage<Row>(
  database: Pick<Database, 'read'>,
  organizationId: OrganizationId,
  page: SearchPage<Row>,
): Promise<readonly Row[]> {
  const { text, rowsPerPage, bounds } = page;
  const [first, [listed]] = await database.read(organizationId, page.amongFirst, page.countFirst);
  if (first.length >= rowsPerPage || listed!.count <= bounds.rowsFirst) return first;
  const [, [candidates]] = await database.read(organizationId, seek({ text }), page.countCandidates);
  if (candidates!.count <= bounds.candidatesMax) {
    const [, all] = await database.read(organizationId, seek({ text }), page.amongAll);
    return all;
  }
  const [more, [listedMore]] = await database.read(organizationId, page.amongMore, page.countMore);
  if (more.length >= rowsPerPage || listedMore!.count <= bounds.rowsMax) return more;
  throw failure(
    'INVALID_PARAMS',
    `search must be more specific: too many rows have parts of it, and few of the first ${bounds.rowsMax} have all of ` +
      'it. Write more of the text.',
  );
}
