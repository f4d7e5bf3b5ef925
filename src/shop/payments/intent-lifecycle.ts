/** The states of a payment at a provider (D105), as one table. Pure. */

export const intentStatuses = [
  'created',
  'sending',
  'waiting',
  'authorized',
  'captured',
  'settled',
  'canceled',
  'failed',
  'expired',
  'unknown',
  'refund-pending',
  'refunded',
  'returned',
  'disputed',
] as const;
export type IntentStatus = (typeof intentStatuses)[number];

/**
 * What happens to a payment: what we do (`send`), what the provider says, or what we do not hear (`silence`, of a request that
 * may have moved money). `rejected` is a proof: no money was taken, and none will be.
 */
export const intentEvents = [
  'send',
  'silence',
  'waiting',
  'authorized',
  'captured',
  'rejected',
  'canceled',
  'expired',
  'settled',
  'returned',
  'recovered',
  'disputed',
  'refund-asked',
  'refund-paid',
  'refund-paid-whole',
  'refund-failed',
] as const;
export type IntentEvent = (typeof intentEvents)[number];

/** What a provider can say of a payment, whatever was known before: money that was taken is taken. */
const saidOfOpen = {
  waiting: 'waiting',
  authorized: 'authorized',
  captured: 'captured',
  rejected: 'failed',
  canceled: 'canceled',
  expired: 'expired',
  settled: 'settled',
  returned: 'returned',
  disputed: 'disputed',
} as const;

/** An ended payment can turn out to be paid: the customer was late, or the answer. */
const saidOfEnded = {
  captured: 'captured',
  settled: 'settled',
  returned: 'returned',
  disputed: 'disputed',
} as const;

const afterCapture = {
  settled: 'settled',
  returned: 'returned',
  disputed: 'disputed',
  'refund-asked': 'refund-pending',
} as const;

const transitions: Readonly<Record<IntentStatus, Readonly<Partial<Record<IntentEvent, IntentStatus>>>>> = {
  created: { send: 'sending', canceled: 'canceled' },
  sending: { silence: 'unknown', ...saidOfOpen },
  waiting: { silence: 'unknown', ...saidOfOpen },
  authorized: { silence: 'unknown', ...saidOfOpen },
  // Nothing is sent from here: only what a read says leads on.
  unknown: saidOfOpen,
  canceled: saidOfEnded,
  failed: saidOfEnded,
  expired: saidOfEnded,
  captured: { captured: 'captured', ...afterCapture },
  settled: afterCapture,
  'refund-pending': {
    'refund-asked': 'refund-pending',
    'refund-paid': 'captured',
    'refund-paid-whole': 'refunded',
    'refund-failed': 'captured',
    returned: 'returned',
    disputed: 'disputed',
  },
  refunded: { returned: 'returned', disputed: 'disputed', 'refund-failed': 'captured' },
  returned: { recovered: 'captured', returned: 'returned', disputed: 'disputed' },
  disputed: {
    captured: 'captured',
    settled: 'settled',
    returned: 'returned',
    'refund-asked': 'refund-pending',
  },
};

/** The next state; null: the event does not fit, and nothing changes. */
export function intentAfter(status: IntentStatus, event: IntentEvent): IntentStatus | null {
  return transitions[status][event] ?? null;
}

/** The states in which no other payment of the order may be asked for. */
export const openStatuses = ['created', 'sending', 'waiting', 'authorized', 'unknown'] as const;

/** Whether the payment is under way, or in doubt. */
export function isOpen(status: IntentStatus): boolean {
  return (openStatuses as readonly IntentStatus[]).includes(status);
}
