import { selectOrganization } from '../../access/organizations/organizations.ts';
import type { Law } from '../../engines/jurisdictions/law-book.ts';
import { assert } from '../../kernel/assert.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { statement } from '../../platform/statements/statement.ts';
import { assertLawful, legalEligibility } from '../carts/carts.ts';
import { lockCustomer } from '../customers/customers.ts';
import type { ReportedSale } from '../traceability/reported-sale.ts';
import { limitedLines } from './limits-used.ts';
import type { OrderRecord } from './order-record.ts';
import { reportedSale } from './report-order.ts';

/** The cannabis of the other open deliveries that a driver has with them. Only open orders are looked at. */
const selectCarried = statement<{ driverName: string; exceptOrderId: string }, { cents: number }>(
  'select_carried_by_driver',
  `select coalesce(sum(l.subtotal_price_cents), 0)::bigint as cents
     from orders o
     join order_dispatch_tasks t on t.organization_id = o.organization_id and t.order_id = o.id
      and t.status = 'active' and t.driver_name = :driverName
     join order_line_items l on l.organization_id = o.organization_id and l.order_id = o.id
      and l.product_cannabis_type <> 'none'
    where o.organization_id = :organizationId and o.status in ('new', 'packed') and o.type = 'delivery'
      and o.id <> :exceptOrderId`,
);

/**
 * Judges a delivery that leaves the shop (D93): by the hours of delivery, by whom the law lets have one, and by the value of all cannabis that the
 * driver carries then, `besideCents` included. Resolves to the value of the order's own cannabis, and to the order as the state is told of it.
 * Fails with the error of the duty that would be broken.
 */
export async function judgeDeparture(
  tx: TenantTransaction,
  law: Law,
  order: OrderRecord,
  driverName: string | null,
  nowMs: number,
  besideCents = 0,
): Promise<{ readonly cents: number; readonly sale: ReportedSale }> {
  const { id, userId, type: channel } = order.head;
  const [[organization], [customer], [carried]] = await tx.run(
    selectOrganization({}),
    userId === null ? null : lockCustomer({ id: userId }),
    driverName === null ? null : selectCarried({ driverName, exceptOrderId: id }),
  );
  assert(organization !== undefined, 'the organization does not exist');
  const buyer = {
    birthday: customer?.birthday ?? null,
    medicalExpiration: customer?.medical_expiration ?? null,
  };
  assertLawful({
    handOver: {
      organization,
      standing: legalEligibility(law, organization, buyer, nowMs),
      ...{ nowMs, channel, isHandOver: true, isNamed: true, limits: [] },
      carriedCents: (carried?.cents ?? 0) + besideCents,
      lines: limitedLines(order.lines).map((line, index) => {
        const { productName: name, subtotalPriceCents } = order.lines[index]!;
        return { ...line, name, quantity: 1, unitPriceCents: subtotalPriceCents };
      }),
    },
    purchaseLimits: { limits: [], overages: [] },
  });
  const cannabis = order.lines.filter(({ productCannabisType }) => productCannabisType !== 'none');
  return {
    cents: cannabis.reduce((sum, { subtotalPriceCents }) => sum + subtotalPriceCents, 0),
    sale: reportedSale(order, [], nowMs),
  };
}
