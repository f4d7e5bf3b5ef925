/** Where a customer agrees. Money is in cents. */
export interface Link {
  readonly id: string;
  readonly reference: string;
  readonly cents: number;
  readonly untilMs: number;
  isUsed: boolean;
}

/** What a customer has agreed to: nothing has moved. */
export interface Preauth {
  readonly id: string;
  readonly reference: string;
  readonly firstCents: number;
  cents: number;
  readonly userName: string;
  readonly expiresAtMs: number;
  readonly seenFromMs: number;
  status: 'live' | 'canceled' | 'completed';
}

/** What goes back of a payment. */
export interface Refund {
  readonly id: string;
  readonly cents: number;
  /** Queued until the payment has cleared, or until the bank gives it up. */
  status: 'queued' | 'abandoned' | 'pending' | 'processed';
}

/** A payment. */
export interface Transaction {
  readonly id: string;
  readonly reference: string;
  readonly cents: number;
  readonly createdAtMs: number;
  status: 'pending' | 'processed' | 'void' | 'declined' | 'resolved';
  returnCode: string | null;
  readonly refunds: Refund[];
}

/** A line of what was paid out for a day. */
export interface SettlementLine {
  readonly day: string;
  readonly reference: string;
  readonly kind: 'payment' | 'reversal' | 'return' | 'recovery';
  readonly cents: number;
  readonly feeCents: number;
}

/** A payment of an earlier run, as its shop was told of it. */
export interface HeldPayment {
  readonly reference: string;
  readonly linkId: string;
  readonly cents: number;
  /** `ended`: nothing will come of its link. */
  readonly state: 'waiting' | 'authorized' | 'captured' | 'returned' | 'ended';
  readonly atMs: number;
  readonly providerId: string | null;
  readonly payerName: string | null;
  readonly returnCode: string | null;
  readonly refunds: readonly { readonly cents: number; readonly isPaid: boolean; readonly atMs: number }[];
}
