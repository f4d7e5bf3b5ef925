import { expect, test } from 'vitest';
import { meantOption, type SaleOption } from './sale-options.ts';

const option = (productOptionId: number, upc: string | null): SaleOption => ({
  productId: 1,
  productOptionId,
  amount: 1,
  inventoryType: 'option',
  productName: 'Moonlit Grove',
  brandName: 'Fernweh Farms',
  optionName: '3.5 grams',
  price: 3_500,
  formerPrice: null,
  upc,
  photo: null,
  category: 'Flower',
});

test('a scanned code means the option of that UPC, also with the zero of an EAN before it', () => {
  const options = [option(1, '410001006251'), option(2, '410001006268')];
  expect(meantOption(options, '410001006268')?.productOptionId).toBe(2);
  expect(meantOption(options, '0410001006268')?.productOptionId).toBe(2);
  expect(meantOption(options, '41000100')).toBeNull();
});

test('a search that finds one option means it, and two options of one UPC are no answer', () => {
  expect(meantOption([option(1, null)], 'moonlit')?.productOptionId).toBe(1);
  expect(meantOption([option(1, '41'), option(2, '41')], '41')).toBeNull();
});
