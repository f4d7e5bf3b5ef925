import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { keyHeaders, startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { bearerHeader, type TestStaff } from '../../../test/harness/test-staff.ts';
import { createClientKey } from '../../access/keys/keys.ts';
import { purgeIdempotencyKeys } from './kept-replies.ts';

/* For every operation see test/contract/idempotency.test.ts. */

const service = await startTestService();
const { context, clock, call } = service;
let shop: TestShop;
let owner: TestStaff;
let customerId: number;
beforeAll(async () => {
  shop = await createTestShop(context);
  owner = await service.staff(shop);
  const person = { firstName: 'Robin', lastName: 'Castellan', phone: '+14155550101' };
  customerId = (await owner.call('POST', '/staff/v1/customers', person)).data.id;
});
afterAll(() => service.close());

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const credit = { type: 'store-credit', amount: 500, description: 'Sorry' };
const giveCredit = (key: string, body: unknown = credit, by = owner) =>
  by.call('POST', `/staff/v1/customers/${customerId}/credits`, body, keyed(key));
const givePoints = (key: string, clientKey = shop.keys.clientKey) =>
  call('POST', '/api/v1/loyalty-events', {
    body: { customerId, pointsAmount: 5, reason: 'Welcome' },
    headers: { ...keyHeaders({ ...shop.keys, clientKey }), 'idempotency-key': key },
  });
const sql = (query: string, ...values: (string | number)[]) =>
  tenantSql(context.database, shop.organizationId, query, ...values);
const outcome = ({ status, error, headers }: TestReply) => [
  status,
  error?.code ?? headers['idempotent-replayed'] ?? 'done',
];

test('two requests are equal if they mean the same, in any spelling', async () => {
  const path = `/staff/v1/customers/${customerId}/credits`;
  const send = (text: string) =>
    call('POST', path, {
      body: text,
      headers: { ...bearerHeader(owner.token), 'idempotency-key': 'written' },
    });
  const first = await send('{"type":"store-credit","amount":500,"description":"Sorry"}');
  const again = await send('{ "description": "Sorry", "amount": 5e2, "type": "store-credit" }');
  expect([first, again].map(outcome)).toEqual([
    [201, 'done'],
    [201, 'true'],
  ]);
  expect(again.text).toBe(first.text);
  expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
});

test('a key belongs to its request; another body, path or operation is refused', async () => {
  expect(outcome(await giveCredit('of-one-request'))).toEqual([201, 'done']);
  const others = [
    giveCredit('of-one-request', { ...credit, amount: 501 }),
    owner.call('POST', '/staff/v1/customers/1/credits', credit, keyed('of-one-request')),
    owner.call('POST', '/staff/v1/tags', { name: 'Fresh' }, keyed('of-one-request')),
  ];
  for (const other of others) expect(outcome(await other)).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
});

test('equal keys of different client keys, members of staff or organizations are independent', async () => {
  const [secondShop, colleague] = [await createTestShop(context), await service.staff(shop)];
  const second = await createClientKey(
    context,
    'production',
    { actor: 'job:test', requestId: null },
    shop.organizationId,
    {
      integratorId: shop.integrator.id,
      name: 'Second',
      permissions: ['customers'],
      expiresAtMs: null,
    },
  );
  const stranger = await service.staff(secondShop);
  const sends = [
    () => giveCredit('shared'),
    () => giveCredit('shared', credit, colleague),
    () => givePoints('shared'),
    () => givePoints('shared', second.clientKey),
    () => stranger.call('POST', '/staff/v1/tags', { name: 'Fresh' }, keyed('shared')),
  ];
  const replies: TestReply[] = [];
  for (const send of sends) replies.push(await send());
  expect(replies.map(({ headers }) => headers['idempotent-replayed'])).toEqual(sends.map(() => undefined));
  expect(new Set(replies.map(({ text }) => text)).size).toBe(sends.length);
  for (const send of sends) expect((await send()).headers['idempotent-replayed']).toBe('true');
});

test('a refused request leaves its key free', async () => {
  const key = randomUUID();
  const refused = await giveCredit(key, { ...credit, description: ' ' });
  expect(outcome(refused)).toEqual([400, 'INVALID_PARAMS']);
  const missing = await owner.call('POST', '/staff/v1/customers/999999/credits', credit, keyed(key));
  expect(outcome(missing)).toEqual([404, 'USER_NOT_FOUND']);
  expect(outcome(await giveCredit(key))).toEqual([201, 'done']);
});

test.each([
  ['', 'INVALID_PARAMS'],
  ['two words', 'INVALID_PARAMS'],
  ['naïve', 'INVALID_PARAMS'],
  ['x'.repeat(256), 'INVALID_PARAMS'],
  ['x'.repeat(255), 'done'],
  ['!', 'done'],
])('a key is 1 to 255 visible characters: %s', async (key, expected) => {
  const reply = await giveCredit(key);
  expect(reply.error?.code ?? 'done').toBe(expected);
  if (reply.error)
    expect(reply.error.message).toMatch(/^Idempotency-Key must be 1 to 255 visible characters/);
});

test('a reply with a secret requires an unguessable key, and the database contains neither in plain text', async () => {
  const person = {
    email: 'new@shop.example.com',
    firstName: 'Noor',
    lastName: 'Sandoval',
    role: 'budtender',
  };
  const invite = (key: string) => owner.call('POST', '/staff/v1/staff', person, keyed(key));
  expect(outcome(await invite('short'))).toEqual([400, 'INVALID_PARAMS']);
  const key = randomUUID();
  const [first, again] = [await invite(key), await invite(key)];
  expect(again.data.inviteToken).toBe(first.data.inviteToken);
  const keyDigest = createHash('sha256').update(key).digest('hex');
  const [row] = await sql(
    `select t::text as text, encode(sealed_reply, 'escape') as sealed, status
       from idempotency_keys t where key_digest = decode($1, 'hex')`,
    keyDigest,
  );
  expect(row!.status).toBe(201);
  for (const secret of [first.data.inviteToken, key, person.email]) {
    expect(`${row!.text} ${row!.sealed}`).not.toContain(secret);
  }
});

test('a replay returns the first reply, even if the request would be refused now', async () => {
  const { data: tag } = await owner.call('POST', '/staff/v1/tags', { name: 'Seasonal' });
  const remove = () => owner.call('DELETE', `/staff/v1/tags/${tag.id}`, undefined, keyed('remove'));
  const [first, again] = [await remove(), await remove()];
  expect([first, again].map(outcome)).toEqual([
    [200, 'done'],
    [200, 'true'],
  ]);
  // Without a key the tag does not exist any more.
  expect(outcome(await owner.call('DELETE', `/staff/v1/tags/${tag.id}`))[0]).toBe(404);
});

test('an order of an integrator has its own idempotencyKey, and ignores the header', async () => {
  const place = () =>
    call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop), ...keyed('order') });
  const [first, second] = [await place(), await place()];
  expect([first, second].map(outcome)).toEqual([
    [201, 'done'],
    [201, 'done'],
  ]);
  expect(second.data.id).not.toBe(first.data.id);
});

test('reads ignore the header, and so do operations declared to', async () => {
  const key = keyed('read');
  for (const [method, path, body] of [
    ['GET', '/staff/v1/tags', undefined],
    ['DELETE', '/staff/v1/sessions/current', undefined],
  ] as const) {
    const { call: callAs } = await service.staff(shop);
    expect((await callAs(method, path, body, key)).status).toBeLessThan(300);
  }
  const digest = createHash('sha256').update('read').digest('hex');
  expect(await sql(`select 1 from idempotency_keys where key_digest = decode($1, 'hex')`, digest)).toEqual(
    [],
  );
});

test('a key expires after 48 hours, and not before', async () => {
  await givePoints('kept');
  clock.advance(48 * 3_600_000);
  await purgeIdempotencyKeys(context, shop.organizationId);
  expect(outcome(await givePoints('kept'))).toEqual([200, 'true']);
  clock.advance(1);
  await purgeIdempotencyKeys(context, shop.organizationId);
  expect(await sql('select 1 from idempotency_keys')).toEqual([]);
  expect(outcome(await givePoints('kept'))).toEqual([200, 'done']);
});
