import type { Address } from '../../src/kernel/permission-catalog.ts';
import type { TestKeys } from './test-shop.ts';

export interface TestRequest {
  /** None: no keys are sent. */
  readonly keys?: TestKeys | undefined;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** An object is sent as JSON; text and bytes unchanged, as application/json unless the headers say otherwise. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** By default the address that serves the path. */
  readonly address?: Address;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly meta: any;
  readonly error: { readonly code: string; readonly message: string; readonly meta?: unknown } | undefined;
}
