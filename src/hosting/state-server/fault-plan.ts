/**
 * Faults that are planned: what goes wrong, where, how often and when. Those that commit carry the write out, so the caller
 * cannot know whether it happened.
 */
export const faultKinds = {
  'commit-then-hang': 'the write happens, and no reply comes',
  'commit-then-500': 'the write happens, and the reply is 500',
  'commit-then-close': 'the write happens, and the connection is closed',
  'commit-then-cut': 'the write happens, and the reply ends in its middle',
  hang: 'nothing happens, and no reply comes',
  close: 'the connection is closed before anything happens',
  status:
    'a refusal with `status`: 401, 413, 429 (with `retryAfter`), 500, 502, 503, 504; or 200: it says yes, and nothing happens',
  html: 'the HTML page of a gateway, with `status` (503 by default)',
  'internal-400': 'a 400 that is no refusal: an internal fault of the state',
  'double-write': 'the write happens twice, as when a gateway sends it again',
  'partial-list': 'the list lacks half of its rows and does not say so',
  'double-rows': 'the list has every second row twice',
  'moving-pages': 'a person changes the rows of the page that was just read, so other rows move up',
} as const;

export type FaultKind = keyof typeof faultKinds;

export interface Fault {
  readonly kind: FaultKind;
  /** Method and path, where `*` is any text: `POST /sales/v2/receipts`, `* /packages/*`. By default every call. */
  readonly at?: string;
  readonly license?: string;
  readonly status?: number;
  /** Seconds of Retry-After. */
  readonly retryAfter?: number;
  /** How many calls are spared first. */
  readonly after?: number;
  /** How many calls it hits; by default one, or all of its time if there is an end. */
  readonly times?: number;
  /** Share of the calls that it hits, from 0 to 1: some instances only. */
  readonly share?: number;
  /** Instants of the server's own clock, in milliseconds. */
  readonly fromMs?: number;
  readonly untilMs?: number;
}

interface Planned {
  readonly fault: Fault;
  spared: number;
  hits: number;
}

export interface FaultCall {
  readonly method: string;
  readonly path: string;
  readonly license: string | null;
  readonly nowMs: number;
  /** From 0 to 1, drawn for this call. */
  draw(): number;
}

/** Whether `POST /sales/v2/receipts` is meant by a pattern such as `* /sales/*`. */
export function isMeant(pattern: string, method: string, path: string): boolean {
  const expression = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return new RegExp(`^${expression}/?$`).test(`${method} ${path}`);
}

/** The faults that are still to come, in the order in which they were planned. */
export class FaultPlan {
  #planned: Planned[] = [];

  /** Plans a fault; it comes after those that are planned already. */
  plan(fault: Fault): void {
    this.#planned.push({ fault, spared: 0, hits: 0 });
  }

  clear(): void {
    this.#planned = [];
  }

  list(): { readonly fault: Fault; readonly hits: number }[] {
    return this.#planned.map(({ fault, hits }) => ({ fault, hits }));
  }

  /** The fault that hits a call. */
  take(call: FaultCall): Fault | undefined {
    for (const planned of this.#planned) {
      if (!this.#hits(planned, call)) continue;
      planned.hits += 1;
      return planned.fault;
    }
    return undefined;
  }

  #hits(planned: Planned, { method, path, license, nowMs, draw }: FaultCall): boolean {
    const { fault } = planned;
    if (fault.at !== undefined && !isMeant(fault.at, method, path)) return false;
    if (fault.license !== undefined && fault.license !== license) return false;
    if (nowMs < (fault.fromMs ?? Number.NEGATIVE_INFINITY)) return false;
    if (nowMs >= (fault.untilMs ?? Number.POSITIVE_INFINITY)) return false;
    const timesMax = fault.times ?? (fault.untilMs === undefined ? 1 : Number.POSITIVE_INFINITY);
    if (planned.hits >= timesMax) return false;
    if (planned.spared < (fault.after ?? 0)) {
      planned.spared += 1;
      return false;
    }
    return fault.share === undefined || draw() < fault.share;
  }
}
