import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { registerApiRequestMetrics } from '../../src/access/request-log/api-request-log.ts';
import { maskedFields } from '../../src/app/fields-of-people.ts';
import { personalData } from '../../src/hosting/retention/personal-data.ts';
import { Collector } from '../../src/hosting/startup/collector.test-support.ts';
import { startTelemetry } from '../../src/hosting/startup/telemetry.ts';
import { createLogger } from '../../src/platform/http/logging.ts';
import { mailSending } from '../../src/platform/mail/mail.ts';
import { startMailServer } from '../../src/platform/mail/mail-server.test-support.ts';
import { importCustomers } from '../../src/shop/customers/customers.ts';
import { png } from '../../src/shop/documents/sample-files.test-support.ts';
import { stepOrder } from '../../src/shop/orders/orders.ts';
import { Receiver, testWorker } from '../../src/shop/webhooks/webhooks.test-support.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { mailsOf } from '../harness/test-mails.ts';
import { startOwnTestService } from '../harness/test-service.ts';
import { createTestKeys, createTestShop, deliveryBody, testOrigin } from '../harness/test-shop.ts';
import { openWitness } from '../harness/witness.ts';

/*
 * A person whose data cannot be taken for anything else goes in by every way, also by those that are refused. Then everything that
 * leaves the program or stays is searched: the log down to traces, metrics, what a collector gets, webhooks, mails, and every
 * column of the database.
 */

const lines: string[] = [];
const note = (line: string) => void lines.push(line);
const service = await startOwnTestService({ onLogged: note });
const { context } = service;
const logger = createLogger({ level: 'trace', maskedFields, destination: { write: note } });
const collector = await Collector.start();
const witness = await openWitness(service.database);
const receiver = await Receiver.start();
afterAll(async () => {
  await Promise.all([receiver.close(), collector.close(), witness.end()]);
  await service.close();
});

const person = {
  firstName: 'Zebulonia',
  lastName: 'Quartermaine',
  email: 'zebulonia.quartermaine@customers.example.com',
  phone: '+14155550193',
  birthday: '1971-11-23',
};
const address = { street1: '77 Wisteria Mews', city: 'Oakland', state: 'CA', postalCode: '94607' };
const license = 'Q7741993X';
const medical = 'MMJ5530917';
/** In lower case, as they are looked for. */
const planted = [
  ...['zebulonia', 'quartermaine', '4155550193', '415) 555-0193', '1971-11-23', 'wisteria'],
  ...['q7741993x', 'mmj5530917'],
];
const plantedIn = (text: string): string[] => planted.filter((it) => text.toLowerCase().includes(it));
/** All of it in one line. */
const everything = [...Object.values(person), address.street1, license, medical].join(' ');

const shop = await createTestShop(context);
const owner = await service.staff(shop);
const sql = (text: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, text, ...values);
const ask = async (path: string, body: object, method = 'POST', headers: Record<string, string> = {}) => {
  const { data, error } = await owner.call(method, `/staff/v1/${path}`, body, { headers });
  expect([path, error]).toEqual([path, undefined]);
  return data;
};

/** Ways that write. */
async function enter(): Promise<string> {
  const { data: order, error } = await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: deliveryBody(shop, {
      customer: person,
      address,
      deliveryNotes: everything,
      payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
    }),
  });
  expect(error).toBeUndefined();
  const key = { 'idempotency-key': randomUUID() };
  const other = { ...person, email: 'quartermaine.too@customers.example.com', phone: null };
  const { id } = await ask('customers', { ...other, marketingOptIn: true }, 'POST', key);
  await ask('customers/by-license', { ...person, issuer: '636014', number: license, expiry: '2030-01-31' });
  await ask('instore-queues/intake', { person });
  await ask('parked-carts', {
    inventoryLocationId: shop.locationId('Vault'),
    name: person.firstName,
    itemCount: 1,
    content: JSON.stringify({ person, license }),
  });
  const credit = { type: 'store-credit', amount: 500, description: everything };
  await ask(`customers/${id}/credits`, credit);
  await ask(`customers/${id}/loyalty-adjustments`, { pointsAmount: 5, reason: everything });
  const adjustments = [{ amount: -100, description: everything.slice(0, 190) }];
  await ask(`orders/${order.id}`, { internalNotes: everything, adjustments }, 'PATCH');
  await service.call('POST', `/api/v1/documents/${id}/license`, {
    keys: shop.keys,
    body: { documentBase64: png().toString('base64'), documentMime: 'image/png' },
  });
  await importCustomers(context, testOrigin, shop.organizationId, [
    {
      ...{
        firstName: person.firstName,
        lastName: person.lastName,
        email: 'zebulonia@example.com',
        phone: null,
      },
      ...{ birthday: person.birthday, sex: null, zip: null, licenseExpiry: null, medicalExpiration: null },
      ...{ marketingOptInAtMs: 0, joinedAtMs: 0 },
    },
  ]);
  return order.id;
}

/** Ways that are refused, with the data wherever it does not belong. */
async function failToEnter(): Promise<void> {
  const { keys } = shop;
  const inPath = [person.email, license, `${person.firstName} ${person.lastName}`].map(encodeURIComponent);
  for (const part of inPath) {
    await service.call('GET', `/api/v1/customers/${part}`, { keys });
    await service.call('GET', `/api/v1/${part}/${part}`, { keys });
    await service.call('GET', `/api/v1/orders?status=${part}&${part}=1&startingOn=${part}`, { keys });
    await owner.call('GET', `/staff/v1/customers?search=${part}&startingAfter=${part}`);
    await service.call('POST', `/api/v1/documents/${part}/${part}`, { keys, body: { documentBase64: part } });
  }
  const bad = {
    customer: { ...person, birthday: everything },
    type: everything,
    lineItems: everything,
    [everything]: 1,
  };
  for (const path of [
    'orders',
    'orders/pricing',
    'loyalty-events',
    'customer-sessions',
    'customer-sessions/verify',
  ]) {
    await service.call('POST', `/api/v1/${path}`, { keys, body: bad });
    await service.call('POST', `/api/v1/${path}`, { keys, body: { ...bad, ...person } });
    await service.call('POST', `/api/v1/${path}`, { keys, body: `{"broken": "${everything}` });
  }
  await service.call('POST', '/api/v1/loyalty-events', {
    keys,
    body: { customerEmail: person.email, customerPhone: '+14155550100', pointsAmount: 1, reason: everything },
  });
  await service.call('PUT', '/api/v1/customer-groups/1/add-customer', {
    keys,
    body: { emailOrPhone: person.email },
  });
  await owner.call('POST', '/staff/v1/customers', { ...person });
  await owner.call('POST', '/staff/v1/customers', { ...person, sex: everything, licenseExpiry: everything });
  await owner.call('POST', '/staff/v1/customers/by-license', {
    ...person,
    issuer: license,
    number: everything,
  });
  await owner.call('POST', '/staff/v1/instore-queues/intake', {
    person: { ...person, birthday: everything },
  });
  await owner.call('PATCH', `/staff/v1/orders/${license}`, { internalNotes: everything });
  const password = `${everything}!`;
  await service.call('POST', '/staff/v1/sessions', { body: { email: person.email, password } });
  await service.call('POST', '/staff/v1/sessions', { body: { email: owner.email, password } });
  await service.call('POST', '/staff/v1/password-resets', { body: { email: person.email } });
  await service.call('GET', `/${encodeURIComponent(everything)}`, {
    headers: { 'user-agent': everything, 'x-request-id': everything, authorization: `Bearer ${everything}` },
  });
}

/** A stranger's page asks for a code by mail and by phone, and orders in the person's name. */
async function askForCodes(): Promise<void> {
  const origin = 'https://shop.example';
  const settings = { permissions: ['create-orders', 'menu'], origins: [origin] } as const;
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, settings);
  for (const contact of [{ email: person.email }, { phone: person.phone }]) {
    for (const [path, body] of [
      ['customer-sessions', contact],
      ['customer-sessions/verify', { ...contact, code: '000000' }],
    ] as const) {
      const request = { keys: { clientKey: keys.clientKey }, headers: { origin }, body };
      expect((await service.call('POST', `/api/v1/${path}`, request)).status).toBeLessThan(500);
    }
  }
}

test('planted data of a person is in no log, metric, trace or webhook, and only where the record of processing says', async () => {
  const { metrics } = service;
  registerApiRequestMetrics(metrics.registry, service.apiRequests.statistics);
  const otel = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  const telemetry = await startTelemetry({ otel }, { context, metrics, logger });
  const types = [
    'order.placed',
    'order.updated',
    'order.fulfilled',
    'customer.created',
    'customer.updated',
    'queue.joined',
  ];
  const hook = { url: receiver.url };
  const endpoint = await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body: hook });
  expect([endpoint.error, types.length]).toEqual([undefined, 6]);
  await owner.call('POST', '/staff/v1/webhook-endpoints', {
    ...{ clientKeyId: shop.clientKeyId, url: receiver.url, types: ['customer.code_requested'] },
  });
  await sql(
    'update organizations set mails_receipts = true, mails_ready = true, mails_out_for_delivery = true',
  );
  // The first answers fail, and repeat what came.
  let asked = 0;
  receiver.answer = ({ text }, response) =>
    void response.writeHead(asked++ % 2 === 0 ? 503 : 200).end(`${everything} ${text}`);

  const orderId = await enter();
  await failToEnter();
  await askForCodes();
  for (const action of ['accept', 'pack', 'fulfill'] as const) {
    await stepOrder(context, testOrigin, shop.organizationId, orderId, action, { staff: null });
  }
  await service.apiRequests.write(logger);
  await service.keyUses.write();
  const worker = testWorker(service, { logger });
  await worker.pass(shop.organizationId);
  await worker.stop();
  await sendMails();
  await telemetry.stop();

  expect(lines.length).toBeGreaterThan(50);
  expect(lines.filter((line) => plantedIn(line).length > 0)).toEqual([]);
  const shown = `${await metrics.registry.metrics()}\n${metrics.requestDurations.toText()}`;
  expect(plantedIn(shown)).toEqual([]);
  expect(shown).toContain('placeOrder');
  expect(collector.spans.length).toBeGreaterThan(100);
  for (const { path, text } of collector.texts) expect([path, plantedIn(text)]).toEqual([path, []]);

  // A code goes to the one receiver of codes with the phone; all others get ids.
  expect(receiver.received.length).toBeGreaterThan(5);
  for (const { body, text } of receiver.received) {
    const may = (body.type as string) === 'customer.code_requested' ? ['4155550193'] : [];
    expect([body.type, plantedIn(text)]).toEqual([body.type, may]);
  }
  expect(await columnsWithPlanted()).toEqual(expect.arrayContaining(['customers.email', 'orders.street1']));
});

/** Mails say what they are for, and of the person nothing but the address that they go to. */
async function sendMails(): Promise<void> {
  const mails = await mailsOf(context, shop.organizationId);
  expect(mails.length).toBeGreaterThan(1);
  const { transport, close, taken } = await startMailServer();
  for (const { id, recipient, subject, text } of mails) {
    expect(recipient).toBe(person.email);
    // The receipt has the adjustment as staff described it.
    const isReceipt = String(subject).startsWith('Your receipt');
    if (!isReceipt) expect([subject, plantedIn(`${subject} ${text}`)]).toEqual([subject, []]);
    const signal = new AbortController().signal;
    const job = { organization: shop.organizationId, payload: { mailId: Number(id) }, signal };
    await mailSending(context, transport).run(job);
  }
  await close();
  expect(new Set(taken.flatMap(({ to }) => to))).toEqual(new Set([person.email]));
}

/** The columns that have planted data, as text or as bytes; fails for one that is not in the record of processing. */
async function columnsWithPlanted(): Promise<string[]> {
  const known = new Set(
    personalData.flatMap(({ columns }) =>
      Object.entries(columns).flatMap(([table, names]) => names.split(' ').map((name) => `${table}.${name}`)),
    ),
  );
  const tables = await witness.query(
    `select c.relname as name, exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant') as is_tenant
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p')`,
  );
  const forms = planted.flatMap((it) => [it, Buffer.from(it).toString('hex')]);
  const found = new Set<string>();
  for (const { name } of tables) {
    const rows = await witness.query(
      `select distinct f.key as column_name from ${name} t, jsonb_each_text(to_jsonb(t)) f
        where exists (select from unnest($1::text[]) p where strpos(lower(f.value), p) > 0)`,
      [forms],
      shop.organizationId,
    );
    for (const { column_name: column } of rows) found.add(`${name}.${column}`);
  }
  expect([...found].filter((column) => !known.has(column))).toEqual([]);
  return [...found];
}
