import { expect, test } from 'vitest';
import { pricePayments } from './payment-fees.ts';
import type { PriceStep } from './price-step.ts';
import type { IntendedPayment } from './pricing-facts.ts';

const payment = (amountCents: number | 'remaining', fee: Partial<IntendedPayment> = {}): IntendedPayment => ({
  paymentTypeId: 1,
  name: 'debit',
  feeCents: 0,
  feePercent: '0',
  feeDescription: null,
  amountCents,
  ...fee,
});

const price = (payments: IntendedPayment[], dueCents: number) => pricePayments(payments, dueCents, null);

test('the fee of a payment is its flat fee and the rounded percent of the amount paid with it', () => {
  const { payments } = price([payment(1050, { feeCents: 100, feePercent: '3.333333' })], 1050);
  expect(payments).toMatchObject([{ amountCents: 1050, feeAmountCents: 135, finalAmountCents: 1185 }]);
});

test('a payment of 0 has no fee', () => {
  const debit = { feeCents: 350, feePercent: '2' };
  const fees = (payments: IntendedPayment[], dueCents: number) =>
    price(payments, dueCents).payments.map(({ feeAmountCents, finalAmountCents }) => [
      feeAmountCents,
      finalAmountCents,
    ]);
  expect(fees([payment('remaining', debit)], 0)).toEqual([[0, 0]]);
  expect(fees([payment(0, debit)], 0)).toEqual([[0, 0]]);
  expect(fees([payment(1000), payment('remaining', debit)], 1000)).toEqual([
    [0, 1000],
    [0, 0],
  ]);
  expect(fees([payment('remaining', debit)], 1)).toEqual([[350, 351]]);
  const steps: PriceStep[] = [];
  pricePayments([payment('remaining', debit)], 0, steps);
  expect(steps).toMatchObject([{ step: 'payment-fee', base: '0', rate: null, exact: '0', roundedCents: 0 }]);
});

test('a remaining payment is the rest after the others', () => {
  const { payments, paymentsVerdict } = price([payment(400), payment('remaining')], 1000);
  expect(payments.map((each) => each.amountCents)).toEqual([400, 600]);
  expect(paymentsVerdict).toEqual({ ok: true });
});

test('amounts that add up are valid, and so are no payments at all and a remaining payment of 0', () => {
  expect(price([payment(400), payment(600)], 1000).paymentsVerdict).toEqual({ ok: true });
  expect(price([], 1000).paymentsVerdict).toEqual({ ok: true });
  expect(price([payment(1000), payment('remaining')], 1000).paymentsVerdict).toEqual({ ok: true });
});

test('amounts that are too low or too high are a verdict, and are priced as given', () => {
  for (const givenCents of [999, 1001]) {
    const { payments, paymentsVerdict } = price([payment(givenCents, { feePercent: '10' })], 1000);
    expect(paymentsVerdict).toEqual({ ok: false, expectedCents: 1000, givenCents });
    expect(payments).toMatchObject([{ amountCents: givenCents, feeAmountCents: 100 }]);
  }
});

test('a remaining payment that would be negative is a verdict and counts as 0', () => {
  const { payments, paymentsVerdict } = price(
    [payment(1200), payment('remaining', { feePercent: '10' })],
    1000,
  );
  expect(paymentsVerdict).toEqual({ ok: false, expectedCents: 1000, givenCents: 1200 });
  expect(payments.map((each) => each.feeAmountCents)).toEqual([0, 0]);
});

test('two payments cannot both be the remaining one, and none is a fraction or negative', () => {
  expect(() => price([payment('remaining'), payment('remaining')], 1)).toThrow('more than one');
  expect(() => price([payment(-1)], 1)).toThrow('not an amount');
  expect(() => price([payment(0.5)], 1)).toThrow('not an amount');
});
