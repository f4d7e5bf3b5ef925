import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { startPaymentServer } from '../src/hosting/payment-servers/payment-server.ts';
import { paymentDeskOf } from '../src/shop/payments/payments.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { openPlainShop } from '../test/harness/test-trade.ts';
import { connectDemo, startDemoPayments } from './demo-payments.ts';

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

const connections = async () => (await owner.call('GET', '/staff/v1/payment-connections')).data;

test('a demo is paid by a terminal and a bank from its start, and after the next one', async () => {
  const listOrganizations = async () => [{ id: shop.organizationId }];
  const demoOrganizations = [shop.organizationId];
  const payments = await startDemoPayments(context, { demoOrganizations, listOrganizations, logger });
  closing.push(() => payments.close());
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
  const placed = await owner.call('POST', '/staff/v1/orders', {
    ...{ type: 'in-store', idempotencyKey: randomUUID() },
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
  });
  const due = { orderId: placed.data.id, amount: placed.data.customerGrandTotal };
  const [terminal, bank] = made;
  const read = async (id: number) => (await owner.call('GET', `/staff/v1/payment-intents/${id}`)).data;
  const ask = async ({ paymentTypeId, registerId }: typeof terminal) => {
    const body = { ...due, paymentTypeId, ...(registerId !== null && { registerId }) };
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
  // Another start of the service has another port.
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
