import type { IntentStatus } from './intent-lifecycle.ts';

/** When a payment is looked at again. Pure. */

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** What is not known: often at first, and never given up. */
const pausesOfUnknown = [2, 4, 8, 15, 30, 60, 120, 300, 600, 900].map((seconds) => seconds * secondMs);
/** A link that a customer may be using. */
const pausesOfWaiting = [5, 5, 10, 15, 30, 60].map((seconds) => seconds * secondMs);
/** What has ended unpaid: a customer can be late, and so can an answer. */
const pausesAfterEnd = [minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs, 8 * hourMs, 24 * hourMs];
/** Banks take money back for sixty days: what no webhook told is found by looking once a day. */
const bankDays = 61;

/**
 * In milliseconds from now; null: not again. `count`: how often it was looked at in this state. `leftMs`: until its order has to be
 * paid; null: it has no such time.
 */
export function nextLookAfter(
  status: IntentStatus,
  count: number,
  {
    captures,
    ageMs,
    leftMs = null,
  }: { readonly captures: boolean; readonly ageMs: number; readonly leftMs?: number | null },
): number | null {
  const at = (pauses: readonly number[]) => pauses[Math.min(count, pauses.length - 1)]!;
  switch (status) {
    case 'unknown':
    case 'sending':
      return at(pausesOfUnknown);
    case 'created':
    case 'waiting':
      return at(pausesOfWaiting);
    case 'authorized':
      return at(pausesOfUnknown);
    case 'canceled':
    case 'failed':
    case 'expired':
      return earlier(pausesAfterEnd[count] ?? null, leftMs);
    case 'captured':
    case 'settled':
    case 'refund-pending':
    case 'returned':
    case 'disputed':
      return captures && ageMs < bankDays * 24 * hourMs ? 24 * hourMs : null;
    case 'refunded':
      return null;
  }
}

/** An order that is not paid by then is canceled, also when its payment ended before. */
function earlier(pauseMs: number | null, leftMs: number | null): number | null {
  if (leftMs === null || leftMs <= 0) return pauseMs;
  return Math.min(pauseMs ?? leftMs, leftMs);
}

/** When a refund that is not known, or on its way, is looked at again. */
export function nextRefundLook(status: 'unknown' | 'pending', count: number): number {
  const pauses = status === 'unknown' ? pausesOfUnknown : [hourMs, 6 * hourMs, 24 * hourMs];
  return pauses[Math.min(count, pauses.length - 1)]!;
}
