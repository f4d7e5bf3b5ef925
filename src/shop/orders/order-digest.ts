import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type DigestRow, digestSql, versionSql } from '../../platform/statements/record-digest.ts';
import { statement } from '../../platform/statements/statement.ts';

const byMonth = `select to_char(o.created_at at time zone :timeZone, 'YYYY-MM') as month, count(*)::int as count,
          ${digestSql('o.id', versionSql('o.updated_at'))} as digest
     from orders o
    where o.organization_id = :organizationId`;

const digestAll = statement<{ timeZone: string }, Required<DigestRow>>(
  'digest_orders',
  `${byMonth} group by 1 order by 1`,
  { isLong: true },
);

const digestOwn = statement<{ timeZone: string; integratorId: number }, Required<DigestRow>>(
  'digest_own_orders',
  `${byMonth} and o.integrator_id = :integratorId group by 1 order by 1`,
  { isLong: true },
);

/** The digests of orders by month of placing, in a time zone (D65): of all, or of those that an integrator placed (D64a). */
export function digestOfOrders(timeZone: string, integratorId: number | null = null) {
  return integratorId === null ? digestAll({ timeZone }) : digestOwn({ timeZone, integratorId });
}

/** The time zone of the months: the organization's. */
export async function timeZoneOfOrders(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
): Promise<string> {
  const [[settings]] = await database.read(organization, selectOrganization({}));
  assert(settings !== undefined, 'an authenticated organization exists');
  return settings.tz;
}
