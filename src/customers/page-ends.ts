/** A reader who pauses for longer goes on from where the customer is by then. */
const keptMs = 3_600_000;
const endsMax = 10_000;

/**
 * Where the pages have ended that each reader got of the customers by change. The next page is asked for by the
 * id of the last customer, who may have moved to the front meanwhile: this tells where the reader was, exactly.
 * What this process does not know (another one served the page) is for `listCustomersAfterByUpdate` to find.
 */
export class PageEnds {
  /** By reader and customer, the oldest first. */
  readonly #ends = new Map<string, { readonly at: string; readonly untilMs: number }>();

  /** `at` is the place of the last customer of a page. */
  remember(readerId: number, customerId: number, at: string, nowMs: number): void {
    const key = `${readerId} ${customerId}`;
    this.#ends.delete(key);
    this.#ends.set(key, { at, untilMs: nowMs + keptMs });
    if (this.#ends.size > endsMax) this.#ends.delete(this.#ends.keys().next().value!);
  }

  /** Where the customer stood as the end of this reader's page; null when that is not known. */
  placeOf(readerId: number, customerId: number, nowMs: number): string | null {
    const end = this.#ends.get(`${readerId} ${customerId}`);
    return end !== undefined && nowMs < end.untilMs ? end.at : null;
  }
}
