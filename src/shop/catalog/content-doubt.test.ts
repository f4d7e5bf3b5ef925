import { expect, test } from 'vitest';
import { contentDoubt, type SizedOption } from './content-doubt.ts';

const flower: SizedOption = {
  cannabisType: 'non-concentrated',
  unit: 'gram',
  productName: null,
  name: null,
  amount: '3.5',
  content: '3.5',
};
const item = { unit: 'item', amount: '1' } as const;
const edible = { ...item, cannabisType: 'edibles' } as const;
const concentrate = { ...item, cannabisType: 'concentrated' } as const;

test.each<Partial<SizedOption>>([
  {},
  { name: '1/8 oz' },
  { name: 'Eighth', productName: 'Moonlit Grove' },
  { amount: '28', content: '28.349523125', name: '1oz' },
  { ...item, name: '5 x 0.5g', content: '2.5' },
  { ...item, name: '2 pack of 0.5g', content: '1' },
  { ...item, name: '1 each', content: '1' },
  { ...edible, name: '100mg', content: '100' },
  { ...edible, name: '10mg, 10 pieces', content: '100' },
  { ...edible, name: '50 g bar', content: '100' },
  { ...concentrate, name: '1g', content: '1000' },
  { ...concentrate, name: '1g', content: '850.5' },
  { ...concentrate, name: '1000mg', content: '850' },
  { ...concentrate, name: '8 oz pump', content: '200' },
  { ...concentrate, name: '1 oz', content: '100' },
  { ...concentrate, cannabisType: 'inhalables', name: '1g', content: '850' },
  { ...edible, cannabisType: 'low-dose-drinks', name: '4mg', content: '4' },
  { ...item, cannabisType: 'seeds', name: '5 seeds', content: '5' },
  { ...item, cannabisType: 'mi-infused-solids', name: '100 g', content: '3.527396' },
  { ...item, cannabisType: 'immature-plant', name: '3 plants', content: '3' },
  { cannabisType: 'none', content: null, name: '3.5g' },
  { content: null },
])('%o agrees', (said) => {
  expect(contentDoubt({ ...flower, ...said })).toBeNull();
});

test.each<[Partial<SizedOption>, string]>([
  [{ content: '1' }, 'has an amount of 3.5 grams, but its content is 1 g'],
  [{ amount: '1', content: '1', name: '1/8oz' }, 'is called 1/8oz, but its content is 1 g'],
  [{ amount: '1', content: '1', name: '1oz' }, 'is called 1oz, but its content is 1 g'],
  [{ amount: '1', content: '1', name: '1/8oz jar' }, 'is called 1/8oz jar, but its content is 1 g'],
  [{ ...item, content: '1', productName: 'OG 3.5g' }, 'is called OG 3.5g, but its content is 1 g'],
  [{ amount: '3.5', content: '35' }, 'has an amount of 3.5 grams, but its content is 35 g'],
  [{ ...concentrate, name: '1g', content: '1' }, 'is called 1g, but its content is 1 mg'],
  [{ ...concentrate, name: '1g', content: '1500' }, 'is called 1g, but its content is 1500 mg'],
  [
    { ...concentrate, unit: 'gram', amount: '0.5', content: '0.5' },
    'has an amount of 0.5 grams, but its content is 0.5 mg',
  ],
  [{ ...edible, name: '100mg', content: '1' }, 'is called 100mg, but its content is 1 mg'],
  [
    { ...concentrate, cannabisType: 'inhalables', name: '1g', content: '1' },
    'is called 1g, but its content is 1 mg',
  ],
  [
    { ...edible, cannabisType: 'low-dose-drinks', name: '4mg', content: '1' },
    'is called 4mg, but its content is 1 mg',
  ],
  [
    { ...item, cannabisType: 'mi-infused-fluids', name: '12 fl oz', content: '1' },
    'is called 12 fl oz, but its content is 1 fl oz',
  ],
])('%o contradicts itself', (said, words) => {
  expect(contentDoubt({ ...flower, ...said })).toBe(words);
});
