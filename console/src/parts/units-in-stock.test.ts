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

const stock = (sellable: string, productOptionId: number | null = 11) => ({
  productId: 1,
  productOptionId,
  sellable,
});

test('the sellable units of an option are its stock', () => {
  expect(unitsInStock(option({}), [stock('90', 12), stock('10')])).toBe(10);
  expect(unitsInStock(option({}), [stock('0')])).toBe(0);
});

test('with stock per product, each unit uses the amount of the option', () => {
  const known = [stock('10.5', null)];
  expect(unitsInStock(option({ inventoryType: 'product' }), known)).toBe(3);
  expect(unitsInStock(option({ inventoryType: 'product', amount: 0.7 }), known)).toBe(15);
});

test('unknown stock gives null', () => {
  expect(unitsInStock(option({ inventoryType: 'none' }), [stock('5')])).toBeNull();
  expect(unitsInStock(option({}), [])).toBeNull();
  expect(unitsInStock(option({ inventoryType: 'product', amount: 0 }), [stock('5', null)])).toBeNull();
});
