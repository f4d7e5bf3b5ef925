import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { cartText } from './cart-text.test-support.ts';
import { priceCart } from './price-cart.ts';
import type { AccountCredit, PriceCartInput } from './pricing-facts.ts';
import { reducedUnitPriceCents } from './reduced-unit-price.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
  sampleTax,
} from './sample-cart.test-support.ts';

const goldenFolder = new URL('../../../test/golden/pricing/', import.meta.url);

/** A worked example of the pricing rules: its settings, and the cents of its table. */
interface WorkedExample {
  readonly file: string;
  readonly title: string;
  readonly input: PriceCartInput;
  readonly finalsCents: readonly number[];
  readonly discountsCents?: readonly number[];
  readonly creditsCents?: readonly number[];
  readonly discountsTotalCents?: number;
  readonly taxesCents: readonly number[];
  readonly netPriceCents: number;
  readonly customerGrandTotalCents: number;
}

const flower = 1;
const edible = 2;
const accessory = 3;

const onlyFlower = { ...noTargets, categoryIds: [flower] };

const storeCredit: AccountCredit = {
  id: 1,
  type: 'store-credit',
  description: 'store credit',
  amountCents: 1000,
  percent: null,
  expiresAtMs: null,
};

const mixed = sampleCart({
  lines: [
    sampleLine({ productOptionId: 1, productCategoryId: flower, priceCents: 3500, quantity: 2 }),
    sampleLine({ productOptionId: 2, productCategoryId: edible, priceCents: 1999, quantity: 3 }),
    sampleLine({ productOptionId: 3, productCategoryId: accessory, priceCents: 1250 }),
  ],
  taxes: [
    sampleTax({ id: 1, description: 'city', rate: '5' }),
    sampleTax({
      id: 2,
      description: 'excise',
      type: 'excise',
      rate: '15',
      tier: '2',
      encompass: true,
      appliesToFees: true,
    }),
    sampleTax({
      id: 3,
      description: 'sales',
      rate: '9.25',
      tier: '3',
      encompass: true,
      exemptable: true,
      nonExemptableProductCategoryIds: [accessory],
    }),
  ],
  discounts: sampleDiscounts([
    sampleDiscount({
      id: 1,
      description: 'ten off edibles',
      amount: '10',
      targets: { ...noTargets, categoryIds: [edible] },
    }),
    sampleDiscount({ id: 2, description: 'five dollars off', kind: 'order', type: 'flat', amount: '500' }),
  ]),
  deliveryFee: { cents: 500, description: null },
});

const included = sampleCart({
  lines: [
    sampleLine({ productOptionId: 1, priceCents: 4500 }),
    sampleLine({ productOptionId: 2, priceCents: 2000, quantity: 2 }),
  ],
  taxes: [
    sampleTax({ id: 1, description: 'excise', type: 'excise', rate: '15', included: true }),
    sampleTax({
      id: 2,
      description: 'sales',
      rate: '9.25',
      tier: '2',
      included: true,
      encompass: true,
      exemptable: true,
    }),
  ],
});

const workedExamples: readonly WorkedExample[] = [
  {
    file: 'a-line-and-order-discount',
    title: 'A: a line discount, an order discount and three tiers of taxes',
    input: mixed,
    finalsCents: [7000, 5397, 1250],
    discountsCents: [500],
    discountsTotalCents: 1100,
    taxesCents: [657, 2146, 1468],
    netPriceCents: 17_418,
    customerGrandTotalCents: 17_918,
  },
  {
    file: 'b-exempt-with-store-credit',
    title: 'B: as A, for an exempt customer with a store credit',
    input: {
      ...mixed,
      taxExempt: true,
      credits: [storeCredit],
    },
    finalsCents: [7000, 5397, 1250],
    discountsCents: [500],
    creditsCents: [1000],
    discountsTotalCents: 1100,
    taxesCents: [657, 2146, 134],
    netPriceCents: 15_084,
    customerGrandTotalCents: 15_584,
  },
  {
    file: 'c-tax-on-tax',
    title: 'C: a sales tax on top of an excise',
    input: sampleCart({
      lines: [sampleLine({ priceCents: 10_000 })],
      taxes: [
        sampleTax({ id: 1, description: 'excise', type: 'excise', rate: '10', exemptable: true }),
        sampleTax({ id: 2, description: 'sales', rate: '6', tier: '2', encompass: true }),
      ],
    }),
    finalsCents: [10_000],
    taxesCents: [1000, 660],
    netPriceCents: 11_660,
    customerGrandTotalCents: 11_660,
  },
  {
    file: 'd-included-taxes',
    title: 'D: both taxes are in the prices',
    input: included,
    finalsCents: [4500, 4000],
    taxesCents: [1015, 720],
    netPriceCents: 8500,
    customerGrandTotalCents: 8500,
  },
  {
    file: 'e-included-tax-exempted',
    title: 'E: as D, for an exempt customer',
    input: { ...included, taxExempt: true },
    finalsCents: [4500, 4000],
    taxesCents: [1015, 0],
    netPriceCents: 7780,
    customerGrandTotalCents: 7780,
  },
  {
    file: 'f-rounded-up',
    title: 'F: taxes that round up to the next cent',
    input: sampleCart({
      lines: [
        sampleLine({ productOptionId: 1, priceCents: 999 }),
        sampleLine({ productOptionId: 2, priceCents: 1333, quantity: 3 }),
      ],
      taxes: [
        sampleTax({ id: 1, description: 'state', rate: '17', rounding: 'up' }),
        sampleTax({ id: 2, description: 'local', rate: '3', rounding: 'up' }),
      ],
    }),
    finalsCents: [999, 3999],
    taxesCents: [850, 150],
    netPriceCents: 5998,
    customerGrandTotalCents: 5998,
  },
  {
    file: 'g-taxed-delivery-fee',
    title: 'G: three tiers, two of them on the delivery fee',
    input: sampleCart({
      lines: [sampleLine({ priceCents: 3500 })],
      taxes: [
        sampleTax({ id: 1, description: 'local', rate: '10' }),
        sampleTax({
          id: 2,
          description: 'excise',
          type: 'california-excise',
          rate: '15',
          tier: '2',
          encompass: true,
          appliesToFees: true,
        }),
        sampleTax({
          id: 3,
          description: 'sales',
          rate: '7.25',
          tier: '3',
          encompass: true,
          appliesToFees: true,
        }),
      ],
      deliveryFee: { cents: 800, description: null },
    }),
    finalsCents: [3500],
    taxesCents: [350, 698, 388],
    netPriceCents: 4936,
    customerGrandTotalCents: 5736,
  },
  {
    file: 'h-two-order-discounts',
    title: 'H: two order discounts, shared by a line that is not taxed',
    input: sampleCart({
      lines: [
        sampleLine({ productOptionId: 1, priceCents: 3333 }),
        sampleLine({ productOptionId: 2, priceCents: 3333 }),
        sampleLine({ productOptionId: 3, productCategoryId: 2, priceCents: 3334 }),
      ],
      taxes: [sampleTax({ description: 'sales', rate: '8.875', excludedProductCategoryIds: [2] })],
      discounts: sampleDiscounts([
        sampleDiscount({ id: 1, description: 'one dollar off', kind: 'order', type: 'flat', amount: '100' }),
        sampleDiscount({ id: 2, description: 'an eighth off', kind: 'order', amount: '12.5' }),
      ]),
    }),
    finalsCents: [3333, 3333, 3334],
    discountsCents: [100, 1238],
    discountsTotalCents: 1338,
    taxesCents: [512],
    netPriceCents: 9174,
    customerGrandTotalCents: 9174,
  },
  {
    file: 'i-every-reduction',
    title: 'I: the better side of two, a floor, a reward trimmed by the cap, two credits',
    input: sampleCart({
      lines: [
        sampleLine({ productOptionId: 1, productCategoryId: flower, quantity: 3, isCannabis: true }),
        sampleLine({ productOptionId: 2, productCategoryId: edible, priceCents: 2000, isCannabis: true }),
        sampleLine({ productOptionId: 3, productCategoryId: accessory, priceCents: 1500 }),
      ],
      taxes: [sampleTax({ description: 'sales', rate: '10' })],
      discounts: sampleDiscounts([
        sampleDiscount({ id: 1, description: 'ten off flower', targets: onlyFlower }),
        sampleDiscount({
          id: 2,
          description: 'buy two, one half',
          kind: 'buy-x-get-y',
          amount: '50',
          targets: onlyFlower,
          stackable: false,
          ownTerms: { buyQuantity: 2, getQuantity: 1, buyTargets: null },
        }),
        sampleDiscount({
          id: 3,
          description: 'free edible',
          amount: '100',
          targets: { ...noTargets, categoryIds: [edible] },
        }),
        sampleDiscount({ id: 4, description: 'forty off', kind: 'order', amount: '40' }),
      ]),
      discountLimits: { budtenderPercent: '60', managerPercent: '65', maximumPercent: '65' },
      freeProductFloorCents: 1,
      loyaltyRewards: [
        { id: 1, description: 'two dollars', pointsRequirement: '200', type: 'flat', discountAmount: '200' },
      ],
      credits: [
        storeCredit,
        { ...storeCredit, id: 2, type: 'promo-code', description: 'tenth', amountCents: null, percent: '10' },
      ],
    }),
    finalsCents: [2500, 1, 1500],
    discountsCents: [1600],
    creditsCents: [250, 1000],
    discountsTotalCents: 4099,
    taxesCents: [228],
    netPriceCents: 1253,
    customerGrandTotalCents: 1253,
  },
];

test.each(workedExamples.slice(0, 8))('$title: is in docs/PRICING.md, with its cents', (example) => {
  const page = readFileSync(new URL('../../../docs/PRICING.md', import.meta.url), 'utf8');
  const row = page.split('\n').find((line) => line.startsWith(`| ${example.title[0]} |`));
  const result = row?.split('|').at(-2);
  expect(result).toContain(`taxes ${example.taxesCents.join(', ')}`);
  expect(result).toContain(`net ${example.netPriceCents}`);
  expect(result?.split(/\D+/)).toContain(`${example.customerGrandTotalCents}`);
});

describe.each(workedExamples)('worked example $title', ({ file, title, input, ...stated }) => {
  const cart = priceCart({ ...input, explain: true });

  test('has the cents of its table', () => {
    expect(cart.lines.map((line) => line.finalPriceCents)).toEqual(stated.finalsCents);
    expect(cart.totalPriceCents).toBe(stated.finalsCents.reduce((a, b) => a + b));
    expect(cart.discounts.map((each) => each.amountUsedCents)).toEqual(stated.discountsCents ?? []);
    expect(cart.credits.map((each) => each.amountUsedCents)).toEqual(stated.creditsCents ?? []);
    expect(cart.discountsTotalCents).toBe(stated.discountsTotalCents ?? 0);
    expect(cart.taxes.map((tax) => tax.amountCents)).toEqual(stated.taxesCents);
    expect(cart.netPriceCents).toBe(stated.netPriceCents);
    expect(cart.customerGrandTotalCents).toBe(stated.customerGrandTotalCents);
  });

  test('has the text of its page', () => {
    const page = new URL(`${file}.txt`, goldenFolder);
    const text = cartText(title, input, cart);
    if (process.env.UPDATE_GOLDEN === '1') {
      mkdirSync(goldenFolder, { recursive: true });
      writeFileSync(page, text);
    }
    expect(text).toBe(readFileSync(page, 'utf8'));
  });
});

test('an exempted included tax is an adjustment that names its tax (example E)', () => {
  const cart = priceCart({ ...included, taxExempt: true });
  expect(cart.taxes[1]).toMatchObject({
    amountBeforeExemptionCents: 720,
    amountExemptedCents: 720,
    amountCents: 0,
  });
  expect(cart.adjustments).toEqual([
    { amountCents: -720, description: 'sales exemption', isTaxExemption: true, taxId: 2 },
  ]);
});

test('an exemption does not apply to categories that stay taxed, and is not an adjustment of a price (example B)', () => {
  const cart = priceCart({ ...mixed, taxExempt: true });
  expect(cart.taxes[2]).toMatchObject({
    amountBeforeExemptionCents: 1468,
    amountExemptedCents: 1334,
    amountCents: 134,
  });
  expect(cart.adjustments).toEqual([]);
});

test('the sales price is charged if it is set, also with 0', () => {
  const unitPrice = (salesPriceCents: number | null) =>
    priceCart(sampleCart({ lines: [sampleLine({ salesPriceCents })] })).lines[0]?.unitPriceCents;
  expect([null, 800, 0].map(unitPrice)).toEqual([1000, 800, 0]);
});

test('a price that is set by hand replaces both prices, also with 0, and is what discounts and taxes work on', () => {
  const priced = (givenPriceCents: number | null) =>
    priceCart(sampleCart({ lines: [sampleLine({ salesPriceCents: 800, givenPriceCents, quantity: 3 })] }));
  expect([null, 1999, 1, 0].map((cents) => priced(cents).lines[0])).toMatchObject([
    { unitPriceCents: 800, subtotalPriceCents: 2400 },
    { unitPriceCents: 1999, subtotalPriceCents: 5997, finalPriceCents: 5997, grossCents: 5997 },
    { unitPriceCents: 1, subtotalPriceCents: 3 },
    { unitPriceCents: 0, subtotalPriceCents: 0 },
  ]);
});

test('a reduction by hand is rounded for each unit, halves up, and takes at most the price', () => {
  const percent = (cents: number, of: string) =>
    reducedUnitPriceCents(cents, { type: 'percent', percent: of });
  expect([percent(1999, '10'), percent(50, '1'), percent(49, '1'), percent(3333, '100')]).toEqual([
    ...[1799, 49, 49, 0],
  ]);
  expect([100, 5000].map((cents) => reducedUnitPriceCents(1999, { type: 'flat', cents }))).toEqual([1899, 0]);
});

test('an empty cart costs its delivery fee', () => {
  const cart = priceCart(sampleCart({ lines: [], deliveryFee: { cents: 500, description: null } }));
  expect(cart).toMatchObject({ totalPriceCents: 0, netPriceCents: 0, customerGrandTotalCents: 500 });
});

test('payment fees are due on net price and delivery fee, and raise only the grand total', () => {
  const cart = priceCart(
    sampleCart({
      deliveryFee: { cents: 500, description: null },
      payments: [
        {
          paymentTypeId: 3,
          name: 'debit',
          feeCents: 100,
          feePercent: '2',
          feeDescription: 'x',
          amountCents: 'remaining',
        },
      ],
    }),
  );
  expect(cart.payments).toMatchObject([{ amountCents: 1500, feeAmountCents: 130, finalAmountCents: 1630 }]);
  expect(cart).toMatchObject({ netPriceCents: 1000, paymentFeesCents: 130, customerGrandTotalCents: 1630 });
});

test('adjustments come after taxes and before credits, in their order, and never reduce the price below 0', () => {
  const priced = (...amounts: readonly number[]) =>
    priceCart(
      sampleCart({
        taxes: [sampleTax()],
        adjustments: amounts.map((amountCents, at) => ({ amountCents, description: `given ${at}` })),
        credits: [{ ...storeCredit, amountCents: 300 }],
        explain: true,
      }),
    );
  expect(priced(250)).toMatchObject({ netPriceCents: 1100 + 250 - 300, taxes: [{ amountCents: 100 }] });
  const taken = priced(-1000, -1000, 400);
  expect(taken.adjustments.map(({ amountCents }) => amountCents)).toEqual([-1000, -100, 400]);
  expect(taken).toMatchObject({ netPriceCents: 100, discountsTotalCents: 0 });
  expect(taken.steps!.filter(({ step }) => step === 'adjustment')).toMatchObject([
    { base: '-1000', roundedCents: -1000 },
    { base: '-1000', roundedCents: -100 },
    { base: '400', roundedCents: 400 },
  ]);
  expect(priced(-5000, -5000)).toMatchObject({
    netPriceCents: 0,
    credits: [],
    adjustments: [{ amountCents: -1100, isTaxExemption: false, taxId: null }, { amountCents: 0 }],
  });
});

test('a cart without discounts is over no limit, not even over 0', () => {
  const limits = { budtenderPercent: '0', managerPercent: null };
  expect(priceCart(sampleCart({ discountLimits: limits }))).toMatchObject({
    discountsTotalCents: 0,
    discountsOverBudtenderLimit: false,
    discountsOverManagerLimit: false,
  });
});

test('facts that are not whole, non-negative cents stop the calculation', () => {
  for (const priceCents of [-1, 0.5, Number.NaN, Number.MAX_SAFE_INTEGER + 1]) {
    expect(() => priceCart(sampleCart({ lines: [sampleLine({ priceCents })] }))).toThrow('not an amount');
  }
  const deliveryFee = { cents: -1, description: null };
  expect(() => priceCart(sampleCart({ deliveryFee }))).toThrow('delivery fee');
});

test('a total that a number cannot hold exactly stops the calculation', () => {
  const dear = sampleLine({ priceCents: Number.MAX_SAFE_INTEGER });
  expect(() => priceCart(sampleCart({ lines: [{ ...dear, quantity: 2 }] }))).toThrow('not an amount');
  expect(() => priceCart(sampleCart({ lines: [dear, { ...dear, productOptionId: 2 }] }))).toThrow(
    'safe integer',
  );
});
