import { failure } from '../../kernel/failure.ts';

/** What a request of a sandbox asks for with the header `Sandbox-Fault` (D60). */
export interface Faults {
  /** The answer begins so much later. */
  readonly delayMs: number;
  /** The answer instead of the operation; null: the operation's own. */
  readonly status: 503 | null;
  readonly isRateLimited: boolean;
  /** The connection ends without the reply, after everything is written. */
  readonly dropsReply: boolean;
  /** Another price before an order is placed, or after a cart is priced. */
  readonly changesPrice: boolean;
  /** The goods are gone before an order is placed, or after a cart is priced. */
  readonly sellsOut: boolean;
  /** Webhooks of the integrator wait so long from now; null: as before. */
  readonly webhooksLateMs: number | null;
}

export const noFaults: Faults = {
  delayMs: 0,
  status: null,
  isRateLimited: false,
  dropsReply: false,
  changesPrice: false,
  sellsOut: false,
  webhooksLateMs: null,
};

const secondsMax = 60;
const lateMsDefault = 30_000;

/** How the header is written. */
const faultsInWords =
  'delay=2s, status=503, drop-after-commit, rate-limit, price-change, out-of-stock, webhook-late or webhook-late=30s';

/** Reads the header, several faults separated by commas. Fails with INVALID_PARAMS. */
export function readFaults(header: string | undefined): Faults {
  if (header === undefined) return noFaults;
  let faults = noFaults;
  for (const text of header.split(',').map((part) => part.trim().toLowerCase())) {
    const fault = readFault(text);
    if (fault === null) {
      throw failure(
        'INVALID_PARAMS',
        `Sandbox-Fault must be some of ${faultsInWords}, separated by commas; times are at most ${secondsMax}s.`,
      );
    }
    faults = { ...faults, ...fault };
  }
  return faults;
}

function readFault(text: string): Partial<Faults> | null {
  switch (text) {
    case 'status=503':
      return { status: 503 };
    case 'rate-limit':
      return { isRateLimited: true };
    case 'drop-after-commit':
      return { dropsReply: true };
    case 'price-change':
      return { changesPrice: true };
    case 'out-of-stock':
      return { sellsOut: true };
    case 'webhook-late':
      return { webhooksLateMs: lateMsDefault };
    default: {
      const [, name, count, unit] = /^(delay|webhook-late)=(\d{1,5})(ms|s)$/.exec(text) ?? [];
      const ms = Number(count) * (unit === 's' ? 1_000 : 1);
      if (name === undefined || ms > secondsMax * 1_000) return null;
      return name === 'delay' ? { delayMs: ms } : { webhooksLateMs: ms };
    }
  }
}
