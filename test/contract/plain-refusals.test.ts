import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestReply } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';

/** What an integrator reads who makes a usual mistake: which field, and what was expected there. */

const service = await startTestService();
let shop: TestShop;
beforeAll(async () => {
  shop = await createTestShop(service.context, { key: { strict: true } });
});
afterAll(() => service.close());

const read = (path: string) => service.call('GET', path, { keys: shop.keys });
const place = (changes: object) =>
  service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop, { ...changes }) });
const said = ({ status, error }: TestReply) => [status, error?.code, error?.message];
const person = { firstName: 'Ada', lastName: 'Moreno' };

test('a birthday that has not come is a typing error, not an age', async () => {
  const customer = { ...person, email: 'ada@customers.example.com', birthday: '2035-02-03' };
  expect(said(await place({ customer }))).toEqual([
    ...[400, 'INVALID_PARAMS'],
    'customer.birthday must be a date that has passed: today is 2026-03-10.',
  ]);
});

test('a contact that is missing names each field that would do', async () => {
  const { status, error } = await place({ customer: person });
  expect([status, error]).toEqual([
    400,
    {
      code: 'MISSING_PARAMS',
      message: 'Required but absent: customer.email or customer.phone.',
      meta: { missing: ['customer.email', 'customer.phone'] },
    },
  ]);
});

test('the id of a product in place of that of its option is told apart', async () => {
  const productOptionId = shop.productId('Moonlit Grove');
  expect(said(await place({ lineItems: [{ productOptionId, quantity: 1 }] }))).toEqual([
    ...[404, 'PRODUCT_OPTION_NOT_FOUND'],
    'lineItems[0].productOptionId must be the id of an option, as in the `options` of a product, not of the product: ' +
      `there is no option ${productOptionId}.`,
  ]);
});

test('a method that a path does not take is answered with those that it takes', async () => {
  const reply = await service.call('DELETE', '/api/v1/orders', { keys: shop.keys });
  expect(said(reply)).toEqual([
    ...[405, 'METHOD_NOT_ALLOWED'],
    'This path takes POST, GET or HEAD, not DELETE.',
  ]);
});

test('a cursor of another list is told as one', async () => {
  const row = 'the id of a row of this same list, as the page before has it';
  for (const [list, cursor, expected] of [
    ['customers', '01900000-0000-7000-8000-000000000000', row],
    ['order-returns', 'next', row],
    ['orders', '4711', 'an order id'],
  ]) {
    expect(said(await read(`/api/v1/${list}?startingAfter=${cursor}`))).toEqual([
      ...[400, 'INVALID_CURSOR'],
      `startingAfter must be ${expected}.`,
    ]);
  }
});

test('a name that is not known is compared with near ones only', async () => {
  for (const [name, words] of [
    ['delivryNotes', 'delivryNotes is not known; the nearest is deliveryNotes.'],
    ['payment', 'payment is not known; the nearest is payments.'],
    ['street', 'street is not known.'],
    ['zip', 'zip is not known.'],
  ]) {
    expect(said(await place({ [name!]: 'x' }))).toEqual([400, 'INVALID_PARAMS', words]);
  }
});
