import type { Settings } from './state-switches.ts';

const secondMs = 1_000;

interface Counter {
  /** Milliseconds of the calls of the last second. */
  starts: number[];
  open: number;
}

/** Counts calls by license, or by vendor key on routes without one: a second, and at once. */
export class RateGate {
  readonly #counters = new Map<string, Counter>();

  /**
   * Lets a call in. Returns what to call at its end, or the seconds after which it may come again.
   */
  enter(
    settings: Settings,
    nowMs: number,
    caller: { readonly license: string | null; readonly vendor: string },
  ): { leave(): void } | { readonly retryAfter: number } {
    const [perFacility, perKey, openFacility, openKey] = settings.limits.split('/').map(Number) as [
      number,
      number,
      number,
      number,
    ];
    // One of the two counts: that of the license, or that of the key.
    const isOfFacility = caller.license !== null;
    const counter = this.#counterOf(isOfFacility ? `license ${caller.license}` : `key ${caller.vendor}`);
    counter.starts = counter.starts.filter((start) => start > nowMs - secondMs && start <= nowMs);
    const startsMax = isOfFacility ? perFacility : perKey;
    const openMax = isOfFacility ? openFacility : openKey;
    if (counter.starts.length >= startsMax || counter.open >= openMax) return { retryAfter: 1 };
    counter.starts.push(nowMs);
    counter.open += 1;
    return {
      leave: () => {
        counter.open -= 1;
      },
    };
  }

  #counterOf(name: string): Counter {
    const counter = this.#counters.get(name) ?? { starts: [], open: 0 };
    this.#counters.set(name, counter);
    return counter;
  }
}
