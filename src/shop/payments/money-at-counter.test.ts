import { afterAll, expect, test } from 'vitest';
import { isLongSuite } from '../../../test/harness/is-long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPayingShop } from './paying-shop.test-support.ts';

const service = await startTestService();
const at = await openPayingShop(service);
afterAll(async () => {
  await at.server.close();
  await service.close();
});
const { registerId } = at;
const cash = at.shop.paymentTypeId('Cash');
const staff = (method: string, path: string, body?: object) =>
  at.manager.call(method as 'POST', `/staff/v1/${path}`, body);

const openDrawer = async (float = 20_000): Promise<number> =>
  (await staff('POST', `registers/${registerId}/drawer-sessions`, { float })).data.id;
const drawer = async (id: number) => (await staff('GET', `drawer-sessions/${id}`)).data;
const closeDrawer = async (id: number): Promise<number> => {
  const { payments } = await drawer(id);
  const counts = payments.map((it: { paymentTypeId: number | null; expected: number }) => ({
    ...{ paymentTypeId: it.paymentTypeId, counted: it.expected },
  }));
  return (await staff('POST', `drawer-sessions/${id}/close`, { counts })).status;
};

/** A hand-over of an order of $35. */
const handOver = async (payments: object[], orderId?: string) => {
  const id = orderId ?? (await at.placed(cash)).id;
  return at.fulfill(id, payments, { registerId });
};
const cashOf = async (session: number) =>
  (await drawer(session)).payments.find((it: { paymentTypeId: number | null }) => it.paymentTypeId === null);

test('cash is rounded to five cents on a line of its own; prices stay; the drawer and its report hold what was paid', async () => {
  const session = await openDrawer();
  await staff('PATCH', `payment-types/${cash}`, { cashRounding: 'symmetric' });
  const other = (await staff('POST', 'payment-types', { name: 'Check', method: 'other' })).data.id;
  const split = (cents: number, tendered?: number) => [
    { paymentTypeId: cash, amount: cents, ...(tendered !== undefined && { tendered }) },
    { paymentTypeId: other, amount: 3500 - cents },
  ];
  const short = await handOver(split(1003, 1003));
  expect([short.status, short.error?.message]).toEqual([422, expect.stringContaining('at least 1005 cents')]);
  const { data: down } = await handOver(split(1002, 1100));
  expect(down).toMatchObject({ customerGrandTotal: 3500, change: 100 });
  expect(down.payments).toMatchObject([
    { finalAmount: 1002, cashRounding: -2, tendered: 1100, change: 100 },
    { finalAmount: 2498, cashRounding: 0 },
  ]);
  const { data: up } = await handOver(split(1003));
  expect(up.payments[0]).toMatchObject({ finalAmount: 1003, cashRounding: 2 });
  // Goods for $10.02 come back in cash: what was paid for them, $10.00.
  const back = await staff('POST', `orders/${down.id}/returns`, {
    ...{
      refundType: 'payment-method',
      paymentTypeId: cash,
      registerId,
      adjustmentAmount: 2498,
      adjustmentDescription: 'Worn',
    },
    idempotencyKey: crypto.randomUUID(),
    lineItems: [
      {
        ...{ orderLineItemId: down.lineItems[0].id, quantity: 1, type: 'return' },
        ...{ inventoryAction: 'waste', reason: 'Dented' },
      },
    ],
  });
  expect(back.error).toBeUndefined();
  expect(back.data).toMatchObject({ refundTotal: -1002, cashRounding: 2 });
  expect(await cashOf(session)).toMatchObject({ sales: 2005, refunds: -1000, expected: 21_005 });
  expect((await drawer(session)).sales).toMatchObject({ total: 7000, cashRounding: 0, refunds: 1000 });
  expect(await closeDrawer(session)).toBe(200);
  await staff('PATCH', `payment-types/${cash}`, { cashRounding: 'off' });
  const { data: exact } = await handOver(split(1003));
  expect(exact.payments[0]).toMatchObject({ finalAmount: 1003, cashRounding: 0 });
});

const giftType = (
  await staff('POST', 'payment-types', {
    ...{ name: 'Gift card', method: 'other', takesGiftCards: true },
  })
).data.id as number;
const sellCard = async (amount: number) =>
  (await staff('POST', 'gift-cards', { amount, paymentTypeId: cash, registerId })).data;
const balanceOf = async (code: string) => (await staff('POST', 'gift-cards/find', { code })).data.balance;
const byCard = (code: string, amount: number) => [
  { paymentTypeId: giftType, amount, giftCard: code },
  ...(amount < 3500 ? [{ paymentTypeId: cash, amount: 3500 - amount }] : []),
];
const returned = (
  order: { readonly id: string; readonly lineItems: readonly { readonly id: number }[] },
  more = {},
) =>
  staff('POST', `orders/${order.id}/returns`, {
    ...{
      refundType: 'payment-method',
      paymentTypeId: giftType,
      registerId,
      idempotencyKey: crypto.randomUUID(),
    },
    lineItems: [
      {
        ...{ orderLineItemId: order.lineItems[0]!.id, quantity: 1, type: 'return' },
        ...{ inventoryAction: 'waste', reason: 'Dented' },
      },
    ],
    ...more,
  });

test('a gift card is sold, loaded, pays in part, gets returns back and is paid out; what is owed is the sum, and is no sale', async () => {
  const session = await openDrawer();
  const before = (await staff('GET', 'reports/gift-cards')).data;
  const { id, code, balance } = await sellCard(2000);
  expect([code.length, balance]).toEqual([20, 2000]);
  expect(
    (await staff('POST', 'gift-cards', { code, amount: 100, paymentTypeId: cash, registerId })).error?.code,
  ).toBe('GIFT_CARD_EXISTS');
  const load = { amount: 1000, paymentTypeId: cash, registerId };
  expect((await staff('POST', `gift-cards/${id}/load`, load)).data.balance).toBe(3000);
  const typed = `${code.slice(0, 10)} ${code.slice(10)}`;
  const { data: sold, error } = await handOver(byCard(typed, 1200));
  expect([error, sold.customerGrandTotal, await balanceOf(code)]).toEqual([undefined, 3500, 1800]);
  const refusals = [
    await handOver(byCard(code, 3500)),
    await handOver(byCard('4444333322221111', 100)),
    await handOver([{ paymentTypeId: giftType, amount: 3500 }]),
    await handOver([{ paymentTypeId: cash, amount: 3500, giftCard: code }]),
  ];
  expect(refusals.map((it) => it.error?.code)).toEqual([
    ...['GIFT_CARD_BALANCE', 'GIFT_CARD_NOT_FOUND', 'INVALID_ORDER', 'INVALID_ORDER'],
  ]);
  // Goods for $35, of which the card paid $12: the rest needs a card that the customer shows.
  expect((await returned(sold)).error?.code).toBe('REFUND_EXCEEDS_PAYMENT');
  const other = await sellCard(100);
  const { data: back } = await returned(sold, { giftCard: other.code });
  expect([await balanceOf(code), await balanceOf(other.code)]).toEqual([3000, 2400]);
  await staff('POST', `order-returns/${back.id}/void`, { reason: 'Wrong order', registerId });
  expect([await balanceOf(code), await balanceOf(other.code)]).toEqual([1800, 100]);
  const { data: second } = await handOver(byCard(code, 1800));
  await staff('POST', `orders/${second.id}/void`, { reason: 'Rung up twice' });
  expect(await balanceOf(code)).toBe(1800);
  const out = { registerId, paymentTypeId: cash };
  expect((await staff('POST', `gift-cards/${id}/cash-out`, out)).data.balance).toBe(0);
  expect((await staff('POST', `gift-cards/${id}/cash-out`, out)).error?.code).toBe('GIFT_CARD_BALANCE');
  const entries = (await staff('GET', `gift-cards/${id}/entries`)).data;
  expect(entries.map((it: { kind: string; amount: number }) => [it.kind, it.amount])).toEqual([
    ['cashed-out', -1800],
    ...[
      ['given-back', 1800],
      ['spent', -1800],
      ['refund-voided', -1200],
      ['refunded', 1200],
      ['spent', -1200],
    ],
    ...[
      ['loaded', 1000],
      ['issued', 2000],
    ],
  ]);
  const report = (await staff('GET', 'reports/gift-cards')).data;
  expect(report).toMatchObject({
    issued: 2100,
    loaded: 1000,
    cashedOut: -1800,
    spent: -3000,
    givenBack: 1800,
  });
  expect(report.owed - before.owed).toBe(100);
  expect(await cashOf(session)).toMatchObject({ sales: 2300, giftCards: 1300, expected: 23_600 });
  expect(await closeDrawer(session)).toBe(200);
});

test('however many counters spend one card at once, it pays what it has, and no cent twice', async () => {
  const session = await openDrawer();
  const { code } = await sellCard(3500);
  // Eleven orders ask for $10 of $35 at once; the long suite runs a thousand races.
  const rounds = isLongSuite ? 100 : 1;
  for (let round = 0; round < rounds; round++) {
    if (round > 0) {
      const { id } = (await staff('POST', 'gift-cards/find', { code })).data;
      await staff('POST', `gift-cards/${id}/load`, { amount: 3000, paymentTypeId: cash, registerId });
    }
    const orders = await Promise.all(Array.from({ length: 11 }, () => at.placed(cash)));
    const replies = await Promise.all(orders.map(({ id }) => handOver(byCard(code, 1000), id)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(new Set(replies.map(({ error }) => error?.code))).toEqual(
      new Set([undefined, 'GIFT_CARD_BALANCE']),
    );
    expect(await balanceOf(code)).toBe(500);
  }
  const [sums] = await tenantSql(
    service.context.database,
    at.shop.organizationId,
    `select count(*)::int as wrong from gift_cards c
      where balance_cents <> (select sum(amount_cents) from gift_card_entries e where e.gift_card_id = c.id)`,
  );
  expect(sums!.wrong).toBe(0);
  expect(await closeDrawer(session)).toBe(200);
}, 600_000);

test('a connection tells whether it works: ready, unplugged, refused or silent', async () => {
  const connections = (await staff('GET', 'payment-connections')).data as { id: number; provider: string }[];
  const idOf = (provider: string) => connections.find((it) => it.provider === provider)!.id;
  const check = async (provider: string) =>
    (await staff('POST', `payment-connections/${idOf(provider)}/test`)).data.state;
  expect([await check('terminal'), await check('bank')]).toEqual(['ready', 'ready']);
  at.server.terminals.power(at.tpn, 'Offline');
  expect(await check('terminal')).toBe('offline');
  at.server.terminals.power(at.tpn, 'NotFound');
  expect(await check('terminal')).toBe('refused');
  at.server.terminals.power(at.tpn, 'Online');
  at.server.faults.plan({ kind: 'close', at: 'POST /v2/token' });
  expect(await check('bank')).toBe('silent');
});

test('money is reported by day: tenders with fees and rounding, what moved at providers, tips by who rang them up', async () => {
  const before = (await staff('GET', 'reports/money')).data;
  const { id } = await at.placed(at.debit);
  at.server.terminals.customer(at.tpn, { does: 'tap', tipCents: 250 });
  const intent = await at.ask(id, at.debit);
  expect(intent).toMatchObject({ status: 'captured', captured: 3500, tip: 250 });
  await at.fulfill(id, [{ paymentTypeId: at.debit, amount: 3500 }]);
  const after = (await staff('GET', 'reports/money')).data;
  const tender = (report: typeof after) =>
    report.tenders.find((it: { paymentTypeId: number }) => it.paymentTypeId === at.debit);
  expect(tender(before)).toBeUndefined();
  expect(tender(after)).toMatchObject({
    name: 'Terminal',
    payments: 1,
    amount: 3500,
    fees: 0,
    cashRounding: 0,
  });
  expect(after.providers).toMatchObject([{ paymentTypeId: at.debit, captured: 3500, tips: 250, refunds: 0 }]);
  expect(after.tips).toMatchObject([
    { tips: 250, staffId: expect.any(Number), firstName: expect.any(String) },
  ]);
  const wide = await staff('GET', 'reports/money?from=2026-01-01&to=2026-12-31');
  expect(wide.error?.code).toBe('INVALID_PARAMS');
});

test('tips of a terminal touch no drawer, and the cash back that it charged is paid out of it: counted, it balances', async () => {
  const session = await openDrawer();
  await staff('PATCH', `payment-types/${cash}`, { cashRounding: 'symmetric' });
  const { id } = await at.placed();
  at.server.terminals.customer(at.tpn, {
    does: 'tap',
    approvedCents: 2002,
    tipCents: 300,
    cashBackCents: 1000,
  });
  await at.ask(id, at.debit);
  const payments = [
    { paymentTypeId: at.debit, amount: 2002 },
    { paymentTypeId: cash, amount: 1498 },
  ];
  const { data } = await handOver(payments, id);
  // In cash, $14.98 is $15.00.
  expect(data.payments[1]).toMatchObject({ finalAmount: 1498, cashRounding: 2 });
  expect(await cashOf(session)).toMatchObject({ sales: 1500, paidOut: -1000, expected: 20_500 });
  expect(await closeDrawer(session)).toBe(200);
});
