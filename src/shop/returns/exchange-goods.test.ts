import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { labels, openReportingShop } from '../traceability/reporting-shop.test-support.ts';
import { type Data, returnedGoods } from './returned-goods.test-support.ts';

/* One act at the counter: goods back, goods out, one amount due either way. */

const service = await startTestService();
const goods = returnedGoods(service);
const shop = await openPlainShop(service);
const owner = await service.staff(shop);
const manager = await service.staff(shop, 'manager');
const clerk = await service.staff(shop, 'budtender');
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const cash = shop.paymentTypeId('Cash');
const eighth = shop.optionId('eighth');
await manager.call('PUT', '/staff/v1/loyalty-program', { pointsPerDollar: 1 });
const { data: customer } = await manager.call('POST', '/staff/v1/customers', {
  ...{ firstName: 'Wren', lastName: 'Castellan', email: 'wren@example.com', birthday: '1990-04-02' },
});
const { data: register } = await manager.call('POST', '/staff/v1/registers', {
  ...{ name: 'Counter', inventoryLocationId: shop.locationId('Storefront') },
});
const opened = await clerk.call('POST', `/staff/v1/registers/${register.id}/drawer-sessions`, {
  float: 20_000,
});
const drawer = async () =>
  (await manager.call('GET', `/staff/v1/drawer-sessions/${opened.data.id}`)).data.payments[0].expected;
const points = async () =>
  (await manager.call('GET', `/staff/v1/customers/${customer.id}`)).data.loyalty?.pointsAmount ?? 0;

const place = async (optionId: number, quantity: number, more: object = {}) =>
  clerk.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', customerId: customer.id, lineItems: [{ productOptionId: optionId, quantity }] },
    ...{ idempotencyKey: randomUUID(), ...more },
  });
const fulfill = (orderId: string) =>
  clerk.call('POST', `/staff/v1/orders/${orderId}/fulfill`, {
    ...{ registerId: register.id, payments: [{ paymentTypeId: cash, remaining: true }] },
  });
async function sell(optionId: number, quantity: number): Promise<Data> {
  const { data } = await place(optionId, quantity);
  expect((await fulfill(data.id)).error).toBeUndefined();
  return (await clerk.call('GET', `/staff/v1/orders/${data.id}`)).data;
}
const returned = (sold: Data, quantity = 1) => ({
  orderId: sold.id,
  lineItems: [
    {
      ...{ orderLineItemId: sold.lineItems[0].id, quantity },
      ...{ inventoryAction: 'inventory', reason: 'Another strain' },
    },
  ],
});
const exchange = (orderId: string, body: object) =>
  clerk.call('POST', `/staff/v1/orders/${orderId}/exchange`, { registerId: register.id, ...body });

test('goods back and goods out are one act: the drawer, the points and the stock move by the difference', async () => {
  const sold = await sell(eighth, 1);
  const before = {
    drawer: await drawer(),
    points: await points(),
    stock: await goods.stockOf(shop, 'eighth'),
  };
  const { data: next } = await place(eighth, 2, { returned: pick(returned(sold)) });
  const made = await exchange(next.id, {
    ...{ returned: returned(sold), payments: [{ paymentTypeId: cash, remaining: true, tendered: 10_000 }] },
  });
  const price = sold.customerGrandTotal;
  expect(made.error).toBeUndefined();
  expect(made.data).toMatchObject({ refund: price, due: price, change: 10_000 - price });
  expect(await drawer()).toBe(before.drawer + price);
  expect(await points()).toBe(before.points + price / 100);
  const order = (await clerk.call('GET', `/staff/v1/orders/${next.id}`)).data;
  expect(order).toMatchObject({
    ...{ status: 'fulfilled', customerGrandTotal: 2 * price },
    payments: [{ amount: price }, { amount: price }],
    exchange: {
      ...{ orderId: sold.id, orderNumber: sold.number, amount: price, refund: price },
      goods: [{ quantity: 1 }],
    },
  });
  const former = (await clerk.call('GET', `/staff/v1/orders/${sold.id}`)).data;
  expect(former.returns).toMatchObject([{ refundTotal: -price, lineItems: [{ type: 'exchange' }] }]);
  // Sent again, it is done: nothing moves twice.
  const again = await exchange(next.id, {
    returned: returned(sold),
    payments: [{ paymentTypeId: cash, remaining: true }],
  });
  expect(again.error).toMatchObject({ code: 'INVALID_ORDER_TRANSITION', meta: { status: 'fulfilled' } });
  expect(await drawer()).toBe(before.drawer + price);
});

test('in a shop without pennies the change is what the drawer gives; the part that no money moved for is not rounded, also when a tender is corrected', async () => {
  await owner.call('PATCH', `/staff/v1/payment-types/${cash}`, { cashRounding: 'symmetric' });
  const [first] = [await place(eighth, 1)];
  const dented = { adjustments: [{ amount: -3, description: 'Dented box' }] };
  expect((await owner.call('PATCH', `/staff/v1/orders/${first.data.id}`, dented)).error).toBeUndefined();
  expect((await fulfill(first.data.id)).error).toBeUndefined();
  const sold = (await clerk.call('GET', `/staff/v1/orders/${first.data.id}`)).data;
  const { data: next } = await place(eighth, 2, { returned: pick(returned(sold)) });
  const before = await drawer();
  const due = next.customerGrandTotal - sold.customerGrandTotal;
  expect([due % 5, sold.customerGrandTotal % 5]).toEqual([3, 2]);
  const made = await exchange(next.id, {
    ...{ returned: returned(sold), payments: [{ paymentTypeId: cash, remaining: true, tendered: 10_000 }] },
  });
  expect(made.data).toMatchObject({ due, change: 10_000 - due - 2 });
  expect(await drawer()).toBe(before + due + 2);
  const order = (await clerk.call('GET', `/staff/v1/orders/${next.id}`)).data;
  const roundings = ({ payments }: Data) => payments.map((it: Data) => it.cashRounding);
  expect(roundings(order)).toEqual([2, 0]);
  const debit = shop.paymentTypeId('Debit');
  const corrected = await manager.call(
    'POST',
    `/staff/v1/orders/${next.id}/payments/${order.payments[0].id}/correct`,
    { paymentTypeId: debit, reason: 'It was a card' },
  );
  expect([corrected.error, roundings(corrected.data)]).toEqual([undefined, [0, 0]]);
  expect(await drawer()).toBe(before);
  await owner.call('PATCH', `/staff/v1/payment-types/${cash}`, { cashRounding: 'off' });
});

test('where the goods that come back cost more, the customer gets the difference, and equal amounts need no money', async () => {
  const sold = await sell(eighth, 2);
  const price = sold.customerGrandTotal / 2;
  const [{ data: one }, { data: two }] = [await place(eighth, 1), await place(eighth, 1)];
  const before = await drawer();
  const refused = await exchange(one.id, { returned: returned(sold, 2) });
  expect(refused.error?.message).toBe(`refundPaymentTypeId must name how the customer gets ${price} cents.`);
  const less = await exchange(one.id, { returned: returned(sold, 1) });
  expect([less.error, less.data.due]).toEqual([undefined, 0]);
  expect(await drawer()).toBe(before);
  const wrong = await exchange(two.id, { returned: returned(sold, 1), refundPaymentTypeId: cash });
  expect(wrong.error?.message).toContain('refundPaymentTypeId must be left out');
  expect((await exchange(two.id, { returned: returned(two, 1) })).error?.code).toBe('INVALID_PARAMS');
  const { data: sold3 } = { data: await sell(eighth, 3) };
  const more = await exchange(two.id, { returned: returned(sold3, 3), refundPaymentTypeId: cash });
  expect([more.error, more.data.due]).toEqual([undefined, -2 * price]);
  expect(await drawer()).toBe(before + 3 * price - 2 * price);
});

test('the change of an exchange is that of rounded cash, as the drawer has it', async () => {
  const round = async (cashRounding: 'symmetric' | null) =>
    expect(
      (await owner.call('PATCH', `/staff/v1/payment-types/${cash}`, { cashRounding })).error,
    ).toBeUndefined();
  await round('symmetric');
  const sold = await sell(eighth, 1);
  const before = await drawer();
  const { data: next } = await place(eighth, 2, {
    ...{ returned: pick(returned(sold)), adjustments: [{ amount: 3, description: 'Bag' }] },
  });
  const made = await exchange(next.id, {
    ...{ returned: returned(sold), payments: [{ paymentTypeId: cash, remaining: true, tendered: 10_000 }] },
  });
  const taken = (await drawer()) - before;
  expect([made.error, taken % 5, taken - made.data.due]).toEqual([undefined, 0, 2]);
  expect(made.data.change).toBe(10_000 - taken);
  await round(null);
});

test('the order of an exchange says what the drawer gave of the rest, in rounded cash', async () => {
  const round = (cashRounding: 'symmetric' | null) =>
    owner.call('PATCH', `/staff/v1/payment-types/${cash}`, { cashRounding });
  await round('symmetric');
  const sold = await sell(eighth, 2);
  const before = await drawer();
  const { data: next } = await place(eighth, 1, {
    ...{ returned: pick(returned(sold, 2)), adjustments: [{ amount: -3, description: 'Dented box' }] },
  });
  const made = await exchange(next.id, { returned: returned(sold, 2), refundPaymentTypeId: cash });
  const given = before - (await drawer());
  expect([made.error, given % 5, given === -made.data.due]).toEqual([undefined, 0, false]);
  const order = (await clerk.call('GET', `/staff/v1/orders/${next.id}`)).data;
  const { refund, amount, cashRounding } = order.exchange;
  expect(refund - amount + cashRounding).toBe(given);
  await round(null);
});

test('a hand-over that is refused leaves the goods that came back where they were', async () => {
  const sold = await sell(eighth, 1);
  const { data: next } = await place(eighth, 2);
  const short = await exchange(next.id, {
    returned: returned(sold),
    payments: [{ paymentTypeId: cash, amount: 1 }],
  });
  expect(short.error?.code).toBe('INVALID_ORDER');
  const [former, order] = [sold.id, next.id].map(
    async (id) => (await clerk.call('GET', `/staff/v1/orders/${id}`)).data,
  );
  expect((await former)!.returns).toEqual([]);
  expect((await order)!.status).toBe('new');
});

test('more money than the rules of signing in allow is given back with a recent proof only, and an exchange by what is given', async () => {
  const rules = await owner.call('PATCH', '/staff/v1/sign-in-rules', { refundProofAbove: 100 });
  expect(rules.error).toBeUndefined();
  const late = await service.staff(shop, 'budtender', 'of signing in');
  const sold = await sell(eighth, 2);
  const { data: next } = await place(eighth, 1);
  service.clock.advance(600_000);
  const { lineItems } = returned(sold);
  const refund = { refundType: 'payment-method', paymentTypeId: cash };
  const back = { ...refund, lineItems: lineItems.map((line) => ({ ...line, type: 'return' })) };
  const refused = await late.call('POST', `/staff/v1/orders/${sold.id}/returns`, back);
  expect(refused.error?.code).toBe('RECENT_PROOF_REQUIRED');
  const even = await late.call('POST', `/staff/v1/orders/${next.id}/exchange`, { returned: returned(sold) });
  expect([even.error, even.data.due]).toEqual([undefined, 0]);
  await owner.call('PATCH', '/staff/v1/sign-in-rules', { refundProofAbove: null });
});

test('a gift card pays what is due in an exchange, and gets what is given back', async () => {
  const type = await owner.call('POST', '/staff/v1/payment-types', {
    ...{ name: 'Card of the shop', method: 'other', takesGiftCards: true },
  });
  expect(type.error).toBeUndefined();
  const giftType = type.data.id;
  const sold = await sell(eighth, 1);
  const price = sold.customerGrandTotal;
  const issued = await manager.call('POST', '/staff/v1/gift-cards', {
    ...{ amount: price, paymentTypeId: cash, registerId: register.id },
  });
  expect(issued.error).toBeUndefined();
  const { code } = issued.data;
  const balance = async () =>
    (await manager.call('POST', '/staff/v1/gift-cards/find', { code })).data.balance;
  const before = await drawer();

  const { data: two } = await place(eighth, 2, { returned: pick(returned(sold)) });
  const paid = await exchange(two.id, {
    ...{ returned: returned(sold), payments: [{ paymentTypeId: giftType, remaining: true, giftCard: code }] },
  });
  expect([paid.error, paid.data.due, await balance(), await drawer()]).toEqual([undefined, price, 0, before]);

  const larger = (await clerk.call('GET', `/staff/v1/orders/${two.id}`)).data;
  const { data: one } = await place(eighth, 1, { returned: pick(returned(larger, 2)) });
  const given = await exchange(one.id, { returned: returned(larger, 2), refundPaymentTypeId: giftType });
  expect([given.error, given.data.due, await balance(), await drawer()]).toEqual([
    ...[undefined, -price, price, before],
  ]);

  // Goods that were paid in cash: the customer shows the card.
  const inCash = await sell(eighth, 2);
  const { data: less } = await place(eighth, 1, { returned: pick(returned(inCash, 2)) });
  const back = { returned: returned(inCash, 2), refundPaymentTypeId: giftType };
  expect((await exchange(less.id, back)).error?.code).toBe('REFUND_EXCEEDS_PAYMENT');
  const shown = await exchange(less.id, { ...back, refundGiftCard: code });
  expect([shown.error, shown.data.due, await balance()]).toEqual([undefined, -price, 2 * price]);
});

test('limits count the goods that come back as returned, when the cart is priced, placed and handed over', async () => {
  const rule = await manager.call('POST', '/staff/v1/purchase-limit-rules', {
    ...{ name: 'Day', customerType: 'all', cannabisType: 'non-concentrated', limit: '7', unit: 'g' },
    ...{ window: 'local-day', windowDays: null },
  });
  expect(rule.error).toBeUndefined();
  const { data: other } = await manager.call('POST', '/staff/v1/customers', {
    ...{ firstName: 'Ines', lastName: 'Castellan', email: 'ines@example.com', birthday: '1990-04-02' },
  });
  customer.id = other.id;
  const sold = await sell(eighth, 2);
  const cart = {
    ...{ type: 'in-store', customerId: customer.id, lineItems: [{ productOptionId: eighth, quantity: 1 }] },
  };
  const exceeded = async (more: object) => {
    const { data } = await clerk.call('POST', '/staff/v1/orders/pricing', { ...cart, ...more });
    return data.purchaseLimits.some((it: Data) => it.exceeded);
  };
  expect(await exceeded({})).toBe(true);
  expect(await exceeded({ returned: pick(returned(sold)) })).toBe(false);
  expect((await place(eighth, 1)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  const { data: next } = await place(eighth, 1, { returned: pick(returned(sold)) });
  expect((await fulfill(next.id)).error?.code).toBe('PURCHASE_LIMIT_EXCEEDED');
  expect((await exchange(next.id, { returned: returned(sold) })).error).toBeUndefined();
});

test('the state gets the receipt of the goods back corrected and that of the new sale, to the cent', async () => {
  const reporting = await openReportingShop(service);
  try {
    const sold = await reporting.sell([['roll', 4]]);
    await reporting.pass();
    const lines = () =>
      reporting
        .live()
        .map((receipt) =>
          receipt.lines.map(({ sent, quantity, amount }) => [sent.PackageLabel, quantity, amount]),
        );
    expect(lines()).toEqual([
      [
        [labels.flower, 3, 35.43],
        [labels.second, 1, 11.81],
      ],
    ]);
    const { data: next } = await reporting.owner.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', customerId: sold.customer.id, idempotencyKey: randomUUID() },
      lineItems: [{ productOptionId: reporting.shop.optionId('gram'), quantity: 2 }],
      returned: pick(returned(sold, 2)),
    });
    const made = await reporting.owner.call('POST', `/staff/v1/orders/${next.id}/exchange`, {
      ...{ returned: returned(sold, 2), refundPaymentTypeId: reporting.shop.paymentTypeId('Cash') },
    });
    expect([made.error, made.data.refund, made.data.due]).toEqual([undefined, 2_598, 2_234 - 2_598]);
    await reporting.pass();
    expect(lines()).toEqual(
      expect.arrayContaining([[[labels.flower, 2, 23.62]], [[labels.jar, 2.468, 20.31]]]),
    );
    expect(lines()).toHaveLength(2);
    expect(
      (await reporting.reports())
        .map(({ kind, state, order_id: orderId }) => [kind, state, orderId])
        .toSorted(),
    ).toEqual(
      [
        ['sale', 'accepted', sold.id],
        ['correction', 'accepted', sold.id],
        ['sale', 'accepted', next.id],
      ].toSorted(),
    );
  } finally {
    await reporting.close();
  }
});

/** As a cart names them. */
const pick = ({ orderId, lineItems }: ReturnType<typeof returned>) => ({
  orderId,
  lineItems: lineItems.map(({ orderLineItemId, quantity }) => ({ orderLineItemId, quantity })),
});
