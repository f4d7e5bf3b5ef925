import type {
  Answer,
  ClientOptions,
  CommonOptions,
  RequestOptions,
  VouchedOptions,
} from './client-options.ts';
import { CommerceError } from './commerce-error.ts';
import { type Paging, rowsOf } from './list-pages.ts';
import type { AnswerOf, CallArguments, ListId, OperationId, RowOf, Schema } from './operation-types.ts';
import { operations } from './operations.ts';
import { freshKey } from './request-key.ts';
import { type OrderToPlace, type PlacedOrder, type PlaceOptions, placeOrder } from './safe-placing.ts';
import { createSend, type Send } from './transport.ts';

type ReadOptions = Omit<RequestOptions, 'body' | 'idempotencyKey'>;

/** Requests by path, for paths that the types of the package do not know. */
export interface PathClient {
  /** Reads. `path` is that of the reference: `/api/v1/orders`. */
  get<Data>(path: string, options?: ReadOptions): Promise<Answer<Data>>;
  /** Writes, with an `Idempotency-Key` (D63), so that a write that is sent again is done once. */
  send<Data>(
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    options?: RequestOptions,
  ): Promise<Answer<Data>>;
  /** All records of a list, one by one. */
  list<Row extends { readonly id: string | number }>(
    path: string,
    options?: ReadOptions,
  ): AsyncGenerator<Row, void, undefined>;
}

/**
 * A client of the API: sends requests again where that is safe, and throws `CommerceError` for refusals. `Order` is what a placed
 * order is answered with: see `customers` of the options.
 */
export interface CommerceClient<Order extends Schema['CreatedOrder'] = Schema['CreatedOrder']>
  extends PathClient {
  /** Calls an operation by its name in the contract; writes have an `Idempotency-Key`. */
  call<Id extends OperationId>(
    id: Id,
    ...options: CallArguments<Id>
  ): Promise<Id extends 'placeOrder' ? Answer<Order> : AnswerOf<Id>>;
  /** All records of a list, one by one, over all pages. A `startingAfter` or `after` in the query is where it begins. */
  each<Id extends ListId>(id: Id, ...options: CallArguments<Id>): AsyncGenerator<RowOf<Id>, void, undefined>;
  readonly orders: OrderCalls<Order>;
  readonly customerSessions: CustomerSessionCalls;
}

/** What a shop does with orders. */
export interface OrderCalls<Order extends Schema['CreatedOrder'] = Schema['CreatedOrder']> {
  /** What a cart costs now, to the cent. */
  preview(cart: Schema['CartPricingRequest'], options?: CommonOptions): Promise<Schema['CartPricing']>;
  /** Places an order at the total of its preview, once: see `placeOrder`. */
  place(order: OrderToPlace, options?: PlaceOptions): Promise<PlacedOrder<Order>>;
}

/** What a customer proves: an email, or a phone number. */
export type CustomerContact = string | { readonly phone: string };

/** How a customer of a shop signs in: with a code by mail or to the phone (D62). */
export interface CustomerSessionCalls {
  /** Has a code sent. The answer is the same for every email and phone. */
  request(
    contact: CustomerContact,
    options?: CommonOptions,
  ): Promise<AnswerOf<'requestCustomerCode'>['data']>;
  /** Exchanges the code for a token, which goes into `customer.token` of carts. It is tried once: each try counts. */
  verify(
    contact: CustomerContact,
    code: string,
    options?: CommonOptions,
  ): Promise<AnswerOf<'startCustomerSession'>['data']>;
  /** Signs out. */
  end(token: string, options?: CommonOptions): Promise<void>;
}

interface AnyOptions extends RequestOptions {
  readonly params?: Readonly<Record<string, string | number>>;
}

/** How the lists at known paths continue. */
const pagingAt = new Map<string, Paging>(
  Object.values(operations).flatMap((it) => ('pages' in it ? [[it.path, it.pages] as const] : [])),
);

/**
 * Creates a client, of a server with its two keys or of a web page with its publishable key. With `customers: 'vouched'` the
 * types of placed orders say that `customer` is there.
 */
export function createClient(options: VouchedOptions): CommerceClient<Schema['VouchedCreatedOrder']>;
export function createClient(options: ClientOptions): CommerceClient;
export function createClient(options: ClientOptions): CommerceClient {
  const send = createSend(options);
  const write: Send = (method, path, sent) =>
    send(method, path, { ...sent, idempotencyKey: sent.idempotencyKey ?? freshKey() });
  const call = (id: OperationId, { params = {}, ...sent }: AnyOptions = {}) => {
    const { method, path } = operations[id];
    // A browser would hide the refusal of the service.
    if (options.publishableKey !== undefined && !('isForPages' in operations[id])) {
      const message = `Web pages may not call ${id}: it needs the secret keys of a server.`;
      return Promise.reject(new CommerceError(message, { code: 'INSUFFICIENT_PERMISSIONS', status: 403 }));
    }
    return (method === 'GET' ? send : write)(method, withParams(path, params), sent);
  };
  const each = (id: ListId, sent: AnyOptions = {}) =>
    rowsOf((page) => call(id, { ...sent, ...page }), operations[id].pages, sent);
  const client = {
    get: (path: string, sent: RequestOptions = {}) => send('GET', path, sent),
    send: (method: string, path: string, sent: RequestOptions = {}) => write(method, path, sent),
    list: (path: string, sent: RequestOptions = {}) =>
      rowsOf((page) => send('GET', path, page), pagingAt.get(path) ?? 'id', sent),
    call,
    each,
    orders: {
      preview: async (cart: object, sent: CommonOptions = {}) =>
        (await call('priceCart', { ...sent, body: cart })).data,
      place: (order: OrderToPlace, sent: PlaceOptions = {}) =>
        placeOrder(send, order, sent, options.publishableKey === undefined),
    },
    customerSessions: {
      request: async (contact: CustomerContact, sent: CommonOptions = {}) =>
        (await call('requestCustomerCode', { ...sent, body: contactOf(contact) })).data,
      verify: async (contact: CustomerContact, code: string, sent: CommonOptions = {}) =>
        (await call('startCustomerSession', { ...sent, body: { ...contactOf(contact), code } })).data,
      end: async (token: string, sent: CommonOptions = {}) => {
        await call('endCustomerSession', { ...sent, body: { token } });
      },
    },
  };
  // The contract types what its operations take and answer.
  return client as unknown as CommerceClient;
}

function withParams(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new TypeError(`params.${name} is missing for ${path}.`);
    return encodeURIComponent(value);
  });
}

function contactOf(contact: CustomerContact): { email: string } | { phone: string } {
  return typeof contact === 'string' ? { email: contact } : contact;
}
