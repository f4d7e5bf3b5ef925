import { failure } from '../../kernel/failure.ts';
import { addDays } from '../../kernel/local-time.ts';

/** Due dates of purchase orders. */
export const paymentTerms = ['net15', 'net30', 'net60', 'cod', 'custom'] as const;

export type PaymentTerms = (typeof paymentTerms)[number];

const daysOf = { net15: 15, net30: 30, net60: 60 } as const;

/** The fields that decide the due date. */
interface Due {
  readonly terms: PaymentTerms | null;
  readonly expectedAt: string | null;
  readonly dueDate: string | null;
}

/**
 * The due date of a purchase order: the requested date, whatever the terms are, else the date of the terms. Net terms
 * count days from the expected arrival of the goods (null while that is unknown); `cod` and missing terms give null.
 * `sent` is the date in the request: null and undefined request none. Fails with PURCHASE_ORDER_MISSING_CUSTOM_DATE,
 * and with INVALID_PARAMS for a date outside the calendar.
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
 * The due date after an update. A date computed from the terms follows changes of the terms and of the expected
 * arrival. A requested date stays until new terms or another date are sent; null removes it. The kind of a date is not
 * stored: it was requested if it differs from the date of the terms.
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
