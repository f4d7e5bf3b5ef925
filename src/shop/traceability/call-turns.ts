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
 * Whether it counts writes is not known, so they count here. A bucket lets its burst and the rate through in one second: of a license
 * these are fifty, with a fiftieth of a second to spare for calls that arrive late. The key has more to spare, because its tokens are
 * taken up to a tenth of a second before their calls go out.
 */
const ofLicense = { perSecond: 47, burst: 3 };
const ofKey = { perSecond: 125, burst: 15 };
/** Tokens of a license that are taken before their time, which the calls wait for here: asking for each burst costs more than the calls. */
const ahead = 6;
const lentOfLicense = { ...ofLicense, burst: ofLicense.burst + ahead };

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
        const wanted = Math.min(waiting.length, ahead);
        const ofKeyName = `state-calls of key ${state} ${vendorKey}`;
        const [own, all] = (await tokens.take([
          { ...lentOfLicense, name: `state-calls ${name}`, wanted, isLease: false },
          { ...ofKey, name: ofKeyName, wanted, isLease: false },
        ])) as [TokenGrant, TokenGrant];
        const count = Math.min(own.granted, all.granted);
        // What the license does not let through takes nothing of the key, which other licenses share; several tokens go back as one of
        // a slower bucket.
        const surplus = all.granted - count;
        if (surplus > 0) await tokens.giveBack([{ name: ofKeyName, perSecond: ofKey.perSecond / surplus }]);
        let waitedMs = 0;
        const waitUntil = async (ms: number): Promise<void> => {
          if (ms <= waitedMs) return;
          await this.#parts.wait(ms - waitedMs);
          waitedMs = ms;
        };
        for (let out = 0; out < count; ) {
          const last = Math.min(out + ofLicense.burst, count);
          await waitUntil(msUntil(last - own.granted, ofLicense, own));
          for (const { resolve } of waiting.splice(0, last - out)) resolve();
          out = last;
        }
        // Until there is nearly one for each that waits, as far as the burst goes.
        const next = Math.min(waiting.length, ofLicense.burst);
        await waitUntil(Math.max(msUntil(next - 1, ofLicense, own), msUntil(next + surplus, ofKey, all)));
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
