import { createHash } from 'node:crypto';
import type { Database } from '../../src/database/database.ts';
import type { BoundStatement, SqlValue } from '../../src/database/statement.ts';
import type { OrganizationId } from '../../src/kernel/ids.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
type LooseRow = Record<string, any>;

/** Runs a test's own statement ($1, $2 …) as the organization, and commits it. */
export async function tenantSql(
  database: Database,
  organization: OrganizationId,
  text: string,
  ...values: readonly SqlValue[]
): Promise<LooseRow[]> {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  const bound: BoundStatement<LooseRow> = { name: `test_${digest}`, text, values };
  const [rows] = await database.write(organization, (tx) => tx.run(bound));
  return rows;
}
