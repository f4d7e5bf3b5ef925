import { randomInt, randomUUID } from 'node:crypto';
import { checksummedCollections } from '../../src/app/app.ts';
import { assert } from '../../src/kernel/assert.ts';
import type { AnyEndpoint } from '../../src/platform/http/endpoint.ts';
import { productBody } from '../../src/shop/catalog/product-bodies.test-support.ts';
import { bringSumsUpToDate } from '../../src/shop/changes/changes.ts';
import { customerGroups } from '../../src/shop/customers/customers.ts';
import { adjustStock } from '../../src/shop/inventory/adjust-stock.ts';
import { beginMove } from '../../src/shop/moves/moves.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import { paymentDeskOf } from '../../src/shop/payments/payments.ts';
import { importQueue } from '../../src/shop/queue/queue.ts';
import { bringReportSumsUpToDate } from '../../src/shop/reports/reports.ts';
import { returnOrder } from '../../src/shop/returns/returns.ts';
import { knowAsSandbox } from '../../src/shop/sandbox/sandbox.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestReply, TestRequest, TestService } from '../harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type ShopSettings,
  type TestShop,
  testOrigin,
} from '../harness/test-shop.ts';
import type { Witness } from '../harness/witness.ts';
import { addRefundTask, askForPayments, endPayments } from './contract-payments.ts';
import { buyForShop } from './contract-purchasing.ts';
import { openSignIns, type SignIn } from './contract-sign-ins.ts';

/*
 * The knowledge of the generated tests in addition to the declarations: the resource that a field names. Endpoints
 * are never named: a declaration covers a new one, and an unknown kind of id field fails with its name.
 */

/** An organization with orders in every status. */
export interface Tenant {
  readonly shop: TestShop;
  /** Ids of its resources by the name of the field that carries them, or `<endpoint>.<field>`. */
  readonly ids: Readonly<Record<string, string | number>>;
  /** The next customer who signs in. */
  /** The time of the service. */
  readonly nowMs: () => number;
  readonly signIn: () => SignIn;
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
  const ended = await place(pickupBody(shop));
  const played = await place(deliveryBody(shop));
  const step = (orderId: string, action: 'pack' | 'fulfill' | 'cancel') =>
    stepOrder(context, testOrigin, shop.organizationId, orderId, action, {
      staff: null,
      ...(action === 'cancel' && { cancelationReason: 'Changed their mind' }),
    });
  await step(fulfilled.id, 'pack');
  await step(fulfilled.id, 'fulfill');
  await step(canceled.id, 'cancel');
  const { staffId, email } = await service.staff(shop);
  const { organizationId } = shop;
  await tenantSql(context.database, organizationId, 'update organizations set integrators_set_stock = true');
  // So that the operations of sandboxes succeed; the others are the same for both.
  await makeSandbox(service, shop, staffId, [soldOutCase(shop)]);
  const returned = await returnOrder(
    context,
    testOrigin,
    shop.organizationId,
    fulfilled.id,
    {
      refundType: 'payment-method',
      paymentTypeId: shop.paymentTypeId('Debit'),
      lines: [
        {
          orderLineItemId: fulfilled.lineItems[0].id,
          quantity: 1,
          type: 'return',
          inventoryAction: 'inventory',
          reason: 'Changed their mind',
        },
      ],
      adjustmentCents: 0,
      adjustmentDescription: '',
      idempotencyKey: null,
    },
    { id: staffId, email, firstName: 'Robin', lastName: 'Castellan' },
  );
  await adjustStock(context, testOrigin, shop.organizationId, {
    productId: shop.productId('Citrus Gummies'),
    productOptionId: shop.optionId('gummies'),
    packageId: null,
    inventoryLocationId: shop.locationId('Storefront'),
    delta: '2',
    reason: 'Found behind the shelf',
    idempotencyKey: randomUUID(),
  });
  const { id: customerGroupId } = await customerGroups.writes.create(
    context,
    testOrigin,
    shop.organizationId,
    {
      name: 'Veterans',
      description: null,
    },
  );
  const customerId = drafted.customer.id;
  const waiting = { customerId, checkedInAtMs: context.clock.now(), admittedAtMs: null };
  await importQueue(context, testOrigin, shop.organizationId, [waiting]);
  for (const [method, path, body] of [
    [
      'PUT',
      `customer-groups/${customerGroupId}/add-customer`,
      { emailOrPhone: 'marisol@customers.example.com' },
    ],
    ['POST', 'loyalty-events', { customerId, pointsAmount: 12.5, reason: 'Welcome' }],
  ] as const) {
    const reply = await service.call(method, `/api/v1/${path}`, { keys: shop.keys, body });
    assert(reply.status === 200, `a contract test cannot ${method} ${path}: ${reply.text}`);
  }
  const documents = `/api/v1/documents/${customerId}/recommendation`;
  const sent = await service.call('POST', documents, { keys: shop.keys, body: documentBody });
  assert(sent.status === 204, `the document of a contract test is refused: ${sent.text}`);
  const [document] = await tenantSql(
    context.database,
    shop.organizationId,
    'select id from customer_documents order by id desc limit 1',
  );
  // Without stock: its options can be replaced.
  const made = await service.call('POST', '/api/v1/products', { keys: shop.keys, body: productBody() });
  assert(made.status === 201, `the product of a contract test is refused: ${made.text}`);
  const editedOptionId = made.data.options[0].id;
  const [external, other] = [await makeExternal(service, shop), await makeExternal(service, shop)];
  const bought = await buyForShop(service, shop);
  const webhookEndpointId = await makeWebhookEndpoint(service, shop.keys);
  const endedEndpointId = await makeWebhookEndpoint(service, shop.keys);
  const testing = `/api/v1/webhook-endpoints/${webhookEndpointId}/test`;
  const tested = await service.call('POST', testing, { keys: shop.keys });
  await beginMove(context, testOrigin, shop.organizationId, 'Corner till');
  const payments = await askForPayments(service, shop);
  const paymentTaskId = await addRefundTask(service, shop, payments.paymentIntentId);
  await service.apiRequests.write();
  const own = await service.call('GET', '/api/v1/requests', { keys: shop.keys });
  for (const endpoint of service.endpoints) await addExample(service, shop, endpoint);
  // The first reader of a checksum would make its sums.
  await bringSumsUpToDate(context, checksummedCollections(context), shop.organizationId);
  await bringReportSumsUpToDate(context, shop.organizationId);
  return {
    shop,
    signIn: await openSignIns(service, shop),
    nowMs: () => service.clock.now(),
    ids: {
      ...{ ...bought, ...payments, paymentTaskId },
      productId: made.data.id,
      'getProductByExternalId.externalId': external.productId,
      'saveProductByExternalId.id': other.product.id,
      'saveProductByExternalId.externalId': other.productId,
      optionExternalId: external.optionId,
      'getMenu.startingAfter': shop.productId('Moonlit Grove'),
      'replaceProductOptions.id': editedOptionId,
      'setProductOptionUpcs.id': editedOptionId,
      orderId: drafted.id,
      'listOrders.startingAfter': fulfilled.id,
      'listPageOrders.startingAfter': fulfilled.id,
      'listOrderRecords.ids': fulfilled.id,
      'listCustomerRecords.ids': customerId,
      'listProductRecords.ids': made.data.id,
      'listPackageRecords.ids': bought.startingAfterId,
      'listPurchaseOrderRecords.ids': bought.purchaseOrderId,
      'setProductStock.inventoryLocationId': shop.locationId('Storefront'),
      'cancelOwnOrder.orderId': ended.id,
      'cancelPageOrder.orderId': ended.id,
      'playSandboxOrder.orderId': played.id,
      'listOrderReturns.startingAfter': returned.shown.id,
      returnId: returned.shown.id,
      orderLineItemId: fulfilled.lineItems[0].id,
      userId: customerId,
      customerId,
      boughtById: customerId,
      customerGroupId,
      'listCustomers.startingAfter': customerId,
      documentId: document!.id,
      documentType: 'license',
      productOptionId: shop.optionId('eighth'),
      paymentTypeId: shop.paymentTypeId('Debit'),
      refundPaymentTypeId: shop.paymentTypeId('Debit'),
      webhookEndpointId,
      'listOrderStatuses.ids': drafted.id,
      'listOwnRequests.startingAfter': own.data[0].id,
      'deleteWebhookEndpoint.webhookEndpointId': endedEndpointId,
      webhookDeliveryId: tested.data.id,
      'listWebhookDeliveries.startingAfter': tested.data.id,
    },
  };
}

/** The row that a list declares as its example. */
async function addExample(service: TestService, shop: TestShop, { list, success }: AnyEndpoint) {
  if (list?.exampleIn === undefined) return;
  const [{ id: _, ...row }] = success.example as [Record<string, string | number>];
  const columns = Object.keys(row).map((name) =>
    name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
  );
  const values = columns.map((_column, at) => `$${at + 2}`);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `insert into ${list.exampleIn} (organization_id, id, ${columns.join(', ')})
     values (current_organization_id(), $1, ${values.join(', ')})`,
    await service.context.ids.takeOne(),
    ...Object.values(row),
  );
}

/** Makes a product that the integrator has an id for, and for its option. */
export async function makeExternal(service: TestService, { keys }: TestShop) {
  const [productId, optionId] = [`product ${randomUUID()}`, `option ${randomUUID()}`];
  const body = productBody({ options: [{ amount: 1, price: 100, content: '1', externalId: optionId }] });
  const reply = await service.call('PUT', `/api/v1/products/by-external-id/${productId}`, { keys, body });
  assert(reply.status === 200, `a product with an external id is refused: ${reply.text}`);
  return { productId, optionId, product: reply.data };
}

/** Makes a sandbox of a shop. */
export async function makeSandbox(
  service: TestService,
  { organizationId: organization, integrator }: TestShop,
  staffId?: number,
  specialCases: Parameters<typeof knowAsSandbox>[3]['specialCases'] = [],
): Promise<void> {
  const id = staffId ?? (await service.staff({ organizationId: organization })).staffId;
  await knowAsSandbox(service.context, testOrigin, integrator.id, {
    organization,
    staffId: id,
    specialCases,
  });
}

function soldOutCase(shop: TestShop) {
  const [productId, productOptionId] = [shop.productId('Moonlit Grove'), shop.optionId('sold out')];
  return { case: 'sold-out', about: 'None left', customerId: null, email: null, productId, productOptionId };
}

async function makeWebhookEndpoint(service: TestService, keys: TestRequest['keys']): Promise<number> {
  const body = { url: `https://hooks.example.com/${randomUUID()}` };
  const made = await service.call('POST', '/api/v1/webhook-endpoints', { keys, body });
  assert(made.status === 201, `the webhook endpoint of a contract test is refused: ${made.text}`);
  return made.data.id;
}

/** A picture of one pixel. */
export const documentBody = {
  documentBase64:
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  documentMime: 'image/png',
};

/** Well-formed ids that name no resource. */
export function nowhereId(id: string | number): string | number {
  return typeof id === 'number' ? 9_007_199_254_740_000 : '019a0000-0000-7000-8000-000000000000';
}

/** A place in a request that has the id of a resource. */
export interface IdPlace {
  readonly part: 'params' | 'query' | 'body';
  /** Property names, and indexes of lists. */
  readonly path: readonly (string | number)[];
  readonly name: string;
  /** The field is a list of ids. */
  readonly isList: boolean;
}

export interface ContractRequest {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: NonNullable<TestRequest['query']>;
  readonly body: unknown;
}

/** A request of the tenant that succeeds, made from the declaration's example. */
export function validRequest(endpoint: AnyEndpoint, tenant: Tenant): ContractRequest {
  const params = Object.fromEntries(
    propertyNames(endpoint.params).map((name) => [name, idOf(endpoint, name, tenant)]),
  );
  // The other half of a cursor with two parts: one part alone is refused.
  const query = propertyNames(endpoint.query).includes('startingAfterUpdatedAt')
    ? { startingAfterUpdatedAt: tenant.ids.packageUpdatedAt!, startingAfterId: tenant.ids.startingAfterId! }
    : Object.fromEntries(requiredNames(endpoint.query).map((name) => [name, idOf(endpoint, name, tenant)]));
  const body = endpoint.body && withIds(endpoint, endpoint.requestExample, tenant);
  return { params, query, body: signsIn.has(endpoint.id) ? signInBody(endpoint, tenant) : body };
}

const signsIn = new Set(['startCustomerSession', 'endCustomerSession']);

/** The fields of a sign-in that the body has. */
function signInBody({ body }: AnyEndpoint, { signIn }: Tenant): object {
  const names = propertyNames(body);
  return Object.fromEntries(Object.entries(signIn()).filter(([name]) => names.includes(name)));
}

function requiredNames(schema: object | undefined): readonly string[] {
  return (schema as { readonly required?: readonly string[] } | undefined)?.required ?? [];
}

const freshNames = ['idempotencyKey', 'externalInvoiceNumber', 'description', 'upc', 'externalId'];

/** An example with the tenant's ids instead of invented ones, and a fresh key. */
function withIds(endpoint: AnyEndpoint, example: unknown, tenant: Tenant): unknown {
  if (Array.isArray(example)) return example.map((item) => withIds(endpoint, item, tenant));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).flatMap(([name, value]) => {
      // All except the first, so that a repeated update still changes something.
      if (freshNames.includes(name)) return [[name, randomUUID()]];
      if (endpoint.id === 'setProductStock' && name === 'counted')
        return [[name, String(randomInt(1, 99_999))]];
      if (name === 'countedAt') return [[name, new Date(tenant.nowMs()).toISOString()]];
      // Depends on the prices of the shop.
      if (name === 'expectedCustomerGrandTotal') return [];
      if (!isIdName(name) || value === null) return [[name, withIds(endpoint, value, tenant)]];
      if (Array.isArray(value) && value.length === 0) return [[name, value]];
      const id = idOf(endpoint, name, tenant);
      return [[name, Array.isArray(value) ? value.slice(0, 1).map(() => id) : id]];
    }),
  );
}

/** The operation that undoes one without effect on repetition. */
const opposites: Readonly<Record<string, string>> = {
  addCustomerToGroup: 'removeCustomerFromGroup',
  removeCustomerFromGroup: 'addCustomerToGroup',
};

const ofOneEndpoint = [
  'deleteWebhookEndpoint',
  'rotateWebhookSecret',
  'sendWebhookAgain',
  'testWebhookEndpoint',
];

/** Ensures that the next valid request of a write changes something. */
export async function makeRoom(service: TestService, endpoint: AnyEndpoint, tenant: Tenant): Promise<void> {
  const { keys } = tenant.shop;
  // An endpoint of their own: their requests differ in nothing else, or end it.
  if (ofOneEndpoint.includes(endpoint.id)) {
    const id = await makeWebhookEndpoint(service, keys);
    const tested = await service.call('POST', `/api/v1/webhook-endpoints/${id}/test`, { keys });
    Object.assign(tenant.ids, {
      [`${endpoint.id}.webhookEndpointId`]: id,
      [`${endpoint.id}.webhookDeliveryId`]: tested.data.id,
    });
  }
  if (endpoint.id === 'createPaymentIntent') await endPayments(service, tenant.shop);
  if (endpoint.id === 'updateWebhookEndpoint') {
    const path = `/api/v1/webhook-endpoints/${tenant.ids.webhookEndpointId}`;
    const body = { url: `https://hooks.example.com/${randomUUID()}` };
    const reply = await service.call('PATCH', path, { keys, body });
    assert(reply.error === undefined, `${endpoint.id} of a contract test is refused: ${reply.text}`);
  }
  if (['cancelOwnOrder', 'cancelPageOrder', 'playSandboxOrder'].includes(endpoint.id)) {
    const placed = await service.call('POST', '/api/v1/orders', { keys, body: pickupBody(tenant.shop) });
    assert(placed.status === 201, `the order of a contract test is refused: ${placed.text}`);
    Object.assign(tenant.ids, { [`${endpoint.id}.orderId`]: placed.data.id });
  }
  const opposite = service.endpoints.find(({ id }) => id === opposites[endpoint.id]);
  if (opposite === undefined) return;
  const reply = await send(service, opposite, validRequest(opposite, tenant), { keys: tenant.shop.keys });
  assert(reply.error === undefined, `${opposite.id} of a contract test is refused: ${reply.text}`);
}

/** Every place of an id in the endpoint's schemas; lists have one item. */
export function idPlaces(endpoint: AnyEndpoint): IdPlace[] {
  return [
    ...placesIn(endpoint.params, 'params', [], (name) => isIdName(name) || name in endpoint.resourceParams),
    ...(['query', 'body'] as const).flatMap((part) => placesIn(endpoint[part], part, [])),
  ];
}

interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
}

function placesIn(
  schema: unknown,
  part: IdPlace['part'],
  path: readonly (string | number)[],
  isId = isIdName,
): readonly IdPlace[] {
  const { properties = {}, items } = (schema ?? {}) as JsonSchema;
  if (items) return placesIn(items, part, [...path, 0], isId);
  return Object.entries(properties).flatMap(([name, property]) =>
    isId(name)
      ? [{ part, path: [...path, name], name, isList: property.items !== undefined }]
      : placesIn(property, part, [...path, name], isId),
  );
}

/** A list that an example omits, with one item: for ids in optional places. */
const optionalItems: Readonly<Record<string, object>> = { payments: { remaining: true } };

/** The request with another id in a place. */
export function withIdAt(
  request: ContractRequest,
  { part, path, name, isList }: IdPlace,
  id: string | number,
): ContractRequest {
  const copy = structuredClone(request);
  if (part !== 'body') return { ...copy, [part]: { ...copy[part], [name]: id } };
  let target = copy.body as Record<string | number, unknown>;
  for (const [index, step] of path.slice(0, -1).entries()) {
    target[step] ??= typeof path[index + 1] === 'number' ? [{ ...optionalItems[step] }] : {};
    target = target[step] as typeof target;
  }
  target[name] = isList ? [id] : id;
  return copy;
}

export async function send(
  service: TestService,
  endpoint: AnyEndpoint,
  request: ContractRequest,
  { headers, ...options }: TestRequest = {},
) {
  const fileType = 'bodyFile' in endpoint ? endpoint.bodyFile?.[0] : undefined;
  const reply = await service.call(endpoint.method, pathOf(endpoint, request.params), {
    address: endpoint.address,
    query: request.query,
    body: request.body,
    ...options,
    headers: { ...(fileType !== undefined && { 'content-type': fileType }), ...headers },
  });
  // A payment goes on at its provider after the reply.
  await paymentDeskOf(service.context).idle();
  return reply;
}

export function pathOf(endpoint: AnyEndpoint, params: Readonly<Record<string, unknown>>): string {
  return endpoint.path.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])));
}

/** The id of the tenant that a field of the endpoint names. */
export function idOf(endpoint: AnyEndpoint, name: string, { ids }: Tenant): string | number {
  const id = ids[`${endpoint.id}.${name}`] ?? ids[name] ?? ids[name.replace(/s$/, '')];
  assert(id !== undefined, `contract-world.ts does not know what ${name} of ${endpoint.id} names`);
  return id;
}

function isIdName(name: string): boolean {
  // An external id comes from another system: any text.
  return /(?:^ids?|(?<!xternal)Ids?)$|^startingAfter(?!UpdatedAt)/.test(name);
}

export function propertyNames(schema: object | undefined): string[] {
  return Object.keys((schema as JsonSchema | undefined)?.properties ?? {});
}

/** Every id of the tenant's rows, as text. */
export async function idsOf(witness: Witness, { shop }: Tenant): Promise<ReadonlySet<string>> {
  const tables: { name: string }[] = await witness.query(
    `select c.table_name as name from information_schema.columns c
       join information_schema.columns o using (table_schema, table_name)
      where c.table_schema = 'public' and c.column_name = 'id' and o.column_name = 'organization_id'`,
  );
  const all = tables
    .map(({ name }) => `select id::text from ${name} where organization_id = current_organization_id()`)
    .join(' union all ');
  const rows = await witness.query(all, [], shop.organizationId);
  return new Set([String(shop.organizationId), ...rows.map((row: { id: string }) => row.id)]);
}

/** Status and body, without the id that a message or meta repeats. */
export function signature({ status, text }: TestReply, id: string | number): string {
  return `${status} ${text.replaceAll(String(id), '<id>')}`;
}

/** The values of all id fields. */
export function idsIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => idsIn(item, name));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, field]) => idsIn(field, key));
  }
  return /^id$|Ids?$/.test(name) && value !== null ? [String(value)] : [];
}
