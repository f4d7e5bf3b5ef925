import { expect, test } from 'vitest';
import { priceCart } from '../price-cart.ts';
import { noConditions, sampleCart, sampleDiscount, sampleDiscounts } from '../sample-cart.test-support.ts';
import type { DiscountFacts } from './choose-discounts.ts';

const ended = { ...noConditions, endsAtMs: 0 };

const offered = [
  sampleDiscount({ id: 1, trigger: 'code', codes: ['Spring', 'MAY'] }),
  sampleDiscount({ id: 2, trigger: 'manual' }),
  sampleDiscount({ id: 3, trigger: 'code', codes: ['old'], conditions: ended }),
  sampleDiscount({ id: 4, trigger: 'code', codes: ['twice'], conditions: ended }),
  sampleDiscount({ id: 5, trigger: 'code', codes: ['twice'] }),
  sampleDiscount({ id: 6, trigger: 'manual', usesLeft: 0 }),
];

function outcome(facts: Partial<DiscountFacts>) {
  const cart = priceCart(sampleCart({ discounts: sampleDiscounts(offered, facts) }));
  return { used: cart.usedDiscountIds, refused: cart.discountRefusals };
}

test('a code or manual discount applies only on request', () => {
  expect(outcome({})).toEqual({ used: [], refused: [] });
});

test('a code ignores case and outer spaces, and any code of the discount works', () => {
  for (const code of ['spring', ' SPRING ', 'may']) {
    expect(outcome({ presentedCodes: [code] })).toEqual({ used: [1], refused: [] });
  }
});

test('the same code twice counts once', () => {
  expect(outcome({ presentedCodes: ['spring', 'SPRING', 'may'] })).toEqual({ used: [1], refused: [] });
});

test('a code that does not apply is refused with its reason; an unknown code is left to the caller', () => {
  expect(outcome({ presentedCodes: ['OLD', 'nothing'] })).toEqual({
    used: [],
    refused: [{ discountId: 3, code: 'OLD', reason: 'ended' }],
  });
});

test('a code of several discounts is valid when one of them applies', () => {
  expect(outcome({ presentedCodes: ['twice'] })).toEqual({ used: [5], refused: [] });
});

test('a manual discount applies when staff chose it, and is refused with its reason when it does not apply', () => {
  expect(outcome({ chosenIds: [2, 6] })).toEqual({
    used: [2],
    refused: [{ discountId: 6, code: null, reason: 'used-up' }],
  });
});

test('staff cannot choose a code discount, and a code does not apply a manual discount', () => {
  expect(outcome({ chosenIds: [1] })).toEqual({ used: [], refused: [] });
});

test('a discount that took nothing does not count as a use', () => {
  const nothing = sampleDiscounts([
    sampleDiscount({ amount: '0' }),
    sampleDiscount({ id: 2, amount: '100' }),
  ]);
  const cart = priceCart(sampleCart({ discounts: nothing }));
  expect(cart.usedDiscountIds).toEqual([2]);
  expect(cart.lines[0]?.discounts).toMatchObject([{ id: 2, amountUsedCents: 1000 }]);
});

test('one discount twice stops the calculation', () => {
  const twice = sampleDiscounts([sampleDiscount(), sampleDiscount()]);
  expect(() => priceCart(sampleCart({ discounts: twice }))).toThrow('twice');
});
