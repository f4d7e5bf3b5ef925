import { failure } from '../kernel/failure.ts';
import { addDays } from '../kernel/local-time.ts';

/** When a vendor wants its money. */
export const paymentTerms = ['net15', 'net30', 'net60', 'cod', 'custom'] as const;

export type PaymentTerms = (typeof paymentTerms)[number];

const daysOf = { net15: 15, net30: 30, net60: 60 } as const;

/** What says when an order is to be paid. */
interface Due {
  readonly terms: PaymentTerms | null;
  readonly expectedAt: string | null;
  readonly dueDate: string | null;
}

/**
 * The day on which a purchase order is due: the day that is named, whatever the terms are, else that of the terms; with
 * net terms so many days after the goods are expected (none while that day is not known), with `cod` and without terms
 * none. `sent` is what a request says
 * of it: null and undefined name no day. Fails with PURCHASE_ORDER_MISSING_CUSTOM_DATE, and with INVALID_PARAMS for a
 * day that no calendar here has.
 */
export function paymentDueDate(
  terms: PaymentTerms | null,
  expectedAt: string | null,
  sent: string | null | undefined,
): string | null {
  if (sent) return sent;
  if (terms === 'custom') {
    throw failure(
      'PURCHASE_ORDER_MISSING_CUSTOM_DATE',
      'paymentTermsDueDate must be sent when paymentTerms is custom.',
    );
  }
  const due = dateOfTerms(terms, expectedAt);
  if (due !== null && due.length > '9999-12-31'.length) {
    throw failure(
      'INVALID_PARAMS',
      'expectedAt must be early enough for the order to be due before the year 10000.',
    );
  }
  return due;
}

/**
 * The same after an update. A day that followed from the terms follows them, and the day on which the goods are expected.
 * A day that was named stays until other terms or another day come; null takes it back. Which of both a day is, is not
 * kept: it was named if it is not that of the terms.
 */
export function changedDueDate(
  before: Due,
  terms: PaymentTerms | null,
  expectedAt: string | null,
  sent: string | null | undefined,
): string | null {
  const wasNamed = before.dueDate !== dateOfTerms(before.terms, before.expectedAt);
  const keeps = sent === undefined && terms === before.terms && wasNamed;
  return paymentDueDate(terms, expectedAt, keeps ? before.dueDate : sent);
}

function dateOfTerms(terms: PaymentTerms | null, expectedAt: string | null): string | null {
  if (expectedAt === null) return null;
  return terms === null || terms === 'cod' || terms === 'custom' ? null : addDays(expectedAt, daysOf[terms]);
}
