import { afterAll, describe, expect, test } from 'vitest';
import type { TestDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { type TradeLines, tradeBody, tradeInShops } from '../../../test/harness/test-trade.ts';
import { recountDiscountUses } from '../promotions/promotions.ts';

const service = await startTestService();
const { openShop, sql, discount, price, place } = tradeInShops(service);
afterAll(() => service.close());

describe('discount codes', () => {
  const code = (changes: Partial<TestDiscount> = {}): TestDiscount => ({
    kind: 'order',
    type: 'flat',
    amount: '500',
    codes: ['Spring-5'],
    ...changes,
  });
  const cart: TradeLines = [['tray', 4]];

  test('ignore case and outer spaces, and work once also when sent twice', async () => {
    const shop = await openShop();
    await discount(shop, code());
    expect((await place(shop, cart)).total).toBe(5000);
    for (const discountCodes of [['Spring-5'], [' spring-5 '], ['SPRING-5', 'spring-5', 'Spring-5']]) {
      expect((await place(shop, cart, { discountCodes })).total).toBe(4500);
    }
  });

  test('are refused by previews and orders alike, as sent, with the reason', async () => {
    const shop = await openShop();
    const refusals: readonly [string, Partial<TestDiscount>, RegExp][] = [
      ['not-yet', { startsAtMs: testNowMs + 1 }, /is not valid yet/],
      ['ended', { endsAtMs: testNowMs }, /has expired/],
      ['hours', { schedule: [{ days: [1], fromMinute: 0, toMinute: 60 }] }, /not valid at this time/],
      ['delivery', { orderTypes: ['delivery'] }, /not for orders of type pickup/],
      ['group', { customerGroupIds: [1] }, /not for this customer/],
      ['birthday', { birthdayMonth: true }, /month of the customer's birthday/],
      ['flower', { targets: { optionIds: [shop.optionId('eighth')] } }, /not in the cart/],
      ['minimum', { minimumSubtotalCents: 5001 }, /subtotal of at least 5001 cents/],
    ];
    for (const [name, changes, message] of refusals) {
      await discount(shop, code({ codes: [name], ...changes }));
      const { error } = await place(shop, cart, { discountCodes: [name.toUpperCase()] });
      expect(error).toMatchObject({
        code: 'DISCOUNT_CODE_INVALID',
        meta: { discountCode: name.toUpperCase() },
      });
      expect(error?.message).toMatch(message);
    }
    await discount(shop, code({ codes: ['good'] }));
    const second = await place(shop, cart, { discountCodes: ['good', 'nope', 'ended'] });
    expect(second.error).toEqual({
      code: 'DISCOUNT_CODE_INVALID',
      message: 'discountCodes[1] is not a code of this organization.',
      meta: { discountCode: 'nope' },
    });
    const anonymous = await price(shop, cart, { customer: undefined, discountCodes: ['group'] });
    expect(anonymous.error?.message).toMatch(/needs a customer/);
    expect(await sql(shop, 'select id from orders')).toEqual([]);
  });

  test('of another organization are unknown', async () => {
    const [shop, other] = [await openShop(), await openShop()];
    await discount(other, code());
    expect((await place(shop, cart, { discountCodes: ['Spring-5'] })).error?.code).toBe(
      'DISCOUNT_CODE_INVALID',
    );
  });

  test('are known in the preview right after they are added, and unknown right after they are removed', async () => {
    const shop = await openShop();
    const id = await discount(shop, code());
    const asked = { discountCodes: ['Spring-5'] };
    expect((await price(shop, cart, asked)).data.discountsTotal).toBe(500);
    await sql(shop, `delete from discount_codes where discount_id = ${id}`);
    expect((await price(shop, cart, asked)).error?.code).toBe('DISCOUNT_CODE_INVALID');
    await discount(shop, code({ amount: '600' }));
    expect((await price(shop, cart, asked)).data.discountsTotal).toBe(600);
  });

  test('are checked after unknown references and before the order minimum', async () => {
    const shop = await openShop({ orderMinimumCents: { delivery: 0, pickup: 100_000 } });
    const asked = { discountCodes: ['nope'] };
    const missing = tradeBody(shop, cart, {
      ...asked,
      lineItems: [{ productOptionId: 999_999_999, quantity: 1 }],
    });
    const replies = [missing, tradeBody(shop, [['retired', 1]], asked), tradeBody(shop, cart, asked)].map(
      (sent) => service.call('POST', '/api/v1/orders', { keys: shop.keys, body: sent }),
    );
    expect((await Promise.all(replies)).map(({ error }) => error?.code)).toEqual([
      'PRODUCT_OPTION_NOT_FOUND',
      'PRODUCT_IS_INACTIVE',
      'DISCOUNT_CODE_INVALID',
    ]);
  });
});

describe('limited uses', () => {
  const limited = (changes: Partial<TestDiscount>): TestDiscount => ({
    kind: 'order',
    type: 'flat',
    amount: '500',
    codes: ['few'],
    ...changes,
  });
  const cart: TradeLines = [['tray', 4]];
  const few = { discountCodes: ['few'] };
  const person = (at: number) => ({
    customer: { firstName: 'P', lastName: `No. ${at}`, email: `p${at}@customers.example.com` },
  });

  test('in total end with the last use; a preview shows this at once', async () => {
    const shop = await openShop();
    await discount(shop, limited({ usesTotal: 2 }));
    for (const at of [1, 2]) expect((await place(shop, cart, { ...few, ...person(at) })).total).toBe(4500);
    const third = await place(shop, cart, { ...few, ...person(3) });
    expect(third.error).toMatchObject({
      code: 'DISCOUNT_CODE_INVALID',
      message: expect.stringMatching(/has reached its limit of uses/),
    });
    expect((await place(shop, cart, person(3))).total).toBe(5000);
  });

  test('per customer count for the customer found by email or by phone', async () => {
    const shop = await openShop();
    await discount(shop, limited({ usesPerCustomer: 1 }));
    const known = {
      firstName: 'P',
      lastName: 'Q',
      email: 'p1@customers.example.com',
      phone: '(510) 555-0101',
    };
    expect((await place(shop, cart, { ...few, customer: known })).total).toBe(4500);
    for (const contact of [{ email: known.email }, { phone: known.phone }]) {
      const again = await place(shop, cart, {
        ...few,
        customer: { firstName: 'P', lastName: 'Q', ...contact },
      });
      expect(again.error?.message).toMatch(/for this customer/);
    }
    expect((await place(shop, cart, { ...few, ...person(2) })).total).toBe(4500);
  });

  test('of an automatic discount that are used up: it no longer applies', async () => {
    const shop = await openShop();
    await discount(shop, { kind: 'order', type: 'flat', amount: '500', usesTotal: 1 });
    expect([(await place(shop, cart)).total, (await place(shop, cart)).total]).toEqual([4500, 5000]);
  });

  test('set on a used discount count its earlier uses', async () => {
    const shop = await openShop();
    const id = await discount(shop, limited({}));
    for (const at of [1, 1, 2]) await place(shop, cart, { ...few, ...person(at) });
    await service.context.database.write(shop.organizationId, async (tx) => {
      await tx.run({
        name: 'test_limit',
        text: 'update discounts set uses_total = 4, uses_per_customer = 2 where organization_id = $1',
        values: [shop.organizationId],
      });
      tx.queue(...recountDiscountUses([id]));
    });
    expect((await place(shop, cart, { ...few, ...person(1) })).error?.message).toMatch(/for this customer/);
    expect((await place(shop, cart, { ...few, ...person(2) })).total).toBe(4500);
    expect((await place(shop, cart, { ...few, ...person(3) })).error?.message).toMatch(/limit of uses/);
  });
});
