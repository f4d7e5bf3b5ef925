import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Database } from '../../platform/database/database.ts';
import { openTradedShop, verifyShop, withoutTriggers } from '../verification/damaged-shop.test-support.ts';
import {
  clearStrayFiles,
  pruneInTurns,
  type RetainedKindName,
  RetentionMetrics,
  readBacklog,
  retainedKindNames,
  retainedKinds,
} from './retention.ts';

const dayMs = 86_400_000;
const service = await startOwnTestService();
const { context, clock, documentFiles } = service;
const operator = new Database(service.database.owner, 1);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await operator.close();
  await service.close();
});
const kinds = retainedKinds(context, documentFiles);
const backlog = (kind: RetainedKindName) => readBacklog(operator, kind, clock.now());
const silent = { info: () => {}, warn: () => {}, error: (fields: object) => void lost.push(fields) };
const lost: object[] = [];

/** One pass, as the program makes it. */
async function prune(registry = new Registry()) {
  const pruned = await pruneInTurns({
    ...{ kinds, backlog, logger: silent as never },
    metrics: new RetentionMetrics(() => clock.now(), registry),
  });
  expect(lost).toEqual([]);
  return Object.fromEntries([...pruned].filter(([, count]) => count > 0));
}

/** Inserts one row of a kind with the time of its age; $1 organization, $2 a number of its own, $3 the time. */
const rowOfAge = {
  webhook_deliveries: [
    30,
    `insert into webhook_deliveries (organization_id, id, endpoint_id, event_id, position, message_id, type, resource, created_at)
     values ($1, $2, 1, $2, 1, 'm', 'order.placed', 'order 1', $3)`,
  ],
  idempotency_keys: [
    2,
    `insert into idempotency_keys (organization_id, caller, key_digest, request_digest, created_at)
     values ($1, 'key:' || $2::text, sha256('k'), sha256('r'), $3)`,
  ],
  events: [
    30,
    `insert into outbox_events (organization_id, id, type, subject_id, payload, created_at, announced)
     values ($1, $2, 'product.updated', '1', '{}', $3, $2)`,
  ],
  mails: [
    30,
    `insert into mails (organization_id, id, kind, sender, recipient, subject, created_at, waits)
     values ($1, $2, 'receipt', 'Shop', 'wren@customers.example.com', 'Receipt', $3, false)`,
  ],
  queue_visits: [
    365,
    `insert into queue_entries (organization_id, id, user_id, line, since, checked_in_at, left_at, left_reason)
     values ($1, $2, 1, 'intake', $3, $3, $3, 'Left')`,
  ],
  parked_carts: [
    0,
    `insert into parked_carts (organization_id, id, inventory_location_id, name, item_count, content, parked_by_staff_id,
                               parked_at, expires_at)
     values ($1, $2, 1, 'Wren', 1, '{}', 1, $3::timestamptz - interval '1 day', $3)`,
  ],
  customer_codes: [
    1,
    `insert into customer_codes (organization_id, integrator_id, contact, hour_started_at, sends, tries)
     values ($1, 1, $2::text || '@customers.example.com', $3, 1, 0)`,
  ],
  customer_sessions: [
    0,
    `insert into customer_sessions (organization_id, id, integrator_id, contact, digest, created_at, expires_at)
     values ($1, $2::bigint, 1, 'wren@customers.example.com', sha256($2::bigint::text::bytea), $3, $3)`,
  ],
  staff_links: [
    30,
    `insert into staff_invitations (digest, organization_id, staff_id, expires_at)
     values (sha256($2::text::bytea), $1, 1, $3)`,
  ],
  staff_sessions: [
    30,
    `insert into staff_sessions (organization_id, id, staff_id, created_at, last_used_at) values ($1, $2, 1, $3, $3)`,
  ],
  staff_devices: [
    400,
    `insert into staff_devices (digest, organization_id, staff_id, used_at) values (sha256($2::text::bytea), $1, 1, $3)`,
  ],
  staff_half_sign_ins: [
    0,
    `insert into staff_half_sign_ins (digest, organization_id, staff_id, expires_at) values (sha256($2::text::bytea), $1, 1, $3)`,
  ],
  staff_identity_sign_ins: [
    0,
    `insert into staff_identity_sign_ins (digest, organization_id, expires_at) values (sha256($2::text::bytea), $1, $3)`,
  ],
  staff_passkey_challenges: [
    0,
    `insert into staff_passkey_challenges (digest, purpose, organization_id, staff_id, expires_at)
     values (sha256($2::text::bytea), 'prove', $1, 1, $3)`,
  ],
  import_files: [
    30,
    `with made as (
       insert into menu_imports (organization_id, id, file_name, file_bytes, record_count, mode, status, created_by, run_by,
                                 created_at, updated_at)
       values ($1, $2, 'menu.csv', 1, 1, 'add', 'checked', 1, 1, $3, $3))
     insert into menu_import_files (organization_id, menu_import_id, content) values ($1, $2, 'x')`,
  ],
  move_files: [
    30,
    `with moved as (
       insert into moves (organization_id, id, till, status, created_at, updated_at) values ($1, $2, 'till', 'canceled', $3, $3))
     insert into move_files (organization_id, id, move_id, kind, file_name, sha256, content, status, created_by, created_at, updated_at)
     values ($1, $2, $2, 'customers', 'people.csv', repeat('0', 64), 'x', 'ready', 1, $3, $3)`,
  ],
} as const satisfies Partial<Record<RetainedKindName, readonly [days: number, text: string]>>;

const tableOf: Partial<Record<keyof typeof rowOfAge, string>> = {
  ...{ events: 'outbox_events', queue_visits: 'queue_entries', staff_links: 'staff_invitations' },
  import_files: 'menu_import_files',
};

test.each(Object.keys(rowOfAge) as (keyof typeof rowOfAge)[])(
  'of %s, a pass deletes what is older by a millisecond than it is kept, and nothing younger',
  async (kind) => {
    const shop = await createTestShop(context);
    const [days, text] = rowOfAge[kind];
    const table = tableOf[kind] ?? kind;
    const edgeMs = clock.now() - days * dayMs;
    await withoutTriggers(service, async (run) => {
      // The feed is deleted from its beginning, which is that of the shop.
      await run('delete from outbox_events where organization_id = $1', shop.organizationId);
      for (const [at, ms] of [edgeMs - dayMs, edgeMs - 1, edgeMs, edgeMs + 1].entries()) {
        await run(text, shop.organizationId, 9_000_000 + shop.organizationId * 10 + at, isoTimestamp(ms));
      }
    });
    const left = async () =>
      (
        await tenantSql(
          context.database,
          shop.organizationId,
          `select 1 from ${table} where organization_id = $1`,
          shop.organizationId,
        )
      ).length;
    const before = await left();
    const { overdue, due, oldestMs } = await backlog(kind);
    expect({ overdue, due, oldestMs }).toEqual({
      ...{ overdue: 2, due: [shop.organizationId], oldestMs: edgeMs - dayMs },
    });
    expect(await prune()).toEqual({ [kind]: 2 });
    expect(await left()).toBe(before - 2);
    expect((await backlog(kind)).overdue).toBe(0);
    expect(await prune()).toEqual({});
    // The next test begins without the rows that nothing refers to.
    await withoutTriggers(service, async (run) => {
      await run(`delete from ${table} where organization_id = $1`, shop.organizationId);
      for (const parent of kind === 'import_files'
        ? ['menu_imports']
        : kind === 'move_files'
          ? ['moves']
          : [])
        await run(`delete from ${parent} where organization_id = $1`, shop.organizationId);
    });
  },
);

describe('the steps of the arithmetic of an order', () => {
  const detail = async (shop: TestShop, id: string) => {
    const query = { explain: true };
    return (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys, query })).data;
  };
  const place = async (shop: TestShop): Promise<TestReply['data']> => {
    const { data, error } = await service.call('POST', '/api/v1/orders', {
      keys: shop.keys,
      body: pickupBody(shop),
    });
    expect(error).toBeUndefined();
    return data;
  };

  test('are kept for a year, or as long as the owner says, to the millisecond; then they are told as pruned, and nothing else is missing', async () => {
    const shop = await createTestShop(context);
    const owner = await service.staff(shop);
    const settings = await owner.call('GET', '/staff/v1/organization');
    expect(settings.data.explanationRetentionDays).toBe(365);
    const { id } = await place(shop);
    const placedMs = clock.now();
    clock.advance(1);
    const { id: younger } = await place(shop);
    const shown = await detail(shop, id);
    expect(shown.explanation.length).toBeGreaterThan(3);
    await owner.call('PATCH', '/staff/v1/organization', { explanationRetentionDays: 90 });
    clock.set(placedMs + 90 * dayMs);
    expect((await prune()).explanations).toBeUndefined();
    expect(await detail(shop, id)).toEqual(shown);
    clock.advance(1);
    expect((await prune()).explanations).toBe(1);
    const { explanation: _, ...rest } = shown;
    expect(await detail(shop, id)).toEqual({ ...rest, explanationPruned: true });
    expect((await detail(shop, younger)).explanation).toBeDefined();
    const again = await service.staff(shop);
    const query = { explain: true };
    const { data: staffs } = await again.call('GET', `/staff/v1/orders/${id}`, undefined, { query });
    expect([staffs.explanation, staffs.explanationPruned]).toEqual([undefined, true]);
    const { data: plain } = await again.call('GET', `/staff/v1/orders/${id}`);
    expect([plain.explanation, plain.explanationPruned]).toEqual([undefined, undefined]);
    // Another edit explains it anew, until the orders are looked at from the beginning again.
    const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 1 }];
    const edited = await again.call('PATCH', `/staff/v1/orders/${id}`, { lineItems });
    expect(edited.error).toBeUndefined();
    expect((await detail(shop, id)).explanation).toBeDefined();
    clock.advance(1);
    expect((await prune()).explanations).toBe(1);
    expect((await detail(shop, younger)).explanationPruned).toBe(true);
    clock.advance(7 * dayMs + 1);
    expect((await prune()).explanations).toBe(1);
    expect((await detail(shop, id)).explanationPruned).toBe(true);
  });

  test('leave an order that is sold, returned and verified as before', async () => {
    const { shop, orders } = await openTradedShop(service, 3);
    const sold = orders.at(-1)!;
    const read = async () => (await service.call('GET', '/api/v1/orders', { keys: shop.keys })).data;
    const before = await read();
    expect(before).toHaveLength(3);
    clock.advance(366 * dayMs);
    const { explanations, events } = await prune();
    expect(explanations).toBeGreaterThanOrEqual(3);
    expect(events).toBeGreaterThan(10);
    expect(await read()).toEqual(before);
    const report = await verifyShop(service, shop);
    expect(report.findings.filter(({ isDamage }) => isDamage)).toEqual([]);
    const owner = await service.staff(shop);
    const { data: order } = await owner.call('GET', `/staff/v1/orders/${sold.id}`);
    const returned = await owner.call('POST', `/staff/v1/orders/${sold.id}/returns`, {
      ...{
        refundType: 'payment-method',
        paymentTypeId: shop.paymentTypeId('Bank'),
        idempotencyKey: randomUUID(),
      },
      lineItems: [
        {
          ...{ orderLineItemId: order.lineItems[0].id, quantity: 1, type: 'return' },
          ...{ inventoryAction: 'inventory', reason: 'Unopened' },
        },
      ],
    });
    expect(returned.error).toBeUndefined();
    expect((await verifyShop(service, shop)).isWhole).toBe(true);
  });
});

test('customers who do not come any more, and addresses of revoked keys, are found over all shops', async () => {
  const shop = await createTestShop(context);
  const sql = (text: string) => tenantSql(context.database, shop.organizationId, text);
  const owner = await service.staff(shop);
  const idle = { firstName: 'Wren', lastName: 'Idle', email: 'idle@customers.example.com' };
  expect((await owner.call('POST', '/staff/v1/customers', idle)).status).toBe(201);
  clock.advance(60 * dayMs + 1);
  expect(await backlog('inactive_customers')).toMatchObject({ overdue: 0, due: [] });
  await sql('update organizations set customer_retention_days = 60');
  await sql(
    `update client_keys set revoked_at = '${isoTimestamp(clock.now() - 30 * dayMs - 1)}', last_addresses = '{203.0.113.7}'`,
  );
  const due = { overdue: 1, due: [shop.organizationId] };
  expect(await backlog('inactive_customers')).toMatchObject({ ...due, lateMs: null });
  expect(await backlog('key_addresses')).toMatchObject(due);
  expect(await prune()).toMatchObject({ inactive_customers: 1, key_addresses: 1 });
  for (const kind of ['inactive_customers', 'key_addresses'] as const) {
    expect(await backlog(kind)).toMatchObject({ overdue: 0, due: [] });
  }
});

test('what was read from a license goes when the law of the state says so; where it says nothing it stays with its customer', async () => {
  const sellers = ['MT', 'OK', 'NJ'].map(async (state) => {
    const shop = await createTestShop(context, { state });
    const staff = await service.staff(shop);
    const scan = async (number: string) =>
      (
        await staff.call('POST', '/staff/v1/customers/by-license', {
          ...{
            issuer: '636008',
            number,
            firstName: 'Wren',
            lastName: number,
            birthday: '1979-06-05',
            state: null,
          },
        })
      ).data.customer.id as number;
    const left = async () =>
      (
        await tenantSql(
          context.database,
          shop.organizationId,
          'select user_id from customer_licenses order by 1',
        )
      ).map(({ user_id: id }) => Number(id));
    return { scan, left };
  });
  const [montana, oklahoma, jersey] = await Promise.all(sellers);
  // New Jersey lets nothing be kept of an ID: the holder is made a customer, and the license is not recorded.
  expect(await jersey!.scan('Quill')).toBeGreaterThan(0);
  expect(await jersey!.left()).toEqual([]);
  const [first, elsewhere] = [await montana!.scan('Quill'), await oklahoma!.scan('Quill')];
  clock.advance(1);
  const second = await montana!.scan('Rook');
  clock.advance(180 * dayMs - 2);
  expect((await prune()).scanned_licenses).toBeUndefined();
  expect(await montana!.left()).toEqual([first, second]);
  clock.advance(1);
  expect((await prune()).scanned_licenses).toBe(1);
  expect([await montana!.left(), await oklahoma!.left()]).toEqual([[second], [elsewhere]]);
});

test('challenges of sign-ins, which name no organization, go as well', async () => {
  await createTestShop(context);
  await withoutTriggers(service, async (run) => {
    await run(
      `insert into staff_passkey_challenges (digest, purpose, expires_at) values (sha256('open'), 'sign-in', $1)`,
      isoTimestamp(clock.now() - 1),
    );
  });
  expect(await prune()).toEqual({ staff_passkey_challenges: 1 });
});

test('an import that can still be undone keeps what it changed; those before it do not', async () => {
  const shop = await createTestShop(context);
  const insert = async (id: number, startedMs: number) => {
    const at = isoTimestamp(startedMs);
    await withoutTriggers(service, async (run) => {
      await run(
        `insert into menu_imports (organization_id, id, file_name, file_bytes, record_count, mode, status, created_by, run_by,
                                   created_at, started_at, finished_at, updated_at)
         values ($1, $2, 'menu.csv', 1, 1, 'sync', 'done', 1, 1, $3, $3, $3, $3)`,
        ...[shop.organizationId, id, at],
      );
      await run(
        `insert into menu_import_products (organization_id, menu_import_id, product_id, kind)
         select organization_id, $2, id, 'changed' from products where organization_id = $1`,
        ...[shop.organizationId, id],
      );
    });
  };
  const of = (id: number) =>
    tenantSql(
      context.database,
      shop.organizationId,
      'select 1 from menu_import_products where menu_import_id = $1',
      id,
    );
  await insert(1, clock.now() - 50 * dayMs);
  await insert(2, clock.now() - 40 * dayMs);
  const products = (await of(2)).length;
  expect(products).toBeGreaterThan(0);
  expect((await backlog('import_changes')).overdue).toBe(products);
  expect((await prune()).import_changes).toBe(products);
  expect([(await of(1)).length, (await of(2)).length]).toEqual([0, products]);
});

describe('a pass', () => {
  const fake = (due: readonly number[]) => async (kind: RetainedKindName) => ({
    ...{ kind, overdue: due.length, oldestMs: 0, lateMs: 0, due },
  });
  const metrics = { show: () => {}, count: () => {}, failed: () => {} };

  test('gives every organization a turn before any has a second, of each kind', async () => {
    const turns: string[] = [];
    const left = new Map([
      [1, 4],
      [2, 1],
      [3, 2],
    ]);
    const kindOf = (name: RetainedKindName, steps: Map<number, number>) => ({
      name,
      step: async (id: number) => {
        turns.push(`${name} ${id}`);
        steps.set(id, steps.get(id)! - 1);
        return { pruned: 1, hasMore: steps.get(id)! > 0 };
      },
    });
    const pruned = await pruneInTurns({
      kinds: [kindOf('events', new Map(left)), kindOf('mails', new Map(left))],
      ...{ backlog: fake([1, 2, 3]), metrics, logger: silent as never },
    });
    expect(turns).toEqual([
      ...['events 1', 'events 2', 'events 3', 'mails 1', 'mails 2', 'mails 3'],
      ...['events 1', 'events 3', 'mails 1', 'mails 3', 'events 1', 'mails 1', 'events 1', 'mails 1'],
    ]);
    expect(Object.fromEntries(pruned)).toEqual({ events: 7, mails: 7 });
  });

  test('goes on with the others when one fails, and ends after the step that is under way', async () => {
    const turns: number[] = [];
    let isStopping = false;
    const errors: string[] = [];
    await pruneInTurns({
      kinds: [
        {
          name: 'events',
          step: async (id) => {
            turns.push(id);
            if (id === 1) throw new Error('the database is away');
            isStopping = id === 3;
            return { pruned: 1, hasMore: true };
          },
        },
      ],
      ...{ backlog: fake([1, 2, 3, 4]), metrics, isStopping: () => isStopping },
      logger: { ...silent, error: (_: object, message: string) => void errors.push(message) } as never,
    });
    expect(turns).toEqual([1, 2, 3]);
    expect(errors).toEqual(['rows could not be pruned']);
  });

  test('shows in the metrics what it deleted, what is left, and the oldest row', async () => {
    const shop = await createTestShop(context);
    const [, text] = rowOfAge.mails;
    await withoutTriggers(service, async (run) => {
      for (const [at, days] of [40, 20].entries())
        await run(text, shop.organizationId, 8_000_000 + at, isoTimestamp(clock.now() - days * dayMs));
    });
    const registry = new Registry();
    await prune(registry);
    const lines = (await registry.metrics()).split('\n');
    expect(lines).toContain('retention_overdue_rows{kind="mails"} 0');
    expect(lines).toContain(`retention_oldest_row_seconds{kind="mails"} ${20 * 86_400}`);
    expect(lines).toContain('retention_pruned_total{kind="mails"} 1');
    const told = lines.filter((line) => line.startsWith('retention_overdue_rows{'));
    expect(told).toHaveLength(retainedKindNames.length);
  });
});

test('a file that no row names goes 30 days after that is first seen; one that is named again, or is new, stays', async () => {
  const shop = await createTestShop(context);
  const folders = {
    photos: join(service.documentFolder, 'photos'),
    documents: join(service.documentFolder, 'documents'),
  };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const digest = (at: number) => `${at}`.padStart(40, 'a');
  const nameOf = (at: number, width = 1600) => `${digest(at)}-${width}.webp`;
  const old = (folder: string, name: string) => {
    const time = new Date(Date.now() - 2 * dayMs);
    writeFileSync(join(folder, name), 'x');
    utimesSync(join(folder, name), time, time);
  };
  await service.photoBlobs.put(nameOf(9), Buffer.from('new'));
  for (const name of [nameOf(1), nameOf(1, 320), nameOf(2, 320), nameOf(3), nameOf(4), '.draft.1'])
    old(folders.photos, name);
  old(folders.documents, `${shop.organizationId}-7`);
  const show = (at: number) =>
    tenantSql(
      context.database,
      shop.organizationId,
      `update product_photos set location = '/photos/' || $1 where id = (select min(id) from product_photos)`,
      nameOf(at),
    );
  const photos = () => readdirSync(folders.photos).filter((name) => /^[a.]/.test(name) && name !== 'a.svg');
  const clear = () => clearStrayFiles({ context, operator, folders, objects: {}, logger: silent as never });
  await show(2);
  expect(await clear()).toBe(0);
  expect(photos()).toHaveLength(6);
  clock.advance(30 * dayMs);
  expect(await clear()).toBe(0);
  // The product gets another picture: the one before is noted now, and this one is no stray any more.
  await show(3);
  clock.advance(1);
  expect(await clear()).toBe(4);
  expect(photos().sort()).toEqual([nameOf(2, 320), nameOf(3), nameOf(9)].sort());
  expect(readdirSync(folders.documents)).not.toContain(`${shop.organizationId}-7`);
  clock.advance(30 * dayMs + 1);
  // A pass that was killed had moved it aside.
  old(folders.photos, `.stray.${nameOf(5)}`);
  expect(await clear()).toBe(1);
  expect(photos().sort()).toEqual([nameOf(3), nameOf(5), nameOf(9)].sort());
});
