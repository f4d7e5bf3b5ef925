/**
 * A UUID v4, to make a retry of a request the same request. `crypto.randomUUID` is there for pages by HTTPS only; shops
 * reach the console by the address of a machine in the house too.
 */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Sent again later than this, the same is meant to be done again. */
const retryMsMax = 10 * 60_000;
const unansweredMax = 100;

/**
 * The idempotency key of each write: a fresh one, or, for what is sent again just as it was after no answer came to it, the
 * one from before. So it is done once, however often it is sent.
 */
export class WriteKeys {
  readonly #unanswered = new Map<string, { readonly key: string; readonly sentAtMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** The key for a write; `what` is all that is sent. */
  take(what: string): string {
    const before = this.#unanswered.get(what);
    if (before === undefined || this.#now() - before.sentAtMs > retryMsMax) return freshKey();
    return before.key;
  }

  /** The service has said what became of it. */
  answered(what: string): void {
    this.#unanswered.delete(what);
  }

  /** It may have been done, or not. */
  leftUnanswered(what: string, key: string): void {
    this.#unanswered.delete(what);
    this.#unanswered.set(what, { key, sentAtMs: this.#now() });
    if (this.#unanswered.size > unansweredMax) {
      this.#unanswered.delete(this.#unanswered.keys().next().value!);
    }
  }
}
