import type { IncomingHttpHeaders } from 'node:http';
import type { PaymentSettings } from './payment-switches.ts';

/** What the desks of a payment server share. */
export interface PaymentWorld {
  settings: PaymentSettings;
  /** Its own clock, in milliseconds. */
  nowMs(): number;
  /** From 0 to 1, drawn with the seed. */
  draw(): number;
}

export interface DeskCall {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** An object; empty where the body is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface DeskReply {
  readonly status: number;
  readonly body?: unknown;
  readonly html?: string;
}

/** A request that a provider makes on its own: a webhook, a callback. */
export interface DeskHook {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What became of it: the status; 0: no answer in time. */
  sent?(status: number): void;
}

/** The connection is closed without an answer. */
export const closed = Symbol('closed');

/** Money of the world, in cents: what customers have lost to the shop, as the provider knows it. */
export interface DeskLedger {
  /** By the reference of the caller. Taken is positive; given back is negative. */
  readonly entries: { readonly reference: string; readonly cents: number; readonly atMs: number }[];
}

/** Cents of a number of dollars. */
export function centsOf(dollars: unknown): number {
  return Math.round(Number(dollars ?? 0) * 100);
}

/** A text; empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
