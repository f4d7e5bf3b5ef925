import type { IntentEvent } from './intent-lifecycle.ts';

/*
 * What the program knows of a provider of payments (D105). An adapter speaks to one; it decides nothing about orders. It never
 * throws for what a provider or the network does: what it cannot tell is a sighting of `silence`.
 */

/** What an adapter says of a payment after one call. */
export interface Sighting {
  /** `absent`: the provider does not know it, which is no proof. `silence`: no answer that can be believed. */
  readonly seen:
    | Extract<
        IntentEvent,
        | 'silence'
        | 'waiting'
        | 'authorized'
        | 'captured'
        | 'rejected'
        | 'canceled'
        | 'expired'
        | 'returned'
        | 'recovered'
        | 'disputed'
      >
    | 'absent';
  /** What was taken in all, with tip, cash back and the provider's own fee, in cents. */
  readonly takenCents?: number;
  readonly tipCents?: number;
  readonly cashBackCents?: number;
  readonly providerFeeCents?: number;
  readonly providerId?: string;
  readonly link?: string;
  readonly expiresAtMs?: number;
  readonly facts?: IntentFacts;
  /** The batch is known to be the one in which it was asked for: with `absent`, a proof in two reads. */
  readonly isSameBatch?: boolean;
}

/** Words of the provider, for people: never a card number, never a token. */
export interface IntentFacts {
  /** The approval, as the bank of the card knows it. */
  readonly authCode?: string;
  readonly lastFour?: string;
  readonly batch?: string;
  /** The terminal's batch, as it was known when the payment was asked for. */
  readonly askedInBatch?: string;
  readonly payerName?: string;
  readonly returnCode?: string;
  /** The provider's code of a refusal or of a doubt. */
  readonly code?: string;
  readonly advice?: string;
}

/** A payment as adapters see it. */
export interface AskedIntent {
  readonly reference: string;
  /** With our fee, in cents. */
  readonly askedCents: number;
  readonly providerId: string | null;
  readonly facts: IntentFacts;
  /** What people call the order: no product names. */
  readonly label: string;
  readonly phone: string | null;
  readonly email: string | null;
  /** It is wanted, and its customer has no link: the answer to `create` was lost. */
  readonly lacksLink: boolean;
}

export interface AskedRefund {
  readonly reference: string;
  readonly amountCents: number;
  /** Everything that was taken. */
  readonly isWhole: boolean;
  readonly hasCard: boolean;
}

/** `needs-card`: the provider gives back only with the card there. `absent`: it does not know of it. */
export interface RefundSighting {
  readonly seen: 'paid' | 'pending' | 'rejected' | 'needs-card' | 'silence' | 'absent';
  readonly providerId?: string;
  readonly code?: string;
}

export interface Capabilities {
  /** A person stands at a terminal; otherwise the customer gets a link. */
  readonly inPerson: boolean;
  /** Money moves only when we capture what was authorized. */
  readonly captures: boolean;
  /** A refund may ask for the card. */
  readonly refundNeedsCard: boolean;
  /** A refund that was not heard of may be sent again with the same key. */
  readonly refundRepeats: boolean;
  /** The longest time of a request to start a payment, in milliseconds; then it counts as silence. */
  readonly startMsMax: number;
}

/** Whether an account works now. `refused`: its keys are wrong. `offline`: the provider is there, the terminal is not. */
export interface AccountCheck {
  readonly state: 'ready' | 'offline' | 'refused' | 'silent';
  readonly code: string | null;
}

/** A line of what a provider says it paid out, or has in a batch. */
export interface PaidOutLine {
  /** The payment's, also for what went back of it. A terminal's return has its own. */
  readonly reference: string;
  readonly kind: 'payment' | 'refund' | 'return' | 'recovery';
  /** To the shop is positive. */
  readonly amountCents: number;
  readonly feeCents: number;
}

/** What became of the wish to close a batch. `none`: nothing was open. `open`: it did not close, for the reason that `code` and `advice` name. */
export interface BatchSighting {
  readonly seen: 'closed' | 'none' | 'open' | 'silence';
  readonly code?: string;
  readonly advice?: string;
  /** Its number, as its payments say it; null: not known. */
  readonly batch: string | null;
  /** Its sales and returns without those that were voided, in cents; null: the terminal does not list them. */
  readonly lines: readonly PaidOutLine[] | null;
  /** What was listed and is still open. */
  readonly leftOpen: readonly string[];
  /** Sales less returns by the terminal's own sums, in cents; null: it gives none. */
  readonly totalCents: number | null;
  /** The same, of the batch that had closed last before; null: not given, or none had. */
  readonly beforeCents: number | null;
}

/**
 * What became of the wish to print a slip again. `gone`: the terminal does not know the payment any more. `refused`: not printed, for the
 * reason that `code` and `advice` name. `silence`: it may have been printed.
 */
export interface SlipSighting {
  readonly seen: 'printed' | 'gone' | 'refused' | 'silence';
  readonly code?: string;
  readonly advice?: string;
}

export interface PaymentProvider {
  readonly capabilities: Capabilities;
  /** Asks for nothing but whether it works. */
  check(): Promise<AccountCheck>;
  /** Asks for the money. Called once for each reference, after the reference is committed. */
  create(intent: AskedIntent): Promise<Sighting>;
  /** What the provider knows of it: safe at any time. */
  read(intent: AskedIntent): Promise<Sighting>;
  /** Takes what is authorized. */
  capture(intent: AskedIntent): Promise<Sighting>;
  /** A wish: what follows is known by a read. */
  cancel(intent: AskedIntent): Promise<Sighting>;
  refund(intent: AskedIntent, refund: AskedRefund): Promise<RefundSighting>;
  readRefund(intent: AskedIntent, refund: AskedRefund): Promise<RefundSighting>;
  /** What it paid out for a day (`YYYY-MM-DD`); null: it gives no report, or no answer that can be believed. */
  settlements(day: string): Promise<readonly PaidOutLine[] | null>;
  /** Closes the batch that is open at a terminal; others have none. */
  closeBatch?(): Promise<BatchSighting>;
  /** Prints the customer's slip of a payment once more, at the terminal; others have none. */
  printSlip?(intent: AskedIntent): Promise<SlipSighting>;
  /** The references of which a webhook says something new; null: it is forged. What it says is read, never believed. */
  events(
    rawBody: string,
    headers: Readonly<Record<string, string | undefined>>,
    url: string,
  ): readonly string[] | null;
}

/** An account at a provider, opened. */
export interface OpenAccount {
  readonly baseUrl: string;
  readonly account: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
  /** The batch that was seen last, and a payment that was in it. */
  readonly batch: string | null;
  readonly batchReference: string | null;
}

/** A request to a provider. Fails only by its promise: an adapter answers that with `silence`. */
export type ProviderFetch = (
  url: string,
  request: {
    readonly method: 'GET' | 'POST' | 'DELETE';
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
    readonly totalMsMax: number;
  },
) => Promise<{ readonly status: number; readonly text: string }>;

/** A kind of provider: declared once; settings, schemas and the console are made of the list of these. */
export interface ProviderKind {
  readonly id: string;
  /** The names of what is no secret, and of what is. */
  readonly accountFields: readonly string[];
  readonly secretFields: readonly string[];
  readonly inPerson: boolean;
  open(account: OpenAccount, fetch: ProviderFetch, now: () => number): PaymentProvider;
}
