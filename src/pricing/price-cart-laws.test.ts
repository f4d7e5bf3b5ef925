import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { priceCartNaively } from './naive-pricing.test-support.ts';
import { priceCart } from './price-cart.ts';
import type { PricedCart } from './priced-cart.ts';
import type { PriceCartInput } from './pricing-facts.ts';
import { randomCart } from './random-cart.test-support.ts';

const runs = { numRuns: 10_000 };

const sum = (amounts: readonly number[]) => amounts.reduce((a, b) => a + b, 0);

/** `toEqual` is asked for its message only: on this many carts it takes longer than all the pricing. */
function expectSame<T>(actual: T, expected: T): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** Everything of a priced cart that does not belong to one line. */
function totals({ lines: _lines, ...rest }: PricedCart): Omit<PricedCart, 'lines'> {
  return rest;
}

describe('every cart', { timeout: 60_000 }, () => {
  test('is priced alike by the engine and by a second, naive reading of the rules, field by field', () => {
    fc.assert(
      fc.property(randomCart, (input) => {
        expectSame(priceCart(input), priceCartNaively(input).cart);
      }),
      runs,
    );
  });

  test('adds up: lines to totals, allocations to taxes, the display list to the grand total', () => {
    fc.assert(
      fc.property(randomCart, (input) => {
        const cart = priceCart(input);
        const allocations = cart.lines.flatMap((line) => line.taxAllocations);
        const stated = {
          totalPrice: cart.totalPriceCents,
          merchandise: cart.merchandiseCents,
          taxes: cart.taxes.map((tax) => tax.amountCents),
          grandTotal: cart.customerGrandTotalCents,
        };
        expectSame(stated, {
          totalPrice: sum(cart.lines.map((line) => line.finalPriceCents)),
          merchandise: sum(cart.lines.map((line) => line.grossCents)),
          taxes: cart.taxes.map(({ id, feeAllocationCents }) => {
            const parts = allocations.filter((part) => part.taxId === id);
            return feeAllocationCents + sum(parts.map((part) => part.amountCents));
          }),
          grandTotal:
            cart.totalPriceCents -
            sum(cart.credits.map((credit) => credit.amountUsedCents)) -
            sum(cart.discounts.map((discount) => discount.amountUsedCents)) +
            sum(cart.adjustments.map((adjustment) => adjustment.amountCents)) +
            sum(cart.taxes.filter((tax) => !tax.included).map((tax) => tax.amountCents)) +
            (cart.deliveryFeeCents ?? 0) +
            cart.paymentFeesCents,
        });
      }),
      runs,
    );
  });

  test('has nothing negative but its adjustments, and nothing but whole cents', () => {
    const amounts = (value: unknown): number[] => {
      if (typeof value === 'number') return [value];
      return value !== null && typeof value === 'object' ? Object.values(value).flatMap(amounts) : [];
    };
    fc.assert(
      fc.property(randomCart, (input) => {
        const { adjustments, ...rest } = priceCart(input);
        const isWhole = (amount: number) => Number.isSafeInteger(amount) && !Object.is(amount, -0);
        expect(amounts(adjustments).every(isWhole)).toBe(true);
        expect(amounts(rest).every((amount) => isWhole(amount) && amount >= 0)).toBe(true);
      }),
      runs,
    );
  });

  test('costs the same when it is priced again, and its facts are left as they were', () => {
    fc.assert(
      fc.property(randomCart, (input) => {
        const before = JSON.stringify(input);
        expectSame(priceCart(input), priceCart(JSON.parse(before)));
        expect(JSON.stringify(input)).toBe(before);
      }),
      runs,
    );
  });

  test('has the same totals in any order of its lines, unless two remainders tie', () => {
    fc.assert(
      fc.property(shuffled('lines'), ([input, reordered]) => {
        fc.pre(!priceCartNaively(input).tied);
        expectSame(totals(priceCart(reordered)), totals(priceCart(input)));
      }),
      { ...runs, maxSkipsPerRun: 5 },
    );
  });

  test('is the same in any order of its taxes', () => {
    fc.assert(
      fc.property(shuffled('taxes'), ([input, reordered]) => {
        expectSame(priceCart(reordered), priceCart(input));
      }),
      runs,
    );
  });

  test('is unchanged when a line is split into two of the same option', () => {
    fc.assert(
      fc.property(randomCart, fc.nat(), (input, pick) => {
        const line = input.lines[pick % Math.max(1, input.lines.length)];
        fc.pre(line !== undefined && line.quantity > 1);
        const split = [
          ...input.lines.map((each) => (each === line ? { ...each, quantity: 1 } : each)),
          { ...line!, quantity: line!.quantity - 1 },
        ];
        expectSame(priceCart({ ...input, lines: split }), priceCart(input));
      }),
      runs,
    );
  });

  test('costs the same explained, and each tax and fee is a step of the explanation', () => {
    fc.assert(
      fc.property(randomCart, (input) => {
        const { steps, ...explained } = priceCart({ ...input, explain: true });
        const { steps: none, ...plain } = priceCart(input);
        expect(none).toBeNull();
        expectSame(explained, plain);
        const rounded = (step: string) =>
          steps?.filter((each) => each.step === step).map((each) => each.roundedCents);
        expectSame(
          rounded('line'),
          plain.lines.map((line) => line.subtotalPriceCents),
        );
        expectSame(
          rounded('tax'),
          plain.taxes.map((tax) => tax.amountBeforeExemptionCents),
        );
        expectSame(
          rounded('payment-fee'),
          plain.payments.map((payment) => payment.feeAmountCents),
        );
        expectSame(rounded('grand-total'), [plain.customerGrandTotalCents]);
      }),
      runs,
    );
  });
});

/** A cart, and the same cart with its lines or taxes in another order. */
function shuffled(what: 'lines' | 'taxes'): fc.Arbitrary<[PriceCartInput, PriceCartInput]> {
  return randomCart.chain((input) =>
    fc
      .shuffledSubarray<unknown>([...input[what]], { minLength: input[what].length })
      .map((reordered): [PriceCartInput, PriceCartInput] => [input, { ...input, [what]: reordered }]),
  );
}
