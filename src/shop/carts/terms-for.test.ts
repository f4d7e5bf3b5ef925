import { afterAll, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import type { CartRequest } from './cart-request.ts';
import { PricingInputsCache } from './carts.ts';

const service = await startTestService();
afterAll(() => service.close());

const cartOf = (productOptionId: number): CartRequest =>
  ({
    ...{ type: 'pickup', lineItems: [{ productOptionId, quantity: 1 }], customer: null, postalCode: null },
    ...{ discountCodes: [], payments: [] },
  }) as unknown as CartRequest;

test('terms that change between two reads know the carts of both', async () => {
  const shop = await createTestShop(service.context, {
    products: ['one', 'two'].map((key) => ({ key, options: [{ key, priceCents: 1000 }] })),
  });
  const owner = await service.staff(shop);
  const cache = new PricingInputsCache(service.context);
  const carts = [cartOf(shop.optionId('one')), cartOf(shop.optionId('two'))];
  await cache.termsFor(shop.organizationId, carts.slice(0, 1), false);
  const { error } = await owner.call('POST', '/staff/v1/taxes', { description: 'New tax', rate: '1' });
  expect(error).toBeUndefined();
  // The second cart is not known yet: its read finds other terms, which do not know the first one.
  const terms = await cache.termsFor(shop.organizationId, carts, false);
  expect([...terms.options.keys()].sort()).toEqual([shop.optionId('one'), shop.optionId('two')].sort());
  expect(terms.taxes.some(({ description }) => description === 'New tax')).toBe(true);
});

test('what a cart names and does not exist is known too, and not looked for again', async () => {
  const shop = await createTestShop(service.context);
  const cache = new PricingInputsCache(service.context);
  const cart = { ...cartOf(999_999_999), discountCodes: ['NONE'] };
  const terms = await cache.termsFor(shop.organizationId, [cart], false);
  const { statements } = service.context.database.statistics;
  expect(await cache.termsFor(shop.organizationId, [cart], false)).toBe(terms);
  expect(service.context.database.statistics.statements).toBe(statements);
});
