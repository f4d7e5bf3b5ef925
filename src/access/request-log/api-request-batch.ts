import type { Caller } from '../../platform/http/endpoint.ts';
import { batchMsMax, requestsPerBatchMax } from './api-request-queries.ts';

/** A column with a single element has that value for all requests. */
export interface Columns {
  readonly timesMs: number[];
  readonly methods: string[];
  readonly pathTemplates: string[];
  readonly paths: string[];
  readonly statuses: number[];
  readonly codes: string[];
  readonly microseconds: number[];
  readonly requestIds: string[];
  /** The messages of refusals; empty texts for other requests. */
  readonly messages: string[];
  /** Why the keys were refused; empty: they were not. */
  readonly keyProblems: string[];
}

/**
 * Waiting entries of a client key, refused or not: a row of the log. Arrays per column, as the statement takes them: an
 * object per request would survive garbage collections, which cost 1 to 3 µs a request (measured at 30,000 requests a
 * second).
 */
export interface Batch {
  readonly caller: Pick<Caller, 'organizationId' | 'integratorId' | 'clientKeyId'>;
  readonly isRefused: boolean;
  readonly columns: Columns;
}

/** Adds a value to a column that has a single element as long as all its values are equal. */
export function pushRepeating<Value>(column: Value[], value: Value, earlierCount: number): void {
  if (column.length < earlierCount || earlierCount === 1) {
    if (column[0] === value) return;
    while (column.length < earlierCount) column.push(column[0]!);
  }
  column.push(value);
}

/** The columns of a batch without requests. */
export function noColumns(): Columns {
  return {
    timesMs: [],
    methods: [],
    pathTemplates: [],
    paths: [],
    statuses: [],
    codes: [],
    microseconds: [],
    requestIds: [],
    messages: [],
    keyProblems: [],
  };
}

/** Whether a new request needs another batch; also after the clock is set back. */
export function isFull({ columns: { timesMs } }: Batch, nowMs: number): boolean {
  return timesMs.length >= requestsPerBatchMax || nowMs - timesMs[0]! > batchMsMax || nowMs < timesMs.at(-1)!;
}
