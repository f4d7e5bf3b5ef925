/**
 * A UUID v4 as an idempotency key. `crypto.randomUUID` exists on HTTPS pages only; shops also open the console by the address
 * of a machine on their own network.
 */
export function freshKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** After this time, the same write counts as a new one. */
const retryMsMax = 10 * 60_000;
const unansweredMax = 100;

/**
 * Assigns an idempotency key to each write: a new key, or the previous key if the unchanged write got no answer. So it is done
 * once, however often it is sent.
 */
export class WriteKeys {
  readonly #unanswered = new Map<string, { readonly key: string; readonly sentAtMs: number }>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Returns the key of a write; `what` is the whole request. */
  take(what: string): string {
    const before = this.#unanswered.get(what);
    if (before === undefined || this.#now() - before.sentAtMs > retryMsMax) return freshKey();
    return before.key;
  }

  /** Records that the service reported the outcome. */
  answered(what: string): void {
    this.#unanswered.delete(what);
  }

  /** Records that the outcome is unknown. */
  leftUnanswered(what: string, key: string): void {
    this.#unanswered.delete(what);
    this.#unanswered.set(what, { key, sentAtMs: this.#now() });
    if (this.#unanswered.size > unansweredMax) {
      this.#unanswered.delete(this.#unanswered.keys().next().value!);
    }
  }
}
