import type { Database } from './database.ts';
import { statement } from './statement.ts';

/** Kinds of background work of which the database can say at once which organizations have some. */
export const workKinds = [
  'book_changes',
  'product_stock_changes',
  'former_sandboxes',
  'product_photos',
] as const;
export type WorkKind = (typeof workKinds)[number];

const selectOrganizationsWithWork = statement<{ work: WorkKind; before: string }, { id: number }>(
  'select_organizations_with_work',
  'select id from organizations_with_work(:work, :before)',
);

/**
 * The organizations that have work of a kind, in one statement for any number of organizations; what has an age, from before that
 * time. `operator` is connected as the owner.
 */
export function organizationsWithWork(
  operator: Pick<Database, 'global'>,
  work: WorkKind,
  before: string,
): Promise<{ readonly id: number }[]> {
  return operator.global(selectOrganizationsWithWork({ work, before }));
}
