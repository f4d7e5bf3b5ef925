import { memberOf } from '../../engines/state-reports/json-members.ts';
import {
  type ReadOutcome,
  readReadAnswer,
  readWriteAnswer,
  rowsOf,
  type StateAnswer,
  type WriteOutcome,
} from '../../engines/state-reports/state-answer.ts';
import { type MetrcState, metrcState, metrcUrl } from '../../engines/state-reports/state-hosts.ts';
import { assert } from '../../kernel/assert.ts';
import type { Clock } from '../../kernel/clock.ts';
import { FetchRefused } from '../../platform/http/guarded-fetch.ts';
import type { KeptConnections } from '../../platform/http/kept-connections.ts';
import type { CallSlots } from './call-slots.ts';
import type { CallTurns } from './call-turns.ts';

/** How a deployment reaches the states' systems. */
export interface StateAccess {
  /** The key of this software; undefined: the operator has none, and nothing is sent. */
  readonly vendorKey: string | undefined;
  /** Another server that stands in for all of them; undefined: the states' own. */
  readonly url: string | undefined;
}

/** Whose calls these are. */
export interface StateCaller {
  readonly state: string;
  readonly isSandbox: boolean;
  readonly licenseNumber: string;
  readonly userKey: string;
}

interface ClientParts {
  readonly access: StateAccess;
  readonly connections: Pick<KeptConnections, 'request'>;
  /** The limits of the state, held by all processes together. */
  readonly turns: CallTurns;
  /** Calls of this process that are under way at once. */
  readonly slots: CallSlots;
  readonly clock: Clock;
  /** How long an answer may take. */
  readonly answerMsMax?: number;
}

const answerMsMax = 30_000;
const answerBytesMax = 5_000_000;
/** The state's largest page. */
export const pageSize = 20;
/** How often a list that changes is read. */
const roundsMax = 3;
/** No list is that long; a reply that never ends is not read for ever. */
const pagesMax = 5_000;

/** Rows of a list, or why they could not be read. */
export type ListOutcome =
  | { readonly kind: 'rows'; readonly rows: readonly unknown[] }
  | Exclude<ReadOutcome, { readonly kind: 'found' }>;

/** Calls the interface of a state for one license. Every call is made once. */
export class StateClient {
  readonly #parts: ClientParts;
  readonly #caller: StateCaller;
  readonly #base: string;
  readonly #authorization: string;
  /** How often it has read. */
  reads = 0;

  constructor(parts: ClientParts, caller: StateCaller) {
    this.#parts = parts;
    this.#caller = caller;
    this.#base = baseUrl(parts.access, caller);
    const keys = `${parts.access.vendorKey ?? ''}:${caller.userKey}`;
    this.#authorization = `Basic ${Buffer.from(keys).toString('base64')}`;
  }

  /** Reads one thing. */
  read(path: string, query: Readonly<Record<string, string>> = {}): Promise<ReadOutcome> {
    return this.#inTurn(async () => {
      this.reads += 1;
      return readReadAnswer(await this.#call('GET', path, query), this.#parts.clock.now());
    });
  }

  /**
   * Reads all pages of a list. Where the list changed while it was read, some rows stand twice and others nowhere: it is read
   * again, and rows that were seen once count.
   */
  async list(path: string, query: Readonly<Record<string, string>> = {}): Promise<ListOutcome> {
    const seen = new Map<number, unknown>();
    for (let round = 1; ; round += 1) {
      const pages = await this.#pages(path, query);
      if (pages.kind !== 'pages') return pages;
      const rows = pages.bodies.flatMap((body) => rowsOf(body)?.rows ?? []);
      const ids = rows.map((row) => memberOf(row, 'Id')).filter((id) => typeof id === 'number');
      if (ids.length < rows.length) return { kind: 'rows', rows };
      for (const [at, id] of ids.entries()) seen.set(id, rows[at]);
      const totals = new Set(pages.bodies.map((body) => memberOf(body, 'TotalRecords')));
      const isWhole = totals.size === 1 && (totals.has(seen.size) || totals.has(undefined));
      if (isWhole || round === roundsMax) return { kind: 'rows', rows: [...seen.values()] };
    }
  }

  async #pages(path: string, query: Readonly<Record<string, string>>) {
    const page = (number: number) =>
      this.read(path, { ...query, pageNumber: String(number), pageSize: String(pageSize) });
    const first = await page(1);
    if (first.kind !== 'found') return first;
    const found = rowsOf(first.body);
    if (found === null) return { kind: 'failed', words: 'The state sent no list.', afterMs: null } as const;
    const pages = found.rows.length === 0 ? 1 : Math.min(found.pages ?? 1, pagesMax);
    const rest = await Promise.all(Array.from({ length: Math.max(0, pages - 1) }, (_, at) => page(at + 2)));
    const bodies: unknown[] = [first.body];
    for (const outcome of rest) {
      if (outcome.kind !== 'found') return outcome;
      if (rowsOf(outcome.body) === null)
        return { kind: 'failed', words: 'The state sent no list.', afterMs: null } as const;
      bodies.push(outcome.body);
    }
    return { kind: 'pages', bodies } as const;
  }

  /** Writes; a body is JSON text. */
  write(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: string): Promise<WriteOutcome> {
    return this.#inTurn(async () =>
      readWriteAnswer(await this.#call(method, path, {}, body), this.#parts.clock.now()),
    );
  }

  /** Within the limits of the state. */
  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const { slots, turns, access } = this.#parts;
    const { state, licenseNumber } = this.#caller;
    return slots.use(`${state} ${licenseNumber}`, async () => {
      await turns.take({ state, licenseNumber, vendorKey: access.vendorKey ?? '' });
      return work();
    });
  }

  async #call(
    method: string,
    path: string,
    query: Readonly<Record<string, string>>,
    body?: string,
  ): Promise<StateAnswer> {
    const { connections } = this.#parts;
    const parameters = new URLSearchParams({ ...query, licenseNumber: this.#caller.licenseNumber });
    const headers = {
      authorization: this.#authorization,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    try {
      const {
        status,
        text,
        headers: got,
      } = await connections.request(
        `${this.#base}${path}?${parameters}`,
        { method, headers, ...(body !== undefined && { body }) },
        { bytesMax: answerBytesMax, totalMsMax: this.#parts.answerMsMax ?? answerMsMax },
      );
      return { arrived: true, status, text, retryAfter: got['retry-after'] ?? null };
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      return { arrived: false, isUnsent: false, words: error.message };
    }
  }
}

/** The address that a connection is served at; only the operator can name another than that of the state. */
export function baseUrl(
  { url }: Pick<StateAccess, 'url'>,
  { state, isSandbox }: Pick<StateCaller, 'state' | 'isSandbox'>,
): string {
  if (url !== undefined) return url;
  const known: MetrcState | null = metrcState(state);
  assert(known !== null, 'a connection is to a state of the list');
  return metrcUrl(known, isSandbox);
}
