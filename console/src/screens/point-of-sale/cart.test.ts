import { expect, test } from 'vitest';
import type { SaleOption } from '../../parts/sale-options.ts';
import { type Cart, type CartChange, cartBody, changedCart, emptyCart } from './cart.ts';

const option = (productOptionId: number): SaleOption => ({
  productOptionId,
  productName: `Product ${productOptionId}`,
  brandName: 'Fernweh Farms',
  optionName: '1 gram',
  price: 1_200,
  formerPrice: null,
  upc: null,
  photo: null,
  category: 'Flower',
});

const after = (...changes: readonly CartChange[]): Cart => changes.reduce(changedCart, emptyCart);
const quantities = (cart: Cart) => cart.lines.map((line) => [line.option.productOptionId, line.quantity]);
const add = (id: number): CartChange => ({ type: 'add', option: option(id) });

test('scanning the same thing twice makes two of it, and + and − are for what was touched last', () => {
  expect(quantities(after(add(1), add(2), add(1)))).toEqual([
    [1, 2],
    [2, 1],
  ]);
  expect(quantities(after(add(1), add(2), { type: 'more' }))).toEqual([
    [1, 1],
    [2, 2],
  ]);
  expect(quantities(after(add(1), add(2), { type: 'less' }, { type: 'less' }))).toEqual([]);
});

test('another customer does not get the rewards and credits that were chosen for the former', () => {
  const cart = after(
    { type: 'set', values: { rewards: [{ rewardId: 4 }], applyCredits: false, discountIds: [9] } },
    { type: 'customer', customer: null },
  );
  expect(cart).toMatchObject({ rewards: [], applyCredits: null, discountIds: [9] });
});

test('what is only half typed is not sent', () => {
  const cart = after(add(1), {
    type: 'set',
    values: {
      adjustments: [
        { amount: -200, description: '' },
        { amount: -100, description: 'Dented box' },
      ],
      taxExempt: { exempt: true, reason: ' ' },
      walkInName: 'Noor',
    },
  });
  expect(cartBody(cart)).toEqual({
    type: 'in-store',
    lineItems: [{ productOptionId: 1, quantity: 1 }],
    customerName: 'Noor',
    adjustments: [{ amount: -100, description: 'Dented box' }],
  });
});
