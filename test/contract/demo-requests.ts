import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../src/platform/database/context.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import type { Receiver } from '../../src/shop/webhooks/webhooks.test-support.ts';
import type { TestRequest } from '../harness/test-service.ts';
import { createTestShop, pickupBody, testOrigin } from '../harness/test-shop.ts';
import { documentBody } from './contract-world.ts';

/* Sends every integrator's request to a demo shop, so that each field of each reply has a value somewhere. */

// biome-ignore lint/suspicious/noExplicitAny: what is read is what is under test
type Shown = any;

/**
 * An operation such as `GET /api/v1/orders/{orderId}`, with the parameters of its path. Resolves to the `data` of a
 * success.
 */
export type Call = (
  operation: string,
  params?: Readonly<Record<string, string | number>>,
  request?: TestRequest,
) => Promise<Shown>;

/** More make a cart slow. */
const linesMax = 60;

/** An operation of the staff, such as `POST /staff/v1/packages`. */
type ByStaff = (operation: string, body?: unknown) => Promise<Shown>;

type Sql = (text: string) => Promise<readonly Shown[]>;

/** Every read, and every page of the lists. */
export async function readEverything(call: Call): Promise<void> {
  for (const type of ['delivery', 'pickup', 'in-store']) {
    await call('GET /api/v1/menu', {}, { query: { type } });
  }
  for (const name of [
    ...['products/all', 'products/tags', 'product-categories', 'product-sub-categories', 'customer-groups'],
    ...['payment-types', 'organization', 'inventory-locations', 'instore-queues', 'whoami'],
  ]) {
    await call(`GET /api/v1/${name}`);
  }
  const orders = varietyOf(await pagesOf(call, 'orders'));
  const ids = orders.slice(0, 100).map(({ id }) => id);
  await call('GET /api/v1/orders/statuses', {}, { query: { ids: ids.join() } });
  for (const { id: orderId } of orders) {
    await call('GET /api/v1/orders/{orderId}', { orderId });
    await call('GET /api/v1/orders/{orderId}/detail', { orderId });
  }
  for (const { id: customerId } of varietyOf(await pagesOf(call, 'customers'))) {
    await call('GET /api/v1/customers/{customerId}', { customerId });
  }
  for (const list of ['order-returns', 'purchase-orders', 'compliance-transfers']) await pagesOf(call, list);
  const packages: Shown[] = [];
  for (let query = {}; ; ) {
    const page = await call('GET /api/v1/packages', {}, { query });
    packages.push(...page);
    if (page.length < 50) break;
    query = { startingAfterUpdatedAt: page.at(-1).updatedAt, startingAfterId: page.at(-1).id };
  }
  for (const { label } of varietyOf(packages)) await call('GET /api/v1/packages/{label}', { label });
}

/** The rows with a value in a place where no earlier row had one. */
function varietyOf(rows: readonly Shown[]): readonly Shown[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const before = seen.size;
    collectPlaces(row, '', seen);
    return seen.size > before;
  });
}

function collectPlaces(value: unknown, path: string, seen: Set<string>): void {
  if (value === null) return;
  seen.add(path);
  if (typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    collectPlaces(inner, Array.isArray(value) ? `${path}[]` : `${path}.${name}`, seen);
  }
}

async function pagesOf(call: Call, list: string): Promise<Shown[]> {
  const rows: Shown[] = [];
  for (;;) {
    const page = await call(`GET /api/v1/${list}`, {}, { query: { startingAfter: rows.at(-1)?.id } });
    rows.push(...page);
    if (page.length < 50) return rows;
  }
}

/** Every write, with every field of its body. `sql` finds the rows to use; staff take the steps that only they can. */
export async function writeEverything(call: Call, sql: Sql, byStaff: ByStaff): Promise<void> {
  const [group] = await call('GET /api/v1/customer-groups');
  const customers = await pagesOf(call, 'customers');
  const withEmail = customers.filter(({ email }) => email !== null);
  for (const { id: customerId, email } of varietyOf(withEmail)) {
    for (const change of ['add-customer', 'remove-customer', 'add-customer']) {
      await call(
        `PUT /api/v1/customer-groups/{customerGroupId}/${change}`,
        { customerGroupId: group.id },
        { body: { emailOrPhone: email } },
      );
    }
    const points = { customerId, pointsAmount: 12.5, reason: 'Welcome' };
    await call('POST /api/v1/loyalty-events', {}, { body: points });
    await call(
      'POST /api/v1/documents/{customerId}/{documentType}',
      { customerId, documentType: 'license' },
      { body: documentBody },
    );
  }
  const products = await makeProducts(call);
  await buy(call, products, byStaff);
  await receiveAndEnd(call, products, byStaff);
  await price(call, sql);
  await order(call, sql);
}

/** A product with every field, and one with as few fields as possible, as clients send them. */
async function makeProducts(call: Call): Promise<Shown> {
  const [category] = await call('GET /api/v1/product-categories');
  const [subCategory] = await call('GET /api/v1/product-sub-categories');
  const potency = (substance: string) => ({
    [`${substance}Amount`]: '.5',
    [`${substance}AmountEach`]: '0.25',
    [`${substance}AmountRangeLow`]: '0.1',
    [`${substance}AmountRangeHigh`]: '1',
    [`${substance}Unit`]: '%',
  });
  const menu = await call('GET /api/v1/menu', {}, { query: { type: 'pickup' } });
  const brandName = menu.find(({ brand }: Shown) => brand?.description).brand.name;
  const required = {
    unit: 'item',
    strainType: 'none',
    category: category.name,
    subCategories: [subCategory.name],
    photos: ['https://pictures.example.com/a picture.jpg'],
  };
  const option = {
    amount: 1,
    price: 1000,
    salesPrice: 900,
    content: '.5',
    name: 'Single',
    upc: randomUUID(),
  };
  const everything = () => ({
    ...required,
    ...potency('thc'),
    ...potency('cbd'),
    name: `Whole ${randomUUID()}`,
    description: 'About it',
    brandName,
    strain: 'Harbor Fog',
    sku: 'HF-1',
    terpenes: [{ name: 'Myrcene', percent: '.8' }],
    effects: ['Calm'],
    flavours: ['Pine'],
    labResults: [
      { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/1 a' },
    ],
    options: [option],
  });
  const whole = await call('POST /api/v1/products', {}, { body: everything() });
  await saveExternal(call, everything());
  const bare = await call(
    'POST /api/v1/products',
    {},
    {
      body: {
        ...required,
        name: `Bare ${randomUUID()}`,
        description: null,
        brandName: '',
        thcAmount: '',
        thcUnit: '',
        options: [{ amount: 1, price: 0, salesPrice: null, content: '1', name: '', upc: '' }],
      },
    },
  );
  for (const { id: productId, options } of [whole, bare]) {
    const [{ id }] = options;
    await call('PUT /api/v1/products/{productId}', { productId }, { body: { description: 'More of it' } });
    await call('PUT /api/v1/products/{productId}/options', { productId }, { body: { options: [{ id }] } });
    const upcs = { options: [{ id, upc: randomUUID() }] };
    await call('PUT /api/v1/products/{productId}/options/upc', { productId }, { body: upcs });
  }
  return { whole, bare };
}

/** The same with ids of the integrator; of a batch, one product is refused. */
async function saveExternal(call: Call, body: { readonly options: readonly object[] }): Promise<void> {
  const externalId = `POS ${randomUUID()}`;
  const saved = { ...body, options: [{ ...body.options[0], upc: randomUUID(), externalId: randomUUID() }] };
  await call('PUT /api/v1/products/by-external-id/{externalId}', { externalId }, { body: saved });
  await call('GET /api/v1/products/by-external-id/{externalId}', { externalId });
  const products = [
    { ...body, externalId: randomUUID(), options: [{ ...body.options[0], externalId: '' }] },
    { ...body, externalId: randomUUID(), options: [{ amount: 1 }] },
  ];
  await call('POST /api/v1/products/batch', {}, { body: { products } });
}

async function buy(call: Call, { whole, bare }: Shown, byStaff: ByStaff): Promise<void> {
  const lineOf = (product: Shown) => ({
    productId: product.id,
    productOptionId: product.options[0].id,
    amount: '.5',
    costPerUnit: '11.25',
  });
  const [known] = await call('GET /api/v1/purchase-orders');
  const sent = [
    {
      lineItems: [lineOf(whole), { ...lineOf(bare), caExcisePerUnit: '1.35' }],
      expectedAt: '2026-03-14',
      inventoryVendor: { ...known.inventoryVendor, name: 'Everything & Daughters', street2: 'Unit 4' },
      paymentTerms: 'net30',
      externalInvoiceNumber: randomUUID(),
      notes: 'Ring twice',
    },
    { lineItems: [lineOf(whole)], expectedAt: '', inventoryVendor: { name: 'Nothing & Sons', email: '' } },
  ];
  for (const body of sent) {
    const made = await call('POST /api/v1/purchase-orders', {}, { body });
    const { id: purchaseOrderId, inventoryVendorId } = made;
    await byStaff(`DELETE /staff/v1/inventory-vendors/${inventoryVendorId}`);
    const change = { body: { notes: '' } };
    await call('PUT /api/v1/purchase-orders/{purchaseOrderId}', { purchaseOrderId }, change);
  }
}

/** Products that came by transfer; one was sold out and deleted. */
async function receiveAndEnd(call: Call, { whole, bare }: Shown, byStaff: ByStaff): Promise<void> {
  const [location] = await call('GET /api/v1/inventory-locations');
  const labels = [0, 1].map(() => randomBytes(12).toString('hex').toUpperCase());
  const manifest = {
    manifestNumber: labels[0],
    shipperName: 'Tidewater Distribution',
    shipperLicenseNumber: 'C11-0000512-LIC',
  };
  const rows = labels.map((label) => ({ ...manifest, label, initialAmount: '.5', unit: 'Each' }));
  const { transfers } = await byStaff('POST /staff/v1/compliance-transfers', { rows });
  const [first, second] = transfers[0].packages;
  const ofOption = { productId: whole.id, productOptionId: whole.options[0].id };
  const inventoryLocationId = location.id;
  const received = { inventoryLocationId, amount: '.5', costPerUnit: '2' };
  await byStaff(`POST /staff/v1/packages/${first.id}/receive`, { ...received, ...ofOption });
  const byProduct = { body: { inventoryType: 'product' } };
  await call('PUT /api/v1/products/{productId}', { productId: bare.id }, byProduct);
  await byStaff(`POST /staff/v1/packages/${second.id}/receive`, { ...received, productId: bare.id });
  await call('GET /api/v1/compliance-transfers');

  const soldOff = { delta: '-.5', reason: 'Sold off', packageId: first.id, inventoryLocationId };
  await byStaff('POST /staff/v1/inventory-adjustments', { ...ofOption, ...soldOff });
  const productId = whole.id;
  const others = { options: [{ amount: 2, price: 1900, content: '1' }] };
  await call('PUT /api/v1/products/{productId}/options', { productId }, { body: others });
  const deletion = { body: { deletedAt: await nowOf(call) } };
  await call('PUT /api/v1/products/{productId}', { productId }, deletion);
  await call('GET /api/v1/compliance-transfers');
  for (const { id: purchaseOrderId, lineItems } of await call('GET /api/v1/purchase-orders')) {
    if (lineItems[0].productId !== productId) continue;
    const change = { body: { notes: null } };
    await call('PUT /api/v1/purchase-orders/{purchaseOrderId}', { purchaseOrderId }, change);
  }
}

/** The time of the last order, by the clock of the service. */
async function nowOf(call: Call): Promise<string> {
  const [latest] = await call('GET /api/v1/orders');
  return latest.createdAt;
}

/** Options in stock, free ones first. */
async function goodsOf(call: Call): Promise<Shown[]> {
  const menu = await call('GET /api/v1/menu', {}, { query: { type: 'pickup' } });
  const options = menu.flatMap((product: Shown) => product.options);
  const sold = options.filter(({ maxQuantity }: Shown) => maxQuantity === null || maxQuantity > 3);
  return [...sold.filter(({ price }: Shown) => price === 0), ...sold.filter(({ price }: Shown) => price > 0)];
}

async function codesOf(sql: Sql): Promise<string[]> {
  const rows = await sql(
    `select code from discount_codes where discount_id in (
       select id from discounts where trigger = 'code' and ends_at is null and starts_at is null) order by code`,
  );
  return rows.map(({ code }) => code);
}

/** Carts of new customers, of customers with credits, and of patients. */
async function price(call: Call, sql: Sql): Promise<void> {
  const goods = await goodsOf(call);
  const everyNth = Math.ceil(goods.length / linesMax);
  const lineItems = goods
    .filter((_, index) => index % everyNth === 0)
    .map(({ id }) => ({ productOptionId: id, quantity: 2 }));
  const buyers = await sql(
    `select email, phone, first_name, last_name from customers where email is not null and (medical_expiration is not null
       or id in (select user_id from customer_credits)) and id in (select user_id from orders) order by id limit 12`,
  );
  const [code] = await codesOf(sql);
  const carts = [null, ...buyers].flatMap((buyer) => {
    const customer = buyer && { firstName: buyer.first_name, lastName: buyer.last_name, email: buyer.email };
    const cart = { type: 'pickup', lineItems, customer };
    return [cart, { ...cart, ...(code && { discountCodes: [code] }) }];
  });
  for (const body of carts) {
    const request = { body, query: { explain: true } };
    await call('POST /api/v1/orders/pricing', {}, request).catch((refused: Error) => {
      // Some codes have conditions.
      if (!refused.message.includes('DISCOUNT_CODE_INVALID')) throw refused;
    });
  }
}

/** New orders, and existing ones: a replay answers them (D22). */
async function order(call: Call, sql: Sql): Promise<void> {
  const goods = await goodsOf(call);
  const isGear = ({ price, content }: Shown) => price >= 1500 && content === null;
  const lineItems = [goods[0], goods.find(isGear)].map(({ id }) => ({ productOptionId: id, quantity: 1 }));
  const customer = { firstName: 'Ada', lastName: 'Quill', email: `${randomUUID()}@customers.example.com` };
  const body = {
    type: 'pickup',
    lineItems,
    customer: { ...customer, phone: '' },
    address: null,
    deliveryNotes: 'Ring twice',
    deliveryFee: 100,
    deliveryFeeDescription: 'Curbside',
  };
  await call('POST /api/v1/orders', {}, { body: { ...body, idempotencyKey: randomUUID() } });
  const placed = await sql(
    `select idempotency_key as key from order_idempotency_keys
      where integrator_id = (select integrator_id from client_keys where name = 'Demo key')`,
  );
  for (const { key } of placed)
    await call('POST /api/v1/orders', {}, { body: { ...body, idempotencyKey: key } });
}

/** A shop whose prices contain taxes, and the cart of a patient who is exempt from one of them. */
export async function openExemptShop(context: Context) {
  const shop = await createTestShop(context, {
    taxesIncluded: true,
    medicalTaxExempt: true,
    taxes: [{ description: 'Sales', rate: '9.25', included: true, exemptable: true }],
  });
  const patient = { firstName: 'Priya', lastName: 'Lindqvist', email: 'priya@customers.example.com' };
  await importCustomers(context, testOrigin, shop.organizationId, [
    {
      ...patient,
      phone: null,
      birthday: '1988-02-29',
      sex: null,
      zip: null,
      licenseExpiry: null,
      medicalExpiration: '2030-01-01',
      marketingOptInAtMs: null,
      joinedAtMs: 0,
    },
  ]);
  return { shop, cart: pickupBody(shop, { customer: patient }) };
}

/** The same cart as a preview, an order and a read order. */
export async function buyExempt(call: Call, cart: object): Promise<void> {
  await call('POST /api/v1/orders/pricing', {}, { body: cart });
  const { id: orderId } = await call('POST /api/v1/orders', {}, { body: cart });
  await call('GET /api/v1/orders');
  await call('GET /api/v1/orders/{orderId}/detail', { orderId });
}

/**
 * Follows the changes of a demo shop in every way. `receivers` answer well, with an error, with 410, and not at all;
 * `deliver` sends what waits.
 */
export async function followEverything(
  call: Call,
  receivers: readonly Pick<Receiver, 'url'>[],
  deliver: () => Promise<unknown>,
): Promise<void> {
  const { cursor } = await call('GET /api/v1/changes/latest');
  for (const query of [{}, { include: 'data', limit: 500 }]) await call('GET /api/v1/changes', {}, { query });
  for (const collection of ['orders', 'customers', 'products', 'packages', 'purchase_orders']) {
    await call(`GET /api/v1/checksums/${collection}`);
  }
  const endpoints = 'webhook-endpoints/{webhookEndpointId}';
  const ids: number[] = [];
  for (const { url } of receivers) {
    const { id } = await call('POST /api/v1/webhook-endpoints', {}, { body: { url, types: ['order.*'] } });
    ids.push(id);
    await call(`POST /api/v1/${endpoints}/test`, { webhookEndpointId: id });
  }
  await deliver();
  for (const webhookEndpointId of ids) {
    const path = { webhookEndpointId };
    const [sent] = await call(`GET /api/v1/${endpoints}/deliveries`, path);
    const again = { ...path, webhookDeliveryId: sent.id };
    await call(`POST /api/v1/${endpoints}/deliveries/{webhookDeliveryId}/send`, again);
    await call(`POST /api/v1/${endpoints}/send-since`, path, { body: { cursor } });
    await call(`PATCH /api/v1/${endpoints}`, path, { body: { enabled: false } });
    await call(`POST /api/v1/${endpoints}/rotate-secret`, path);
  }
  await call('GET /api/v1/webhook-endpoints');
  for (const webhookEndpointId of ids) await call(`DELETE /api/v1/${endpoints}`, { webhookEndpointId });
}
