import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { readBacklog, retainedKinds } from '../../hosting/retention/retention.ts';
import { Database } from '../../platform/database/database.ts';
import { importCustomers } from '../customers/customers.ts';
import { png } from '../documents/sample-files.test-support.ts';
import { stepOrder } from '../orders/orders.ts';

/* Copies of a customer's data: where else it is written than in the profile and the orders. */

const service = await startTestService();
const { context } = service;
const witness = await openWitness(service.database);
const operator = new Database(service.database.owner, 1);
let shop: TestShop;
let manager: TestStaff;
beforeEach(async () => {
  shop = await createTestShop(context);
  manager = await service.staff(shop, 'manager');
});
afterEach(async () => {
  expect(service.faults).toEqual([]);
  expect(await brokenRules(context.database, shop.organizationId)).toEqual([]);
});
afterAll(async () => {
  await witness.end();
  await operator.close();
  await service.close();
});

const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
async function ask(method: string, path: string, body?: object, headers: object = {}) {
  const { data, error } = await manager.call(method, `/staff/v1/${path}`, body, {
    headers: { ...headers } as Record<string, string>,
  });
  expect([path, error]).toEqual([path, undefined]);
  return data;
}

/** The person says this in every text that is about them; `said` finds it in any of them. */
const said = 'Wrenfield';
const words = (where: string): string => `${said} ${where}`;
const person = {
  firstName: said,
  lastName: 'Okafor',
  email: 'wrenfield@customers.example.com',
  phone: '+14155550171',
  birthday: '1988-02-29',
  zip: '94607',
};
const creditKey = { 'idempotency-key': randomUUID() };

/** Where it is written before the erasure: a text that is no longer there proves nothing. */
const planted = [
  'customer_credits.description',
  'customers.first_name_key',
  'loyalty_events.reason',
  'mails.recipient',
  'order_adjustments.description',
  'order_credits.description',
  'order_dispatch_tasks.tracking_url',
  'order_explanations.shown_rows',
  'order_explanations.steps',
  'order_return_lines.reason',
  'order_returns.adjustment_description',
  'order_returns.document',
  'order_returns.voided_reason',
  'orders.asked',
  'orders.delivery_notes',
  'orders.internal_notes',
  'queue_entries.left_reason',
  'webhook_deliveries.answer',
];

/** A customer with something in each place, and the id of the order. */
async function plant(): Promise<{ id: number; orderId: string; former: number }> {
  const former = (await ask('POST', 'customers', { firstName: said, lastName: 'Twin' })).id;
  const { id } = await ask('POST', 'customers', person);
  await ask('POST', `customers/${former}/merge`, { intoCustomerId: id });
  const credit = { type: 'store-credit', amount: 500, description: words('credit') };
  await ask('POST', `customers/${id}/credits`, credit);
  await ask('PATCH', `customers/${id}`, { zip: '94610' }, creditKey);
  await ask('POST', `customers/${id}/loyalty-adjustments`, { pointsAmount: 5, reason: words('points') });
  await service.call('POST', '/api/v1/loyalty-events', {
    keys: shop.keys,
    body: { customerId: id, pointsAmount: 5, reason: words('event') },
  });
  await sql('update organizations set mails_receipts = true, mails_ready = true');
  const { data: order } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, {
      customer: person,
      deliveryNotes: words('notes'),
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    }),
  });
  await ask('PATCH', `orders/${order.id}`, {
    internalNotes: words('internal'),
    adjustments: [{ amount: -100, description: words('dent') }],
  });
  for (const action of ['accept', 'pack'] as const) await step(order.id, action);
  await ask('POST', `orders/${order.id}/dispatch`, {
    status: 'assigned',
    driverName: 'Dee',
    trackingUrl: `https://track.example.com/${said}`,
  });
  await step(order.id, 'fulfill');
  await takeBackAndVoid(order.id);
  await ask('POST', `orders/${order.id}/send-receipt`);
  // Mail about the order still goes when the address is another one.
  await ask('PATCH', `customers/${id}`, { email: 'okafor@customers.example.com' });
  await service.call('POST', `/api/v1/documents/${id}/license`, {
    keys: shop.keys,
    body: { documentBase64: png().toString('base64'), documentMime: 'image/png' },
  });
  const { entryId } = await ask('POST', 'instore-queues/intake', { customerId: id });
  await ask('POST', `instore-queues/${entryId}/remove`, { reason: words('left') });
  await tellReceiver([`customer:${former}`, `customer:${id}`, `order:${order.id}`, `queue_entry:${entryId}`]);
  return { id, orderId: order.id, former };
}

const step = (orderId: string, action: 'accept' | 'pack' | 'fulfill') =>
  stepOrder(context, testOrigin, shop.organizationId, orderId, action, { staff: null });

async function takeBackAndVoid(orderId: string): Promise<void> {
  const { data: order } = await service.call('GET', `/api/v1/orders/${orderId}/detail`, { keys: shop.keys });
  const { id } = await ask('POST', `orders/${orderId}/returns`, {
    refundType: 'payment-method',
    paymentTypeId: shop.paymentTypeId('Cash'),
    adjustmentAmount: 100,
    adjustmentDescription: words('adjustment'),
    lineItems: [
      {
        orderLineItemId: order.lineItems[0].id,
        quantity: 1,
        type: 'return',
        inventoryAction: 'inventory',
        reason: words('return'),
      },
    ],
    idempotencyKey: randomUUID(),
  });
  await ask('POST', `order-returns/${id}/void`, { reason: words('void') });
}

/** Deliveries of a webhook whose receiver repeats what it got. */
async function tellReceiver(resources: readonly string[]): Promise<void> {
  const { data: endpoint, error } = await service.call('POST', '/api/v1/webhook-endpoints', {
    keys: shop.keys,
    body: { url: 'https://receiver.example.com/hook', types: ['customer.updated'] },
  });
  expect(error).toBeUndefined();
  for (const [at, resource] of resources.entries()) {
    await sql(
      `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, answer, created_at)
       values (current_organization_id(), ${at + 1}, $1, ${at + 1}, 1, 'm', 'customer.updated', $2, $3, now())`,
      endpoint.id,
      resource,
      words('answer'),
    );
  }
}

/** The columns of all tables in which the organization still has the person's name, each with its words. */
async function whereSaid(): Promise<string[]> {
  const tables = await witness.query(
    `select polrelid::regclass::text as name from pg_policy where polname = 'tenant' order by 1`,
  );
  const found = await witness.query(
    tables
      .map(({ name }) => {
        const column = name === 'organizations' ? 'id' : 'organization_id';
        return `select '${name}.' || f.key || ': ' || substr(f.value, greatest(1, strpos(lower(f.value), lower('${said}')) - 20), 45) as place
                  from ${name} t, jsonb_each_text(to_jsonb(t)) f
                 where t.${column} = $1 and strpos(lower(f.value), lower('${said}')) > 0`;
      })
      .join(' union all '),
    [shop.organizationId],
    shop.organizationId,
  );
  return found.map(({ place }) => String(place)).sort();
}

test('an erasure reaches every copy: mails, answers of webhooks, kept replies and what people typed', async () => {
  const { id } = await plant();
  expect((await whereSaid()).map((it) => it.split(':')[0])).toEqual(expect.arrayContaining(planted));
  expect(await manager.call('DELETE', `/staff/v1/customers/${id}`)).toMatchObject({ status: 200 });
  expect(await whereSaid()).toEqual([]);
  expect(await sql('select id from mails')).toEqual([]);
  // What was asked for with the key was done, and is not done again; its reply is gone.
  const again = await manager.call(
    'PATCH',
    `/staff/v1/customers/${id}`,
    { zip: '94610' },
    { headers: creditKey },
  );
  expect([again.status, again.error?.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
  const purge = retainedKinds(context, service.documentFiles).find(({ name }) => name === 'documents')!;
  await purge.step(shop.organizationId);
  expect(await sql('select id from customer_documents')).toEqual([]);
});

test('customers who ordered nothing and changed nothing for as long as the owner says are erased, in turns', async () => {
  const { clock } = service;
  const dayMs = 86_400_000;
  const step = retainedKinds(context, service.documentFiles).find(
    ({ name }) => name === 'inactive_customers',
  )!.step;
  const contact = (name: string) => ({ ...person, email: `${name}@customers.example.com`, phone: null });
  const order = async (name: string) => {
    const body = deliveryBody(shop, { customer: contact(name) });
    const { data, error } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(error).toBeUndefined();
    return data.id;
  };
  const idle = (await ask('POST', 'customers', contact('idle'))).id;
  const changed = (await ask('POST', 'customers', contact('changed'))).id;
  const buyer = (await ask('POST', 'customers', contact('buyer'))).id;
  const waiting = (await ask('POST', 'customers', contact('waiting'))).id;
  const caregiver = (await ask('POST', 'customers', contact('caregiver'))).id;
  await order('waiting');
  const left = async () =>
    (await sql('select id from customers where erased_at is null order by id')).map(({ id }) => id);
  clock.advance(40 * dayMs);
  // The session has ended meanwhile.
  manager = await service.staff(shop, 'manager');
  await ask('PATCH', `customers/${changed}`, { zip: '94611' });
  // Bought for the buyer, and nothing for themselves.
  await sql('update orders set bought_by_id = $1 where id = $2', caregiver, await order('buyer'));
  clock.advance(20 * dayMs + 1);
  // The owner has not said so yet.
  expect(await step(shop.organizationId)).toEqual({ pruned: 0, hasMore: false });
  await sql('update organizations set customer_retention_days = 60');
  const isDue = async () =>
    (await readBacklog(operator, 'inactive_customers', clock.now())).due.includes(shop.organizationId);
  expect(await isDue()).toBe(true);
  expect(await step(shop.organizationId)).toEqual({ pruned: 1, hasMore: false });
  expect(await left()).toEqual([changed, buyer, waiting, caregiver]);
  expect(await isDue()).toBe(false);
  manager = await service.staff(shop, 'manager');
  const refused = await manager.call('DELETE', `/staff/v1/customers/${caregiver}`);
  expect(refused.error?.code).toBe('CUSTOMER_HAS_OPEN_ORDERS');
  const [entry] = await sql(`select subject_id, actor from audit_entries where action = 'customer.erased'`);
  expect(entry).toEqual({ subject_id: String(idle), actor: 'job:customer-retention' });
  expect(await step(shop.organizationId)).toEqual({ pruned: 0, hasMore: false });

  const addresses = retainedKinds(context, service.documentFiles).find(
    ({ name }) => name === 'key_addresses',
  )!.step;
  await sql(`update client_keys set last_addresses = '{203.0.113.7}'`);
  expect((await addresses(shop.organizationId)).pruned).toBe(0);
  await sql(`update client_keys set revoked_at = $1`, new Date(clock.now() - 30 * dayMs - 1).toISOString());
  expect((await addresses(shop.organizationId)).pruned).toBe(1);
  expect(await sql('select last_addresses from client_keys')).toEqual([{ last_addresses: [] }]);
  clock.set(testNowMs);
});

test('consent has its source, its time and its history, which a merge keeps apart and an erasure takes', async () => {
  const { clock } = service;
  const at = () => new Date(clock.now()).toISOString();
  const read = async (id: number) => (await ask('GET', `customers/${id}`)) as Record<string, unknown>;
  const staffId = manager.staffId;
  const given = { purpose: 'marketing', isGiven: true, source: 'staff', staffId, mergedFromId: null };
  const opted = { ...person, marketingOptIn: true };
  const { id } = await ask('POST', 'customers', opted);
  const first = { ...given, recordedAt: at() };
  expect(await read(id)).toMatchObject({ marketingOptInSource: 'staff', consents: [first] });
  const { data: shown } = await service.call('GET', `/api/v1/customers/${id}`, { keys: shop.keys });
  expect(shown).toMatchObject({ marketingOptInAt: first.recordedAt, marketingOptInSource: 'staff' });
  expect(shown).not.toHaveProperty('consents');

  clock.advance(1000);
  await ask('PATCH', `customers/${id}`, { marketingOptIn: false });
  const second = { ...given, isGiven: false, recordedAt: at() };
  expect(await read(id)).toMatchObject({ marketingOptInSource: null, consents: [second, first] });
  await ask('PATCH', `customers/${id}`, { zip: '94610' });
  expect(await read(id)).toMatchObject({ consents: [second, first] });

  const optedAtMs = clock.now() - 86_400_000;
  const [imported] = await importCustomers(context, testOrigin, shop.organizationId, [
    {
      ...{ firstName: said, lastName: 'Okafor', email: 'imported@customers.example.com', phone: null },
      ...{ birthday: null, sex: null, zip: null, licenseExpiry: null, medicalExpiration: null },
      ...{ marketingOptInAtMs: optedAtMs, joinedAtMs: optedAtMs },
    },
  ]);
  const brought = { purpose: 'marketing', isGiven: true, source: 'import', staffId: null };
  const third = { ...brought, recordedAt: new Date(optedAtMs).toISOString() };
  expect(await read(imported!.id)).toMatchObject({
    marketingOptInSource: 'import',
    consents: [{ ...third, mergedFromId: null }],
  });
  await ask('POST', `customers/${imported!.id}/merge`, { intoCustomerId: id });
  const merged = {
    marketingOptIn: false,
    consents: [second, first, { ...third, mergedFromId: imported!.id }],
  };
  expect(await read(id)).toMatchObject(merged);
  const { data: exported } = await manager.call('GET', `/staff/v1/customers/${id}/export`);
  expect(exported.customer).toMatchObject(merged);
  await ask('DELETE', `customers/${id}`);
  expect(await read(id)).toMatchObject({ marketingOptInSource: null, consents: [] });
  expect(await sql('select id from customer_consents')).toEqual([]);
});

test('an export has every copy, and the files of documents if they are asked for', async () => {
  const { id, orderId, former } = await plant();
  const path = `/staff/v1/customers/${id}/export`;
  const { data } = await manager.call('GET', path, undefined, { query: { files: true } });
  expect(data).toMatchObject({
    formerIds: [former],
    orders: [
      {
        id: orderId,
        internalNotes: words('internal'),
        trackingUrl: `https://track.example.com/${said}`,
        returns: [{ voidedReason: words('void'), lineItems: [{ reason: words('return') }] }],
        offlineSale: null,
      },
    ],
    loyaltyEvents: [{ reason: words('points') }, { reason: words('event') }],
    visits: [{ leftReason: words('left') }],
    documents: [{ type: 'license', mime: 'image/png', content: expect.stringMatching(/^iVBORw0KGgo/) }],
    // Both to the address that the customer had then.
    mails: [
      { kind: 'receipt', recipient: person.email },
      { kind: 'receipt', recipient: person.email },
    ],
    webhookDeliveries: [`customer:${former}`, `customer:${id}`, `order:${orderId}`, expect.any(String)].map(
      (about) => ({ about, url: 'https://receiver.example.com/hook', answer: words('answer') }),
    ),
  });
  const seen = await sql(`select details from audit_entries where action = 'customer_document.viewed'`);
  expect(seen).toHaveLength(1);
  const without = await manager.call('GET', path);
  expect(without.data.documents).toMatchObject([{ content: null }]);
});
