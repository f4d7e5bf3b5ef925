import fc from 'fast-check';
import type { DiscountTargets } from './discounts/discount-settings.ts';
import { noTargets } from './sample-cart.test-support.ts';

/** Ids of the options that `random-cart` uses: most are in a cart, some are not. */
export const someIds = (least: number) =>
  fc.uniqueArray(fc.integer({ min: least, max: least + 3 }), { maxLength: 2 });

const anyTargets = fc.record<DiscountTargets>({
  productIds: someIds(10),
  optionIds: someIds(100),
  categoryIds: someIds(1),
  brandIds: someIds(1),
  tagIds: someIds(1),
});

export const randomTargets = fc.oneof(
  { weight: 3, arbitrary: fc.constant(noTargets) },
  { weight: 2, arbitrary: someIds(1).map((categoryIds) => ({ ...noTargets, categoryIds })) },
  { weight: 1, arbitrary: anyTargets },
);
