import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startPaymentServer } from '../src/hosting/payment-servers/payment-server.ts';
import { passPayments, paymentDeskOf } from '../src/shop/payments/payments.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { openPlainShop } from '../test/harness/test-trade.ts';
import { connectDemo, startDemoPayments, tellPayments } from './demo-payments.ts';

const service = await startTestService();
const { context } = service;
const shop = await openPlainShop(service);
const owner = await service.staff(shop);
const troubles: unknown[] = [];
const logger = { error: (fields: unknown) => troubles.push(fields) };
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  // The next file of this worker has the same service.
  paymentDeskOf(context).allow(['127.0.0.1']);
  await Promise.all(closing.map((close) => close()));
  await service.close();
});

const work = {
  ...{ context, operator: context.database, logger },
  cancelOrder: () => Promise.reject(new Error('No order is unpaid here.')),
};
const connections = async () => (await owner.call('GET', '/staff/v1/payment-connections')).data;

test('a demo is paid by a terminal and a bank from its start, and after the next one, which holds what the first one told', async () => {
  const listOrganizations = async () => [{ id: shop.organizationId }];
  const demoOrganizations = [shop.organizationId];
  const payments = await startDemoPayments(context, { demoOrganizations, listOrganizations, logger });

  paymentDeskOf(context).allow([payments.host]);
  await expect.poll(async () => (await connections()).length, { timeout: 60_000 }).toBe(2);
  const made = await connections();
  expect(made.map(({ name, provider }: Record<string, string>) => [name, provider])).toEqual([
    ['Card terminal', 'terminal'],
    ['Bank link', 'bank'],
  ]);
  for (const { id } of made) {
    const tested = await owner.call('POST', `/staff/v1/payment-connections/${id}/test`);
    expect(tested.data.state).toBe('ready');
  }
  const placed = async () => {
    const { data } = await owner.call('POST', '/staff/v1/orders', {
      ...{ type: 'in-store', idempotencyKey: randomUUID() },
      lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
    });
    return { orderId: data.id as string, amount: data.customerGrandTotal as number };
  };
  const due = await placed();
  const [terminal, bank] = made;
  const read = async (id: number) => (await owner.call('GET', `/staff/v1/payment-intents/${id}`)).data;
  const ask = async ({ paymentTypeId, registerId }: typeof terminal, what = due) => {
    const body = { ...what, paymentTypeId, ...(registerId !== null && { registerId }) };
    const { data } = await owner.call('POST', '/staff/v1/payment-intents', body);
    await paymentDeskOf(context).idle();
    return read(data.id);
  };
  // The customer at the terminal taps.
  expect(await ask(terminal)).toMatchObject({ status: 'captured', captured: due.amount });
  const refused = await owner.call('POST', '/staff/v1/payment-intents', {
    ...{ ...due, paymentTypeId: bank.paymentTypeId },
  });
  expect(refused.error?.code).toBe('INVALID_ORDER');
  // The service is started again: what was paid is paid there, and a link that is open leads on.
  const other = await placed();
  const asking = await ask(bank, other);
  expect(asking).toMatchObject({ status: 'waiting', link: expect.any(String) });
  await payments.close();
  const again = await startDemoPayments(context, { demoOrganizations, listOrganizations, logger });
  closing.push(() => again.close());
  expect(again.host).toBe(payments.host);
  expect(await (await fetch(asking.link, { method: 'POST' })).text()).toContain('is authorized');
  const look = async () => {
    service.clock.advance(61_000);
    await passPayments(work, shop.organizationId);
    return read(asking.id);
  };
  expect(await look()).toMatchObject({ status: 'captured', captured: other.amount });
  const told = await startPaymentServer({ clock: service.clock });
  closing.push(() => told.close());
  await tellPayments(context, shop.organizationId, told);
  const [row] = await tenantSql(
    context.database,
    shop.organizationId,
    'select sum(amount_cents)::int as cents from payment_ledger_entries',
  );
  const held = [...told.terminals.ledger.entries, ...told.bank.ledger.entries];
  expect(held.reduce((sum, { cents }) => sum + cents, 0)).toBe(Number(row!.cents));
  // A port that is in use is left to who has it.
  const next = await startPaymentServer({ clock: service.clock });
  closing.push(() => next.close());
  await connectDemo(context, shop.organizationId, next);
  await connectDemo(context, shop.organizationId, next);
  paymentDeskOf(context).allow([new URL(next.url).host]);
  expect((await connections()).map(({ baseUrl }: { baseUrl: string }) => baseUrl)).toEqual([
    next.url,
    next.url,
  ]);
  expect(troubles).toEqual([]);
});
