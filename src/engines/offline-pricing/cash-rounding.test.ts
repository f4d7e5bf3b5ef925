import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cashRefundRoundingCents, cashRoundingCents, cashRoundings } from './cash-rounding.ts';
import { cashRoundingIn } from './cash-rounding-rules.ts';

const cents = fc.integer({ min: 0, max: 2_000_000 });
const rule = fc.constantFrom(...cashRoundings);

test('1 and 2 cents go down, 3 and 4 up, or all of them down; nothing is rounded where it is off', () => {
  const ends = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((last) => 1_000 + last);
  const paid = (by: (typeof cashRoundings)[number]) =>
    ends.map((due) => due + cashRoundingCents(due, by) - 1_000);
  expect(paid('symmetric')).toEqual([0, 0, 0, 5, 5, 5, 5, 5, 10, 10]);
  expect(paid('down')).toEqual([0, 0, 0, 0, 0, 5, 5, 5, 5, 5]);
  expect(paid('off')).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('what is paid in cash is a multiple of five cents, at most two cents away, and down never charges a cent more', () => {
  fc.assert(
    fc.property(cents, rule, (due, by) => {
      const added = cashRoundingCents(due, by);
      if (by === 'off') expect(added).toBe(0);
      else expect((due + added) % 5).toBe(0);
      if (by === 'symmetric') expect(Math.abs(added)).toBeLessThanOrEqual(2);
      if (by === 'down') expect(added <= 0 && added > -5).toBe(true);
    }),
  );
});

test('after each refund the customer has paid the rounded amount of what is kept; all goods give back what was paid', () => {
  const shares = fc.array(fc.integer({ min: 1, max: 50_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(shares, rule, (parts, by) => {
      const paidCents = parts.reduce((sum, part) => sum + part, 0);
      const paidRoundingCents = cashRoundingCents(paidCents, by);
      let refundedCents = 0;
      let refundedRoundingCents = 0;
      for (const part of parts) {
        const so = { paidCents, paidRoundingCents, refundedCents, refundedRoundingCents };
        const added = cashRefundRoundingCents(part, so, by);
        refundedCents += part;
        refundedRoundingCents += added;
        const kept = paidCents - refundedCents;
        const given = refundedCents + refundedRoundingCents;
        expect(part + added).toBeGreaterThanOrEqual(0);
        expect(paidCents + paidRoundingCents - given).toBe(kept + cashRoundingCents(kept, by));
      }
      expect(refundedCents + refundedRoundingCents).toBe(paidCents + paidRoundingCents);
    }),
  );
});

test('cash for goods that were paid by card is rounded by itself', () => {
  const byCard = { paidCents: 0, paidRoundingCents: 0, refundedCents: 0, refundedRoundingCents: 0 };
  expect(cashRefundRoundingCents(1_003, byCard, 'symmetric')).toBe(2);
  expect(cashRefundRoundingCents(1_003, byCard, 'off')).toBe(0);
});

test('the state decides where the shop does not: Arizona rounds, Connecticut never up, others not', () => {
  expect([cashRoundingIn('AZ', null), cashRoundingIn('AZ', 'off')]).toEqual(['symmetric', 'off']);
  expect([cashRoundingIn('CT', null), cashRoundingIn('CT', 'symmetric')]).toEqual(['off', 'down']);
  expect([cashRoundingIn('CA', null), cashRoundingIn('CA', 'symmetric')]).toEqual(['off', 'symmetric']);
});
