import { expect, test } from 'vitest';
import { onlyMatchingOption, orderedBySize, type SaleOption } from './sale-options.ts';

const option = (productOptionId: number, upc: string | null): SaleOption => ({
  productId: 1,
  productOptionId,
  amount: 1,
  inventoryType: 'option',
  productName: 'Moonlit Grove',
  brandName: 'Fernweh Farms',
  optionName: '3.5 grams',
  price: 3_500,
  regularPrice: null,
  upc,
  photo: null,
  category: 'Flower',
});

test('words of the size count: the quarter comes before the eighth, and is the only one that is meant', () => {
  const sizes = [
    { ...option(1, null), optionName: 'Eighth', amount: 3.5, unit: 'gram' as const },
    { ...option(2, null), optionName: '7 grams', amount: 7, unit: 'gram' as const },
  ];
  for (const typed of ['moonlit quarter', 'Moonlit Grove quar', 'grove 7g', 'grove 7 grams']) {
    expect([typed, orderedBySize(sizes, typed)[0]?.productOptionId]).toEqual([typed, 2]);
    expect([typed, onlyMatchingOption(sizes, typed)?.productOptionId]).toEqual([typed, 2]);
  }
  expect(orderedBySize(sizes, 'moonlit')).toEqual(sizes);
  expect(onlyMatchingOption(sizes, 'moonlit')).toBeNull();
});

test('a scanned code matches the option with that UPC, also with the leading zero of an EAN', () => {
  const options = [option(1, '410001006251'), option(2, '410001006268')];
  expect(onlyMatchingOption(options, '410001006268')?.productOptionId).toBe(2);
  expect(onlyMatchingOption(options, '0410001006268')?.productOptionId).toBe(2);
  expect(onlyMatchingOption(options, '41000100')).toBeNull();
});

test('a search with one result picks it, and two options with one UPC are ambiguous', () => {
  expect(onlyMatchingOption([option(1, null)], 'moonlit')?.productOptionId).toBe(1);
  expect(onlyMatchingOption([option(1, '41'), option(2, '41')], '41')).toBeNull();
});
