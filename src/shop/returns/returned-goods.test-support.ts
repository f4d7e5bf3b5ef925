import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import type { TestReply, TestService } from '../../../test/harness/test-service.ts';
import { type ShopSettings, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openPlainShop, placeTrade, type TradeLines } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { stepOrder } from '../orders/orders.ts';

export type Data = TestReply['data'];

/** Test support for returns: shops that sell, staff that take goods back, and reads of the remaining stock. */
export function returnedGoods(service: TestService) {
  const { context } = service;
  const shops: TestShop[] = [];

  const sql = (shop: TestShop, text: string, ...values: (string | number)[]) =>
    tenantSql(context.database, shop.organizationId, text, ...values);

  const detail = async (shop: TestShop, orderId: string): Promise<Data> => {
    const { data } = await service.call('GET', `/api/v1/orders/${orderId}/detail`, { keys: shop.keys });
    return data;
  };

  return {
    sql,

    async openShop(settings: ShopSettings = {}): Promise<{ shop: TestShop; owner: TestStaff }> {
      const shop = await openPlainShop(service, settings);
      shops.push(shop);
      return { shop, owner: await service.staff(shop) };
    },

    /** The movements in all shops opened so far. */
    async rulesBroken(): Promise<readonly unknown[]> {
      const broken = await Promise.all(
        shops.splice(0).map(({ organizationId }) => brokenRules(context.database, organizationId)),
      );
      return broken.flat();
    },

    /** Places an order paid in cash and fulfills it; resolves to its detail. */
    async sell(shop: TestShop, lines: TradeLines, changes: object = {}): Promise<Data> {
      const { data, error } = await placeTrade(service, shop, lines, {
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
        ...changes,
      });
      expect(error).toBeUndefined();
      const step = (action: 'accept' | 'fulfill') =>
        stepOrder(context, testOrigin, shop.organizationId, data.id, action, { staff: null });
      if (data.status === 'draft') await step('accept');
      await step('fulfill');
      return detail(shop, data.id);
    },

    detail,

    /** A return request for the given quantities by line position; refunded in cash, restocked. */
    body(
      shop: TestShop,
      order: Data,
      units: readonly (readonly [line: number, quantity: number, changes?: object])[],
      changes: object = {},
    ) {
      return {
        refundType: 'payment-method',
        paymentTypeId: shop.paymentTypeId('Cash'),
        lineItems: units.map(([line, quantity, ofLine]) => ({
          orderLineItemId: order.lineItems[line].id,
          quantity,
          type: 'return',
          inventoryAction: 'inventory',
          reason: 'Changed their mind',
          ...ofLine,
        })),
        idempotencyKey: randomUUID(),
        ...changes,
      };
    },

    takeBack: (staff: TestStaff, orderId: string, body: object) =>
      staff.call('POST', `/staff/v1/orders/${orderId}/returns`, body),

    preview: (staff: TestStaff, orderId: string, body: object) =>
      staff.call('POST', `/staff/v1/orders/${orderId}/returns/preview`, body),

    voidReturn: (staff: TestStaff, returnId: number, reason = 'Rung up twice') =>
      staff.call('POST', `/staff/v1/order-returns/${returnId}/void`, { reason }),

    /** Stock on hand of an option by package label (or "loose"). */
    async stockOf(shop: TestShop, option: string): Promise<Record<string, number>> {
      const rows = await sql(
        shop,
        `select coalesce(k.label, 'loose') as label, b.on_hand from stock_balances b
           left join packages k on k.organization_id = b.organization_id and k.id = b.package_id
           join product_options o on o.organization_id = b.organization_id and o.id = $1
          where b.product_id = o.product_id and b.product_option_id in (0, o.id) order by 1`,
        shop.optionId(option),
      );
      return Object.fromEntries(rows.map(({ label, on_hand: onHand }) => [label, Number(onHand)]));
    },

    async pointsOf(shop: TestShop): Promise<number> {
      const [row] = await sql(shop, 'select points from loyalty_balances');
      return Number(row?.points ?? 0);
    },

    /** The customer's usable store credits, in cents. */
    async creditsOf(shop: TestShop): Promise<number[]> {
      const now = new Date(context.clock.now()).toISOString();
      const rows = await sql(
        shop,
        `select remaining_cents from customer_credits where expires_at is null or expires_at > $1 order by id`,
        now,
      );
      return rows.map((row) => Number(row.remaining_cents));
    },
  };
}
