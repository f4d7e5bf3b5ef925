import { type IntentEvent, type IntentStatus, intentAfter, isOpen } from './intent-lifecycle.ts';
import type { Sighting } from './provider.ts';

/** What a sighting makes of a payment. Pure: no I/O, no clock. */

/** What was asked when the sighting came: `read` moves nothing, so its silence says nothing. */
export type Act = 'start' | 'capture' | 'cancel' | 'read';

interface Weighed {
  readonly status: IntentStatus;
  readonly capturedCents: number;
  readonly tipCents: number;
  readonly cashBackCents: number;
  readonly providerFeeCents: number;
  readonly appliedCents: number;
  readonly refundedCents: number;
  readonly returnedCents: number;
  readonly absentCount: number;
}

export interface Decision {
  readonly after: Weighed;
  /** The event that led on; null: nothing has changed. */
  readonly event: IntentEvent | null;
  /** Captured, and not counted by the order: to be given back. */
  readonly excessCents: number;
  /** Taken back by the bank now. */
  readonly returnedNowCents: number;
  readonly recoveredNowCents: number;
}

/** Two reads that do not know it, in the batch in which it was asked for, prove that nothing was taken. */
const absentProof = 2;

/** What the order lacks without this payment, in cents. */
export interface Lack {
  /** What it can still take: 0 once it has ended. */
  readonly dueCents: number;
  /** What it comes to beside its other payments, also when it is fulfilled; 0 when it is canceled. */
  readonly balanceCents: number;
}

/** Decides a sighting. What was taken is booked as the provider says it, whatever was asked for. */
export function weighSighting(before: Weighed, sighting: Sighting, act: Act, lack: Lack): Decision {
  const { event, absentCount } = eventOf(before, sighting, act);
  const status = event === null ? null : intentAfter(before.status, event);
  if (status === null || event === null) {
    return { ...nothing, after: { ...before, absentCount } };
  }
  const after = { ...before, status, absentCount };
  const { takenCents } = sighting;
  const isTaken = ['captured', 'settled', 'returned', 'disputed'].includes(status);
  // Once captured, an amount stays: the refunds of it are in rows of their own.
  const isNew = isTaken && before.capturedCents === 0 && takenCents !== undefined;
  const { tipCents = 0, cashBackCents = 0, providerFeeCents = 0 } = isNew ? sighting : {};
  const capturedCents = isNew
    ? Math.max(0, takenCents - tipCents - cashBackCents - providerFeeCents)
    : before.capturedCents;
  const appliedCents = isNew ? Math.min(capturedCents, Math.max(0, lack.dueCents)) : before.appliedCents;
  const money = isNew ? { capturedCents, tipCents, cashBackCents, providerFeeCents } : {};
  const isReturned = event === 'returned' && before.returnedCents === 0;
  // A void gives back all of it; a bank that takes a payment back has no tip and no cash to give.
  const isVoided = isReturned && sighting.seen === 'canceled';
  const returnedNowCents = isReturned ? Math.max(0, capturedCents - before.refundedCents) : 0;
  const recoveredNowCents = event === 'recovered' ? before.returnedCents : 0;
  const regainedCents = Math.min(recoveredNowCents, Math.max(0, lack.balanceCents));
  const excessCents = recoveredNowCents - regainedCents + (isNew ? capturedCents - appliedCents : 0);
  return {
    event,
    after: {
      ...after,
      ...money,
      ...(isVoided && { tipCents: 0, cashBackCents: 0, providerFeeCents: 0 }),
      // The order's balance is open again by what the bank took back.
      appliedCents: isReturned ? 0 : event === 'recovered' ? regainedCents : appliedCents,
      returnedCents: before.returnedCents + returnedNowCents - recoveredNowCents,
    },
    excessCents: isReturned ? 0 : excessCents,
    returnedNowCents,
    recoveredNowCents,
  };
}

const nothing = { event: null, excessCents: 0, returnedNowCents: 0, recoveredNowCents: 0 } as const;

function eventOf(
  { status, absentCount, refundedCents }: Weighed,
  { seen, isSameBatch = false }: Sighting,
  act: Act,
): { readonly event: IntentEvent | null; readonly absentCount: number } {
  if (seen === 'silence') {
    return { event: act === 'read' && status !== 'sending' ? null : 'silence', absentCount };
  }
  // Taken, and voided since by who stands at the terminal, or by an abort that came after the card.
  if (seen === 'canceled' && (status === 'captured' || status === 'settled') && refundedCents === 0) {
    return { event: 'returned', absentCount: 0 };
  }
  // Collected after all, by a provider that has no word of its own for it.
  if (seen === 'captured' && status === 'returned') return { event: 'recovered', absentCount: 0 };
  if (seen !== 'absent') return { event: seen, absentCount: 0 };
  if (!isOpen(status)) return { event: null, absentCount: 0 };
  const count = isSameBatch ? absentCount + 1 : 0;
  if (count >= absentProof) return { event: 'rejected', absentCount: count };
  return { event: status === 'unknown' ? null : 'silence', absentCount: count };
}
