import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { passPayments, paymentDeskOf } from '../src/shop/payments/payments.ts';
import { createSandbox } from '../src/shop/sandbox/sandbox.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestIntegrator, testOrigin } from '../test/harness/test-shop.ts';
import { startDemoPayments } from './demo-payments.ts';

const service = await startTestService();
const { context, clock } = service;
const { organizationId, ...keys } = await createSandbox(
  context,
  testOrigin,
  await createTestIntegrator(context),
);
let owner = await service.staff({ organizationId });
const troubles: unknown[] = [];
const logger = { error: (fields: unknown) => troubles.push(fields) };
const payments = await startDemoPayments(context, {
  ...{ demoOrganizations: [], listOrganizations: async () => [{ id: organizationId }], logger },
});
paymentDeskOf(context).allow([payments.host]);
afterAll(async () => {
  paymentDeskOf(context).allow(['127.0.0.1']);
  await payments.close();
  await service.close();
});

interface Tender {
  readonly paymentTypeId: number;
  readonly amount: number;
}

const staff = async (method: 'GET' | 'POST', path: string, body?: object) => {
  const { data, error } = await owner.call(method, `/staff/v1/${path}`, body);
  expect([path, error]).toEqual([path, undefined]);
  return data;
};
const look = async (seconds: number) => {
  clock.advance(seconds * 1_000);
  const work = {
    ...{ context, operator: context.database, logger },
    cancelOrder: () => Promise.reject(new Error('No order is unpaid here.')),
  };
  await passPayments(work, organizationId);
  await paymentDeskOf(context).idle();
};

test('a sandbox tries a whole day of payments with what it has: every cent is in the drawer, at a provider or on a card, and the report adds up', async () => {
  const connections = () => staff('GET', 'payment-connections');
  await expect.poll(async () => (await connections()).length, { timeout: 60_000 }).toBe(2);
  const [terminal, bank] = await connections();
  const { registerId, account, baseUrl } = terminal;
  /** The customer, the line and the bank do what the shop wants to try. */
  const control = async (path: string, body: object) => {
    const method = 'POST';
    const { status } = await fetch(`${baseUrl}/control/${path}`, { method, body: JSON.stringify(body) });
    expect(status).toBe(200);
  };
  const types = await staff('GET', 'payment-types');
  const cash = types.find((it: { name: string }) => it.name === 'Cash').id as number;
  const made = async (type: object) => (await staff('POST', 'payment-types', type)).id as number;
  const giftCard = await made({ name: 'Gift card', method: 'other', takesGiftCards: true });
  const check = await made({ name: 'Check', method: 'other' });
  const card = terminal.paymentTypeId as number;
  const link = bank.paymentTypeId as number;
  const goods = (await service.call('GET', '/api/v1/sandbox', { keys })).data.specialCases;
  const { productOptionId } = goods.find((it: { case: string }) => it.case === 'product');
  const lineItems = [{ productOptionId, quantity: 1 }];

  /** What each payment type took of sales, and what the drawer has to hold. */
  const tenders = async (): Promise<Map<number, number>> => {
    const rows = (await staff('GET', 'reports/money')).tenders;
    return new Map(rows.map((it: Tender) => [it.paymentTypeId, it.amount]));
  };
  const sumOf = (sums: Map<number, number>) => [...sums.values()].reduce((sum, cents) => sum + cents, 0);
  // A new sandbox has sold to the customer who has reached a limit.
  const took = await tenders();
  const before = sumOf(took);
  let inDrawer = 20_000;
  const placed = async () => {
    const order = { type: 'in-store', idempotencyKey: randomUUID(), lineItems };
    const { id, customerGrandTotal } = await staff('POST', 'orders', order);
    return { orderId: id as string, amount: customerGrandTotal as number };
  };
  const read = (id: number) => staff('GET', `payment-intents/${id}`);
  const ask = async (of: { orderId: string; amount: number }) => {
    const { id } = await staff('POST', 'payment-intents', { ...of, paymentTypeId: card, registerId });
    await paymentDeskOf(context).idle();
    return read(id);
  };
  const handOver = async (orderId: string, paid: readonly (readonly [number, number, string?])[]) => {
    for (const [type, cents] of paid) took.set(type, (took.get(type) ?? 0) + cents);
    inDrawer += paid.reduce((sum, [type, cents]) => sum + (type === cash ? cents : 0), 0);
    return staff('POST', `orders/${orderId}/fulfill`, {
      registerId,
      payments: paid.map(([paymentTypeId, amount, code]) => ({
        ...{ paymentTypeId, amount },
        ...(code !== undefined && { giftCard: code }),
      })),
    });
  };
  const drawer = await staff('POST', `registers/${registerId}/drawer-sessions`, { float: inDrawer });

  // By card; and by card while the terminal falls silent: read, not asked for again.
  const first = await placed();
  const charged = await ask(first);
  expect(charged).toMatchObject({ status: 'captured', captured: first.amount });
  const sold = await handOver(first.orderId, [[card, first.amount]]);
  const second = await placed();
  await control('faults', { kind: 'commit-then-close', at: 'POST /v2/Payment/Sale' });
  const silent = await ask(second);
  expect(silent.status).toBe('unknown');
  await look(61);
  expect(await read(silent.id)).toMatchObject({ status: 'captured', captured: second.amount });
  await handOver(second.orderId, [[card, second.amount]]);

  // Approved in part, the rest in cash; with a tip and cash back.
  const third = await placed();
  const act = { does: 'tap', approvedCents: 2_000, tipCents: 300, cashBackCents: 1_000 };
  await control('customer', { tpn: account.tpn, ...act });
  expect(await ask(third)).toMatchObject({ captured: 2_000, tip: 300, cashBack: 1_000 });
  await handOver(third.orderId, [
    [card, 2_000],
    [cash, third.amount - 2_000],
  ]);
  inDrawer -= 1_000;

  // Online, by a link.
  const { data: online, error } = await service.call('POST', '/api/v1/orders', {
    keys,
    body: {
      ...{ type: 'pickup', idempotencyKey: randomUUID(), lineItems },
      customer: { firstName: 'Any', lastName: 'Name', email: 'adult@sandbox.example.com' },
      payments: [{ paymentTypeId: link, remaining: true }],
    },
  });
  expect(error).toBeUndefined();
  await staff('POST', `orders/${online.id}/accept`, {});
  const { payments: intended } = await staff('GET', `orders/${online.id}`);
  const { data: asked } = await service.call('POST', '/api/v1/payment-intents', {
    keys,
    body: { orderPaymentId: intended[0].id, source: 'e-commerce' },
  });
  expect(await (await fetch(asked.link, { method: 'POST' })).text()).toContain('is authorized');
  await look(61);
  const agreed = await read(asked.id);
  expect(agreed).toMatchObject({ status: 'captured', captured: online.customerGrandTotal });
  await handOver(online.id, [[link, agreed.captured]]);

  // Goods come back, and their money goes onto the card that paid.
  await staff('POST', `orders/${first.orderId}/returns`, {
    ...{ refundType: 'payment-method', paymentTypeId: card, registerId, idempotencyKey: randomUUID() },
    lineItems: [
      {
        ...{ orderLineItemId: sold.lineItems[0].id, quantity: 1, type: 'return' },
        ...{ inventoryAction: 'waste', reason: 'Dented' },
      },
    ],
  });
  const tasks = () => staff('GET', 'payment-tasks');
  const toRefund = (await tasks()).find((it: { kind: string }) => it.kind === 'refund');
  expect(toRefund).toMatchObject({ orderId: first.orderId, amount: first.amount });
  await owner.call('POST', `/staff/v1/payment-tasks/${toRefund.id}/refund`, { hasCard: true });
  await look(61);
  expect(await read(charged.id)).toMatchObject({ status: 'refunded', refunded: first.amount });

  // A gift card is sold for cash, and pays in part.
  const { code } = await staff('POST', 'gift-cards', { amount: 2_500, paymentTypeId: cash, registerId });
  inDrawer += 2_500;
  const fourth = await placed();
  await handOver(fourth.orderId, [
    [giftCard, 2_500, code],
    [cash, fourth.amount - 2_500],
  ]);

  // Rung up as cash, and paid by check.
  const fifth = await placed();
  const { payments: wrong } = await handOver(fifth.orderId, [[cash, fifth.amount]]);
  await staff('POST', `orders/${fifth.orderId}/payments/${wrong[0].id}/correct`, {
    ...{ paymentTypeId: check, reason: 'It was a check' },
  });
  took.set(check, fifth.amount);
  took.set(cash, took.get(cash)! - fifth.amount);
  inDrawer -= fifth.amount;

  // The day is over.
  const batch = await staff('POST', `payment-connections/${terminal.id}/settlements`, {});
  const byCard = second.amount + 2_000 + 300 + 1_000;
  expect(batch).toMatchObject({ net: byCard, differences: 0 });
  const { payments: expected } = await staff('GET', `drawer-sessions/${drawer.id}`);
  const counts = expected.map((it: { paymentTypeId: number | null; expected: number }) => ({
    paymentTypeId: it.paymentTypeId,
    counted: it.paymentTypeId === null ? inDrawer : it.expected,
  }));
  const closed = await staff('POST', `drawer-sessions/${drawer.id}/close`, { counts });
  const counted = closed.payments.find((it: { paymentTypeId: number | null }) => it.paymentTypeId === null);
  expect(counted).toMatchObject({ expected: inDrawer, counted: inDrawer, overShort: 0 });
  const orders = [first, second, third, fourth, fifth].reduce((sum, { amount }) => sum + amount, 0);
  expect(await tenders()).toEqual(took);
  expect(sumOf(took)).toBe(before + orders + agreed.captured);
  const money = await staff('GET', 'reports/money');
  expect(money.providers).toMatchObject([
    {
      paymentTypeId: card,
      captured: first.amount + second.amount + 2_000,
      tips: 300,
      cashBack: 1_000,
      refunds: -first.amount,
    },
    { paymentTypeId: link, captured: agreed.captured, tips: 0, refunds: 0, returned: 0 },
  ]);
  expect(money.tips).toMatchObject([{ tips: 300 }]);
  // Taxes and the state hear of the goods, and neither of tips nor of cash back.
  const saleOf = ({ orderId }: { orderId: string }) => staff('GET', `orders/${orderId}`);
  const taxed = ({ customerGrandTotal, taxes }: Awaited<ReturnType<typeof saleOf>>) => [
    customerGrandTotal,
    taxes.map((tax: { amount: number }) => tax.amount),
  ];
  const tipped = await saleOf(third);
  expect(taxed(tipped)).toEqual(taxed(await saleOf(second)));
  const { text: file } = await owner.call('GET', '/staff/v1/state-report-file');
  const told = file.split('\r\n').map((row) => row.split(','));
  const ofThird = told.filter((row) => row[1] === String(tipped.number));
  expect(ofThird.map((row) => [row[2], row[8]])).toEqual([['sale', '35.00']]);

  // Days later the bank takes its payment back: the customer owes it.
  await look(2 * 86_400);
  await control('returns', {});
  await look(86_400 + 1);
  owner = await service.staff({ organizationId });
  const returned = { status: 'returned', returned: agreed.captured, applied: 0, code: 'R01' };
  expect(await read(asked.id)).toMatchObject(returned);
  const open = (await tasks()).map(({ kind, amount }: Record<string, unknown>) => [kind, amount]);
  expect(open).toEqual([
    ['collect', agreed.captured],
    ['cash-back', 1_000],
  ]);
  expect(troubles).toEqual([]);
});
