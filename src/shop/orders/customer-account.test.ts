import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addCredit, addDiscount, addReward } from '../../../test/harness/test-promotions.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { type ShopSettings, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import {
  openPlainShop,
  placeTrade,
  priceTrade,
  type TradeLines,
  trade,
  tradeBody,
  tradeInShops,
} from '../../../test/harness/test-trade.ts';
import { readCart } from '../carts/carts.ts';
import { movePoints } from '../promotions/promotions.ts';
import type { OrderRequest } from './build-order.ts';
import { placeOrder, stepOrder } from './orders.ts';

const service = await startTestService();
const { context } = service;
const { openShop: openPlain, sql } = tradeInShops(service);
afterAll(() => service.close());

/** A shop, and a customer with an order there. */
async function openShop(settings: ShopSettings = {}): Promise<{ shop: TestShop; userId: number }> {
  const shop = await openPlain(settings);
  const { data } = await placeTrade(service, shop, [['tray', 1]]);
  return { shop, userId: data.customer.id };
}

const credit = (shop: TestShop, userId: number, terms: Parameters<typeof addCredit>[3]) =>
  addCredit(context, shop.organizationId, userId, terms);

const cart: TradeLines = [['tray', 4]];

const step = (shop: TestShop, orderId: string, action: 'fulfill' | 'cancel') =>
  stepOrder(context, testOrigin, shop.organizationId, orderId, action, {
    staff: null,
    ...(action === 'cancel' && { cancelationReason: 'Changed their mind' }),
  });

const leftOf = async (shop: TestShop) =>
  (await sql(shop, 'select remaining_cents, remaining_uses from customer_credits order by id')).map(
    ({ remaining_cents: cents, remaining_uses: uses }) => cents ?? `${uses} uses`,
  );

const pointsOf = async (shop: TestShop) =>
  (await sql(shop, 'select points from loyalty_balances')).map(({ points }) => Number(points));

const givePoints = (shop: TestShop, userId: number, points: string) =>
  context.database.write(shop.organizationId, async (tx) => {
    await movePoints(tx, context, testOrigin, {
      userId,
      type: 'adjusted',
      points,
      reason: 'Test',
      orderId: null,
      causeId: null,
      atMs: context.clock.now(),
    });
  });

describe('account credits', () => {
  test('pay for the whole order: then the card pays nothing and has no fee', async () => {
    const { shop, userId } = await openShop();
    await credit(shop, userId, { cents: 9000 });
    const payments = [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }];
    const preview = await priceTrade(service, shop, cart, { payments });
    expect(preview.data).toMatchObject({ customerGrandTotal: 0, paymentFees: 0 });
    const { data } = await placeTrade(service, shop, cart, { payments });
    expect(data).toMatchObject({
      customerGrandTotal: 0,
      payments: [{ name: 'Debit', fee: 350, feeAmount: 0, finalAmount: 0 }],
    });
    const { head } = await step(shop, data.id, 'fulfill');
    expect(head).toMatchObject({ status: 'fulfilled', customerGrandTotalCents: 0 });
  });

  test('pay for carts of a known customer: promo codes first, then the earliest expiry', async () => {
    const { shop, userId } = await openShop();
    await credit(shop, userId, { cents: 1000, description: 'never expires' });
    await credit(shop, userId, { cents: 700, description: 'soon', expiresAtMs: testNowMs + 1000 });
    await credit(shop, userId, { percent: '10', uses: 2, description: 'ten percent' });
    await credit(shop, userId, { cents: 999, description: 'expired', expiresAtMs: testNowMs });
    const { placed, total, previewed } = (await trade(service, shop, cart)) as Extract<
      Awaited<ReturnType<typeof trade>>,
      { error: undefined }
    >;
    expect(placed.credits).toMatchObject([
      { type: 'promo-code', amountUsed: 500, description: 'ten percent', percent: '10' },
      { type: 'store-credit', amountUsed: 700, description: 'soon', percent: null },
      { type: 'store-credit', amountUsed: 1000, description: 'never expires', percent: null },
    ]);
    expect(Object.keys(placed.credits[0]).sort()).toEqual(
      [
        'id',
        'creditId',
        'orderId',
        'type',
        'amountUsed',
        'description',
        'createdAt',
        'updatedAt',
        'percent',
      ].sort(),
    );
    expect(previewed.credits[0].percent).toBe('10');
    expect([total, placed.netPrice, placed.totalPrice]).toEqual([2800, 2800, 5000]);
    expect(await leftOf(shop)).toEqual([0, 0, '1 uses', 999]);
    const next = await trade(service, shop, cart);
    expect(next.total).toBe(4500);
    expect((await trade(service, shop, cart)).total).toBe(5000);
  });

  test('are found by phone too; other customers and anonymous previews have none', async () => {
    const { shop, userId } = await openShop();
    await sql(shop, `update customers set phone = '+15105550101', phone_normalized = '+15105550101'`);
    await credit(shop, userId, { cents: 1000 });
    const by = (customer: object | undefined) => priceTrade(service, shop, cart, { customer });
    const [name] = (await sql(
      shop,
      'select first_name as "firstName", last_name as "lastName" from customers',
    )) as object[];
    expect((await by({ ...name, phone: '(510) 555-0101' })).data.customerGrandTotal).toBe(4000);
    const another = { firstName: 'A', lastName: 'B', phone: '(510) 555-0101' };
    expect((await by(another)).data.customerGrandTotal).toBe(5000);
    expect((await by({ ...name, phone: '(510) 555-0102' })).data.customerGrandTotal).toBe(5000);
    expect((await by(undefined)).data.customerGrandTotal).toBe(5000);
  });

  test('are not used where the organization does not apply them automatically', async () => {
    const { shop, userId } = await openShop();
    await credit(shop, userId, { cents: 1000 });
    await sql(shop, 'update organizations set auto_apply_credits = false');
    expect((await trade(service, shop, cart)).total).toBe(5000);
  });

  test('never change what is taxed', async () => {
    const { shop, userId } = await openShop({ taxes: [{ rate: '10' }] });
    await credit(shop, userId, { cents: 1000 });
    expect((await trade(service, shop, cart)).total).toBe(5000 + 500 - 1000);
  });
});

describe('a canceled order', () => {
  test('returns uses, credits and points exactly once', async () => {
    const { shop, userId } = await openShop();
    await addDiscount(context, shop.organizationId, {
      kind: 'order',
      type: 'flat',
      amount: '500',
      codes: ['once'],
      usesTotal: 1,
      usesPerCustomer: 1,
    });
    await credit(shop, userId, { cents: 1000 });
    await credit(shop, userId, { percent: '10' });
    await givePoints(shop, userId, '150.5');
    const rewardId = await addReward(context, shop.organizationId, {
      type: 'flat',
      pointsRequirement: '100',
      discountAmount: '200',
    });
    const wanted = { discountCodes: ['once'], loyaltyRewards: [{ rewardId }] };
    const { order } = await placeForStaff(shop, wanted);
    expect(order.head).toMatchObject({ totalPriceCents: 5000, merchandiseCents: 4300, netPriceCents: 2870 });
    expect([await leftOf(shop), await pointsOf(shop)]).toEqual([[0, '0 uses'], [50.5]]);
    await expect(placeForStaff(shop, wanted)).rejects.toMatchObject({ code: 'INVALID_ORDER' });

    const outcomes = await Promise.allSettled([1, 2, 3].map(() => step(shop, order.head.id, 'cancel')));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await leftOf(shop), await pointsOf(shop)]).toEqual([[1000, '1 uses'], [150.5]]);
    expect((await placeForStaff(shop, wanted)).order.head.netPriceCents).toBe(2870);
    const events = await sql(shop, 'select type, points_amount from loyalty_events order by id');
    expect(events.map(({ type, points_amount: points }) => [type, Number(points)])).toEqual([
      ['adjusted', 150.5],
      ['redeemed', -100],
      ['given-back', 100],
      ['redeemed', -100],
    ]);
  });

  test('still shows the discounts, credits and rewards that it used', async () => {
    const { shop, userId } = await openShop();
    await credit(shop, userId, { cents: 1000 });
    const { data } = await placeTrade(service, shop, cart);
    await step(shop, data.id, 'cancel');
    const { data: detail } = await service.call('GET', `/api/v1/orders/${data.id}/detail`, {
      keys: shop.keys,
    });
    expect(detail).toMatchObject({ status: 'canceled', netPrice: 4000, credits: [{ amountUsed: 1000 }] });
  });
});

describe('points', () => {
  test('are earned by fulfilment, for merchandise after discounts, rounded down to the hundredth', async () => {
    const { shop } = await openShop({ taxes: [{ rate: '10' }] });
    await addDiscount(context, shop.organizationId, { kind: 'order', type: 'flat', amount: '1' });
    const place = async () => {
      const pay = { payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }] };
      return (await placeTrade(service, shop, cart, { ...pay, deliveryFee: 700 })).data.id;
    };
    await step(shop, await place(), 'fulfill');
    expect(await pointsOf(shop)).toEqual([]);
    await sql(
      shop,
      `insert into loyalty_programs (organization_id, points_per_dollar, updated_at)
       values (${shop.organizationId}, 1.5, now())`,
    );
    const orderId = await place();
    expect(await pointsOf(shop)).toEqual([]);
    await step(shop, orderId, 'fulfill');
    // 49.99 dollars make 74.985 points.
    expect(await pointsOf(shop)).toEqual([74.98]);
    expect(await sql(shop, 'select type, order_id from loyalty_events')).toEqual([
      { type: 'earned', order_id: orderId },
    ]);
  });

  test('pay for rewards that staff choose, of every type', async () => {
    const { shop, userId } = await openShop();
    await givePoints(shop, userId, '1000');
    const reward = (type: Parameters<typeof addReward>[2]['type'], points: string, amount?: string) =>
      addReward(context, shop.organizationId, {
        type,
        pointsRequirement: points,
        ...(amount === undefined ? { productOptionId: shop.optionId('tray') } : { discountAmount: amount }),
      });
    const flat = await reward('flat', '100', '300');
    const percent = await reward('percent', '50', '10');
    const free = await reward('free-product', '200');
    const cashBack = await reward('cash-back', '10', '2.5');
    const loyaltyRewards = [
      { rewardId: flat },
      { rewardId: percent },
      { rewardId: free },
      { rewardId: cashBack, points: '100.5' },
    ];
    const { order } = await placeForStaff(shop, { loyaltyRewards });
    // 5000 − 300; 10 % of 4700; a quarter of 4230; 100.5 × 2.5, of which 251 cents cost 100.4 points.
    expect(order.loyaltyRedemptions.map((row) => [row.type, row.amountUsedCents, row.pointsAmount])).toEqual([
      ['flat', 300, '100'],
      ['percent', 470, '50'],
      ['free-product', 1058, '200'],
      ['cash-back', 251, '100.4'],
    ]);
    expect(await pointsOf(shop)).toEqual([549.6]);
    const { data: detail } = await service.call('GET', `/api/v1/orders/${order.head.id}/detail`, {
      keys: shop.keys,
    });
    expect(detail.loyaltyRedemptions).toMatchObject([
      {
        type: 'flat',
        pointsRequirement: '100',
        pointsAmount: '-100',
        discountAmount: '300',
        amountUsed: 300,
      },
      { type: 'percent', discountAmount: '10' },
      { type: 'free-product', discountAmount: null, productOptionId: shop.optionId('tray') },
      { type: 'cash-back', pointsRequirement: '10', pointsAmount: '-100.4', discountAmount: '2.5' },
    ]);
  });

  test('and manual discounts are refused where they do not apply, and nothing is written', async () => {
    const { shop, userId } = await openShop();
    await givePoints(shop, userId, '99.99');
    const rewardId = await addReward(context, shop.organizationId, {
      type: 'flat',
      pointsRequirement: '100',
      discountAmount: '300',
    });
    const cashBack = await addReward(context, shop.organizationId, {
      type: 'cash-back',
      pointsRequirement: '10',
      discountAmount: '1',
    });
    const free = await addReward(context, shop.organizationId, {
      type: 'free-product',
      pointsRequirement: '1',
      productOptionId: shop.optionId('eighth'),
    });
    const manual = await addDiscount(context, shop.organizationId, {
      kind: 'order',
      type: 'flat',
      amount: '1',
      trigger: 'manual',
      orderTypes: ['delivery'],
    });
    const automatic = await addDiscount(context, shop.organizationId, {
      kind: 'order',
      type: 'flat',
      amount: '1',
      orderTypes: ['in-store'],
    });
    const refusals: [Partial<OrderRequest>, string, RegExp][] = [
      [{ loyaltyRewards: [{ rewardId: 1 }] }, 'INVALID_ORDER', /^loyaltyRewards\[0\]\.rewardId names no/],
      [{ loyaltyRewards: [{ rewardId }] }, 'INVALID_ORDER', /more points than the customer has: 99\.99\.$/],
      [{ loyaltyRewards: [{ rewardId: cashBack, points: '9' }] }, 'INVALID_ORDER', /at least 10\.$/],
      [
        {
          loyaltyRewards: [
            { rewardId: cashBack, points: '60' },
            { rewardId: cashBack, points: '60' },
          ],
        },
        'INVALID_ORDER',
        /^loyaltyRewards\[1\] asks for more/,
      ],
      [{ loyaltyRewards: [{ rewardId, points: '100' }] }, 'INVALID_ORDER', /is for cash-back only/],
      [{ loyaltyRewards: [{ rewardId: free }] }, 'INVALID_ORDER', /takes nothing off this cart\.$/],
      [
        { loyaltyRewards: [{ rewardId: cashBack }], customer: null },
        'INVALID_ORDER',
        /^loyaltyRewards requires a customer/,
      ],
      [
        { chosenDiscountIds: [manual] },
        'INVALID_ORDER',
        /^discountIds\[0\] is not for orders of type pickup/,
      ],
      [{ chosenDiscountIds: [automatic] }, 'DISCOUNT_NOT_FOUND', /^discountIds\[0\] names no manual/],
      [{ chosenDiscountIds: [1] }, 'DISCOUNT_NOT_FOUND', /manual discount: 1\.$/],
    ];
    for (const [changes, code, message] of refusals) {
      const placing = placeForStaff(shop, changes);
      await expect(placing).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
    }
    await sql(shop, 'update organizations set maximum_discount_percent = 0');
    await expect(placeForStaff(shop, { loyaltyRewards: [{ rewardId: cashBack }] })).rejects.toMatchObject({
      code: 'INVALID_ORDER',
      message:
        'loyaltyRewards[0] takes nothing off this cart: ' +
        'the maximum discount of the organization, discountLimits.maximumPercent, is reached.',
    });
    expect(await pointsOf(shop)).toEqual([99.99]);
    expect(await sql(shop, 'select count(*) as count from orders')).toEqual([{ count: 1 }]);
  });
});

test('a manual discount names the staff member who chose it', async () => {
  const { shop } = await openShop();
  const id = await addDiscount(context, shop.organizationId, {
    kind: 'order',
    type: 'flat',
    amount: '700',
    trigger: 'manual',
  });
  expect((await trade(service, shop, cart)).total).toBe(5000);
  const { order } = await placeForStaff(shop, { chosenDiscountIds: [id] });
  expect(order.head.netPriceCents).toBe(4300);
  expect(order.discounts).toMatchObject([{ discountId: id, adminId: staff.id, amountUsedCents: 700 }]);
});

describe('?explain=true', () => {
  test('shows with the order the steps of its preview, whatever changes later', async () => {
    const { shop, userId } = await openShop({ taxes: [{ rate: '7.25' }] });
    await addDiscount(context, shop.organizationId, { kind: 'line', type: 'percent', amount: '12.5' });
    await credit(shop, userId, { cents: 300 });
    const body = tradeBody(shop, cart);
    const preview = await service.call('POST', '/api/v1/orders/pricing', {
      keys: shop.keys,
      body,
      query: { explain: true },
    });
    const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    await sql(shop, 'update product_options set price_cents = 1, sales_price_cents = null');
    const read = (query: object) =>
      service.call('GET', `/api/v1/orders/${data.id}/detail`, { keys: shop.keys, query: { ...query } });
    const explained = await read({ explain: true });
    expect(explained.data.explanation).toEqual(preview.data.explanation);
    expect(explained.data.lawEdition).toMatch(/^\d{4}-\d{2}-\d{2}\.\d+$/);
    expect(explained.data.lawEdition).toBe(preview.data.lawEdition);
    const steps: { step: string; roundedCents: number; base: string; rate: string }[] =
      explained.data.explanation;
    const tax = steps.find((each) => each.step === 'tax');
    // The step itself has the explanation.
    expect(tax?.roundedCents).toBe(Math.round((Number(tax?.base) * Number(tax?.rate)) / 100));
    expect(steps.at(-1)).toMatchObject({ step: 'grand-total', roundedCents: data.customerGrandTotal });
    expect((await read({})).data.explanation).toBeUndefined();
    const { explanation: _, lawEdition: __, ...rest } = explained.data;
    expect(rest).toEqual((await read({ explain: false })).data);
  });

  test('returns an order without stored steps as it is', async () => {
    const { shop } = await openShop();
    const { data } = await placeTrade(service, shop, cart);
    await sql(shop, `update order_explanations set steps = null where order_id = '${data.id}'`);
    const { status, data: detail } = await service.call('GET', `/api/v1/orders/${data.id}/detail`, {
      keys: shop.keys,
      query: { explain: true },
    });
    expect([status, detail.explanation]).toEqual([200, undefined]);
  });
});

test('an order that no longer adds up causes an internal error', async () => {
  const broken = await startTestService();
  try {
    const shop = await openPlainShop(broken);
    const { data } = await placeTrade(broken, shop, cart);
    await tenantSql(
      broken.context.database,
      shop.organizationId,
      `update order_explanations set shown_rows = jsonb_set(shown_rows::jsonb, '{lineItems,0,finalPrice}', '4999')::text`,
    );
    const reply = await broken.call('GET', `/api/v1/orders/${data.id}/detail`, { keys: shop.keys });
    expect(reply).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(broken.faults.join()).toMatch(/final price of a line is stated as 4999, but adds up to 5000/);
    await tenantSql(
      broken.context.database,
      shop.organizationId,
      'update order_line_items set gross_cents = gross_cents - 1',
    );
    const stepped = stepOrder(broken.context, testOrigin, shop.organizationId, data.id, 'pack', {
      staff: null,
    });
    await expect(stepped).rejects.toThrow(/merchandise is stated as 5000, but adds up to 4999/);
  } finally {
    await broken.close();
  }
});

const staff = { id: 77, email: 'bud@shop.example.com', firstName: 'Bud', lastName: 'Tender' };

/** Places the cart as staff, with the fields that only staff have. */
function placeForStaff(shop: TestShop, changes: Partial<OrderRequest>) {
  const { lineItems, customer } = tradeBody(shop, cart);
  return placeOrder(
    context,
    testOrigin,
    {
      organizationId: shop.organizationId,
      source: 'open-api',
      integrator: { id: shop.integrator.id, name: 'Test', idempotencyKey: randomUUID() },
      placedBy: staff,
      customerName: null,
    },
    {
      ...readCart({ type: 'pickup', lineItems, customer, discountCodes: changes.discountCodes ?? [] }, null),
      address: null,
      deliveryNotes: null,
      expectedCustomerGrandTotalCents: null,
      ...changes,
    },
  );
}
