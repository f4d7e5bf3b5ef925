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
  let isChanged = false;
  const { database } = service.context;
  const read = database.read.bind(database);
  // After the first read, a member of staff changes a tax.
  database.read = (async (...args: Parameters<typeof read>) => {
    const rows = await read(...args);
    if (!isChanged) {
      isChanged = true;
      const { error } = await owner.call('POST', '/staff/v1/taxes', { description: 'New tax', rate: '1' });
      expect(error).toBeUndefined();
    }
    return rows;
  }) as typeof read;
  const cache = new PricingInputsCache(service.context);
  const carts = [cartOf(shop.optionId('one')), cartOf(shop.optionId('two'))];
  const terms = await cache.termsFor(shop.organizationId, carts, service.clock.now(), false);
  expect([...terms!.options.keys()].sort()).toEqual([shop.optionId('one'), shop.optionId('two')].sort());
  expect(terms!.taxes.some(({ description }) => description === 'New tax')).toBe(true);
});
