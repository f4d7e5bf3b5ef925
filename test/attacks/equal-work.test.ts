import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { StatementRecorder } from '../../bench/recorded-statements.ts';
import { madeHashes } from '../../src/access/staff/passwords.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { startTestService, type TestReply } from '../harness/test-service.ts';
import { createTestKeys, createTestShop, pickupBody, testOrigin } from '../harness/test-shop.ts';

/*
 * Who asks whether a person is known here gets the same answer after the same work, so the time tells nothing either: equal
 * statements, one by one, and equally many password hashes. Counted, because a clock on a busy machine proves nothing.
 */

// Before the first connection, to see the statements being prepared.
const recorder = new StatementRecorder();
const service = await startTestService();
const { context, call } = service;
const shop = await createTestShop(context);
const known = {
  staff: 'robin@shop.example.com',
  customer: 'marisol@customers.example.com',
  phone: '+14155550123',
};
const unknown = {
  staff: 'stranger@shop.example.com',
  customer: 'stranger@customers.example.com',
  phone: '+14155550177',
};
const person = { firstName: 'Robin', lastName: 'Castellan', role: 'manager' } as const;
await createStaff(context, testOrigin, shop.organizationId, [
  { ...person, email: known.staff, password: 'lemon grove 77' },
]);
const customer = { firstName: 'Marisol', lastName: 'Okafor', email: known.customer, phone: known.phone };
await call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop, { customer }) });
const origin = 'https://shop.example';
const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, {
  permissions: ['create-orders'],
  origins: [origin],
});
// The codes of phones go somewhere.
const owner = await service.staff(shop);
const made = await owner.call('POST', '/staff/v1/webhook-endpoints', {
  clientKeyId: shop.clientKeyId,
  url: 'https://hooks.example.com/codes',
  types: ['customer.code_requested'],
});
expect(made.status).toBe(201);
afterEach(() => {
  expect(service.faults).toEqual([]);
  vi.restoreAllMocks();
  // A new hour of codes and tries.
  service.clock.advance(3_600_000);
});
afterAll(() => service.close());

/** The reply without what is new in each, the statements up to it, and the hashes. */
async function work(ask: () => Promise<TestReply>) {
  const hashCount = madeHashes.count;
  let reply: TestReply | undefined;
  const batches = await recorder.record(async () => {
    reply = await ask();
  });
  const { 'x-request-id': _, date: __, ...headers } = reply!.headers;
  return {
    ...{ status: reply!.status, text: reply!.text, headers },
    // Blocks of a thousand ids are fetched now and then, for any request.
    statements: batches
      .flatMap((batch) => batch.map(({ name }) => name))
      .filter((name) => name !== 'take_id_block'),
    hashes: madeHashes.count - hashCount,
  };
}

/** What goes on after the reply is not part of it: a write that never ends does not hold it back. */
function withoutLaterWrites() {
  vi.spyOn(context.database, 'write').mockImplementation(() => new Promise(() => undefined));
}

const page = (path: string, body: object) =>
  call('POST', `/api/v1/customer-sessions${path}`, {
    keys: { clientKey: keys.clientKey },
    headers: { origin },
    body,
  });

test.each([
  [
    'signing in with a wrong password',
    'staff',
    (email: string) => call('POST', '/staff/v1/sessions', { body: { email, password: 'no idea' } }),
    { status: 401, hashes: 1 },
  ],
  [
    'asking for a new password',
    'staff',
    (email: string) => call('POST', '/staff/v1/password-resets', { body: { email } }),
    { status: 202, hashes: 0 },
  ],
  ['asking for a code', 'customer', (email: string) => page('', { email }), { status: 202, hashes: 0 }],
  ['asking for a code by phone', 'phone', (phone: string) => page('', { phone }), { status: 202, hashes: 0 }],
  [
    'trying a code of a phone',
    'phone',
    (phone: string) => page('/verify', { phone, code: '000000' }),
    { status: 422, hashes: 0 },
  ],
  [
    'trying a code',
    'customer',
    (email: string) => page('/verify', { email, code: '000000' }),
    { status: 422, hashes: 0 },
  ],
] as const)('%s costs the same for a known contact and an unknown one', async (_, whose, ask, expected) => {
  if (whose === 'staff') withoutLaterWrites();
  // The first request fills the caches of keys and others, and fetches ids.
  await ask(unknown[whose]);
  const ofKnown = await work(() => ask(known[whose]));
  const ofUnknown = await work(() => ask(unknown[whose]));
  expect(ofKnown).toEqual(ofUnknown);
  expect({ status: ofKnown.status, hashes: ofKnown.hashes }).toEqual(expected);
  expect(ofKnown.statements.length).toBeGreaterThan(0);
});
