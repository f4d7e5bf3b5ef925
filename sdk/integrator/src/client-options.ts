interface SharedOptions {
  /** The address of the service, such as `https://shop.example.com`. It serves every operation. */
  readonly baseUrl: string;
  /** The address of the menu operations, where the deployment has one of its own; by default `baseUrl`. */
  readonly menuUrl?: string;
  /** Milliseconds until a request without an answer is given up; a `wait` comes on top. By default 30 seconds. */
  readonly timeoutMs?: number;
  /** How often a request that failed on the way is sent again. By default 5 times. */
  readonly retries?: number;
  /** The longest `Retry-After` that is waited for. A longer one is thrown at once. By default a minute. */
  readonly waitMsMax?: number;
  /** Sends requests; by default the platform's. */
  readonly fetch?: typeof globalThis.fetch;
}

/** The keys of a server: both are secret. */
interface SecretKeys {
  readonly consumerKey: string;
  readonly clientKey: string;
  readonly publishableKey?: never;
  /**
   * Whether the owner of the shop lets the key vouch for its customers; changes types only. `vouched`: placed orders have their
   * `customer`. By default `proven`: it is null unless `customer.token` is sent.
   */
  readonly customers?: 'vouched' | 'proven';
}

/** The key of a web page (D67): it is public, and works on the pages of its origins. */
interface PublicKey {
  readonly publishableKey: string;
  readonly consumerKey?: never;
  readonly clientKey?: never;
  readonly customers?: never;
}

/** The options of a server whose key vouches for its customers. */
export type VouchedOptions = SharedOptions & SecretKeys & { readonly customers: 'vouched' };

export type ClientOptions = SharedOptions & (SecretKeys | PublicKey);

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** What every request can have. */
export interface CommonOptions {
  readonly signal?: AbortSignal;
  /** Instead of the client's. */
  readonly timeoutMs?: number;
  /** The key of a write; by default a new one. The same write with the same key is done once. */
  readonly idempotencyKey?: string;
  /** The token in the reply to a placed order: with it a web page reads its order. */
  readonly orderToken?: string;
  /** The token of a customer session, for the operations that take it as a header. */
  readonly customerToken?: string;
}

export interface RequestOptions extends CommonOptions {
  readonly query?: Query;
  readonly body?: unknown;
}

/** What the service answers: the payload, and what stands beside it. */
export interface Answer<Data = unknown, Meta = Readonly<Record<string, unknown>>> {
  readonly data: Data;
  readonly meta: Meta;
  /** Identifies the request in the operator's log and in `GET /api/v1/requests`. */
  readonly requestId: string;
  /** Whether this is the answer to an earlier request with the same key. */
  readonly isReplay: boolean;
}

/** The keys as headers. */
export function keyHeaders({
  consumerKey,
  clientKey,
  publishableKey,
}: ClientOptions): Record<string, string> {
  if (publishableKey !== undefined) return { 'x-client-key': publishableKey };
  return { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
}
