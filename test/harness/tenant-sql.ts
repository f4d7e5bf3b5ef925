import { createHash } from 'node:crypto';
import { inject } from 'vitest';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import type { Database } from '../../src/platform/database/database.ts';
import type { BoundStatement, SqlValue } from '../../src/platform/statements/statement.ts';

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

/** Without the organization in it, a distributed database would write and read on every server, where triggers and joins refuse. */
function heldToOrganization(text: string, organization: OrganizationId): string {
  const tenant = `(select id as organization_id from organizations where id = ${organization}) tenant`;
  const made = text.replace(
    /\bselect (?:current_organization_id\(\)),([^;]*?)\bfrom (?=generate_series\(|unnest\()/g,
    `select tenant.organization_id,$1from ${tenant} cross join `,
  );
  if (made !== text) return made;
  const joined = /\b(\w+)\.organization_id = (\w+)\.organization_id\b/g;
  const held = text.replace(
    joined,
    (_, one, other) =>
      `(${one}.organization_id = ${organization} and ${other}.organization_id = ${organization})`,
  );
  if (held !== text) return held;
  if (text.includes('organization_id')) return text;
  if (/^\s*select\b/.test(text)) return selectedOf(text, organization);
  const write =
    /^(?<change>(?:update \w+ (?:as )?\w*\s*set|delete from) .*?)(?:\swhere\s(?<condition>.*?))?(?<end>\sreturning .*)?$/s.exec(
      text.trim(),
    );
  if (write === null) return text;
  const { change, condition, end = '' } = write.groups!;
  const key = /^update organizations\b/.test(change!) ? 'id' : 'organization_id';
  return `${change} where ${key} = ${organization}${condition ? ` and (${condition})` : ''}${end}`;
}

const table =
  /(?<!distinct |epoch )\b(from|join) (\w+)\b(?!\()(?: as)?(?: (?!(?:where|on|join|left|right|inner|full|cross|using|order|group|limit|union|for|having)\b)(\w+))?/g;

/** Several tables are joined as what the organization has of each. */
function selectedOf(text: string, organization: OrganizationId): string {
  const tables = [...text.matchAll(table)].map(([, , name]) => name);
  if (tables.length < 2 || /\b(?:xmax|ctid|lateral)\b/.test(text) || tables.includes('organizations'))
    return text;
  return text.replace(
    table,
    (_, word, name, alias = name) =>
      `${word} (select * from ${name} where organization_id = ${organization}) ${alias}`,
  );
}
