import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { addCredit, addDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import type { TestTax } from '../../../test/harness/test-shop.ts';
import { testOrigin } from '../../../test/harness/test-shop.ts';
import { placeTrade } from '../../../test/harness/test-trade.ts';
import { setLoyaltyProgram } from '../promotions/promotions.ts';
import { type Data, returnedGoods } from './returned-goods.test-support.ts';

const service = await startTestService();
const { context } = service;
const { openShop, rulesBroken, sql, sell, body, takeBack, voidReturn, stockOf, pointsOf, creditsOf, detail } =
  returnedGoods(service);
afterEach(async () => {
  expect(await rulesBroken()).toEqual([]);
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
});
afterAll(() => service.close());

const sum = (rows: readonly Data[], name: string): number => rows.reduce((all, row) => all + row[name], 0);

const taxes: readonly TestTax[] = [
  { description: 'City tax', rate: '5', tier: '1' },
  { description: 'Excise tax', rate: '15', tier: '2', type: 'excise', encompass: true, appliesToFees: true },
];

describe('a return', () => {
  test('has the same shape in the response, on its order and in the list', async () => {
    const { shop, owner } = await openShop({ taxes: [taxes[0]!] });
    const order = await sell(shop, [['eighth', 2]]);
    const request = body(shop, order, [[0, 1]], { adjustmentAmount: 100, adjustmentDescription: 'Opened' });
    const { status, data } = await takeBack(owner, order.id, request);
    const staff = { id: owner.staffId, email: owner.email, firstName: 'Robin', lastName: 'Castellan' };
    expect(status).toBe(201);
    expect(data).toEqual({
      id: expect.any(Number),
      refundType: 'payment-method',
      refundInitial: -3500,
      refundTotal: -3575,
      creditsTotal: 0,
      discountsTotal: 0,
      adjustmentAmount: 100,
      adjustmentDescription: 'Opened',
      cashRounding: 0,
      paymentTypeName: 'Cash',
      loyaltyTotal: 0,
      voidedAt: null,
      voidedReason: null,
      createdAt: '2026-03-10T18:00:00.000Z',
      createdBy: staff,
      voidedBy: {},
      lineItems: [
        {
          orderLineItemId: order.lineItems[0].id,
          type: 'return',
          inventoryAction: 'inventory',
          quantity: 1,
          reason: 'Changed their mind',
          fulfillAs: [
            {
              pkg: { unit: 'Each', label: '1A4FF0000000000000000001', costPerUnit: '10' },
              optionSum: 1,
              productOptionId: shop.optionId('eighth'),
              quantityFulfilled: '1',
            },
          ],
        },
      ],
      taxes: [
        {
          taxId: order.taxes[0].taxId,
          amount: -175,
          description: 'City tax',
          refunded: true,
          rate: '5',
          included: false,
          exemptable: false,
          type: 'standard',
          tier: '1',
        },
      ],
    });
    const shown = await detail(shop, order.id);
    expect([shown.returns, shown.refundTotal, shown.status]).toEqual([[data], -3575, 'fulfilled']);
    const { data: orders } = await service.call('GET', '/api/v1/orders', { keys: shop.keys });
    expect(orders[0]).toEqual(shown);
    const { data: listed } = await service.call('GET', '/api/v1/order-returns', { keys: shop.keys });
    expect(listed).toEqual([{ ...data, orderId: order.id, organizationId: shop.organizationId }]);
    const { data: voided } = await voidReturn(owner, data.id);
    expect(voided).toEqual({
      ...data,
      voidedAt: '2026-03-10T18:00:00.000Z',
      voidedReason: 'Rung up twice',
      voidedBy: staff,
    });
    const after = await detail(shop, order.id);
    expect([after.returns, after.refundTotal]).toEqual([[voided], 0]);
  });

  test('of everything refunds the net price with the tax on the delivery fee, but not the fees', async () => {
    const { shop, owner } = await openShop({ taxes });
    await addDiscount(context, shop.organizationId, { kind: 'order', type: 'flat', amount: '501' });
    const order = await sell(
      shop,
      [
        ['eighth', 3],
        ['gummies', 2],
      ],
      { type: 'delivery', payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }] },
    );
    expect(order.customerGrandTotal).toBe(order.netPrice + 500 + 350);
    for (const units of [
      [[0, 1]],
      [
        [0, 1],
        [1, 2],
      ],
      [[0, 1]],
    ] as const) {
      const { error } = await takeBack(owner, order.id, body(shop, order, units));
      expect(error).toBeUndefined();
    }
    const { returns, refundTotal } = await detail(shop, order.id);
    expect(refundTotal).toBe(-order.netPrice);
    expect([sum(returns, 'refundInitial'), sum(returns, 'discountsTotal')]).toEqual([-14_498, 501]);
    const ofTax = (taxId: number) =>
      sum(
        returns.flatMap((it: Data) => it.taxes).filter((tax: Data) => tax.taxId === taxId),
        'amount',
      );
    expect(order.taxes.map((tax: Data) => ofTax(tax.taxId))).toEqual(
      order.taxes.map((tax: Data) => -tax.amount),
    );
    const more = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect([more.status, more.error]).toMatchObject([
      409,
      {
        code: 'RETURN_QUANTITY_EXCEEDED',
        meta: { orderLineItemId: order.lineItems[0].id, quantity: 1, returnable: 0 },
      },
    ]);
  });

  test('of an exempt patient refunds what was paid; taxes included in the price are shown but not refunded twice', async () => {
    const { shop, owner } = await openShop({
      medicalTaxExempt: true,
      taxes: [
        { description: 'Excise', rate: '15', included: true },
        { description: 'Sales', rate: '9.25', tier: '2', included: true, encompass: true, exemptable: true },
      ],
    });
    await sell(shop, [['tray', 1]]);
    await sql(shop, `update customers set medical_expiration = '2027-01-01'`);
    const order = await sell(shop, [
      ['eighth', 3],
      ['tray', 1],
    ]);
    expect(order.adjustments).toMatchObject([{ isTaxExemption: true }]);
    await takeBack(owner, order.id, body(shop, order, [[0, 2]]));
    await takeBack(
      owner,
      order.id,
      body(shop, order, [
        [0, 1],
        [1, 1],
      ]),
    );
    const { returns, refundTotal } = await detail(shop, order.id);
    expect(refundTotal).toBe(-order.netPrice);
    expect(sum(returns, 'refundInitial')).toBe(-order.netPrice);
    expect(returns[0].taxes).toMatchObject([{ description: 'Excise', refunded: false, included: true }]);
  });

  test('is refused without effect if it contradicts itself or the order', async () => {
    const { shop, owner } = await openShop();
    const { shop: other } = await openShop();
    const order = await sell(shop, [['eighth', 2]]);
    const { data: draft } = await placeTrade(service, shop, [['eighth', 1]]);
    const before = await sql(shop, 'select count(*) from audit_entries');
    const refused = async (request: object, orderId = order.id) => {
      const { status, error } = await takeBack(owner, orderId, request);
      return `${status} ${error?.code} ${error?.message}`;
    };
    const one = [[0, 1]] as const;
    expect(await refused(body(shop, order, one, { paymentTypeId: undefined }))).toMatch(
      /400 MISSING_PARAMS .*paymentTypeId/,
    );
    expect(await refused(body(shop, order, one, { paymentTypeId: other.paymentTypeId('Cash') }))).toMatch(
      /404 PAYMENT_TYPE_NOT_FOUND/,
    );
    expect(await refused(body(shop, order, one, { refundType: 'none' }))).toMatch(
      /400 INVALID_PARAMS paymentTypeId/,
    );
    const none = { refundType: 'none', paymentTypeId: null };
    expect(
      await refused(body(shop, order, one, { ...none, adjustmentAmount: -1, adjustmentDescription: 'Fees' })),
    ).toMatch(/400 INVALID_PARAMS adjustmentAmount/);
    expect(
      await refused(body(shop, order, one, { adjustmentAmount: 3501, adjustmentDescription: 'Fees' })),
    ).toMatch(/400 INVALID_PARAMS adjustmentAmount must be at most 3500/);
    expect(
      await refused(body(shop, order, one, { adjustmentAmount: -3501, adjustmentDescription: 'Fees' })),
    ).toMatch(/400 INVALID_PARAMS adjustmentAmount must be at least -3500/);
    expect(await refused(body(shop, order, [[0, 1, { orderLineItemId: 1 }]]))).toMatch(
      /400 INVALID_PARAMS lineItems\[0\]\.orderLineItemId/,
    );
    expect(
      await refused(
        body(shop, order, [
          [0, 1],
          [0, 2],
        ]),
      ),
    ).toMatch(/409 RETURN_QUANTITY_EXCEEDED lineItems\[1\]\.quantity .*: 1\.$/);
    expect(await refused(body(shop, order, [[0, 0]]))).toMatch(/400 INVALID_ORDER_QUANTITY lineItems/);
    expect(await refused(body(shop, order, [[0, 1, { reason: '  ' }]]))).toMatch(
      /400 INVALID_PARAMS lineItems\[0\]\.reason/,
    );
    expect(await refused(body(shop, draft, one), draft.id)).toMatch(/409 INVALID_ORDER_TRANSITION/);
    expect(await refused(body(shop, order, one), randomUUID())).toMatch(/404 ORDER_NOT_FOUND/);
    expect(await sql(shop, 'select count(*) from audit_entries')).toEqual(before);
    expect(await refused(body(shop, order, [[0, 2]], { adjustmentAmount: 0 }))).toMatch(/^201/);
  });

  test('is refunded by its own payment type even if archived, and by no other archived type', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['eighth', 1]]);
    await sql(shop, `update payment_types set archived_at = now() where name in ('Cash', 'Bank')`);
    const other = body(shop, order, [[0, 1]], { paymentTypeId: shop.paymentTypeId('Bank') });
    expect((await takeBack(owner, order.id, other)).error?.code).toBe('PAYMENT_TYPE_NOT_FOUND');
    const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect(data.paymentTypeName).toBe('Cash');
  });

  test('without refund uses up its units and moves neither money nor points', async () => {
    const { shop, owner } = await openShop();
    await setLoyaltyProgram(context, testOrigin, shop.organizationId, '1');
    const order = await sell(shop, [['eighth', 3]]);
    expect(await pointsOf(shop)).toBe(105);
    const none = { refundType: 'none', paymentTypeId: null };
    const exchanged = await takeBack(
      owner,
      order.id,
      body(shop, order, [[0, 1, { type: 'exchange' }]], none),
    );
    expect(exchanged.data).toMatchObject({
      refundTotal: 0,
      refundInitial: 0,
      lineItems: [{ type: 'exchange' }],
    });
    expect(await pointsOf(shop)).toBe(105);
    await takeBack(owner, order.id, body(shop, order, [[0, 2]]));
    expect((await detail(shop, order.id)).refundTotal).toBe(-7000);
    expect(await pointsOf(shop)).toBe(35);
  });

  test('with a key is made once, whatever is sent again', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['eighth', 3]]);
    const request = body(shop, order, [[0, 1]]);
    const replies = await Promise.all([1, 2, 3].map(() => takeBack(owner, order.id, request)));
    expect(new Set(replies.map(({ data }) => data.id)).size).toBe(1);
    expect(replies.map(({ headers }) => headers['idempotent-replayed']).sort()).toEqual([
      'true',
      'true',
      undefined,
    ]);
    const later = await takeBack(owner, order.id, {
      ...request,
      lineItems: body(shop, order, [[0, 2]]).lineItems,
    });
    expect([later.status, later.data]).toEqual([201, replies[0]!.data]);
    expect((await detail(shop, order.id)).returns).toHaveLength(1);
  });

  test('of the last unit succeeds for one of two concurrent requests', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['eighth', 1]]);
    const before = await stockOf(shop, 'eighth');
    const replies = await Promise.all(
      [1, 2, 3].map(() => takeBack(owner, order.id, body(shop, order, [[0, 1]]))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect((await stockOf(shop, 'eighth'))['1A4FF0000000000000000001']).toBe(
      before['1A4FF0000000000000000001']! + 1,
    );
  });
});

describe('stock', () => {
  test('goes back to its packages, last taken first, and a void removes it again', async () => {
    const { shop, owner } = await openShop();
    const untouched = await stockOf(shop, 'eighth');
    const order = await sell(shop, [['eighth', 102]]);
    const sold = await stockOf(shop, 'eighth');
    expect(sold).toEqual({ '1A4FF0000000000000000001': 0, '1A4FF0000000000000000002': 99_998 });
    const { data } = await takeBack(
      owner,
      order.id,
      body(shop, order, [
        [0, 1],
        [0, 4],
      ]),
    );
    expect(await stockOf(shop, 'eighth')).toEqual({
      '1A4FF0000000000000000001': 3,
      '1A4FF0000000000000000002': 100_000,
    });
    const voids = await Promise.all([1, 2, 3].map(() => voidReturn(owner, data.id)));
    expect(voids.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(voids.find(({ status }) => status === 409)?.error?.code).toBe('ORDER_RETURN_VOIDED');
    expect(await stockOf(shop, 'eighth')).toEqual(sold);
    const { data: ledger } = await owner.call('GET', '/staff/v1/inventory-ledger');
    const returned = ledger.filter(({ cause }: Data) => cause === 'returned');
    expect(returned.map(({ orderId, delta }: Data) => [orderId, delta])).toEqual(
      ['-2', '-3', '2', '3'].map((delta) => [order.id, delta]),
    );
    await takeBack(owner, order.id, body(shop, order, [[0, 102]]));
    expect(await stockOf(shop, 'eighth')).toEqual(untouched);
  });

  test('of products with stock per product goes back by amount, and untracked stock is unchanged', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [
      ['half gram', 3],
      ['tray', 1],
    ]);
    const { data } = await takeBack(
      owner,
      order.id,
      body(shop, order, [
        [0, 2],
        [1, 1],
      ]),
    );
    expect(await stockOf(shop, 'half gram')).toEqual({ '1A4FF0000000000000000003': 99_999.5 });
    expect(data.lineItems.map((line: Data) => line.fulfillAs)).toMatchObject([
      [{ optionSum: 1, quantityFulfilled: '2' }],
      [],
    ]);
  });

  test('as waste or to the vendor is only recorded', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['eighth', 3]]);
    const sold = await stockOf(shop, 'eighth');
    const { data } = await takeBack(
      owner,
      order.id,
      body(shop, order, [
        [0, 1, { inventoryAction: 'waste' }],
        [0, 1, { inventoryAction: 'vendor' }],
      ]),
    );
    expect(data.lineItems).toMatchObject([
      { inventoryAction: 'waste', fulfillAs: [{ optionSum: 0, pkg: { label: '1A4FF0000000000000000001' } }] },
      { inventoryAction: 'vendor', fulfillAs: [{ optionSum: 0, quantityFulfilled: '1' }] },
    ]);
    expect(await stockOf(shop, 'eighth')).toEqual(sold);
    await voidReturn(owner, data.id);
    expect(await stockOf(shop, 'eighth')).toEqual(sold);
  });

  test('that was sold again in the meantime cannot be voided', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['eighth', 100]]);
    const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 2]]));
    await sell(shop, [['eighth', 1]]);
    const refused = await voidReturn(owner, data.id);
    expect([refused.status, refused.error?.code]).toEqual([409, 'OUT_OF_STOCK']);
    expect((await detail(shop, order.id)).refundTotal).toBe(-7000);
  });

  test('does not go back to a location that is archived', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['quarter', 1]]);
    await sql(shop, `update inventory_locations set archived_at = now() where name = 'Vault'`);
    const { error } = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect([error?.code, error?.message]).toEqual([
      'INVALID_PARAMS',
      expect.stringContaining('lineItems[0].inventoryAction'),
    ]);
    const wasted = body(shop, order, [[0, 1, { inventoryAction: 'waste' }]]);
    expect((await takeBack(owner, order.id, wasted)).status).toBe(201);
  });
});

describe("the customer's account", () => {
  const credited = { refundType: 'store-credit', paymentTypeId: null };

  test('gets a refund as store credit, which a void ends while it is unspent', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['tray', 2]]);
    const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 1]], credited));
    expect(await creditsOf(shop)).toEqual([1250]);
    await voidReturn(owner, data.id);
    expect(await creditsOf(shop)).toEqual([]);
    const { data: second } = await takeBack(owner, order.id, body(shop, order, [[0, 1]], credited));
    await placeTrade(service, shop, [['tray', 1]]);
    const refused = await voidReturn(owner, second.id);
    expect([refused.status, refused.error?.code]).toEqual([409, 'STORE_CREDIT_SPENT']);
    expect((await detail(shop, order.id)).refundTotal).toBe(-1250);
  });

  test('gets used store credit back as store credit, but not a promo code', async () => {
    const { shop, owner } = await openShop();
    const { customer } = await sell(shop, [['tray', 1]]);
    await addCredit(context, shop.organizationId, customer.id, { cents: 1001 });
    await addCredit(context, shop.organizationId, customer.id, { cents: 500, type: 'promo-code' });
    const order = await sell(shop, [['tray', 2]]);
    expect(order.netPrice).toBe(999);
    const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect(data).toMatchObject({ refundInitial: -1250, creditsTotal: 751, refundTotal: -499 });
    expect(await creditsOf(shop)).toEqual([0, 0, 501]);
    await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect((await detail(shop, order.id)).refundTotal).toBe(-999);
    expect(await creditsOf(shop)).toEqual([0, 0, 501, 500]);
  });

  test('loses earned points in proportion, also spent ones, and gets them back after a void', async () => {
    const { shop, owner } = await openShop();
    await setLoyaltyProgram(context, testOrigin, shop.organizationId, '1');
    const order = await sell(shop, [['eighth', 3]]);
    const { data: first } = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
    expect(await pointsOf(shop)).toBe(70);
    await owner.call('POST', `/staff/v1/customers/${order.customer.id}/loyalty-adjustments`, {
      pointsAmount: -60,
      reason: 'Spent',
    });
    const { data: second } = await takeBack(owner, order.id, body(shop, order, [[0, 2]]));
    expect(await pointsOf(shop)).toBe(-60);
    await voidReturn(owner, second.id);
    expect(await pointsOf(shop)).toBe(10);
    await voidReturn(owner, first.id);
    expect(await pointsOf(shop)).toBe(45);
  });
});

describe('purchase limits', () => {
  test('gets back the limits of returned units, until the return is voided', async () => {
    const { shop, owner } = await openShop({ state: 'CA' });
    const order = await sell(shop, [['eighth', 8]]);
    const tooMuch = async () => (await placeTrade(service, shop, [['eighth', 2]])).error?.code;
    expect(await tooMuch()).toBe('PURCHASE_LIMIT_EXCEEDED');
    const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 2]]));
    expect(await tooMuch()).toBeUndefined();
    await voidReturn(owner, data.id);
    expect(await tooMuch()).toBe('PURCHASE_LIMIT_EXCEEDED');
  });
});

describe('the list of returns', () => {
  test('has each return once, newest first, also those of one moment, and filters voided ones', async () => {
    const { shop, owner } = await openShop();
    const order = await sell(shop, [['gummies', 60]]);
    const ids: number[] = [];
    for (let count = 0; count < 52; count++) {
      const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 1]]));
      ids.unshift(data.id);
      if (count % 3 === 0) service.clock.advance(1000);
    }
    for (const id of ids.slice(0, 2)) await voidReturn(owner, id);
    const list = async (query: object) => {
      const reply = await service.call('GET', '/api/v1/order-returns', {
        keys: shop.keys,
        query: { ...query },
      });
      const staffs = await owner.call('GET', '/staff/v1/order-returns', undefined, { query: { ...query } });
      expect(staffs.data).toEqual(reply.data);
      return reply;
    };
    const idsOf = async (query: object) => (await list(query)).data.map(({ id }: Data) => id);
    const first = await idsOf({});
    expect(first).toEqual(ids.slice(0, 50));
    expect(await idsOf({ startingAfter: first.at(-1) })).toEqual(ids.slice(50));
    expect(await idsOf({ startingAfter: ids.at(-1) })).toEqual([]);
    expect(await idsOf({ voided: true })).toEqual(ids.slice(0, 2));
    expect(await idsOf({ voided: true, startingAfter: ids[0] })).toEqual([ids[1]]);
    expect(await idsOf({ voided: false })).toEqual(ids.slice(2, 52));
    expect((await list({ startingAfter: 1 })).error?.code).toBe('INVALID_CURSOR');
    const { statements } = context.database.statistics;
    await service.call('GET', '/api/v1/order-returns', { keys: shop.keys });
    // A transaction of its own on a distributed database.
    const most = inject('server').isDistributed ? 4 : 2;
    expect(context.database.statistics.statements - statements).toBeLessThanOrEqual(most);
  });
});
