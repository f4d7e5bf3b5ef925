import type { OrganizationId } from '../../kernel/ids.ts';
import { type ListCount, totalOf } from '../../kernel/list-count.ts';
import type { Database } from '../database/database.ts';
import type { BoundStatement } from '../statements/statement.ts';

/** How many rows a list has, from the statement that counts them. */
export async function readTotal(
  database: Pick<Database, 'read'>,
  organizationId: OrganizationId,
  count: BoundStatement<{ count: number }>,
): Promise<ListCount> {
  const [[row]] = await database.read(organizationId, count);
  return totalOf(row!.count);
}
