import type { ModelOrder } from './order-model.ts';

const keptMs = 30 * 86_400_000;
/** The mailbox shows so many. */
const shownMax = 100;

interface PredictedMail {
  readonly kind: string;
  readonly recipient: string;
  readonly atMs: number;
}

/** The mails that the acts of a year bring about: one for each act, however often it was sent or died. */
export class MailModel {
  readonly #mails: PredictedMail[] = [];
  /** When an order's customer heard of each kind of step. */
  readonly #toldAtMs = new Map<string, number>();
  /** Older ones went with a later one. */
  #keptSinceMs = Number.NEGATIVE_INFINITY;

  add(kind: string, recipient: string, atMs: number): void {
    this.#keptSinceMs = Math.max(this.#keptSinceMs, atMs - keptMs);
    this.#mails.push({ kind, recipient, atMs });
  }

  /** A step of an order, of which its customer hears once while the mailbox keeps that mail. */
  tell(kind: string, { id, account }: ModelOrder, atMs: number): void {
    if (account === null) return;
    this.#keptSinceMs = Math.max(this.#keptSinceMs, atMs - keptMs);
    // Another try to deliver may fail as well, and is told as well.
    const cause = kind === 'order-delivery-failed' ? `${kind} ${id} ${atMs}` : `${kind} ${id}`;
    if ((this.#toldAtMs.get(cause) ?? Number.NEGATIVE_INFINITY) >= this.#keptSinceMs) return;
    this.#toldAtMs.set(cause, atMs);
    this.add(kind, account.email, atMs);
  }

  /** The newest that must still be there. */
  newest(): readonly PredictedMail[] {
    return this.#mails
      .slice(-shownMax)
      .filter(({ atMs }) => atMs >= this.#keptSinceMs)
      .toReversed();
  }
}
