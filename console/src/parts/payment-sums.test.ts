import { expect, test } from 'vitest';
import { givenBack, isPaid, sumsOf } from './payment-sums.ts';
import type { PaymentType } from './use-payment-types.ts';

const types = [{ id: 1, method: 'cash', fee: 0, feePercent: '0' }] as unknown as PaymentType[];
const given = (tendered: number, confirmed?: number) => [
  { key: 0, paymentTypeId: 1, amount: 2_185, tendered, ...(confirmed !== undefined && { confirmed }) },
];

test.each([
  [2_184, undefined, false],
  [2_185, undefined, true],
  [21_850, undefined, true],
  [21_851, undefined, false],
  [21_851, 21_851, true],
  [1_000_001, 21_851, false],
])('%i cents in cash for 2,185, confirmed %s, is enough: %s', (tendered, confirmed, expected) => {
  const rows = given(tendered, confirmed);
  expect(isPaid(2_185, rows, types)).toBe(expected);
});

test('cash of more than $10,000 needs confirmation, also when more is due', () => {
  const rows = (tendered: number) => [{ key: 0, paymentTypeId: 1, amount: 1_200_000, tendered }];
  expect(isPaid(1_200_000, rows(1_200_000), types)).toBe(false);
  expect(isPaid(1_200_000, [{ ...rows(1_200_000)[0]!, confirmed: 1_200_000 }], types)).toBe(true);
  expect(
    isPaid(1_000_000, [{ key: 0, paymentTypeId: 1, amount: 1_000_000, tendered: 1_000_000 }], types),
  ).toBe(true);
});

test('unconfirmed cash gives no change', () => {
  expect(sumsOf(2_185, given(41_000_100_602_990), types).change).toBe(0);
  expect(sumsOf(2_185, given(5_000), types).change).toBe(2_815);
});

test('the fee of a payment is not given back as change', () => {
  const withFee = [{ ...types[0]!, fee: 50 }];
  expect(sumsOf(2_185, given(5_000), withFee)).toMatchObject({ fees: 50, change: 2_765 });
});

test('what is given back in cash is rounded where cash is', () => {
  const [cash] = types;
  const rounded = { ...cash!, cashRounding: 'symmetric' as const };
  expect([givenBack(1_253, cash), givenBack(1_253, rounded)]).toEqual([1_253, 1_255]);
  expect(givenBack(1_253, { ...rounded, method: 'other' })).toBe(1_253);
});
