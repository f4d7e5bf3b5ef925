import type { TokenGrant, TokenStore } from '../../platform/http/shared-rate-limits.ts';

interface CallTurnsParts {
  /** The limits of the state, held by all processes together; null: none are held. */
  readonly tokens: TokenStore | null;
  /** Resolves after so many milliseconds. */
  readonly wait: (ms: number) => Promise<void>;
}

/** Whose calls the state counts together. */
interface Counted {
  readonly state: string;
  readonly licenseNumber: string;
  readonly vendorKey: string;
}

/**
 * The limits that the state's interface had last: fifty reads in any second of a license, and a hundred and fifty of a vendor's key.
 * Whether it counts writes is not known, so they count here. A bucket lets its burst and the rate through in one second, so the rate is
 * a tenth less than the limit, and the burst that tenth.
 */
const ofLicense = { perSecond: 45, burst: 5 };
const ofKey = { perSecond: 135, burst: 15 };

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Lets calls through within the limits of the state, over all processes; those of this process that wait ask together. */
export class CallTurns {
  readonly #parts: CallTurnsParts;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(parts: CallTurnsParts) {
    this.#parts = parts;
  }

  /** Resolves when the limits of the license and of the key let a call through. */
  take(counted: Counted): Promise<void> {
    const { tokens } = this.#parts;
    if (tokens === null) return Promise.resolve();
    const name = `${counted.state} ${counted.licenseNumber}`;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(name);
      if (waiting !== undefined) {
        waiting.push({ resolve, reject });
        return;
      }
      this.#waiting.set(name, [{ resolve, reject }]);
      void this.#letThrough(name, tokens, counted);
    });
  }

  async #letThrough(name: string, tokens: TokenStore, { state, vendorKey }: Counted): Promise<void> {
    const waiting = this.#waiting.get(name)!;
    try {
      while (waiting.length > 0) {
        const wanted = Math.min(waiting.length, ofLicense.burst);
        const ofKeyName = `state-calls of key ${state} ${vendorKey}`;
        const [own, all] = (await tokens.take([
          { ...ofLicense, name: `state-calls ${name}`, wanted, isLease: false },
          { ...ofKey, name: ofKeyName, wanted, isLease: false },
        ])) as [TokenGrant, TokenGrant];
        const count = Math.min(own.granted, all.granted);
        // What the license does not let through takes nothing of the key, which other licenses share; several tokens go back as one of
        // a slower bucket.
        const surplus = all.granted - count;
        if (surplus > 0) await tokens.giveBack([{ name: ofKeyName, perSecond: ofKey.perSecond / surplus }]);
        for (const { resolve } of waiting.splice(0, count)) resolve();
        // Until there is one for each that waits, as far as the burst goes: asking for every single one costs more than the calls.
        const next = Math.min(waiting.length, ofLicense.burst);
        const waitMs = Math.max(msUntil(next, ofLicense, own), msUntil(next + surplus, ofKey, all));
        if (waitMs > 0) await this.#parts.wait(waitMs);
      }
    } catch (error) {
      for (const { reject } of waiting.splice(0)) reject(error);
    } finally {
      this.#waiting.delete(name);
    }
  }
}

/** The milliseconds until so many tokens of a bucket are free, as far as others take none. */
function msUntil(count: number, { perSecond, burst }: typeof ofLicense, { fullAfterMs }: TokenGrant): number {
  return Math.ceil(fullAfterMs - ((burst - count) * 1_000) / perSecond);
}
