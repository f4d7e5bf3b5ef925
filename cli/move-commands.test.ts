import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openStates, type ReportState } from '../src/engines/state-reports/report-lifecycle.ts';
import { organizationId } from '../src/kernel/ids.ts';
import { Database } from '../src/platform/database/database.ts';
import { createConnection } from '../src/shop/traceability/traceability.ts';
import { runMoveJobs } from '../test/harness/run-move-jobs.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import type { Deployment } from './deployment.ts';
import { moveCommands } from './move-commands.ts';

/* A shop comes from another till: by the operator's commands and the operations of its owner. */

const service = await startOwnTestService();
const operator = new Database(service.database.owner, 1);
const folder = mkdtempSync(join(tmpdir(), 'dispensary-move-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await operator.close();
  await service.close();
});

const deployment = {
  context: service.context,
  operator,
  screen: { write: () => true },
} as unknown as Deployment;
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
async function run(shop: TestShop, name: string, options: Record<string, string> = {}): Promise<any> {
  const { data } = await moveCommands[name]!.run!(deployment, {
    organization: String(shop.organizationId),
    ...options,
  });
  return data;
}
const file = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const resultsOf = (move: { checks: { check: string; result: string }[] }) =>
  Object.fromEntries(move.checks.map(({ check, result }) => [check, result]));

const samples = 'docs/examples/moves';

test('a move is loaded, compared, signed, frozen and live, and goes back until the first report', async () => {
  const shop = await createTestShop(service.context, { products: [] });
  const owner = await service.staff(shop);
  expect((await owner.call('GET', '/staff/v1/move')).data).toEqual({ move: null, uploads: [] });
  const none = await owner.call('POST', '/staff/v1/move/checks');
  expect([none.status, none.error?.code]).toEqual([404, 'MOVE_NOT_FOUND']);
  await run(shop, 'move begin', { till: 'Corner till' });
  await expect(run(shop, 'move begin', { till: 'Another till' })).rejects.toThrow(/is not over/);

  const products = await run(shop, 'move load', {
    argument: join(samples, 'company-products.csv'),
    as: 'products',
  });
  const customers = await run(shop, 'move load', {
    argument: join(samples, 'members.json'),
    as: 'customers',
  });
  const sales = await run(shop, 'move load', { argument: join(samples, 'ticket-lines.csv'), as: 'sales' });
  for (const { read, created, known, refused } of [products, customers, sales]) {
    expect(read).toBeGreaterThan(0);
    expect(created + known + refused).toBe(read);
  }
  // Loaded again, nothing is there twice.
  const again = await run(shop, 'move load', { argument: join(samples, 'members.json'), as: 'customers' });
  expect([again.created, again.known]).toEqual([0, customers.created]);
  expect(again.move.files).toHaveLength(3);

  const checked = await run(shop, 'move check');
  expect(resultsOf(checked)).toMatchObject({
    ...{ tags: 'missing', quantities: 'missing', prices: 'passed', options: 'passed', customers: 'passed' },
    ...{
      consent: 'passed',
      points: 'passed',
      credit: 'passed',
      'day-totals': 'passed',
      'one-reporter': 'passed',
    },
  });
  // Points that were lost on the way are found.
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  await sql('update former_customers set points = points + 1 where points > 0');
  expect(resultsOf((await owner.call('POST', '/staff/v1/move/checks')).data)).toMatchObject({
    points: 'failed',
  });
  await sql('update former_customers set points = points - 1 where points > 0');

  const early = await owner.call('POST', '/staff/v1/move/steps', { step: 'go' });
  expect([early.status, early.error?.code]).toEqual([409, 'MOVE_NOT_READY']);
  service.clock.advance(1_000);
  await owner.call('POST', '/staff/v1/move/steps', { step: 'freeze' });
  const unchecked = await owner.call('POST', '/staff/v1/move/steps', { step: 'go' });
  expect(unchecked.error?.message).toContain('not made since it was frozen');
  service.clock.advance(1_000);
  const frozen = await run(shop, 'move check');
  const open = frozen.checks.filter(({ result }: { result: string }) => result !== 'passed');
  const unsigned = await owner.call('POST', '/staff/v1/move/steps', { step: 'go' });
  expect(unsigned.error?.message).toContain(open[0].check);
  await run(shop, 'move sign', { check: open[0].check, by: 'Robin Castellan', note: 'Looked at by hand' });
  for (const { check } of open.slice(1)) {
    await owner.call('POST', '/staff/v1/move/signatures', { check, note: 'There is no such list' });
  }
  const live = await owner.call('POST', '/staff/v1/move/steps', { step: 'go' });
  expect(live.data).toMatchObject({ status: 'live', liveAt: expect.any(String) });
  expect(live.data.checks.filter((it: { signedBy: string | null }) => it.signedBy !== null)).toHaveLength(
    open.length,
  );
  expect((await run(shop, 'move step', { argument: 'back' })).status).toBe('returned');
  // Another move may follow.
  expect((await owner.call('POST', '/staff/v1/move', { till: 'Another till' })).status).toBe(201);
});

test('the way back is closed once the state has, or may have, a report of this shop, and while one can go', async () => {
  const shop = await createTestShop(service.context, { products: [] });
  const owner = await service.staff(shop);
  await run(shop, 'move begin', { till: 'Corner till' });
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  const at = `to_timestamp(${service.clock.now()} / 1000.0)`;
  const goLive = () => sql(`update moves set status = 'live', live_at = ${at}, ended_at = null`);
  const backByOwner = () => owner.call('POST', '/staff/v1/move/steps', { step: 'back' });
  const backByOperator = () => run(shop, 'move step', { argument: 'back' });
  const expectClosed = async (why: RegExp) => {
    const { status, error } = await backByOwner();
    expect([status, error?.code, error?.message]).toEqual([
      409,
      'MOVE_NOT_READY',
      expect.stringMatching(why),
    ]);
    await expect(backByOperator()).rejects.toThrow(why);
  };
  const connection = await createConnection(service.context, testOrigin, shop.organizationId, {
    ...{ inventoryLocationId: null, state: 'CA', isSandbox: false, licenseNumber: 'C10-0000001' },
    ...{ userKey: 'user-key-of-the-shop', isOn: true },
  });
  await goLive();
  await expectClosed(/switch that off first/);
  await sql('update state_connections set is_on = false');
  await sql(
    `insert into state_reports (organization_id, connection_id, id, kind, revision, external_number, payload, digest, packages,
       state, next_at, occurred_at, alarm_at, created_at, updated_at)
     values (${shop.organizationId}, ${connection}, 1, 'sale', 1, '1-1-A', '{}', encode(sha256('{}'), 'hex'), '{}', 'waiting',
       ${at}, ${at}, ${at}, ${at}, ${at})`,
  );
  const become = (state: ReportState) =>
    sql(
      `update state_reports set state = '${state}', settled_at = ${openStates.includes(state) ? 'null' : at}`,
    );
  for (const state of ['sending', 'unknown', 'accepted', 'done-by-hand'] as const) {
    await become(state);
    await expectClosed(/reports of this shop that the state has since: 1/);
  }
  for (const [state, back] of [
    ['waiting', backByOwner],
    ['refused', backByOperator],
    ['superseded', backByOwner],
  ] as const) {
    await become(state);
    await back();
    expect((await owner.call('GET', '/staff/v1/move')).data.move.status).toBe('returned');
    await goLive();
  }
  // A sandbox of the state is none, and neither is what was reported before the move.
  await become('accepted');
  await sql('update state_connections set is_sandbox = true, is_on = true');
  expect((await backByOperator()).status).toBe('returned');
  await goLive();
  await sql('update state_connections set is_sandbox = false, is_on = false');
  await sql("update state_reports set updated_at = updated_at - interval '1 day'");
  expect((await backByOperator()).status).toBe('returned');
});

test('stock, closed days and discounts of the former till are compared and proposed', async () => {
  service.clock.advance(Date.parse('2026-11-23T02:00:00Z') - service.clock.now());
  const shop = await createTestShop(service.context, { products: [] });
  const owner = await service.staff(shop);
  await run(shop, 'move begin', { till: 'Corner till' });
  for (const [name, as] of [
    ['inventory-valuation.csv', 'products'],
    ['inventory-valuation.csv', 'packages'],
    ['inventory-valuation.csv', 'vendors'],
    ['state-package-list.csv', 'state'],
    ['staff.csv', 'staff'],
    ['ticket-lines.csv', 'sales'],
    ['daily-payments.csv', 'closings'],
    ['promotion-uses.csv', 'discounts'],
  ] as const) {
    const loaded = await run(shop, 'move load', { argument: join(samples, name), as });
    expect([name, as, loaded.problems]).toEqual([name, as, []]);
  }
  const checked = await run(shop, 'move check');
  expect(resultsOf(checked)).toMatchObject({
    ...{ rows: 'passed', tags: 'passed', quantities: 'passed', 'product-links': 'passed' },
    ...{ 'stock-value': 'passed', 'day-totals': 'passed', closings: 'passed', prices: 'passed' },
  });
  const { data } = await owner.call('GET', '/staff/v1/move');
  expect(data.move.discounts).toEqual([
    { name: 'Veterans 10%', codes: [], uses: 2, amount: 770 },
    { name: 'First visit', codes: ['HELLO'], uses: 1, amount: 500 },
  ]);
  // A package that was sold meanwhile, and a day that was counted otherwise, are found.
  const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
  await sql('update packages set cost_per_unit = cost_per_unit - 1');
  await sql(`update former_sales set tax_cents = tax_cents + 2 where number = 'TX0001'`);
  expect(resultsOf(await run(shop, 'move check'))).toMatchObject({
    ...{ 'stock-value': 'failed', closings: 'failed' },
  });
});

test('the state’s list is compared tag by tag, and a row that is refused does not stop the others', async () => {
  const shop = await createTestShop(service.context);
  await run(shop, 'move begin', { till: 'Corner till' });
  const [held] = await tenantSql(
    service.context.database,
    shop.organizationId,
    `select k.label, sum(b.on_hand)::text as quantity from packages k
       join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id
      where k.organization_id = current_organization_id() group by k.label having sum(b.on_hand) > 0 limit 1`,
  );
  const rows = [
    'Package Tag,Item,Current Quantity',
    `${held?.label ?? '1A4000000000000000000001'},Known,${held?.quantity ?? '1'}`,
    '1A4000000000000000009999,Not here,3',
    ',No tag,3',
  ];
  const loaded = await run(shop, 'move load', {
    argument: file('state.csv', `${rows.join('\n')}\n`),
    as: 'state',
  });
  expect(loaded).toMatchObject({
    ...{ read: 3, created: 0, known: 2, refused: 1 },
    problems: [{ line: 4, column: 'Package Tag', message: 'is required' }],
  });
  const { checks } = await run(shop, 'move check');
  const tags = checks.find(({ check }: { check: string }) => check === 'tags');
  expect(tags.result).toBe('failed');
  expect(tags.differences).toContain('1A4000000000000000009999 is at the state only');
});

test('tickets of another till are priced again, by command and by the interface alike', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const productOptionId = shop.optionId('gram');
  const lines = [{ productOptionId, quantity: 2 }];
  const { data: ours } = await owner.call('POST', '/staff/v1/orders/pricing', {
    type: 'in-store',
    lineItems: lines,
  });
  const subtotal = ours.totalPrice;
  const tax = ours.customerGrandTotal - subtotal;
  const cart = { reference: 'T-1', type: 'in-store', lines };
  const { data } = await owner.call('POST', '/staff/v1/shadow-carts', {
    carts: [
      { ...cart, totals: { subtotal, discount: 0, tax, total: subtotal + tax } },
      {
        ...cart,
        reference: 'T-2',
        totals: { subtotal, discount: 0, tax: tax + 999, total: subtotal + tax + 999 },
      },
      {
        ...cart,
        reference: 'T-3',
        lines: [{ productName: 'Nothing of ours', quantity: 1 }],
        totals: { subtotal, discount: 0, tax, total: 1 },
      },
    ],
  });
  expect(
    data.carts.map(({ causes, problem }: { causes: object[]; problem: string }) => [causes, problem]),
  ).toEqual([
    [[], null],
    [[{ cause: 'unknown', amount: 999 }], null],
    [[], expect.stringContaining('no product of the catalog')],
  ]);
  expect(data.summary).toMatchObject({ carts: 3, equal: 1, unpriced: 1, difference: 999 });

  const path = file(
    'tickets.csv',
    `till,number,soldAt,productName,quantity,gross,discount,net,tax\nOld,T-9,2026-03-01,Nothing of ours,1,100,0,100,0\n`,
  );
  expect(await run(shop, 'shadow', { argument: path })).toMatchObject({ carts: 1, unpriced: 1, refused: 0 });
});

/** Each sample that a move loads, after what it needs; in a year before the clock of the tests. */
const pathsOf = [
  ['inventory-valuation.csv', 'products'],
  ['company-products.csv', 'products'],
  ['product-sheet.csv', 'products'],
  ['inventory-valuation.csv', 'vendors'],
  ['incoming-transfers.csv', 'vendors'],
  ['staff.csv', 'staff'],
  ...['inventory-valuation.csv', 'stock-by-room.csv', 'state-package-list.csv', 'filed-inventory.csv'].map(
    (name) => [name, 'packages'] as const,
  ),
  ...['packages-with-allocations.json', 'packages-with-tiers.json'].map(
    (name) => [name, 'packages'] as const,
  ),
  ...['members.json', 'customers-with-card-numbers.json', 'customers-with-consents.json'].map(
    (name) => [name, 'customers'] as const,
  ),
  ...['customers-with-rewards.json', 'patients-and-customers.csv', 'online-shop-customers.csv'].map(
    (name) => [name, 'customers'] as const,
  ),
  ['card-till-customers.csv', 'customers'],
  ...['ticket-lines.csv', 'receipt-lines.csv', 'transaction-lines.csv'].map(
    (name) => [name, 'sales'] as const,
  ),
  ['promotion-uses.csv', 'discounts'],
  ['daily-payments.csv', 'closings'],
  ...['state-grid.csv', 'state-package-list.csv', 'filed-inventory.csv'].map(
    (name) => [name, 'state'] as const,
  ),
] as const;

/** What the shop has of it in the end, without ids. */
const contents = (shop: TestShop) =>
  Promise.all(
    [
      `select c.first_name, c.last_name, c.email, c.phone_normalized, c.birthday::text as birthday, c.medical_expiration::text as medical,
              c.marketing_opt_in, f.former_id, f.points::text as points, f.credit_cents
         from customers c left join former_customers f on f.organization_id = c.organization_id and f.user_id = c.id
        order by 1, 2, 3, 8`,
      `select p.name, p.sku, p.strain_type, o.name as size, o.amount::text as amount, o.price_cents, o.content::text as content
         from products p join product_options o on o.organization_id = p.organization_id and o.product_id = p.id order by 1, 4, 5, 6`,
      `select k.label, k.cost_per_unit::text as cost, k.expiration_date::text as expires, l.name as place, b.on_hand::text as held
         from packages k join stock_balances b on b.organization_id = k.organization_id and b.package_id = k.id
         join inventory_locations l on l.organization_id = k.organization_id and l.id = b.inventory_location_id order by 1, 4`,
      `select number, local_date::text as day, net_cents, tax_cents, lines, counted_contents, user_id is null as is_unknown
         from former_sales order by 2, 1`,
      `select name, email from inventory_vendors order by 1`,
      `select email, role from staff_members where email like '%staff.example.com' order by 1`,
    ].map((text) => tenantSql(service.context.database, shop.organizationId, text)),
  );

test('each sample comes in the same as the console sends it, by the command, and into the sandbox: counts, contents and checks', async () => {
  service.clock.advance(Math.max(0, Date.parse('2026-11-23T02:00:00Z') - service.clock.now()));
  const [byCommand, byConsole] = [
    await createTestShop(service.context, { products: [] }),
    await createTestShop(service.context, { products: [] }),
  ];
  const owner = await service.staff(byConsole);
  await run(byCommand, 'move begin', { till: 'Corner till' });
  await owner.call('POST', '/staff/v1/move', { till: 'Corner till' });
  const counts = ({ read, created, known, refused }: Record<string, unknown>) => ({
    read,
    created,
    known,
    refused,
  });
  for (const [name, as] of pathsOf) {
    const loaded = await run(byCommand, 'move load', { argument: join(samples, name), as });
    await run(byCommand, 'move load', { argument: join(samples, name), as, trial: 'true' });
    const path = `/staff/v1/move/files?kind=${as}&fileName=${name}`;
    const { data: file } = await owner.call('POST', path, readFileSync(join(samples, name)), {
      headers: { 'content-type': 'application/octet-stream' },
    });
    await owner.call('POST', `/staff/v1/move/files/${file.id}/runs`, { dryRun: false });
    await runMoveJobs(service.context, byConsole.organizationId);
    const { data } = await owner.call('GET', '/staff/v1/move');
    const upload = data.uploads.find(({ id }: { id: number }) => id === file.id);
    expect([name, as, counts(upload), upload.problems]).toEqual([name, as, counts(loaded), loaded.problems]);
  }
  const { data: checked } = await owner.call('POST', '/staff/v1/move/checks');
  const plain = (move: { checks: { signedBy?: unknown }[] }) =>
    move.checks.map(({ check, result, expected, found, differences }: Record<string, unknown>) => [
      ...[check, result, expected, found, differences],
    ]);
  const byHand = await run(byCommand, 'move check');
  expect(plain(checked)).toEqual(plain(byHand));
  const { trial } = await run(byCommand, 'move check', { trial: 'true' });
  expect(plain(trial)).toEqual(plain(byHand));
  const came = await contents(byCommand);
  expect(came.every((rows) => rows.length > 0)).toBe(true);
  expect(await contents(byConsole)).toEqual(came);
  const [{ sandbox }] = (await tenantSql(
    service.context.database,
    byCommand.organizationId,
    'select trial_organization_id::int as sandbox from moves',
  )) as [{ sandbox: number }];
  expect(await contents({ organizationId: organizationId(sandbox) } as TestShop)).toEqual(
    await contents(byCommand),
  );
});
