import { expect, test } from 'vitest';
import { priceCart } from './price-cart.ts';
import type { Percent } from './pricing-facts.ts';
import {
  sampleCart,
  sampleDiscount,
  sampleDiscounts,
  sampleLine,
  sampleTax,
} from './sample-cart.test-support.ts';

/** The total of 2.00 less `offCents`, for a customer who owes none of these taxes that are in the price. */
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

test('an included tax that is not owed comes off so that a larger discount never costs more', () => {
  for (const rate of rates) {
    for (let offCents = 0; offCents < 200; offCents += 1) {
      expect(exemptTotalCents(offCents + 1, [rate])).toBeLessThanOrEqual(exemptTotalCents(offCents, [rate]));
    }
  }
});

// Each is rounded for itself, so that 2 cents less two thirds come to nothing, and 1 cent less none to 1.
test('of several that are not owed, each but one may let a larger discount cost a cent more, and no more', () => {
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
