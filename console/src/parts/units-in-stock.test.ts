import { expect, test } from 'vitest';
import type { SaleOption } from './sale-options.ts';
import { unitsInStock } from './units-in-stock.ts';

const option = (changes: Partial<SaleOption>): SaleOption => ({
  productId: 1,
  productOptionId: 11,
  amount: 3.5,
  inventoryType: 'option',
  productName: 'Moonlit Grove',
  brandName: 'Fernweh Farms',
  optionName: '3.5 grams',
  price: 3_500,
  regularPrice: null,
  upc: null,
  photo: null,
  category: 'Flower',
  ...changes,
});

const level = (inventoryLocationId: number, sellable: string, productOptionId: number | null = 11) => ({
  productId: 1,
  productOptionId,
  inventoryLocationId,
  sellable,
});

test('the sellable units of an option are its stock at the locations of the order type, in all packages', () => {
  const levels = [level(7, '5'), level(7, '3'), level(8, '40'), level(9, '2'), level(7, '90', 12)];
  expect(unitsInStock(option({}), levels, [7, 9])).toBe(10);
  expect(unitsInStock(option({}), levels, [])).toBe(0);
});

test('with stock per product, each unit uses the amount of the option', () => {
  const levels = [level(7, '10.4', null), level(7, '0.1', null)];
  expect(unitsInStock(option({ inventoryType: 'product' }), levels, [7])).toBe(3);
  expect(unitsInStock(option({ inventoryType: 'product', amount: 0.7 }), levels, [7])).toBe(15);
});

test('unknown stock gives null', () => {
  expect(unitsInStock(option({ inventoryType: 'none' }), [level(7, '5')], [7])).toBeNull();
  expect(unitsInStock(option({}), [], [7])).toBeNull();
  expect(
    unitsInStock(option({ inventoryType: 'product', amount: 0 }), [level(7, '5', null)], [7]),
  ).toBeNull();
});
