import { assert } from '../../kernel/assert.ts';
import {
  add,
  fraction,
  fractionText,
  multiply,
  parsePercent,
  roundCents,
  sumCents,
  wholeCents,
} from './exact-amounts.ts';
import { centsStep, type PriceStep } from './price-step.ts';
import type { PaymentsVerdict, PricedPayment } from './priced-cart.ts';
import type { IntendedPayment } from './pricing-facts.ts';

/**
 * Adds to each payment the fee of its type (D28) and decides whether the payments cover `dueCents` exactly; no
 * payments at all are valid, because the customer has not chosen yet. Payments that do not match are still
 * priced: each by its given amount, and a 'remaining' one without a rest as a payment of 0. A payment of 0 has
 * no fee, not even the flat one. At most one is 'remaining' (D19).
 */
export function pricePayments(
  payments: readonly IntendedPayment[],
  dueCents: number,
  steps: PriceStep[] | null,
): { payments: PricedPayment[]; paymentsVerdict: PaymentsVerdict } {
  const given = payments.filter((payment) => payment.amountCents !== 'remaining');
  assert(payments.length - given.length <= 1, "more than one payment is 'remaining'");
  const givenCents = sumCents(given, givenAmount);
  const remainingCents = Math.max(0, dueCents - givenCents);
  const covered =
    payments.length === 0 ||
    (given.length < payments.length ? givenCents <= dueCents : givenCents === dueCents);
  return {
    payments: payments.map((payment) => {
      const amountCents = payment.amountCents === 'remaining' ? remainingCents : payment.amountCents;
      return pricePayment(payment, amountCents, steps);
    }),
    paymentsVerdict: covered ? { ok: true } : { ok: false, expectedCents: dueCents, givenCents },
  };
}

function pricePayment(
  payment: IntendedPayment,
  amountCents: number,
  steps: PriceStep[] | null,
): PricedPayment {
  const rate = parsePercent(payment.feePercent);
  const amount = BigInt(amountCents);
  const percentFeeCents = roundCents(amount * rate.numerator, rate.denominator);
  const flatFeeCents = wholeCents(payment.feeCents, 'flat payment fee');
  const feeAmountCents = amountCents === 0 ? 0 : flatFeeCents + percentFeeCents;
  const subject = payment.feeDescription ?? payment.name;
  if (amountCents === 0) {
    steps?.push(centsStep('payment-fee', 'no fee where nothing is paid', subject, 0));
  } else {
    steps?.push({
      step: 'payment-fee',
      rule: `flat fee of ${flatFeeCents} + rate of the base, to the nearest cent`,
      subject,
      base: `${amountCents}`,
      rate: payment.feePercent,
      exact: fractionText(add(fraction(BigInt(flatFeeCents)), multiply(rate, fraction(amount)))),
      roundedCents: feeAmountCents,
    });
  }
  return {
    paymentTypeId: payment.paymentTypeId,
    name: payment.name,
    amountCents,
    finalAmountCents: amountCents + feeAmountCents,
    feeCents: payment.feeCents,
    feePercent: payment.feePercent,
    feeAmountCents,
    feeDescription: payment.feeDescription,
  };
}

function givenAmount({ amountCents }: IntendedPayment): number {
  return amountCents === 'remaining' ? 0 : wholeCents(amountCents, 'payment');
}
