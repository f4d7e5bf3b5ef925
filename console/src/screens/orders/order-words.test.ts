import { expect, test } from 'vitest';
import { exchangeRows, type Order, paidFor, takenPayments } from './order-words.ts';

const cash = { id: 9, name: 'Cash', finalAmount: 1_253 } as Order['payments'][number];
const back = {
  ...{ orderId: '018f', orderNumber: 11, orderReturnId: 7, cashRounding: 0 },
  goods: [{ name: 'Moonlit Grove, Eighth', quantity: 1 }],
};

test('what was paid is what the drawer took: cash rounded, without the goods that came back', () => {
  const sale = { customerGrandTotal: 1_253, exchange: null, payments: [cash] };
  expect(paidFor(sale)).toBe(1_253);
  expect(paidFor({ ...sale, payments: [{ ...cash, cashRounding: 2 }] })).toBe(1_255);
  const exchanged = {
    customerGrandTotal: 4_253,
    exchange: { ...back, amount: 3_000, refund: 3_000 },
    payments: [
      { ...cash, cashRounding: 2 },
      { ...cash, id: 10, finalAmount: 3_000, cashRounding: 0 },
    ],
  };
  expect(paidFor(exchanged)).toBe(1_255);
  expect(takenPayments(exchanged).map(({ id }) => id)).toEqual([9]);
});

test('what was given back of an exchange is what left the drawer: cash rounded', () => {
  const rows = exchangeRows({ ...back, amount: 1_000, refund: 2_253, cashRounding: 2 });
  expect(rows.map(({ label, cents }) => [label, cents])).toEqual([
    ['1 × Moonlit Grove, Eighth', null],
    ['Paid by what came back', -1_000],
    ['Given back', 1_255],
  ]);
  expect(exchangeRows({ ...back, amount: 1_000, refund: 1_000 }).map(({ key }) => key)).not.toContain('back');
});
