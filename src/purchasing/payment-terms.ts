import { failure } from '../kernel/failure.ts';
import { addDays } from '../kernel/local-time.ts';

/** When a vendor wants its money. */
export const paymentTerms = ['net15', 'net30', 'net60', 'cod', 'custom'] as const;

export type PaymentTerms = (typeof paymentTerms)[number];

const daysOf = { net15: 15, net30: 30, net60: 60 } as const;

/**
 * The day on which a purchase order is due: with net terms so many days after the goods are expected, with `custom` the
 * day that was named, else none. `sent` is what a request says of it: undefined where it says nothing. Fails with
 * PURCHASE_ORDER_MISSING_CUSTOM_DATE, and with INVALID_PARAMS when a day is named that is not that of the terms.
 */
export function paymentDueDate(
  terms: PaymentTerms | null,
  expectedAt: string,
  sent: string | null | undefined,
): string | null {
  if (terms === 'custom') {
    if (sent) return sent;
    throw failure(
      'PURCHASE_ORDER_MISSING_CUSTOM_DATE',
      'paymentTermsDueDate must be sent when paymentTerms is custom.',
    );
  }
  const due = terms === null || terms === 'cod' ? null : addDays(expectedAt, daysOf[terms]);
  if (due !== null && due.length > expectedAt.length) {
    throw failure(
      'INVALID_PARAMS',
      'expectedAt must be early enough for the order to be due before the year 10000.',
    );
  }
  if (sent && sent !== due) {
    throw failure(
      'INVALID_PARAMS',
      `paymentTermsDueDate must be ${due === null ? 'left out' : `${due} or left out`} unless paymentTerms is custom.`,
    );
  }
  return due;
}
