import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DemoFile } from '../../seed/seed-demo.ts';
import { startSession } from '../../src/access/sessions/sessions.ts';
import { createStaff } from '../../src/access/staff/staff.ts';
import { createContext } from '../../src/app/app.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { migrate } from '../../src/platform/schema/migrate.ts';
import { isLongSuite } from '../harness/long-suite.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts';
import { createTestShop, testOrigin } from '../harness/test-shop.ts';
import { type BuiltProgram, buildProgram } from '../simulation/built-program.ts';
import { fleetProcess } from './fleet-process.ts';
import { buildRelease, lastRelease, nextRelease } from './releases.ts';
import { type Bought, steadyCallers } from './steady-callers.ts';
import { tcpBalancer } from './tcp-balancer.ts';

/*
 * Two releases serve one database together, under load, while the later one migrates it. In `npm test` the later one is this
 * program with further migrations. In the long suite the former one is also the last release, built from its commit.
 */

let built: BuiltProgram;
beforeAll(async () => {
  built = await buildProgram();
}, 120_000);
afterAll(() => built.remove());

/** Migrations of the next release, on tables that orders and menus use all the time. */
const nextMigrations = {
  '9001_expand.sql': `alter table orders add column picked_by text;
alter table product_options add column shelf text default '';`,
  '9002_index.sql': `-- concurrently: there can be many orders
drop index concurrently if exists orders_by_picker;
create index concurrently orders_by_picker on orders (organization_id, picked_by);`,
  '9003_contract.sql': `-- contract: releases before this one write longer texts
alter table orders add constraint orders_picked_by check (char_length(picked_by) <= 100);`,
};

const appliedSince = async (database: TestDatabase, file: string) =>
  (await execute(database.owner, 'select file from schema_migrations order by file'))
    .map((row) => row.file as string)
    .filter((name) => name > file);

const shopOf = async (database: TestDatabase): Promise<{ shop: Bought; staffToken: string }> => {
  const context = createContext(database.serving, systemClock);
  const shop = await createTestShop(context);
  const person = { email: 'robin@shop.example.com', firstName: 'Robin', lastName: 'Castellan' };
  const [staffId] = await createStaff(context, testOrigin, shop.organizationId, [
    { ...person, role: 'owner', password: null },
  ]);
  const { token } = await startSession(context, 'production', testOrigin, shop.organizationId, staffId!);
  // Its sessions would be those of an earlier release.
  await context.database.close();
  return { shop, staffToken: token };
};

/** Every answered order is there once. */
async function expectOrders(
  database: TestDatabase,
  { organizationId }: Bought,
  placed: ReadonlyMap<string, string>,
): Promise<void> {
  const context = createContext(database.serving, systemClock);
  const rows = await tenantSql(
    context.database,
    organizationId,
    'select idempotency_key as key, id from orders where idempotency_key is not null',
  );
  await context.database.close();
  const ids = new Map(rows.map(({ key, id }) => [key, id]));
  for (const [key, id] of placed) expect(ids.get(key)).toBe(id);
}

test('a release serves while the next one migrates its database under load, and the contract waits until it has ended', async () => {
  const database = await createTestDatabase();
  const env = { ROLES: 'api,menu', DRAIN_SECONDS: '1' };
  const former = await fleetProcess('former', { ...built, database, env });
  const folder = nextRelease(built, nextMigrations);
  const next = await fleetProcess('next', { ...built, folder, database, env });
  const { shop, staffToken } = await shopOf(database);
  await former.start();
  const balancer = await tcpBalancer([former, next]);
  await balancer.untilUsed(former);
  const callers = steadyCallers(balancer, { shop, staffToken });
  await next.start();
  expect(await appliedSince(database, '9')).toEqual(['9001_expand.sql', '9002_index.sql']);
  await balancer.untilUsed(next);
  const before = callers.answered();
  await expect.poll(callers.answered, { timeout: 60_000 }).toBeGreaterThan(before + 30);
  await former.stop();
  const options = { folder: join(folder, 'migrations') };
  expect(await migrate(database.owner, options)).toEqual({ applied: ['9003_contract.sql'], waiting: [] });
  await callers.stop();
  await balancer.close();
  expect(callers.failures).toEqual([]);
  expect(callers.placed.size).toBeGreaterThan(0);
  await expectOrders(database, shop, callers.placed);
  await next.stop();
  await database.drop();
}, 240_000);

const release = isLongSuite ? lastRelease() : null;
if (isLongSuite && release === null)
  console.info('There is no tag of a former release: the last release was not tried.');
if (release !== null) {
  test(`the last release (${release}) serves while this one migrates its database under load`, async () => {
    const formerFolder = buildRelease(built, release);
    const database = await createTestDatabase();
    await execute(
      database.owner,
      'drop schema public cascade; create schema public; drop schema graphile_worker cascade',
    );
    await execute(database.owner, 'grant usage on schema public to public');
    const env = { DEMO: 'on', DRAIN_SECONDS: '2' };
    const former = await fleetProcess('former', { ...built, folder: formerFolder, database, env });
    const next = await fleetProcess('this', { ...built, database, env });
    await former.start();
    const demo: DemoFile = JSON.parse(readFileSync(join(formerFolder, 'former', 'demo.json'), 'utf8'));
    const { shop, staffToken } = await demoShop(former.port, demo);
    const balancer = await tcpBalancer([former, next]);
    await balancer.untilUsed(former);
    const callers = steadyCallers(balancer, { shop, staffToken });
    const migrationsOf = (folder: string) => readdirSync(join(folder, 'migrations')).sort();
    const added = migrationsOf(built.folder).filter((file) => !migrationsOf(formerFolder).includes(file));
    await next.start();
    await balancer.untilUsed(next);
    const before = callers.answered();
    await expect.poll(callers.answered, { timeout: 120_000 }).toBeGreaterThan(before + 300);
    expect(callers.failures).toEqual([]);
    console.info(`${added.length} migrations, ${callers.answered()} requests answered by both releases`);
    // A release without a drain time may cut requests when it ends.
    const drains = () => former.said.some((line) => line.includes('serving on'));
    await former.stop();
    const all = async () => (await appliedSince(database, '')).filter((file) => added.includes(file));
    await expect.poll(all, { timeout: 60_000 }).toEqual(added);
    await callers.stop();
    await balancer.close();
    if (drains()) expect(callers.failures).toEqual([]);
    await expectOrders(database, shop, callers.placed);
    await next.stop();
    await database.drop();
  }, 2_400_000);
}

/** The first demo shop, with something that is always in stock. */
async function demoShop(port: number, demo: DemoFile): Promise<{ shop: Bought; staffToken: string }> {
  const [organization] = demo.organizations;
  const keys = { consumerKey: organization!.consumerKey, clientKey: organization!.clientKey };
  const headers = { 'x-consumer-key': keys.consumerKey, 'x-client-key': keys.clientKey };
  const baseUrl = `http://127.0.0.1:${port}`;
  const products = (await (await fetch(`${baseUrl}/api/v1/products/all`, { headers })).json()) as {
    data: { name: string; options: { id: number }[] }[];
  };
  const accessory = products.data.find(
    ({ options, name }) => options.length > 0 && /tray|papers|grinder|lighter/i.test(name),
  );
  const signedIn = await fetch(`${baseUrl}/staff/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: organization!.staff.email, password: organization!.staff.password }),
  });
  const { data } = (await signedIn.json()) as { data: { token: string } };
  const shop: Bought = {
    organizationId: organization!.id as Bought['organizationId'],
    keys,
    optionId: () => accessory!.options[0]!.id,
  };
  return { shop, staffToken: data.token };
}
