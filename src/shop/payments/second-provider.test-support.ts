import type { AskedIntent, PaymentProvider, RefundSighting, Sighting } from './provider.ts';

/*
 * A second provider of pay by bank, of another shape than the one that ships: no webhooks, no key of idempotency, no state that says that money
 * has cleared, a debit that bounces and is tried again, a refund of the whole only, a tip as an object of its own. It plays the interface
 * in memory; nothing of it ships.
 */

export type ChargeStatus =
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
  refundedCents: number;
  status: ChargeStatus;
}

/** What is not known of it. The first value is the default. */
export const chargeSwitches = {
  /** The same id of ours again makes another charge, or is refused. */
  'external-id': ['again', 'value-taken'],
  'partial-refund': ['no', 'yes'],
  /** The name of the path that cancels. */
  'void-path': ['void', 'cancel'],
  hooks: ['none', 'unsigned'],
  /** How many reads do not show a new charge yet. */
  'read-lag': ['0', '2'],
} as const satisfies Record<string, readonly [string, ...string[]]>;
export type ChargeSettings = {
  readonly [Name in keyof typeof chargeSwitches]: (typeof chargeSwitches)[Name][number];
};
export const chargeDefaults: ChargeSettings = {
  ...{ 'external-id': 'again', 'partial-refund': 'no', 'void-path': 'void', hooks: 'none', 'read-lag': '0' },
};

export class ChargeBook {
  readonly charges: Charge[] = [];
  readonly settings: ChargeSettings;
  #readsLeft = 0;
  /** What was lost on the way: nothing, the request, or the answer. */
  lost: 'nothing' | 'request' | 'answer' = 'nothing';

  constructor(settings: Partial<ChargeSettings> = {}) {
    this.settings = { ...chargeDefaults, ...settings };
  }

  find(externalId: string): Charge | undefined {
    return this.charges.find((it) => it.externalId === externalId);
  }

  /** False: the id of ours was used. */
  make(externalId: string, cents: number): boolean {
    if (this.settings['external-id'] === 'value-taken' && this.find(externalId) !== undefined) return false;
    this.charges.push({ externalId, cents, tipCents: 0, refundedCents: 0, status: 'created' });
    this.#readsLeft = Number(this.settings['read-lag']);
    return true;
  }

  /** As a read shows it. */
  read(externalId: string): Charge | undefined {
    if (this.#readsLeft > 0) {
      this.#readsLeft -= 1;
      return undefined;
    }
    return this.find(externalId);
  }

  /** A tip is an object of its own, one for each charge; it can fail while the charge is good. */
  tip(externalId: string, cents: number): 'made' | 'charge_tip_already_created' | 'invalid_tip_amount' {
    const charge = this.find(externalId);
    if (charge === undefined || cents <= 0) return 'invalid_tip_amount';
    if (charge.tipCents > 0) return 'charge_tip_already_created';
    charge.tipCents = cents;
    return 'made';
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

/** An adapter of it, as one would be written. */
export function chargeProvider(book: ChargeBook): PaymentProvider {
  const sighting = (charge: Charge | undefined): Sighting => {
    if (charge === undefined) return { seen: 'absent' };
    const { status, cents, tipCents } = charge;
    return { seen: seenOf[status], takenCents: cents + tipCents, tipCents };
  };
  const read = async ({ reference }: AskedIntent): Promise<Sighting> =>
    book.answer(() => sighting(book.read(reference))) ?? { seen: 'silence' };
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
        const isMade = book.make(reference, askedCents);
        const link = `https://pay.example/${reference}`;
        return isMade ? { seen: 'waiting' as const, link } : sighting(book.find(reference));
      }) ?? { seen: 'silence' },
    read,
    capture: (intent) => moved(intent, ['authorized'], 'captured'),
    cancel: async (intent) => {
      // One of the two paths is there.
      for (const path of ['void', 'cancel']) {
        if (book.settings['void-path'] === path) return moved(intent, ['created', 'authorized'], 'canceled');
      }
      return { seen: 'silence' };
    },
    refund: async (intent, { isWhole, amountCents }) => {
      const isPart = !isWhole && book.settings['partial-refund'] === 'no';
      if (isPart) return { seen: 'rejected', code: 'invalid_charge_amount' };
      const answer = book.answer(() => {
        const charge = book.find(intent.reference);
        if (charge === undefined || charge.refundedCents + amountCents > charge.cents) return false;
        if (!book.move(intent.reference, ['captured', 'refund_pending'], 'refund_pending')) return false;
        charge.refundedCents += amountCents;
        return true;
      });
      if (answer === null) return { seen: 'silence' };
      return answer ? { seen: 'pending' } : { seen: 'rejected', code: 'invalid_operation' };
    },
    readRefund,
    settlements: async () => null,
    // Not signed: a hint, which leads to a read like any other.
    events: (rawBody) => {
      if (book.settings.hooks === 'none') return null;
      const { external_id: reference } = JSON.parse(rawBody) as { external_id?: unknown };
      return typeof reference === 'string' ? [reference] : [];
    },
  };
}
