import { selectOrganization } from '../access/organizations.ts';
import type { Context } from '../database/context.ts';
import { type DigestRow, digestSql, versionSql } from '../database/record-digest.ts';
import { type BoundStatement, statement } from '../database/statement.ts';
import { nothingUnpublished } from '../events/event-feed-queries.ts';
import { assert } from '../kernel/assert.ts';
import type { OrganizationId } from '../kernel/ids.ts';

const digests = `to_char(o.created_at at time zone :timeZone, 'YYYY-MM') as month, count(*)::int as count,
          ${digestSql('o.id', versionSql('o.updated_at'))} as digest`;

const digestOrders = statement<{ timeZone: string }, Required<DigestRow>>(
  'digest_orders',
  `select ${digests}
     from orders o
    where o.organization_id = :organizationId and ${nothingUnpublished}
    group by 1 order by 1`,
  { isLong: true },
);

const digestOrdersOfMonth = statement<{ timeZone: string; month: string }, Required<DigestRow>>(
  'digest_orders_of_month',
  `select ${digests}
     from orders o
    where o.organization_id = :organizationId and ${nothingUnpublished}
      and o.created_at >= (:month || '-01')::timestamp at time zone :timeZone
      and o.created_at < ((:month || '-01')::timestamp + interval '1 month') at time zone :timeZone
    group by 1`,
  { isLong: true },
);

/** The digests of orders by the month of placing, in the organization's time zone (D65). */
export async function digestOfOrders(
  { database }: Pick<Context, 'database'>,
  organization: OrganizationId,
  month: string | undefined,
): Promise<BoundStatement<DigestRow>> {
  const [[settings]] = await database.read(organization, selectOrganization({}));
  assert(settings !== undefined, 'an authenticated organization exists');
  const timeZone = settings.tz;
  return month === undefined ? digestOrders({ timeZone }) : digestOrdersOfMonth({ timeZone, month });
}
