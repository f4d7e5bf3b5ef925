import { randomUUID } from 'node:crypto';
import type { Endpoint } from '../../src/http/endpoint.ts';
import { assert } from '../../src/kernel/assert.ts';
import { stepOrder } from '../../src/orders/orders.ts';
import type { TestRequest, TestService } from '../harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type ShopSettings,
  type TestShop,
  testOrigin,
} from '../harness/test-shop.ts';

/*
 * What the generated tests know beside the declarations: which resource a field names. Endpoints are never
 * named; a new one is covered as it is declared, and a new kind of id field is asked for by name.
 */

/** An organization with orders in every status. */
export interface Tenant {
  readonly shop: TestShop;
  /** Ids of its resources by the name of the field that carries them, or `<endpoint>.<field>`. */
  readonly ids: Readonly<Record<string, string | number>>;
}

export async function createTenant(service: TestService, settings: ShopSettings = {}): Promise<Tenant> {
  const { context } = service;
  const shop = await createTestShop(context, settings);
  const place = async (body: object) => {
    const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    assert(reply.status === 201, `the order of a contract test is refused: ${reply.text}`);
    // Lists are in the order of time.
    service.clock.advance(1000);
    return reply.data;
  };
  const paid = { payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }] };
  const lineItems = ['eighth', 'gram', 'gummies', 'tray'].map((key) => ({
    productOptionId: shop.optionId(key),
    quantity: 3,
  }));
  const drafted = await place(deliveryBody(shop, { lineItems, ...paid, deliveryNotes: 'Ring twice' }));
  const fulfilled = await place(pickupBody(shop, { lineItems, ...paid }));
  const canceled = await place(pickupBody(shop));
  await place(pickupBody(shop));
  const by = { staff: null };
  const step = (orderId: string, action: 'pack' | 'fulfill' | 'cancel') =>
    stepOrder(context, testOrigin, shop.organizationId, orderId, action, {
      ...by,
      ...(action === 'cancel' && { cancelationReason: 'Changed their mind' }),
    });
  await step(fulfilled.id, 'pack');
  await step(fulfilled.id, 'fulfill');
  await step(canceled.id, 'cancel');
  return {
    shop,
    ids: {
      orderId: drafted.id,
      'listOrders.startingAfter': fulfilled.id,
      userId: drafted.customer.id,
      productOptionId: shop.optionId('eighth'),
      paymentTypeId: shop.paymentTypeId('Debit'),
    },
  };
}

/** Ids that are well-formed and name nothing anywhere. */
export function nowhereId(id: string | number): string | number {
  return typeof id === 'number' ? 9_007_199_254_740_000 : '019a0000-0000-7000-8000-000000000000';
}

/** A place in a request that carries the id of a resource. */
export interface IdPlace {
  readonly part: 'params' | 'query' | 'body';
  /** Property names, and indexes of lists. */
  readonly path: readonly (string | number)[];
  readonly name: string;
}

export interface ContractRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: NonNullable<TestRequest['query']>;
  readonly body: unknown;
}

/** A request of the tenant that succeeds, made from the declaration's example. */
export function validRequest(endpoint: Endpoint, tenant: Tenant): ContractRequest {
  const params = Object.fromEntries(
    propertyNames(endpoint.params).map((name) => [name, idOf(endpoint, name, tenant)]),
  );
  return { params, query: {}, body: endpoint.body && withIds(endpoint, endpoint.requestExample, tenant) };
}

/** An example with the tenant's ids in place of invented ones, and a fresh key. */
function withIds(endpoint: Endpoint, example: unknown, tenant: Tenant): unknown {
  if (Array.isArray(example)) return example.map((item) => withIds(endpoint, item, tenant));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) => {
      if (name === 'idempotencyKey') return [[name, randomUUID()]];
      // Depends on the prices of the shop.
      if (name === 'expectedCustomerGrandTotal') return [];
      return [[name, isIdName(name) ? idOf(endpoint, name, tenant) : withIds(endpoint, value, tenant)]];
    }),
  );
}

/** Every place where the endpoint takes an id, from its schemas; lists have one item. */
export function idPlaces(endpoint: Endpoint): IdPlace[] {
  return (['params', 'query', 'body'] as const).flatMap((part) => placesIn(endpoint[part], part, []));
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

function placesIn(
  schema: unknown,
  part: IdPlace['part'],
  path: readonly (string | number)[],
): readonly IdPlace[] {
  const { properties = {}, items } = (schema ?? {}) as JsonSchema;
  if (items) return placesIn(items, part, [...path, 0]);
  return Object.entries(properties).flatMap(([name, property]) =>
    isIdName(name) ? [{ part, path: [...path, name], name }] : placesIn(property, part, [...path, name]),
  );
}

/** A list that an example leaves out, with one item: for ids in optional places. */
const optionalItems: Readonly<Record<string, object>> = { payments: { remaining: true } };

/** The request with another id in a place. */
export function withIdAt(
  request: ContractRequest,
  { part, path, name }: IdPlace,
  id: string | number,
): ContractRequest {
  const copy = structuredClone(request);
  if (part !== 'body') return { ...copy, [part]: { ...copy[part], [name]: id } };
  let target = copy.body as Record<string | number, unknown>;
  for (const [index, step] of path.slice(0, -1).entries()) {
    target[step] ??= typeof path[index + 1] === 'number' ? [{ ...optionalItems[step] }] : {};
    target = target[step] as typeof target;
  }
  target[name] = id;
  return copy;
}

export function send(
  service: TestService,
  endpoint: Endpoint,
  request: ContractRequest,
  options: TestRequest = {},
) {
  return service.call(endpoint.method, pathOf(endpoint, request.params), {
    address: endpoint.address,
    query: request.query,
    body: request.body,
    ...options,
  });
}

export function pathOf(endpoint: Endpoint, params: Readonly<Record<string, unknown>>): string {
  return endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** The id of the tenant that a field of the endpoint names. */
export function idOf(endpoint: Endpoint, name: string, { ids }: Tenant): string | number {
  const id = ids[`${endpoint.id}.${name}`] ?? ids[name];
  assert(id !== undefined, `contract-world.ts does not know what ${name} of ${endpoint.id} names`);
  return id;
}

function isIdName(name: string): boolean {
  return /(?:^id|Ids?)$|^startingAfter/.test(name);
}

export function propertyNames(schema: object | undefined): string[] {
  return Object.keys((schema as JsonSchema | undefined)?.properties ?? {});
}
