import { randomBytes, randomInt } from 'node:crypto';
import { createStaff } from '../../src/access/staff/staff.ts';
import { digestOf, makeKey } from '../../src/kernel/api-keys.ts';
import { assert, InvariantError } from '../../src/kernel/assert.ts';
import type { StaffRole } from '../../src/kernel/staff-roles.ts';
import type { StaffEndpoint } from '../../src/platform/http/endpoint.ts';
import type { OrderActionId } from '../../src/shop/orders/actions/order-actions.ts';
import type { OrderStatus } from '../../src/shop/orders/order-record.ts';
import { orderActions, stepOrder } from '../../src/shop/orders/orders.ts';
import { runMenuJobs } from '../harness/run-menu-jobs.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import type { TestReply, TestService } from '../harness/test-service.ts';
import { type TestShop, testOrigin } from '../harness/test-shop.ts';
import type { TestStaff } from '../harness/test-staff.ts';
import {
  type ContractRequest,
  createTenant,
  documentBody,
  propertyNames,
  send,
  type Tenant,
  validRequest,
} from './contract-world.ts';
import { factorPreparations, type Preparation } from './factor-preparations.ts';
import { menuFile, menuImportPreparations } from './menu-import-preparations.ts';
import { moveFilePreparations } from './move-file-preparations.ts';
import { allowOfflineSales, offlineSaleBody } from './offline-preparations.ts';
import { paymentPreparations } from './payment-preparations.ts';
import { receiptPreparations } from './receipt-preparations.ts';
import { placeOne, sellOne } from './sold-orders.ts';
import { refusedReport, statePreparations, transferToOrder } from './state-report-preparations.ts';
import { tripIds, tripPreparations } from './trip-preparations.ts';

/*
 * The knowledge of the generated tests of staff operations in addition to the declarations. A request is made from
 * the example: ids are the tenant's, unique values are generated, and the POST of its collection creates the thing in
 * the path, so that the request may end it.
 */

/** Ids of rows of a test shop, by the name of their fields (for a list, its singular). */
const idSources: Readonly<Record<string, string>> = {
  brandId: 'select id from brands order by id limit 1',
  tagId: 'select id from tags order by id limit 1',
  photoId: 'select id from product_photos order by id limit 1',
  categoryId: "select id from product_categories where name = 'Flower'",
  productSubCategoryId: 'select id from product_sub_categories order by id limit 1',
  packageId: "select id from packages where label = '1A4FF0000000000000000001'",
  taxId: 'select id from taxes order by id limit 1',
};

/** A shop with rows for every id field, on request for requests of integrators as well. */
export async function createStaffTenant(
  service: TestService,
  { alsoIntegrators = false }: { readonly alsoIntegrators?: boolean } = {},
): Promise<Tenant> {
  const tenant = await createTenant(service);
  const { shop } = tenant;
  const ids: Record<string, string | number> = { ...tenant.ids };
  for (const [name, query] of Object.entries(idSources)) {
    const [row] = await tenantSql(service.context.database, shop.organizationId, query);
    assert(row !== undefined, `a test shop has no ${name}`);
    ids[name] = Number(row.id);
  }
  Object.assign(ids, {
    organizationId: shop.organizationId,
    sessionId: (await memberOf(service, tenant)).sessionId,
    integratorId: shop.integrator.id,
    subjectId: tenant.ids.orderId,
    customerId: tenant.ids.userId,
    productId: shop.productId('Moonlit Grove'),
    optionId: shop.optionId('eighth'),
    intoBrandId: ids.brandId,
    intoCustomerId: tenant.ids.userId,
    excludedProductCategoryId: ids.categoryId,
    nonExemptableProductCategoryId: ids.categoryId,
    inventoryLocationId: shop.locationId('Storefront'),
    locationId: shop.locationId('Storefront'),
    fromInventoryLocationId: shop.locationId('Storefront'),
    toInventoryLocationId: shop.locationId('Vault'),
    fileName: 'menu.csv',
    kind: 'customers',
    products: String(shop.productId('Moonlit Grove')),
    // An owner gets reports.
    staffIds: (await memberOf(service, tenant)).staffId,
  });
  const made: Tenant = { ...tenant, ids, signIn: alsoIntegrators ? tenant.signIn : unexpected };
  for (const endpoint of service.staffEndpoints) {
    const owned = resourceOf(service, endpoint);
    if (owned && ids[owned.param] === undefined) {
      ids[owned.param] = (await make(service, owned, made))[owned.param]!;
    }
  }
  ids.fileType = 'Area';
  ids.stateReportId = await refusedReport(service, shop, await memberOf(service, made));
  ids.complianceTransferId = (
    await transferToOrder(shop, await memberOf(service, made))
  ).complianceTransferId;
  Object.assign(ids, await tripIds(memberOf, service, made));
  await service.apiRequests.write();
  // The name by which an order chooses it.
  ids.rewardId = ids.loyaltyRewardId!;
  return made;
}

const membersOf = new WeakMap<TestShop, Map<StaffRole, Promise<TestStaff>>>();

/**
 * The member of the shop's staff in a role, always the same: a new member for each request would cost most of the
 * time in reading the added sessions and entries.
 */
export function memberOf(
  service: TestService,
  { shop }: Tenant,
  role: StaffRole = 'owner',
): Promise<TestStaff> {
  const members = membersOf.get(shop) ?? new Map<StaffRole, Promise<TestStaff>>();
  membersOf.set(shop, members);
  const member = members.get(role) ?? service.staff(shop, role);
  members.set(role, member);
  return member;
}

/** Operations that end the session of their request: a test that goes on with it sends them by another. */
export const endsItsSession: ReadonlySet<string> = new Set(['signOut', 'signInByPin']);

/** The operations that create things without a POST of their collection. */
const makerPaths: Readonly<Record<string, string>> = {
  entryId: '/staff/v1/instore-queues/intake',
  drawerSessionId: '/staff/v1/registers/{registerId}/drawer-sessions',
  offlineSaleId: '/staff/v1/registers/{registerId}/offline-sales',
};

/** The first thing that a path names, if a POST creates it. */
function resourceOf({ staffEndpoints }: TestService, { path }: StaffEndpoint) {
  const [, collection, param] = /^(.*?)\/\{([^}]+)\}/.exec(path) ?? [];
  const makerPath = makerPaths[param ?? ''] ?? collection;
  const maker = staffEndpoints.find((it) => it.method === 'POST' && it.path === makerPath);
  return param !== undefined && maker ? { param, maker } : undefined;
}

/** Its id by the name of the parameter; in a body the options of a product have the field `id`. */
async function make(
  service: TestService,
  { param, maker }: NonNullable<ReturnType<typeof resourceOf>>,
  tenant: Tenant,
): Promise<Readonly<Record<string, string | number>>> {
  const { token } = await memberOf(service, tenant);
  const reply = await sendAs(service, { token }, maker, await staffRequest(service, maker, tenant));
  assert(reply.status === maker.success.status, `${maker.id} of a contract test is refused: ${reply.text}`);
  const option = reply.data.options?.[0];
  const line = reply.data.lineItems?.[0];
  return {
    [param]: reply.data[param] ?? reply.data.id,
    ...(option && { id: option.id }),
    ...(maker.id === 'staffCreatePurchaseOrder' && { id: line.id, lineItemId: line.id }),
  };
}

/** Values that must be new. */
const uniqueValues: Readonly<Record<string, (value: unknown) => unknown>> = {
  name: (value) =>
    typeof value === 'string' ? `${value.slice(0, 40)} ${randomBytes(4).toString('hex')}` : value,
  codes: (value) => (Array.isArray(value) ? value.map(() => randomBytes(5).toString('hex')) : value),
  email: () => `${randomBytes(5).toString('hex')}@people.example.com`,
  phone: () => `+1${randomInt(2_000_000_000, 10_000_000_000)}`,
  postalCodes: (value) => (Array.isArray(value) ? [String(randomInt(10_000, 94_000))] : value),
  upc: () => String(randomInt(100_000_000_000, 281_000_000_000_000)).slice(0, 12),
  label: () => randomBytes(12).toString('hex').toUpperCase(),
};

function unique(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unique);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [name, uniqueValues[name]?.(field) ?? unique(field)]),
  );
}

/** A document of the customer in the path. */
async function withDocument(
  service: TestService,
  { shop }: Tenant,
  { params }: ContractRequest,
): Promise<Partial<ContractRequest>> {
  const path = `/api/v1/documents/${params.customerId}/license`;
  const sent = await service.call('POST', path, { keys: shop.keys, body: documentBody });
  assert(sent.status === 204, `the document of a contract test is refused: ${sent.text}`);
  const newest = 'select id from customer_documents where superseded_at is null order by id desc limit 1';
  const [row] = await tenantSql(service.context.database, shop.organizationId, newest);
  return { params: { ...params, documentId: row!.id } };
}

/** Goods of an order that can be returned. */
async function withSoldLine(
  service: TestService,
  tenant: Tenant,
  { body }: ContractRequest,
): Promise<Partial<ContractRequest>> {
  const sold = await sellOne(service, tenant);
  const lineItems = [{ ...(body as { lineItems: object[] }).lineItems[0], orderLineItemId: sold.lineItemId }];
  return { params: { orderId: sold.orderId }, body: { ...(body as object), lineItems } };
}

/** The photos of the product in the path: the one of its example, not fetched yet. */
async function photoIdsOf({ context }: TestService, { shop }: Tenant, { params }: ContractRequest) {
  const select = 'select id from product_photos where product_id = $1';
  const rows = await tenantSql(context.database, shop.organizationId, select, params.productId as number);
  return rows.map(({ id }) => id);
}

const withPhoto: Preparation = async (service, tenant, request) => {
  const [photoId] = await photoIdsOf(service, tenant, request);
  return { params: { ...request.params, photoId } };
};

/** An option of the product in the path, whose example has a photo of it. */
async function optionWithPhotos({ context }: TestService, { shop }: Tenant, { params }: ContractRequest) {
  const rows = await tenantSql(
    context.database,
    shop.organizationId,
    `select o.id, array(select h.id from product_photos h where h.product_option_id = o.id order by h.position) as photos
       from product_options o where o.product_id = $1 order by o.id limit 1`,
    params.productId as number,
  );
  return rows[0] as { readonly id: number; readonly photos: readonly number[] };
}

const withOption: Preparation = async (service, tenant, request) => {
  const { id: productOptionId } = await optionWithPhotos(service, tenant, request);
  return { params: { ...request.params, productOptionId } };
};

/** One pixel. */
const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** The actions that bring a draft to a status in which the action is allowed: a shortest way. */
function stepsBefore({ id, from }: (typeof orderActions)[number]): readonly OrderActionId[] {
  const ways: { status: OrderStatus; actions: readonly OrderActionId[] }[] = [
    { status: 'draft', actions: [] },
  ];
  for (const { status, actions } of ways) {
    if (from.includes(status)) return actions;
    for (const action of orderActions) {
      if (!action.from.includes(status) || ways.some((way) => way.status === action.to)) continue;
      ways.push({ status: action.to, actions: [...actions, action.id] });
    }
  }
  throw new Error(`No action leads to a status in which ${id} is allowed: ${from.join(', ')}.`);
}

/** The order in the path, a draft, after some steps. */
function stepped(...actions: readonly OrderActionId[]): Preparation {
  return async ({ context }, { shop }, { params }) => {
    for (const action of actions) {
      const orderId = params.orderId as string;
      await stepOrder(context, testOrigin, shop.organizationId, orderId, action, { staff: null });
    }
    return {};
  };
}

/** Other facts that the example of an operation requires, by operation. */
const preparations: Readonly<Record<string, Preparation>> = {
  signIn: async ({ context }, { shop }) => {
    const body = { email: `${randomBytes(5).toString('hex')}@shop.example.com`, password: 'lemon grove 7' };
    const person = { ...body, firstName: 'Robin', lastName: 'Castellan', role: 'owner' } as const;
    await createStaff(context, testOrigin, shop.organizationId, [person]);
    return { body };
  },
  acceptStaffInvite: async (service, tenant) => {
    const { call } = await memberOf(service, tenant);
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const person = { email, firstName: 'Robin', lastName: 'Castellan', role: 'budtender' };
    const { data } = await call('POST', '/staff/v1/staff', person);
    return { body: { token: data.inviteToken, password: 'lemon grove 77' } };
  },
  requestPasswordReset: async ({ context }, { shop }) => {
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const person = {
      email,
      firstName: 'Robin',
      lastName: 'Castellan',
      role: 'owner',
      password: null,
    } as const;
    await createStaff(context, testOrigin, shop.organizationId, [person]);
    return { body: { email } };
  },
  resetPassword: async ({ context }, { shop }) => {
    const email = `${randomBytes(5).toString('hex')}@shop.example.com`;
    const person = {
      email,
      firstName: 'Robin',
      lastName: 'Castellan',
      role: 'budtender',
      password: null,
    } as const;
    const [staffId] = await createStaff(context, testOrigin, shop.organizationId, [person]);
    const token = makeKey('dcr', 'production', randomBytes);
    await tenantSql(
      context.database,
      shop.organizationId,
      `insert into staff_invitations (digest, organization_id, staff_id, expires_at, is_reset)
       values ($1, current_organization_id(), $2, '2200-01-01', true)`,
      digestOf(token),
      staffId!,
    );
    return { body: { token, password: 'lemon grove 77' } };
  },
  ...factorPreparations,
  ...tripPreparations(memberOf),
  // A person of its own: staff are asked when the card of the example fits several customers, and nothing is written. A card that
  // is known by its number needs no customer.
  identifyCustomerByLicense: async (_service, _tenant, { body }) => ({
    body: {
      ...(body as object),
      ...{ number: `D${randomInt(1_000_000, 10_000_000)}`, birthday: '1979-06-05' },
      ...{ firstName: 'Wren', lastName: `Castellan ${randomBytes(4).toString('hex')}` },
    },
  }),
  setPatients: async (service, tenant) => {
    const { call } = await memberOf(service, tenant);
    const { data } = await call('POST', '/staff/v1/customers', { firstName: 'Ines', lastName: 'Marlow' });
    return { body: { patients: [{ customerId: data.id, expiresOn: '2030-01-31' }] } };
  },
  previewTaxPreset: async () => ({ query: { state: 'MI' } }),
  returnOrder: withSoldLine,
  exchangeGoods: async (service, tenant, { body }) => {
    const sold = await sellOne(service, tenant);
    const next = await placeOne(service, tenant, 2);
    const { returned } = body as { returned: { lineItems: object[] } };
    const lineItems = [{ ...returned.lineItems[0], quantity: 1, orderLineItemId: sold.lineItemId }];
    const payments = [{ paymentTypeId: tenant.shop.paymentTypeId('Cash'), remaining: true }];
    return {
      params: { orderId: next.orderId },
      body: { payments, returned: { orderId: sold.orderId, lineItems } },
    };
  },
  correctOrderPayment: async (service, tenant, { body }) => {
    const { orderId, paymentId } = await sellOne(service, tenant);
    const paymentTypeId = tenant.shop.paymentTypeId('Cash');
    return {
      params: { orderId, orderPaymentId: paymentId },
      body: { ...(body as object), paymentTypeId },
    };
  },
  sendOrderReceipt: stepped('accept', 'fulfill'),
  previewReturn: withSoldLine,
  voidOrderReturn: async (service, tenant) => {
    const { orderId, lineItemId } = await sellOne(service, tenant);
    const { call } = await memberOf(service, tenant);
    const line = { quantity: 1, type: 'return', inventoryAction: 'inventory', reason: 'Changed their mind' };
    const reply = await call('POST', `/staff/v1/orders/${orderId}/returns`, {
      refundType: 'store-credit',
      lineItems: [{ ...line, orderLineItemId: lineItemId }],
    });
    assert(reply.status === 201, `the return of a contract test is refused: ${reply.text}`);
    return { params: { returnId: reply.data.id } };
  },
  ...statePreparations(memberOf),
  ...receiptPreparations(memberOf),
  getOfflineTerms: async (service, tenant) => {
    await allowOfflineSales(await memberOf(service, tenant));
    return {};
  },
  takeOfflineSale: async (service, tenant, { params }) => {
    const owner = await memberOf(service, tenant);
    return { body: await offlineSaleBody(service, owner, params.registerId as number) };
  },
  // The caller settles no sale of their own.
  settleOfflineSale: async (service, { shop }) => {
    const seller = await service.staff(shop, 'owner');
    const { data: register } = await seller.call('POST', '/staff/v1/registers', {
      ...{ name: randomBytes(5).toString('hex'), inventoryLocationId: shop.locationId('Storefront') },
    });
    const body = await offlineSaleBody(service, seller, register.id);
    const reply = await seller.call('POST', `/staff/v1/registers/${register.id}/offline-sales`, body);
    assert(reply.status === 201, `the offline sale of a contract test is refused: ${reply.text}`);
    return { params: { offlineSaleId: reply.data.id } };
  },
  // Each transfer takes some away.
  transferStock: async ({ context }, { shop }) => {
    await tenantSql(context.database, shop.organizationId, 'update stock_balances set on_hand = on_hand + 1');
    return {};
  },
  ...paymentPreparations(memberOf),
  uploadProductPhoto: async () => ({ body: picture }),
  uploadShopLogo: async () => ({ body: picture }),
  ...menuImportPreparations,
  ...moveFilePreparations,
  orderProductPhotos: async (service, tenant, request) => ({
    body: { photoIds: await photoIdsOf(service, tenant, request) },
  }),
  staffListOptionPhotos: withOption,
  uploadOptionPhoto: async (...given) => ({ ...(await withOption(...given)), body: picture }),
  orderOptionPhotos: async (service, tenant, request) => {
    const { id: productOptionId, photos } = await optionWithPhotos(service, tenant, request);
    return { params: { ...request.params, productOptionId }, body: { photoIds: photos } };
  },
  deleteProductPhoto: withPhoto,
  describeProductPhoto: withPhoto,
  retryProductPhoto: withPhoto,
  viewCustomerDocument: withDocument,
  reviewCustomerDocument: withDocument,
  // Another test may revoke the tenant's own key.
  staffCreateWebhookEndpoint: async (service, tenant, { body }) => {
    const maker = service.staffEndpoints.find(({ id }) => id === 'createClientKey')!;
    const { clientKeyId } = await make(service, { param: 'clientKeyId', maker }, tenant);
    return { body: { ...(body as object), clientKeyId } };
  },
  staffSendWebhookAgain: async (service, tenant, { params }) => {
    const { call } = await memberOf(service, tenant);
    const reply = await call('POST', `/staff/v1/webhook-endpoints/${params.webhookEndpointId}/test`);
    return { params: { ...params, webhookDeliveryId: reply.data.id } };
  },
  ...Object.fromEntries(orderActions.map((action) => [`${action.id}Order`, stepped(...stepsBefore(action))])),
  dispatchOrder: stepped('accept'),
  // A second application changes nothing.
  applyTaxPreset: async ({ context }, { shop }) => {
    const ended = `update taxes set ends_at = $1 where description like 'Michigan%' and ends_at is null`;
    const now = new Date(context.clock.now()).toISOString();
    await tenantSql(context.database, shop.organizationId, ended, now);
    return {};
  },
};

/** Uploads a menu of a product. */
export async function uploadMenu(staff: TestStaff, moreRows = ''): Promise<{ readonly id: number }> {
  const content = Buffer.concat([menuFile, Buffer.from(moreRows)]);
  const { data } = await staff.call('POST', '/staff/v1/menu-imports?fileName=menu.csv', content, {
    headers: { 'content-type': 'application/octet-stream' },
  });
  return data;
}

/** Imports a menu of which a row is refused. */
export async function importMenu(service: TestService, { organizationId }: TestShop, staff: TestStaff) {
  await runMenuJobs(service, organizationId);
  const { id } = await uploadMenu(staff, 'Fog,Nowhere,1g,$12.00\n');
  const path = `/staff/v1/menu-imports/${id}/runs`;
  const begun = await staff.call('POST', path, { mode: 'change', dryRun: false });
  assert(begun.status === 200, `the import of a contract test is refused: ${begun.text}`);
  await runMenuJobs(service, organizationId);
}

/** A request of the tenant that succeeds each time. */
export async function staffRequest(
  service: TestService,
  endpoint: StaffEndpoint,
  tenant: Tenant,
): Promise<ContractRequest> {
  const owned = resourceOf(service, endpoint);
  const own = owned && (await make(service, owned, tenant));
  const request = validRequest(endpoint, { ...tenant, ids: { ...tenant.ids, ...own } });
  const body = unique(request.body);
  return { ...request, body, ...(await preparations[endpoint.id]?.(service, tenant, { ...request, body })) };
}

/** Sends it with the member's token; without one, if none is required. */
export function sendAs(
  service: TestService,
  { token }: Pick<TestStaff, 'token'>,
  endpoint: StaffEndpoint,
  request: ContractRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestReply> {
  const session = endpoint.roles === 'anyone' ? {} : { authorization: `Bearer ${token}` };
  return send(service, endpoint, request, { headers: { ...session, ...headers } });
}

/** Whether an operation has any input that could be malformed. */
export function takesAnything(endpoint: StaffEndpoint): boolean {
  return [endpoint.params, endpoint.query, endpoint.body].some((part) => propertyNames(part).length > 0);
}

/** No staff operation signs customers in. */
function unexpected(): never {
  throw new InvariantError('a staff operation signs a customer in');
}
