import { expect, test } from 'vitest';
import { ApiFailure } from '../../api.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { type Cart, cartBody, changedCart, emptyCart } from './cart.ts';
import { type RefusedPart, refusedPart, takeOut, without } from './refused-part.ts';

const line = (productOptionId: number) => ({
  option: { productOptionId, productId: Math.floor(productOptionId / 10) } as SaleOption,
  quantity: 1,
});
const cart: Cart = {
  ...emptyCart,
  lines: [line(11), line(21), line(22)],
  discountIds: [7, 8],
  discountCodes: ['A', 'B'],
  rewards: [{ rewardId: 3 }],
  adjustments: [{ amount: 100, way: 'off', description: 'Dented' }],
  taxExempt: { exempt: true, reason: 'Card' },
};
const refusal = (status: number, code: string, message: string, meta = {}) =>
  new ApiFailure({ status, code, message, meta });

test.each<[ApiFailure, RefusedPart | null]>([
  [refusal(422, 'DISCOUNT_CODE_INVALID', 'discountCodes[1] has expired'), { kind: 'code', code: 'B' }],
  [
    refusal(404, 'DISCOUNT_NOT_FOUND', 'discountIds[0] names no manual discount: 7'),
    { kind: 'discount', id: 7 },
  ],
  [
    refusal(422, 'INVALID_ORDER', 'discountIds[1] needs a subtotal of at least 5000 cents'),
    { kind: 'discount', id: 8 },
  ],
  [refusal(422, 'INVALID_ORDER', 'loyaltyRewards[0].points must be at least 5'), { kind: 'reward', id: 3 }],
  [refusal(400, 'INVALID_PARAMS', 'adjustments[0].amount must not be 0'), { kind: 'by-hand' }],
  [
    refusal(403, 'INSUFFICIENT_PERMISSIONS', 'The role budtender may give at most 10% of 500 cents'),
    { kind: 'by-hand' },
  ],
  [
    refusal(403, 'INSUFFICIENT_PERMISSIONS', 'taxExempt is for the roles owner, manager'),
    { kind: 'exemption' },
  ],
  [
    refusal(422, 'PRODUCT_IS_INACTIVE', 'Product 2 is off the menu', { productId: 2 }),
    { kind: 'line', productOptionIds: [21, 22] },
  ],
  [
    refusal(404, 'PRODUCT_OPTION_NOT_FOUND', 'lineItems[0].productOptionId names no option: 11'),
    { kind: 'line', productOptionIds: [11] },
  ],
  [refusal(422, 'CUSTOMER_UNDERAGE', 'customer is 19'), null],
  [refusal(0, 'NO_CONNECTION', 'discountCodes[0]'), null],
  [refusal(422, 'DISCOUNT_CODE_INVALID', 'discountCodes[9] has expired'), null],
])('%s is about one part of the cart; the rest can be priced', (failure, part) => {
  expect(refusedPart(cart, failure)).toEqual(part);
  if (part === null) return;
  const left = without(cart, part);
  expect(cartBody(left)).not.toEqual(cartBody(cart));
  // Removing it permanently gives the same cart.
  expect(cartBody(takeOut(cart, part).reduce(changedCart, cart))).toEqual(cartBody(left));
});
