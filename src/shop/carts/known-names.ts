import { failure } from '../../kernel/failure.ts';
import type { PaymentTypeRow } from '../settings/payment-type-queries.ts';

/* Checks that everything a cart names exists, before any business refusal (D13). */

/** Fails with PRODUCT_OPTION_NOT_FOUND for the first line whose option does not exist. `options`: by id. */
export function assertOptionsKnown(
  lineItems: readonly { readonly productOptionId: number }[],
  options: ReadonlyMap<number, unknown>,
): void {
  for (const [index, { productOptionId }] of lineItems.entries()) {
    if (options.has(productOptionId)) continue;
    throw failure(
      'PRODUCT_OPTION_NOT_FOUND',
      `lineItems[${index}].productOptionId must be the id of an option, as in the \`options\` of a product, not of the product: ` +
        `there is no option ${productOptionId}.`,
    );
  }
}

/** The type of each payment. Fails with PAYMENT_TYPE_NOT_FOUND for the first payment whose type does not exist. */
export function knownPaymentTypes(
  payments: readonly { readonly paymentTypeId: number }[],
  paymentTypes: readonly PaymentTypeRow[],
): PaymentTypeRow[] {
  return payments.map(({ paymentTypeId }, index) => {
    const type = paymentTypes.find((row) => row.id === paymentTypeId);
    if (type !== undefined) return type;
    throw failure(
      'PAYMENT_TYPE_NOT_FOUND',
      `payments[${index}].paymentTypeId names no payment type: ${paymentTypeId}`,
    );
  });
}
