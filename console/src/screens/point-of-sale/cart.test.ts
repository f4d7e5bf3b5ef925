import { expect, test } from 'vitest';
import { noReductions } from '../../parts/reductions.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { type Cart, type CartChange, type Customer, cartBody, changedCart, emptyCart } from './cart.ts';
import { unitsOfWeight, weightOf } from './line-numbers.ts';

const option = (productOptionId: number): SaleOption => ({
  productId: 1,
  productOptionId,
  amount: 1,
  inventoryType: 'option',
  productName: `Product ${productOptionId}`,
  brandName: 'Fernweh Farms',
  optionName: '1 gram',
  price: 1_200,
  regularPrice: null,
  upc: null,
  photo: null,
  category: 'Flower',
});

const after = (...changes: readonly CartChange[]): Cart => changes.reduce(changedCart, emptyCart);
const quantities = (cart: Cart) => cart.lines.map((line) => [line.option.productOptionId, line.quantity]);
const add = (id: number): CartChange => ({ type: 'add', option: option(id) });

test('scanning an item twice gives quantity two, and + and − change the last touched line', () => {
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

test('what is weighed out of packages is sent as parts of one line, and the rest comes from the oldest', () => {
  const loose = {
    ...option(7),
    loose: { tolerance: '0', sizes: [{ amount: '1', cents: 800 }], optionId: 7 },
  };
  const jar = (packageId: number) => ({ packageId, label: `JAR${packageId}` });
  const weigh = (type: 'weigh' | 'weigh-more', weight: string, packageId: number | null): CartChange => ({
    ...{ type, option: loose, weight, jar: packageId === null ? null : jar(packageId) },
  });
  const cart = after(
    weigh('weigh-more', '1.25', 1),
    weigh('weigh-more', '0.5', null),
    weigh('weigh-more', '0.35', 2),
    weigh('weigh-more', '1.1', 1),
  );
  expect(cart.lines).toMatchObject([{ quantity: 1, weight: '3.2' }]);
  expect(cartBody(cart).lineItems).toEqual([
    { productOptionId: 7, quantity: 1, weight: '0.35', packageId: 2 },
    { productOptionId: 7, quantity: 1, weight: '2.35', packageId: 1 },
    { productOptionId: 7, quantity: 1, weight: '0.5' },
  ]);
  // Weighed anew it is all of the one that is chosen then.
  expect(cartBody(changedCart(cart, weigh('weigh', '3', 2))).lineItems).toEqual([
    { productOptionId: 7, quantity: 1, weight: '3', packageId: 2 },
  ]);
});

const customer = (id: number) => ({ id, firstName: `Customer ${id}` }) as Customer;
const given = {
  discountIds: [9],
  discountCodes: ['WELCOME'],
  adjustments: [{ amount: 500, way: 'off', description: 'A regular' }],
  taxExempt: { exempt: true, reason: 'Medical card' },
} as const satisfies Partial<Cart>;
const chosen = { rewards: [{ rewardId: 4 }], applyCredits: false };
const giveTo = (customer: Customer | null): readonly CartChange[] => [
  add(1),
  { type: 'customer', customer },
  { type: 'set', values: { ...given, ...chosen } as Partial<Cart> },
];

test.each([customer(2), null])(
  'items stay for another customer (%j), but reductions for the previous customer do not',
  (next) => {
    const cart = after(...giveTo(customer(1)), { type: 'customer', customer: next });
    expect(quantities(cart)).toEqual([[1, 1]]);
    expect(cart).toMatchObject({ ...noReductions, rewards: [], applyCredits: null });
  },
);

test('a walk-in who becomes a known customer keeps reductions, but has other points and credits', () => {
  const cart = after(...giveTo(null), { type: 'customer', customer: customer(1) });
  expect(cart).toMatchObject({ ...given, rewards: [], applyCredits: null });
});

test('choosing the same customer again keeps everything', () => {
  const cart = after(...giveTo(customer(1)), { type: 'customer', customer: customer(1) });
  expect(cart).toMatchObject({ ...given, ...chosen });
});

test('incomplete input is not sent', () => {
  const cart = after(add(1), {
    type: 'set',
    values: {
      adjustments: [
        { amount: 200, way: 'off', description: '' },
        { amount: 100, way: 'off', description: 'Dented box' },
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

test('a typed weight is a whole number of units, to the last decimal, or none', () => {
  const weights = [
    ['3.5', 0.5, 7],
    ['3.5', 1, null],
    ['.3', 0.1, 3],
    ['0.30', 0.1, 3],
    ['28', 3.5, 8],
    ['0', 1, null],
    ['1e3', 1, null],
    ['10001', 1, null],
  ] as const;
  expect(weights.map(([typed, each]) => unitsOfWeight(typed, each))).toEqual(
    weights.map(([, , units]) => units),
  );
  expect([weightOf(3, 0.1), weightOf(8, 3.5), weightOf(7, 0.5)]).toEqual(['0.3', '28', '3.5']);
});

test('a price by hand goes to the service with its reason, survives a change of quantity, and goes with its line', () => {
  const given = { unitPrice: 999, reason: 'Torn bag' };
  const cart = [
    { type: 'add', option: option(7) },
    { type: 'price', optionId: 7, given },
    { type: 'more' },
  ].reduce<Cart>((before, change) => changedCart(before, change as CartChange), emptyCart);
  expect(cartBody(cart)).toMatchObject({
    lineItems: [{ productOptionId: 7, quantity: 2 }],
    priceOverrides: [{ productOptionId: 7, ...given }],
  });
  const without = changedCart(cart, { type: 'price', optionId: 7, given: undefined });
  expect(cartBody(without)).not.toHaveProperty('priceOverrides');
  const removed = changedCart(cart, { type: 'quantity', optionId: 7, quantity: 0 });
  expect(cartBody(changedCart(removed, { type: 'add', option: option(7) }))).not.toHaveProperty(
    'priceOverrides',
  );
});
