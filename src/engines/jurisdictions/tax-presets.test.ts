import { expect, test } from 'vitest';
import type { CannabisType } from '../goods/cannabis-type.ts';
import { priceCart } from '../pricing/price-cart.ts';
import type { CartTax, PriceCartInput } from '../pricing/pricing-facts.ts';
import { sampleCart, sampleLine, sampleTax } from '../pricing/sample-cart.test-support.ts';
import { isExemptable, taxPresetInForce } from './jurisdictions.ts';
import { shippedLaw } from './law-book.ts';

const types: CannabisType[] = ['none', 'non-concentrated', 'concentrated', 'edibles'];
const categoryOf = (type: CannabisType) => types.indexOf(type) + 1;
const categoriesOf = (wanted: readonly CannabisType[]) =>
  types.filter((it) => wanted.includes(it)).map(categoryOf);

/** The preset of a state as the taxes of an organization with one category of each type. */
const presetTaxes = (state: string, isMedical: boolean, day: string): CartTax[] =>
  taxPresetInForce(shippedLaw.find(state)!, day)
    .filter(({ customerType }) => customerType === 'all' || (customerType === 'medical') === isMedical)
    .map((tax, index) => ({
      id: index + 10,
      description: tax.description,
      rate: tax.rate,
      basis: tax.basis ?? null,
      tier: tax.tier,
      type: tax.type,
      included: tax.included,
      encompass: tax.encompass,
      exemptable: isExemptable(tax),
      appliesToFees: tax.appliesToFees,
      rounding: tax.rounding,
      excludedProductCategoryIds: categoriesOf(tax.excludedCannabisTypes),
      nonExemptableProductCategoryIds: categoriesOf(tax.nonExemptableCannabisTypes),
    }));

const goods = (priceCents: number, type: CannabisType = 'non-concentrated') =>
  sampleLine({ productOptionId: categoryOf(type), productCategoryId: categoryOf(type), priceCents });

const amounts = (
  state: string,
  facts: Partial<PriceCartInput>,
  localTaxes: CartTax[] = [],
  day = '2026-11-23',
) =>
  priceCart(
    sampleCart({ taxes: [...localTaxes, ...presetTaxes(state, facts.taxExempt === true, day)], ...facts }),
  ).taxes.map((it) => it.amountCents);

test("California's published example: the excise is charged on the local tax and on fees", () => {
  const lines = [goods(3500)];
  const deliveryFee = { cents: 800, description: null };
  expect(amounts('CA', { lines, deliveryFee }, [sampleTax({ rate: '10' })])).toEqual([350, 698]);
});

test("Michigan's published example: sales tax is charged on the excise, and patients owe only sales tax", () => {
  expect(amounts('MI', { lines: [goods(10000)] })).toEqual([1000, 660]);
  expect(amounts('MI', { lines: [goods(10000)], taxExempt: true })).toEqual([0, 600]);
});

test('Arizona charges both of its taxes on the price', () => {
  expect(amounts('AZ', { lines: [goods(10000)] })).toEqual([1600, 560]);
});

test("Washington's excise is included in the shelf price and not part of the sales tax base", () => {
  expect(amounts('WA', { lines: [goods(13700)] })).toEqual([3700, 650]);
});

test('Oregon rounds up to the next whole cent, and patients owe nothing', () => {
  expect(amounts('OR', { lines: [goods(999)] })).toEqual([170]);
  expect(amounts('OR', { lines: [goods(999)], taxExempt: true })).toEqual([0]);
});

test('New Jersey exempts patients on cannabis and not on accessories', () => {
  const lines = [goods(10000), goods(10000, 'none')];
  expect(amounts('NJ', { lines })).toEqual([1325]);
  expect(amounts('NJ', { lines, taxExempt: true })).toEqual([663]);
});

test('Colorado and Maryland charge the general rate on accessories only', () => {
  const lines = [goods(10000), goods(1000, 'none')];
  expect(amounts('CO', { lines })).toEqual([1500, 29]);
  expect(amounts('MD', { lines })).toEqual([1200, 60]);
});

test('patients pay the taxes that the law charges them, on cannabis and on a lighter', () => {
  const patient = {
    lines: [goods(10000), goods(2000, 'edibles'), goods(1000, 'none')],
    taxExempt: true,
  };
  const owed: readonly (readonly [state: string, amounts: readonly number[], why: string])[] = [
    ['AZ', [0, 728], 'no excise, transaction privilege tax on all goods'],
    ['CO', [0, 29, 348], 'no retail tax, the general rate on all goods'],
    ['CT', [0, 0, 64], 'sales tax on the lighter alone'],
    ['IL', [0, 0, 120, 63], '1 % on cannabis, 6.25 % on the lighter'],
    ['MA', [0, 63], 'sales tax on the lighter alone'],
    ['ME', [550, 160], '5.5 %, edibles 8 %'],
    ['MO', [480, 549], '4 % on cannabis, sales tax on all goods'],
    ['MT', [480], '4 % on cannabis'],
    ['NV', [0, 891], 'no excise, sales tax on all goods'],
    ['NY', [0, 0], 'neither of the two'],
    ['OH', [0, 748], 'sales tax on all goods'],
    ['RI', [0, 0, 910], 'sales tax on all goods'],
    ['VT', [0, 60], 'no excise; sales tax on the lighter alone until the owner decides'],
  ];
  for (const [state, expected, why] of owed)
    expect(amounts(state, patient), `${state}: ${why}`).toEqual(expected);
});

test('adults pay each tax on the price alone, where the law does not include another in the base', () => {
  const owed: readonly (readonly [state: string, day: string, amounts: readonly number[]])[] = [
    ['CT', '2026-10-01', [1075, 300, 635]],
    ['MA', '2026-11-23', [1075, 625]],
    ['MD', '2025-06-30', [900, 0]],
    ['MD', '2027-07-01', [1200, 0]],
    ['NV', '2026-11-23', [1000, 685]],
    ['NY', '2026-11-23', [900, 400]],
    ['OH', '2026-03-20', [1000, 575]],
    ['RI', '2026-11-23', [1000, 300, 700]],
    ['VT', '2026-11-23', [1400, 600]],
  ];
  for (const [state, day, expected] of owed) {
    expect([state, amounts(state, { lines: [goods(10000)] }, [], day)]).toEqual([state, expected]);
  }
});

test("New Mexico's published example: gross receipts tax is charged on the price with the excise, and not to patients", () => {
  const grossReceipts = sampleTax({
    id: 9,
    rate: '7.875',
    tier: '2',
    encompass: true,
    exemptable: true,
    nonExemptableProductCategoryIds: categoriesOf(['none']),
  });
  const lines = [goods(10000)];
  expect(amounts('NM', { lines }, [grossReceipts], '2025-06-30')).toEqual([1200, 882]);
  expect(amounts('NM', { lines }, [grossReceipts])).toEqual([1400, 898]);
  expect(amounts('NM', { lines, taxExempt: true }, [grossReceipts])).toEqual([0, 0]);
  const lighter = [...lines, goods(1000, 'none')];
  expect(amounts('NM', { lines: lighter, taxExempt: true }, [grossReceipts])).toEqual([0, 79]);
});

/** Flower with a potency, or concentrate, each as a line of its own. */
const withThc = (priceCents: number, type: CannabisType, thcPercent: string, thcMg = '0') => ({
  ...goods(priceCents, type),
  content: { thcPercent, thcMg, grams: '1' },
});

test('Illinois charges by potency what is not infused, and one rate on what is', () => {
  const owed: readonly (readonly [thcPercent: string, cents: number])[] = [
    ['0', 1000],
    ['35', 1000],
    ['35.000001', 2500],
    ['87.5', 2500],
  ];
  for (const [thc, cents] of owed) {
    const lines = [withThc(10000, 'non-concentrated', thc), goods(1000, 'edibles'), goods(1000, 'none')];
    expect([thc, amounts('IL', { lines })]).toEqual([thc, [cents, 200, 750]]);
    expect(amounts('IL', { lines, taxExempt: true })).toEqual([0, 0, 110, 63]);
  }
  const both = [withThc(3333, 'non-concentrated', '22.4'), withThc(3333, 'concentrated', '81')];
  // 333.3 + 833.25, rounded once.
  expect(amounts('IL', { lines: both })[0]).toBe(1167);
});

test('Connecticut charged by the milligram of THC until 2026-09-30, whatever the price', () => {
  const lines = [
    withThc(5000, 'non-concentrated', '20', '700'),
    withThc(2000, 'edibles', '0', '100'),
    withThc(4000, 'concentrated', '80', '800'),
  ];
  // 700 × 0.625 = 437.5; 100 × 2.75 = 275; 800 × 0.9 = 720.
  expect(amounts('CT', { lines }, [], '2026-09-30')).toEqual([438, 275, 720, 330, 699]);
  expect(amounts('CT', { lines }, [], '2026-10-01')).toEqual([1183, 330, 699]);
});
