import type { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';

const selectOrganizationsWithWork = statement<{ work: string; before: string }, { id: number }>(
  'select_organizations_with_work',
  'select id from organizations_with_work(:work, :before)',
);

/**
 * The organizations that have work of a kind that the function of the database knows, in one statement for any number of organizations; what has an age, from before that
 * time. `operator` is connected as the owner.
 */
export function organizationsWithWork(
  operator: Pick<Database, 'global'>,
  work: string,
  before: string,
): Promise<{ readonly id: number }[]> {
  return operator.global(selectOrganizationsWithWork({ work, before }));
}
