import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { mailedCode, mailsOf } from '../../../test/harness/test-mails.ts';
import { addCredit } from '../../../test/harness/test-promotions.ts';
import {
  startOwnTestService,
  startTestService,
  type TestService,
} from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
  type TestKeys,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';

/* How a customer of a web shop signs in, and what a page may do with it (D62). */

const service = await startTestService();
const limited = await startOwnTestService({ database: service.database, rateLimits: 'on' });
const witness = await openWitness(service.database);
const { context, clock } = service;
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await witness.end();
  await limited.close();
  await service.close();
});

const origin = 'https://shop.example';
const ada = { firstName: 'Ada', lastName: 'Moreno', email: 'ada@customers.example.com' };

async function openShop() {
  const shop = await createTestShop(context);
  const settings = { permissions: ['create-orders', 'menu'], origins: [origin] } as const;
  const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, settings);
  return { shop, page: pageOf({ clientKey: keys.clientKey }) };
}

function pageOf(keys: TestKeys, at: TestService = service) {
  return (path: string, body: object, headers: Record<string, string> = {}) =>
    at.call('POST', `/api/v1/${path}`, { keys, headers: { origin, ...headers }, body });
}
type Page = ReturnType<typeof pageOf>;

const mailsTo = (shop: TestShop, to: string) => mailsOf(service.context, shop.organizationId, to);

async function codeFor(page: Page, shop: TestShop, email: string): Promise<string> {
  expect((await page('customer-sessions', { email })).status).toBe(202);
  return mailedCode(service.context, shop.organizationId, email.toLowerCase());
}

async function signIn(page: Page, shop: TestShop, email = ada.email) {
  const code = await codeFor(page, shop, email);
  const { status, data } = await page('customer-sessions/verify', { email, code });
  expect(status).toBe(201);
  return data as { token: string; expiresAt: string; customer: object | null };
}

const other = (code: string) => (code === '000000' ? '000001' : '000000');

describe('a code', () => {
  test('comes by mail, and starts a session of 30 days, once', async () => {
    const { shop, page } = await openShop();
    await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { customer: ada }),
    });
    const code = await codeFor(page, shop, 'Ada@Customers.example.com');
    const session = await page('customer-sessions/verify', { email: ada.email, code: ` ${code}` });
    expect(session.data).toEqual({
      token: expect.stringMatching(/^dcu_live_/),
      expiresAt: new Date(clock.now() + 30 * 86_400_000).toISOString(),
      customer: { firstName: 'Ada', lastName: 'Moreno', phone: null, birthday: null },
    });
    const again = await page('customer-sessions/verify', { email: ada.email, code });
    expect([again.status, again.error?.code]).toEqual([422, 'CUSTOMER_CODE_INVALID']);
    const stored = await tenantSql(context.database, shop.organizationId, 'select * from customer_codes');
    expect(JSON.stringify(stored)).not.toContain(code);
  });

  test('ends after ten minutes, and with the next one', async () => {
    const { shop, page } = await openShop();
    const first = await codeFor(page, shop, ada.email);
    let second = await codeFor(page, shop, ada.email);
    while (second === first) second = await codeFor(page, shop, ada.email);
    const tried = async (code: string) =>
      (await page('customer-sessions/verify', { email: ada.email, code })).status;
    expect(await tried(first)).toBe(422);
    clock.advance(10 * 60_000);
    expect(await tried(second)).toBe(422);
  });

  test('is of one email, one integrator and one organization', async () => {
    const { shop, page } = await openShop();
    const integrator = await createTestIntegrator(context);
    const settings = { permissions: ['create-orders'], origins: [origin] } as const;
    const { keys } = await createTestKeys(context, shop.organizationId, integrator, settings);
    const stranger = await openShop();
    const code = await codeFor(page, shop, ada.email);
    const tries: [Page, string][] = [
      [pageOf({ clientKey: keys.clientKey }), ada.email],
      [stranger.page, ada.email],
      [page, 'bo@customers.example.com'],
    ];
    for (const [at, email] of tries) {
      expect((await at('customer-sessions/verify', { email, code })).error?.code).toBe(
        'CUSTOMER_CODE_INVALID',
      );
    }
    expect((await page('customer-sessions/verify', { email: ada.email, code })).status).toBe(201);
  });

  test('is asked for five times and tried ten times within an hour, also at once and with Idempotency-Key', async () => {
    const { shop, page } = await openShop();
    const code = await codeFor(page, shop, ada.email);
    const sent = await Promise.all(
      Array.from({ length: 6 }, () => page('customer-sessions', { email: ada.email })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([202, 202, 202, 202, 429, 429]);
    expect(await mailsTo(shop, ada.email)).toHaveLength(5);
    const guess = () =>
      page(
        'customer-sessions/verify',
        { email: ada.email, code: other(code) },
        { 'idempotency-key': 'x'.repeat(32) },
      );
    const tries = await Promise.all(Array.from({ length: 14 }, guess));
    expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4);
    expect((await guess()).status).toBe(429);
    clock.advance(3_600_000);
    expect((await guess()).status).toBe(422);
    expect((await signIn(page, shop)).customer).toBeNull();
  });

  test('is limited for the address of a visitor over all emails', async () => {
    const { shop } = await openShop();
    const settings = { permissions: ['create-orders'], origins: [origin] } as const;
    const { keys } = await createTestKeys(context, shop.organizationId, shop.integrator, settings);
    const page = pageOf({ clientKey: keys.clientKey }, limited);
    for (let count = 0; count < 10; count++) {
      expect((await page('customer-sessions', { email: `c${count}@customers.example.com` })).status).toBe(
        202,
      );
      clock.advance(100);
    }
    const refused = await page('customer-sessions', { email: 'c10@customers.example.com' });
    expect([refused.status, Number(refused.headers['retry-after']) > 0]).toEqual([429, true]);
  });
});

test('replies and writes are the same for an email that the organization knows and for one that it does not', async () => {
  const { shop, page } = await openShop();
  await service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { customer: ada }),
  });
  const of = async (email: string) => {
    const asked = await page('customer-sessions', { email });
    const wrong = await page('customer-sessions/verify', { email, code: 'wrong' });
    const written = await witness.query(
      'select sends, tries from customer_codes where contact = $1 and organization_id = $2',
      [email, shop.organizationId],
      shop.organizationId,
    );
    return [asked.status, asked.text, wrong.status, wrong.text, written];
  };
  expect(await of(ada.email)).toEqual(await of('unknown@customers.example.com'));
});

describe('a session', () => {
  test('prices and places carts as the customer that it proves, whatever email is sent', async () => {
    const { shop, page } = await openShop();
    const placed = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { customer: ada }),
    });
    const customerId = placed.data.customer.id;
    await addCredit(context, shop.organizationId, customerId, { cents: 300 });
    const { token } = await signIn(page, shop);
    const customer = { firstName: 'Ada', lastName: 'Moreno', email: 'other@customers.example.com', token };
    const preview = await page('orders/pricing', pickupBody(shop, { customer }));
    expect(preview.data.credits).toMatchObject([{ amountUsed: 300 }]);
    const order = await page('orders', {
      ...pickupBody(shop, { customer: { firstName: 'Ada', lastName: 'Moreno', token } }),
      expectedCustomerGrandTotal: preview.data.customerGrandTotal,
    });
    expect(order.status).toBe(201);
    const [row] = await tenantSql(
      context.database,
      shop.organizationId,
      'select user_id from orders where id = $1',
      order.data.id,
    );
    expect(Number(row!.user_id)).toBe(customerId);
  });

  test("does not reach another customer by that customer's phone", async () => {
    const { shop, page } = await openShop();
    const victim = {
      firstName: 'Vic',
      lastName: 'Tim',
      email: 'vic@customers.example.com',
      phone: '+14155550123',
    };
    const first = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop, { customer: victim }),
    });
    await addCredit(context, shop.organizationId, first.data.customer.id, { cents: 300 });
    const { token } = await signIn(page, shop);
    const customer = { ...ada, phone: victim.phone, token };
    expect((await page('orders/pricing', pickupBody(shop, { customer }))).data.credits).toEqual([]);
    const order = await page('orders', pickupBody(shop, { customer }));
    expect(order.status).toBe(201);
    const [made] = await tenantSql(
      context.database,
      shop.organizationId,
      'select id, phone from customers where email_normalized = $1',
      ada.email,
    );
    expect([Number(made!.id) === first.data.customer.id, made!.phone]).toEqual([false, null]);
  });

  test('is refused everywhere once it is over, and by others at any time', async () => {
    const { shop, page } = await openShop();
    const stranger = await openShop();
    const { token } = await signIn(page, shop);
    const priced = async (at: Page, of: TestShop) => {
      const { status, error } = await at('orders/pricing', pickupBody(of, { customer: { ...ada, token } }));
      return error?.code ?? status;
    };
    expect(await priced(page, shop)).toBe(200);
    expect(await priced(stranger.page, stranger.shop)).toBe('CUSTOMER_SESSION_ENDED');
    expect((await stranger.page('customer-sessions/end', { token })).error?.code).toBe(
      'CUSTOMER_SESSION_ENDED',
    );
    expect((await page('customer-sessions/end', { token })).status).toBe(204);
    expect(await priced(page, shop)).toBe('CUSTOMER_SESSION_ENDED');
    const later = await signIn(page, shop);
    clock.advance(30 * 86_400_000);
    const body = pickupBody(shop, { customer: { ...ada, token: later.token } });
    expect((await page('orders', body)).error?.code).toBe('CUSTOMER_SESSION_ENDED');
  });

  test('goes with the codes and mails of a customer who is erased', async () => {
    const { shop, page } = await openShop();
    const placed = await page('orders', pickupBody(shop, { customer: ada }));
    expect(placed.status).toBe(201);
    await signIn(page, shop);
    const owner = await service.staff(shop);
    const [order] = await tenantSql(context.database, shop.organizationId, 'select id, user_id from orders');
    const cancel = `/api/v1/orders/${order!.id}/cancel`;
    const canceled = await service.call('POST', cancel, { keys: shop.keys, body: {} });
    expect(canceled.status).toBe(200);
    const erased = await owner.call('DELETE', `/staff/v1/customers/${order!.user_id}`);
    expect([erased.status, erased.error]).toEqual([200, undefined]);
    for (const table of ['customer_codes', 'customer_sessions', 'mails']) {
      expect([
        table,
        await tenantSql(context.database, shop.organizationId, `select * from ${table}`),
      ]).toEqual([table, []]);
    }
  });
});
