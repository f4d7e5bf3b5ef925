import type { Client } from 'pg';
import type { OrganizationId } from '../../kernel/ids.ts';
import { type BoundStatement, IntegerArray, TextArray } from '../statements/statement.ts';
import { bindTenant } from './bind-statements.ts';

/** Runs statements, one after another, in the transaction that is open on a session of the database's owner. */
export async function runOnSession(
  client: Client,
  organization: OrganizationId,
  statements: readonly BoundStatement<unknown>[],
): Promise<void> {
  for (const statement of statements) {
    const { text, values } = bindTenant(statement, organization);
    await client.query(
      text,
      values.map((value) => {
        if (value instanceof TextArray || value instanceof IntegerArray) return value.values;
        return value instanceof Uint8Array ? Buffer.from(value) : value;
      }),
    );
  }
}
