import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type IntentStatus, isOpen } from './intent-lifecycle.ts';
import type { AskedIntent, PaymentProvider, RefundSighting, Sighting } from './provider.ts';
import { type Act, weighSighting } from './weigh-sighting.ts';

/*
 * A second provider of pay by bank, of another shape than the one that ships: no webhooks, no key of idempotency, no state that says that money
 * has cleared, a debit that bounces and is tried again, a refund of the whole only, a tip as an object of its own. It plays the interface
 * in memory; nothing of it ships.
 */

type ChargeStatus =
  | 'created'
  | 'authorized'
  | 'captured'
  | 'canceled'
  | 'attempting_collection'
  | 'capture_failed'
  | 'disputed'
  | 'refund_pending'
  | 'refunded';

interface Charge {
  readonly externalId: string;
  readonly cents: number;
  tipCents: number;
  status: ChargeStatus;
}

class ChargeBook {
  readonly charges: Charge[] = [];
  /** What was lost on the way: nothing, the request, or the answer. */
  lost: 'nothing' | 'request' | 'answer' = 'nothing';

  find(externalId: string): Charge | undefined {
    return this.charges.find((it) => it.externalId === externalId);
  }

  /** The answer to a request; null: none came. */
  answer<Value>(work: () => Value): Value | null {
    const { lost } = this;
    this.lost = 'nothing';
    if (lost === 'request') return null;
    const value = work();
    return lost === 'answer' ? null : value;
  }

  move(externalId: string, from: readonly ChargeStatus[], to: ChargeStatus): boolean {
    const charge = this.find(externalId);
    if (charge === undefined || !from.includes(charge.status)) return false;
    charge.status = to;
    return true;
  }
}

const seenOf: Readonly<Record<ChargeStatus, Sighting['seen']>> = {
  created: 'waiting',
  authorized: 'authorized',
  captured: 'captured',
  canceled: 'canceled',
  // The debit bounced, and the provider tries again: the shop does not have it.
  attempting_collection: 'returned',
  capture_failed: 'returned',
  disputed: 'disputed',
  refund_pending: 'captured',
  refunded: 'captured',
};

function chargeProvider(book: ChargeBook): PaymentProvider {
  const sighting = (charge: Charge | undefined): Sighting => {
    if (charge === undefined) return { seen: 'absent' };
    const { status, cents, tipCents } = charge;
    return { seen: seenOf[status], takenCents: cents + tipCents, tipCents };
  };
  const read = async ({ reference }: AskedIntent): Promise<Sighting> =>
    book.answer(() => sighting(book.find(reference))) ?? { seen: 'silence' };
  const moved = async (
    { reference }: AskedIntent,
    from: readonly ChargeStatus[],
    to: ChargeStatus,
  ): Promise<Sighting> => {
    const answer = book.answer(() => {
      book.move(reference, from, to);
      return sighting(book.find(reference));
    });
    return answer ?? { seen: 'silence' };
  };
  const readRefund = async ({ reference }: AskedIntent): Promise<RefundSighting> => {
    const status = book.answer(() => book.find(reference)?.status ?? null);
    if (status === null) return { seen: 'silence' };
    if (status === 'refunded') return { seen: 'paid' };
    return { seen: status === 'refund_pending' ? 'pending' : 'absent' };
  };
  return {
    capabilities: {
      ...{
        inPerson: false,
        captures: true,
        refundNeedsCard: false,
        refundRepeats: false,
        startMsMax: 10_000,
      },
    },
    check: async () => ({ state: 'ready', code: null }),
    create: async ({ reference, askedCents }) =>
      book.answer(() => {
        // Its own id of ours is the only guard against a second charge.
        if (book.find(reference) === undefined) {
          book.charges.push({ externalId: reference, cents: askedCents, tipCents: 0, status: 'created' });
        }
        return { seen: 'waiting' as const, link: `https://pay.example/${reference}` };
      }) ?? { seen: 'silence' },
    read,
    capture: (intent) => moved(intent, ['authorized'], 'captured'),
    cancel: (intent) => moved(intent, ['created', 'authorized'], 'canceled'),
    refund: async (intent, { isWhole }) => {
      if (!isWhole) return { seen: 'rejected', code: 'partial_refund' };
      const answer = book.answer(() => book.move(intent.reference, ['captured'], 'refund_pending'));
      if (answer === null) return { seen: 'silence' };
      return answer ? { seen: 'pending' } : { seen: 'rejected', code: 'invalid_operation' };
    },
    readRefund,
    settlements: async () => null,
    events: () => null,
  };
}

const move = fc.oneof(
  fc.record({ kind: fc.constantFrom('create', 'read', 'capture', 'cancel') }),
  fc.record({ kind: fc.constant('agree'), tipCents: fc.constantFrom(0, 250) }),
  fc.record({ kind: fc.constantFrom('bounce', 'collect', 'give-up', 'dispute') }),
);
const lost = fc.constantFrom('nothing', 'nothing', 'request', 'answer');

const start = {
  ...{
    status: 'sending' as IntentStatus,
    capturedCents: 0,
    tipCents: 0,
    cashBackCents: 0,
    providerFeeCents: 0,
  },
  ...{ appliedCents: 0, refundedCents: 0, returnedCents: 0, absentCount: 0 },
};
const asked: AskedIntent = {
  ...{ reference: 'k7q2m9x04dtw', askedCents: 4_130, providerId: null, facts: {} },
  ...{ label: 'order 1093', phone: null, email: null, lacksLink: false },
};

test('another provider of another shape fits the interface: after any losses, reads lead to what it knows, charged once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(move, lost), { maxLength: 12 }), async (moves) => {
      const book = new ChargeBook();
      const provider = chargeProvider(book);
      let intent = start;
      const see = (sighting: Sighting, act: Act) => {
        const lack = { dueCents: 4_130 - intent.appliedCents, balanceCents: 4_130 };
        intent = { ...intent, ...weighSighting(intent, sighting, act, lack).after };
      };
      see(await provider.create(asked), 'start');
      for (const [it, isLost] of moves) {
        book.lost = isLost as ChargeBook['lost'];
        const { reference } = asked;
        if (it.kind === 'create') await provider.create(asked);
        if (it.kind === 'read') see(await provider.read(asked), 'read');
        if (it.kind === 'capture' && intent.status === 'authorized') {
          see(await provider.capture(asked), 'capture');
        }
        if (it.kind === 'cancel' && isOpen(intent.status)) see(await provider.cancel(asked), 'cancel');
        if ('tipCents' in it && book.move(reference, ['created'], 'authorized')) {
          book.find(reference)!.tipCents = it.tipCents;
        }
        if (it.kind === 'bounce') book.move(reference, ['captured'], 'attempting_collection');
        if (it.kind === 'collect') book.move(reference, ['attempting_collection'], 'captured');
        if (it.kind === 'give-up') book.move(reference, ['attempting_collection'], 'capture_failed');
        if (it.kind === 'dispute') book.move(reference, ['captured'], 'disputed');
      }
      book.lost = 'nothing';
      see(await provider.read(asked), 'read');
      expect(book.charges).toHaveLength(1);
      const [charge] = book.charges;
      const hasIt = ['captured', 'disputed'].includes(charge!.status);
      if (hasIt) expect(intent.capturedCents + intent.tipCents).toBe(4_130 + charge!.tipCents);
      if (charge!.status === 'canceled')
        expect([intent.status, intent.capturedCents]).toEqual(['canceled', 0]);
      if (charge!.status === 'capture_failed') expect(intent.status).toBe('returned');
      if (isOpen(intent.status)) expect(['created', 'authorized']).toContain(charge!.status);
      // Returned money is not counted by the order.
      expect(intent.appliedCents + intent.returnedCents).toBeLessThanOrEqual(intent.capturedCents);
    }),
    { numRuns: 300 },
  );
});

test('a refund without key is never sent twice: what was not heard of is read', async () => {
  const book = new ChargeBook();
  const provider = chargeProvider(book);
  await provider.create(asked);
  book.move(asked.reference, ['created'], 'captured');
  const whole = { reference: 'r1', amountCents: 4_130, isWhole: true, hasCard: false };
  expect((await provider.refund(asked, { ...whole, amountCents: 100, isWhole: false })).seen).toBe(
    'rejected',
  );
  book.lost = 'answer';
  expect((await provider.refund(asked, whole)).seen).toBe('silence');
  expect((await provider.readRefund(asked, whole)).seen).toBe('pending');
  book.move(asked.reference, ['refund_pending'], 'refunded');
  expect((await provider.readRefund(asked, whole)).seen).toBe('paid');
  expect(provider.capabilities.refundRepeats).toBe(false);
});
