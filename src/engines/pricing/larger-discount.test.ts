import { expect, test } from 'vitest';
import { type Discount, discountKindNames, discountKinds } from './discounts/discount-kinds.ts';
import { priceCart } from './price-cart.ts';
import type { Percent } from './pricing-facts.ts';
import {
  noTargets,
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
  sampleTax,
} from './sample-cart.test-support.ts';

/** The total of 2.00 less `offCents`, for a customer who does not owe these included taxes. */
function exemptTotalCents(offCents: number, rates: readonly Percent[]): number {
  const taxes = rates.map((rate, index) =>
    sampleTax({ id: index + 1, rate, included: true, exemptable: true }),
  );
  const discount = sampleDiscount({ kind: 'order', type: 'flat', amount: `${offCents}` });
  const cart = sampleCart({
    lines: [sampleLine({ priceCents: 200 })],
    taxes,
    taxExempt: true,
    discounts: sampleDiscounts([discount]),
  });
  return priceCart(cart).customerGrandTotalCents;
}

const rates = ['5', '9.25', '15', '33.333333', '100'];

test('with one included tax that is not owed, a larger discount never costs more', () => {
  for (const rate of rates) {
    for (let offCents = 0; offCents < 200; offCents += 1) {
      expect(exemptTotalCents(offCents + 1, [rate])).toBeLessThanOrEqual(exemptTotalCents(offCents, [rate]));
    }
  }
});

// Each tax is rounded separately: 2 cents less two thirds come to 0, and 1 cent less 0 to 1.
test('with several that are not owed, a larger discount costs at most a cent more for each beyond the first', () => {
  expect([198, 199].map((offCents) => exemptTotalCents(offCents, ['100', '100']))).toEqual([0, 1]);
  for (const [index, first] of rates.entries()) {
    for (const second of rates.slice(index)) {
      for (let offCents = 0; offCents < 200; offCents += 1) {
        const more = exemptTotalCents(offCents + 1, [first, second]);
        expect(more).toBeLessThanOrEqual(exemptTotalCents(offCents, [first, second]) + 1);
      }
    }
  }
});

/** The price of 0.06, 0.06 and 0.02 with this reduction, when the first two are free afterwards. */
function leftOfLastCents(discount: Partial<Discount>): number {
  const lines = [6, 6, 2].map((priceCents, at) =>
    sampleLine({ productOptionId: at + 1, productCategoryId: at < 2 ? 1 : 2, priceCents }),
  );
  const given = sampleDiscount({ id: 2, amount: '100', targets: { ...noTargets, categoryIds: [1] } });
  const discounts = sampleDiscounts([sampleDiscount(discount), given]);
  return priceCart(sampleCart({ lines, discounts })).merchandiseCents;
}

test('a larger discount on products reduces no line less, so that no later reduction has a larger base', () => {
  const offLines = discountKindNames.filter((kind) => discountKinds[kind].terms.maximumOf === 'line');
  for (const kind of offLines) {
    for (const type of ['flat', 'percent'] as const) {
      const left = Array.from({ length: 101 }, (_, amount) =>
        leftOfLastCents({ kind, type, amount: `${amount}` }),
      );
      expect(left).toEqual(left.toSorted((a, b) => b - a));
    }
  }
});
