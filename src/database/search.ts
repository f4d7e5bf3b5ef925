import type { OrganizationId } from '../kernel/ids.ts';
import type { Database } from './database.ts';
import { type BoundStatement, statement } from './statement.ts';

/** A search looks at so many rows in the order of its list first: what many rows have fills a page from them. */
export const rowsLookedAtFirst = 2_000;

/**
 * What is sought in the tables of tokens, for the rest of the transaction: their policy shows only the rows that can
 * have it (see the migration that adds them).
 */
const seek = statement<{ text: string }, never>('seek_text', `select set_config('app.sought', :text, true)`);

/** A page that is looked for in two ways, each of which answers the same rows if it fills the page. */
export interface SearchPage<Row> {
  readonly text: string;
  readonly rowsPerPage: number;
  /** Among the first rows of the list. */
  readonly amongFirst: BoundStatement<Row>;
  /** Among all rows whose tokens are those of the text. */
  readonly amongAll: BoundStatement<Row>;
}

/** A page of what a text is found in: bounded, whether many rows have it, few at the end of the list, or none. */
export async function readSearchPage<Row>(
  database: Pick<Database, 'read'>,
  organizationId: OrganizationId,
  { text, rowsPerPage, amongFirst, amongAll }: SearchPage<Row>,
): Promise<readonly Row[]> {
  const [first] = await database.read(organizationId, amongFirst);
  if (first.length >= rowsPerPage) return first;
  const [, all] = await database.read(organizationId, seek({ text }), amongAll);
  return all;
}
