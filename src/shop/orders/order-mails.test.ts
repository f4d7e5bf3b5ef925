import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { mailsOf } from '../../../test/harness/test-mails.ts';
import { addCredit, addDiscount, addReward } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { mailSending } from '../../platform/mail/mail.ts';
import { startMailServer } from '../../platform/mail/mail-server.test-support.ts';

/* What customers hear of their orders by mail (D70). */

const service = await startTestService();
const { context } = service;
const shop = await createTestShop(context, { state: 'OK' });
const owner = await service.staff(shop);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const address = { street1: '418 Alder Street', street2: null, city: 'Tulsa', postalCode: '74103' };
await owner.call('PATCH', '/staff/v1/shop-profile', { address, hours: [] });

let count = 0;
const newEmail = () => `customer-${++count}@customers.example.com`;
const customerOf = (email: string) => ({ firstName: 'Marisol', lastName: 'Okafor', email });

async function place(email: string, changes: object = {}, of: TestShop = shop): Promise<string> {
  const body = pickupBody(of, { customer: customerOf(email), idempotencyKey: randomUUID(), ...changes });
  const { data, error } = await service.call('POST', '/api/v1/orders', { keys: of.keys, body });
  expect(error).toBeUndefined();
  return data.id;
}

const step = async (id: string, action: string, body: object = {}, staff: TestStaff = owner) => {
  const reply = await staff.call('POST', `/staff/v1/orders/${id}/${action}`, body);
  expect(reply.error).toBeUndefined();
  return reply.data;
};
const set = (customerMails: object) => owner.call('PATCH', '/staff/v1/organization', { customerMails });
const all = { receipts: true, ready: true, outForDelivery: true, canceled: true };
const none = { receipts: false, ready: false, outForDelivery: false, canceled: false };

const mailsTo = (email: string) => mailsOf(context, shop.organizationId, email);

const kindsTo = async (email: string) => (await mailsTo(email)).map(({ kind }) => kind);

/** Paid in cash, with more than what is due. */
async function fulfillInCash(id: string, tooMuchCents: number): Promise<number> {
  const { data } = await owner.call('GET', `/staff/v1/orders/${id}`);
  const due = data.netPrice + (data.deliveryFee ?? 0);
  const payment = { paymentTypeId: shop.paymentTypeId('Cash'), amount: due };
  const { customerGrandTotal } = data;
  const tendered = customerGrandTotal + tooMuchCents;
  const { change } = await step(id, 'fulfill', { payments: [{ ...payment, tendered }] });
  expect(change).toBe(tooMuchCents);
  return customerGrandTotal;
}

test('customers hear of nothing until the owner says so', async () => {
  await set(none);
  const email = newEmail();
  const [picked, canceled] = [await place(email), await place(email)];
  await step(picked, 'pack');
  await fulfillInCash(picked, 0);
  await step(canceled, 'cancel', { reason: 'By mistake' });
  expect(await mailsTo(email)).toEqual([]);
});

test('each setting sends its own mail, once for an order', async () => {
  const email = newEmail();
  await set({ ...none, ready: true });
  const first = await place(email);
  await step(first, 'pack');
  await step(first, 'unpack');
  await step(first, 'pack');
  expect(await kindsTo(email)).toEqual(['order-ready']);
  await set({ ready: false, canceled: true });
  await step(first, 'cancel', { reason: 'A reason of the shop only' });
  expect(await kindsTo(email)).toEqual(['order-ready', 'order-canceled']);
  const texts = (await mailsTo(email)).map(({ text }) => text).join('\n');
  expect(texts).toContain('418 Alder Street, Tulsa, OK 74103');
  expect(texts).not.toMatch(/Moonlit|Marisol|reason of the shop/);
});

test('a delivery is told when it leaves, with the address to follow it, and not when it is packed', async () => {
  await set(all);
  const email = newEmail();
  const delivered = {
    ...{ type: 'delivery', address: { street1: '1 Elm', city: 'Oakland', state: 'CA', postalCode: '94607' } },
    ...{ customer: { ...customerOf(email), phone: '+19185550101' } },
  };
  const id = await place(email, delivered);
  const { status } = (await owner.call('GET', `/staff/v1/orders/${id}`)).data;
  if (status === 'draft') await step(id, 'accept');
  await step(id, 'pack');
  await step(id, 'dispatch', { status: 'assigned', driverName: 'Tomas Reyes' });
  expect(await kindsTo(email)).toEqual([]);
  const trackingUrl = 'https://track.example.com/7?a=1&b=2';
  await step(id, 'dispatch', { status: 'active', trackingUrl });
  await step(id, 'dispatch', { status: 'active', driverName: 'Ana' });
  const [mail, ...others] = await mailsTo(email);
  expect(others).toEqual([]);
  expect([mail!.kind, mail!.text]).toEqual(['order-out-for-delivery', expect.stringContaining(trackingUrl)]);
  expect(mail!.html).toContain('href="https://track.example.com/7?a=1&amp;b=2"');
});

/** A delivery with everything that a receipt can name, paid in cash, of which one unit came back. */
async function returnOfEverything() {
  const cash = { method: 'cash', feeCents: 125, feeDescription: 'Counting fee', feePercent: '0' } as const;
  const full = await createTestShop(context, {
    state: 'OK',
    taxes: [
      { description: 'City tax', rate: '2', tier: '1', included: true },
      { description: 'Sales tax', rate: '8', tier: '2' },
    ],
    paymentTypes: [{ ...cash, name: 'Cash', availableDelivery: true }],
  });
  const seller = await service.staff(full);
  const flower = { categoryIds: [full.categoryId('Flower')] };
  const percent = { kind: 'line', type: 'percent', amount: '5', name: 'Five percent off flower' } as const;
  await addDiscount(context, full.organizationId, { ...percent, targets: flower });
  const flat = { kind: 'order', type: 'flat', amount: '300', name: 'Three dollars off' } as const;
  await addDiscount(context, full.organizationId, flat);
  const reward = { type: 'flat', pointsRequirement: '10', discountAmount: '200' } as const;
  const rewardId = await addReward(context, full.organizationId, reward);
  const { data: customer } = await seller.call('POST', '/staff/v1/customers', customerOf(newEmail()));
  const credit = { cents: 500, description: 'Five dollars for you' };
  await addCredit(context, full.organizationId, customer.id, credit);
  const points = { pointsAmount: 10, reason: 'Welcome' };
  await seller.call('POST', `/staff/v1/customers/${customer.id}/loyalty-adjustments`, points);
  const placed = await seller.call('POST', '/staff/v1/orders', {
    ...{ type: 'delivery', address: { street1: '1 Elm', city: 'Oakland', state: 'CA', postalCode: '94607' } },
    lineItems: [{ productOptionId: full.optionId('eighth'), quantity: 2 }],
    ...{ customerId: customer.id, loyaltyRewards: [{ rewardId }], applyCredits: true },
    adjustments: [{ amount: -150, description: 'A scratched jar' }],
    ...{ deliveryFee: 700, deliveryFeeDescription: 'Van', idempotencyKey: randomUUID() },
  });
  expect(placed.error).toBeUndefined();
  const { id, status, netPrice } = placed.data;
  if (status === 'draft') await step(id, 'accept', {}, seller);
  const due = { paymentTypeId: full.paymentTypeId('Cash'), amount: netPrice + 700 };
  const payments = [{ ...due, tendered: netPrice + 700 + 125 + 400 }];
  const order = await step(id, 'fulfill', { payments }, seller);
  const back = { quantity: 1, type: 'return', inventoryAction: 'inventory', reason: 'Changed their mind' };
  const lineItems = [{ orderLineItemId: order.lineItems[0].id, ...back }];
  await step(id, 'returns', { refundType: 'store-credit', lineItems }, seller);
  return { seller, order: (await seller.call('GET', `/staff/v1/orders/${id}`)).data };
}

const rowsOfText = (text: string) =>
  [...text.matchAll(/^(.+): (-?\$[\d,.]+)$/gm)].map(([, name, value]) => [name, value]);

const rowsOfHtml = (html: string) =>
  [...html.matchAll(/<tr><td[^>]*>(.*?)<\/td><td[^>]*>(.*?)<\/td><\/tr>/g)].map(([, name, value]) => [
    name,
    value,
  ]);

describe('a receipt', () => {
  test('has lines, taxes, payments, change, the address and the license of the shop, and adds up', async () => {
    await set({ ...none, receipts: true });
    const email = newEmail();
    const { error } = await owner.call('POST', '/staff/v1/purchase-limit-rules', {
      ...{ name: 'Flower', customerType: 'adult-use', cannabisType: 'non-concentrated' },
      ...{ limit: '28', unit: 'g', window: 'transaction' },
    });
    expect(error).toBeUndefined();
    const id = await place(email);
    const totalCents = await fulfillInCash(id, 500);
    const [mail, ...others] = await mailsTo(email);
    expect([others, mail!.kind]).toEqual([[], 'receipt']);
    const { data: order } = await owner.call('GET', `/staff/v1/orders/${id}`);
    const used = await owner.call('GET', `/staff/v1/orders/${id}/limits-used`);
    // Two eighths; what else the customer bought is not in it.
    expect(used.data.limits).toMatchObject([{ cannabisType: 'non-concentrated', used: '7', unit: 'g' }]);
    const dollars = (cents: number) => (cents / 100).toFixed(2);
    for (const said of [
      `2 × Moonlit Grove, 3.5 grams: $${dollars(order.totalPrice)}`,
      ...order.taxes.map(
        (tax: { description: string; amount: number }) => `${tax.description}: $${dollars(tax.amount)}`,
      ),
      `Total: $${dollars(totalCents)}`,
      `Paid: Cash: $${dollars(totalCents)}`,
      `Received: Cash: $${dollars(totalCents + 500)}`,
      'Change: $5.00',
      ...used.data.limits.map(
        (it: { name: string; used: string; limit: string; unit: string }) =>
          `Purchase limit used, ${it.name}: ${it.used} of ${it.limit} ${it.unit}`,
      ),
      '418 Alder Street, Tulsa, OK 74103',
      'License C10-0000001-LIC',
    ]) {
      expect(mail!.text).toContain(said);
    }
    expect(mail!.html).not.toMatch(/<(?:img|script|link)|url\(/);
    // The order keeps it for a reprint.
    expect(order.payments).toMatchObject([
      { finalAmount: totalCents, tendered: totalCents + 500, change: 500 },
    ]);
    // Staff send it again, with the change that was given.
    const staff = await service.staff(shop, 'budtender');
    expect(await step(id, 'send-receipt', {}, staff)).toEqual({ recipient: email });
    const [, again] = await mailsTo(email);
    expect(again!.text).toBe(mail!.text);
  });

  test('has every kind of row once, in the order of the arithmetic, as text and as HTML', async () => {
    const { seller, order } = await returnOfEverything();
    await step(order.id, 'send-receipt', {}, seller);
    const [mail] = await mailsOf(context, order.organizationId, order.customer.email);
    const { lineItems, taxes, payments } = order;
    const [line] = lineItems;
    const amount = (cents: number) => `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`;
    const taxOf = (description: string) =>
      amount(taxes.find((tax: { description: string }) => tax.description === description).amount);
    const expected: [string, string][] = [
      [`2 × Moonlit Grove, ${line.optionName}`, amount(2 * line.unitPrice)],
      ['Five percent off flower', amount(-0.05 * 2 * line.unitPrice)],
      ['Three dollars off', '-$3.00'],
      ['Reward: flat', '-$2.00'],
      ['A scratched jar', '-$1.50'],
      ['City tax (in the prices)', taxOf('City tax')],
      ['Sales tax', taxOf('Sales tax')],
      ['Five dollars for you (credit)', '-$5.00'],
      ['Van', '$7.00'],
      ['Counting fee', '$1.25'],
      ['Total', amount(order.customerGrandTotal)],
      ['Paid: Cash', amount(payments[0].finalAmount)],
      ['Received: Cash', amount(payments[0].finalAmount + 400)],
      ['Change', '$4.00'],
      ['Refunded', amount(order.refundTotal)],
    ];
    expect(rowsOfText(mail!.text as string)).toEqual(expected);
    expect(rowsOfHtml(mail!.html as string)).toEqual(expected);
    expect(order.refundTotal).toBeLessThan(0);
    const centsOf = (shown: string) => Math.round(Number(shown.replace('$', '')) * 100);
    const beforeTotal = expected.slice(0, 10).filter(([name]) => !name.endsWith('(in the prices)'));
    expect(beforeTotal.reduce((sum, [, shown]) => sum + centsOf(shown), 0)).toBe(order.customerGrandTotal);
  });

  test('is refused before the order is fulfilled, without an email, and to staff of the stock', async () => {
    await set(none);
    const id = await place(newEmail());
    const send = (of: string, staff = owner) => staff.call('POST', `/staff/v1/orders/${of}/send-receipt`);
    expect((await send(id)).error?.code).toBe('INVALID_ORDER_TRANSITION');
    const { data: walkIn } = await owner.call('POST', '/staff/v1/orders', {
      type: 'in-store',
      lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 1 }],
      idempotencyKey: randomUUID(),
    });
    await fulfillInCash(walkIn.id, 0);
    expect((await send(walkIn.id)).error).toMatchObject({ code: 'INVALID_ORDER' });
    expect((await send(walkIn.id, await service.staff(shop, 'inventory'))).status).toBe(403);
    expect((await send(randomUUID())).error?.code).toBe('ORDER_NOT_FOUND');
  });

  test('is taken by a mail server as text and HTML, with names escaped', async () => {
    await set({ ...none, receipts: true });
    await owner.call('PATCH', '/staff/v1/organization', { name: 'Fern & <Anchor>' });
    const email = newEmail();
    const id = await place(email);
    await fulfillInCash(id, 0);
    const [mail] = await mailsTo(email);
    expect(mail!.html).not.toContain('<Anchor>');
    const { taken, transport, close } = await startMailServer();
    const task = mailSending(context, transport);
    const payload = { mailId: Number(mail!.id) };
    await task.run({ organization: shop.organizationId, payload, signal: new AbortController().signal });
    await close();
    expect(taken).toMatchObject([{ to: [email], text: expect.stringContaining('multipart/alternative') }]);
    expect(await mailsTo(email)).toMatchObject([{ text: '' }]);
  });
});
