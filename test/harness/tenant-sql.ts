import { createHash } from 'node:crypto';
import { inject } from 'vitest';
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
  const held = inject('server').isDistributed ? heldToOrganization(text, organization) : text;
  const digest = createHash('sha256').update(held).digest('hex').slice(0, 16);
  const bound: BoundStatement<LooseRow> = { name: `test_${digest}`, text: held, values };
  const [rows] = await database.write(organization, (tx) => tx.run(bound));
  return rows;
}

/** Without the organization in it, a distributed database would write on every server, where triggers refuse. */
function heldToOrganization(text: string, organization: OrganizationId): string {
  if (text.includes('organization_id')) return text;
  const write =
    /^(?<change>(?:update \w+ (?:as )?\w*\s*set|delete from) .*?)(?:\swhere\s(?<condition>.*?))?(?<end>\sreturning .*)?$/s.exec(
      text.trim(),
    );
  if (write === null) return text;
  const { change, condition, end = '' } = write.groups!;
  const key = /^update organizations\b/.test(change!) ? 'id' : 'organization_id';
  return `${change} where ${key} = ${organization}${condition ? ` and (${condition})` : ''}${end}`;
}
