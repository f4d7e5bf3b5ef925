import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { extract, pack } from 'tar-stream';
import { afterAll, expect, test } from 'vitest';
import { createTenant } from '../../../test/contract/contract-world.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService, type TestService } from '../../../test/harness/test-service.ts';
import { pickupBody, testOrigin } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { createIntegrator, reissueClientKeys } from '../../access/keys/keys.ts';
import {
  endOrganization,
  pruneOrganization,
  resumeOrganization,
  suspendOrganization,
} from '../../access/organizations/organizations.ts';
import { checksummedCollections } from '../../app/app.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { withSession } from '../../platform/connections/with-session.ts';
import { type ConnectionConfig, Database } from '../../platform/database/database.ts';
import { openDriverLicense, setDriverLicense } from '../../shop/deliveries/license-number.ts';
import { purgeDocuments } from '../../shop/documents/documents.ts';
import { beginMove } from '../../shop/moves/step-move.ts';
import { openKey } from '../../shop/traceability/connection-keys.ts';
import { createConnection, selectConnections } from '../../shop/traceability/traceability.ts';
import { adminOf } from '../verification/damaged-shop.test-support.ts';
import { verifyAll } from '../verification/verification.ts';
import { exportOrganization, importOrganization, UnfitArchive } from './organization-moves.ts';
import { LineSum } from './organization-rows.ts';

/* An organization leaves one deployment and comes into another one, which has its own organizations. */

const userKey = 'key-of-the-license-0001';
const tablesOfState = [
  ...['state_answers', 'state_comparisons', 'state_connections', 'state_filed_rows', 'state_lanes'],
  ...['state_packages', 'state_receipts', 'state_report_steps', 'state_reports', 'state_trips'],
];

const [from, into] = [await startOwnTestService(), await startOwnTestService()];
const witness = await openWitness(into.database);
const operator = new Database(into.database.owner, 1);
afterAll(async () => {
  await witness.end();
  await operator.close();
  await from.close();
  await into.close();
});

const tenant = await createTenant(from);
const neighbor = await createTenant(into);
const { shop } = tenant;
await fillTablesOfState(from, shop.organizationId);
await fillTablesOfState(into, neighbor.shop.organizationId);
await fillTablesOfTrips(from, shop.organizationId);
/** A change has such a number where a server of several made it. */
const highNumber = 2 ** 50;
await tenantSql(
  from.context.database,
  shop.organizationId,
  `insert into product_stock_changes (organization_id, product_id, id) overriding system value
     select organization_id, min(id), ${highNumber} from products where organization_id = ${shop.organizationId} group by 1`,
);

/** A driver with a sealed license number, and a trip that is out with a stop. */
async function fillTablesOfTrips({ context }: TestService, organization: OrganizationId): Promise<void> {
  const at = `'2026-03-10T18:00:00Z'`;
  const firstOf = async (selected: string) =>
    (await tenantSql(context.database, organization, selected))[0]!.id;
  const place = await firstOf('select min(id) as id from inventory_locations');
  const staff = await firstOf('select min(id) as id from staff_members');
  const order = await firstOf('select id from orders order by number limit 1');
  for (const text of [
    `insert into vehicles values (${organization}, 1, 'Van', '8ABC123', 'Ford', 'Transit', ${place}, ${at})`,
    `insert into drivers (organization_id, id, staff_id, shares_position, created_at)
     values (${organization}, 1, ${staff}, false, ${at})`,
    `insert into trips (organization_id, id, day, status, driver_id, vehicle_id, departed_at, created_at, updated_at)
     values (${organization}, 1, '2026-03-10', 'out', 1, 1, ${at}, ${at}, ${at})`,
    `insert into trip_stops (organization_id, id, trip_id, position, order_id, status)
     values (${organization}, 1, 1, 0, '${order}', 'waiting')`,
  ]) {
    await tenantSql(context.database, organization, text);
  }
  await setDriverLicense(context, testOrigin, organization, 1, 'D1234417');
}

/** A login as the command and the operator's page use it: without what tests set for their sessions on several servers. */
const plain = ({ options: _, ...login }: ConnectionConfig): ConnectionConfig => login;

async function written(
  { database, documentFiles, photoBlobs, clock }: TestService,
  organization: OrganizationId,
) {
  return withSession(plain(database.owner), async (client) => {
    const { archive, sums } = exportOrganization({
      ...{ client, organization, documents: documentFiles, photos: photoBlobs, nowMs: clock.now() },
    });
    const pieces: Uint8Array[] = [];
    for await (const piece of archive) pieces.push(piece);
    return { bytes: Buffer.concat(pieces), sums: await sums };
  });
}

const taken = (bytes: Uint8Array, broken?: Error) =>
  withSession(plain(adminOf(into)), (client) =>
    importOrganization({
      ...{ client, documents: into.documentFiles, photos: into.photoBlobs, nowMs: into.clock.now() },
      archive: (async function* () {
        yield bytes;
        if (broken !== undefined) throw broken;
      })(),
      takeId: () => into.context.ids.takeOne(),
      makeIntegrator: (name, write) => createIntegrator(into.context, 'production', name, write),
    }),
  );

// The picture that the goods of every test shop name.
await from.photoBlobs.put('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
await beginMove(from.context, testOrigin, shop.organizationId, 'Corner till');
const archive = await written(from, shop.organizationId);

/** An archive whose texts of the rows of a table are others, with the sums that belong to them. */
async function crafted(table: string, craft: (text: string) => string, told = craft): Promise<Buffer> {
  const out = pack();
  const sum = new LineSum();
  for await (const entry of Readable.from(archive.bytes).pipe(extract())) {
    const { name } = entry.header;
    let text = await buffer(entry);
    if (name.startsWith(`rows/${table}/`)) {
      const lines = text.toString().trimEnd().split('\n');
      const rows = lines.map((line) => JSON.parse(line));
      for (const row of rows) {
        // The database shows each row by itself.
        for (const shown of told(row.text).split('\n')) sum.add(JSON.stringify({ ...row, text: shown }));
      }
      text = Buffer.from(
        rows.map((row) => `${JSON.stringify({ ...row, text: craft(row.text) })}\n`).join(''),
      );
    }
    if (name === 'sums.json') {
      const sums = JSON.parse(text.toString());
      sums.tables[table] = sum.sum;
      text = Buffer.from(JSON.stringify(sums));
    }
    out.entry({ name }, text);
  }
  out.finalize();
  return buffer(out);
}

test('an archive that is cut off, changed, or none is refused, and nothing of it stays', async () => {
  const documents = () => readdir(join(into.documentFolder, 'documents'));
  const before = [await witness.contents(), await documents()];
  const cut = archive.bytes.subarray(0, archive.bytes.length / 2);
  await expect(taken(cut)).rejects.toThrow();
  const changed = Buffer.from(archive.bytes);
  const at = changed.indexOf('Ring twice');
  changed.write('Ring thrice'.slice(0, 10), at);
  await expect(taken(changed)).rejects.toThrow(/orders: .* rows with the sum/);
  await expect(taken(Buffer.alloc(1024))).rejects.toThrow(UnfitArchive);
  // What the database says while rows are written, and what the page says of it.
  for (const [code, said] of [
    ['53100', 'STORAGE_FULL'],
    ['57P01', 'SERVICE_UNAVAILABLE'],
  ]) {
    const broken = Object.assign(new Error('said by the database'), { code });
    await expect(taken(cut, broken)).rejects.toMatchObject({ code: said });
  }
  // No integrator either: its key was not shown.
  expect([await witness.contents(), await documents()]).toEqual(before);
});

test('an organization comes in whole: the same rows and files, keys of its own, and nothing of its neighbor is touched', async () => {
  const before = await contentsOf(neighbor.shop.organizationId);
  const imported = await taken(archive.bytes);
  expect(imported.id).not.toBe(shop.organizationId);
  // Written out again, it is the same: every column of every table.
  const again = await written(into, imported.id);
  expect(again.sums).toEqual(archive.sums);
  expect(archive.sums.tables.orders!.rows).toBeGreaterThan(4);
  expect([archive.sums.documents, archive.sums.photos]).toEqual([1, 1]);
  const ofState = Object.entries(archive.sums.tables).filter(([name]) => name.startsWith('state_'));
  expect(ofState.map(([name, { rows }]) => `${name} ${rows}`)).toEqual(
    tablesOfState.map((name) => `${name} 1`),
  );
  const ofTrips = ['drivers', 'trip_stops', 'trips', 'vehicles'].map(
    (name) => archive.sums.tables[name]!.rows,
  );
  expect(ofTrips).toEqual([1, 1, 1, 1]);
  expect(await openDriverLicense(into.context, imported.id, 1)).toBe('D1234417');
  // It stays off until the owner switches it on, and the key of its user opens again.
  const [[connection]] = await into.context.database.read(imported.id, selectConnections({}));
  expect(connection!.is_on).toBe(false);
  expect(openKey(await into.context.sealing.load(), imported.id, connection!)).toBe(userKey);
  expect(await contentsOf(neighbor.shop.organizationId)).toEqual(before);

  const report = await verifyAll({
    ...{ context: into.context, serving: into.database.serving, admin: null, dataDir: null },
    organizations: [{ id: imported.id }],
    collections: checksummedCollections,
    files: { documents: into.documentFiles, photos: into.photoBlobs, documentNames: null },
  });
  expect(report.findings).toEqual([]);

  const [integrator] = imported.integrators;
  const keys = await reissueClientKeys(into.context, 'production', testOrigin, imported.id);
  const key = keys.find(({ integrator: name }) => name === integrator!.name)!;
  const sent = { keys: { consumerKey: integrator!.consumerKey, clientKey: key.clientKey } };
  const old = await into.call('GET', '/api/v1/orders', { keys: shop.keys });
  expect(old.status).toBe(401);
  for (const path of [
    '/api/v1/orders?limit=100',
    '/api/v1/customers',
    '/api/v1/products/all',
    '/api/v1/packages',
  ]) {
    const there = await into.call('GET', path, sent);
    const here = await from.call('GET', path, { keys: shop.keys });
    const text = JSON.stringify(here.data).replaceAll(
      `"organizationId":${shop.organizationId}`,
      `"organizationId":${imported.id}`,
    );
    expect([path, there.status, there.data]).toEqual([path, 200, JSON.parse(text)]);
  }
  for (const collection of ['orders', 'customers', 'products', 'packages', 'purchase_orders']) {
    const sums = await Promise.all([
      into.call('GET', `/api/v1/checksums/${collection}`, sent),
      from.call('GET', `/api/v1/checksums/${collection}`, { keys: shop.keys }),
    ]);
    expect(sums[0].data.digest).toBe(sums[1].data.digest);
  }

  // Suspended: read, not written, and integrators are told why.
  const body = pickupBody(shop);
  const refused = await into.call('POST', '/api/v1/orders', { ...sent, body });
  expect([refused.status, refused.error?.code]).toEqual([403, 'ORGANIZATION_SUSPENDED']);
  await resumeOrganization(into.context, testOrigin, imported.id);
  into.clock.advance(1_000);
  expect((await into.call('POST', '/api/v1/orders', { ...sent, body })).status).toBe(201);
  // Changes are taken in their order: those from here on have higher numbers than those that came in.
  const [{ highest }] = await witness.query(
    'select max(id)::float8 as highest from product_stock_changes where organization_id = $1',
    [imported.id],
    imported.id,
  );
  expect(highest).toBeGreaterThan(highNumber);
});

test('an archive cannot name the sandbox of a trial, which would be another organization, nor a file of documents', async () => {
  const sandbox = (text: string) =>
    text.replace('{', `{"trial_organization_id":${neighbor.shop.organizationId},`);
  const plainText = (text: string) => text;
  const trials = async (id: OrganizationId) =>
    (await tenantSql(into.context.database, id, 'select trial_organization_id as trial from moves')).map(
      ({ trial }) => trial,
    );
  expect(await trials((await taken(await crafted('moves', sandbox, plainText))).id)).toEqual([null]);
  // A text that closes its row and begins another one.
  const second = (text: string) => text.replace(/"id":\d+/, '"id":7').replace('"open"', '"canceled"');
  const twice = await crafted(
    'moves',
    (text) => `${sandbox(text)},${second(text)}`,
    (text) => `${text}\n${second(text)}`,
  );
  await expect(taken(twice)).rejects.toThrow(UnfitArchive);
  const lost = (text: string) =>
    text.replace(
      /"id":\d+/,
      (id) =>
        `${id}7,"file_name":"1-1-aa","master_key_id":"${'a'.repeat(16)}","wrapped_key":"\\\\x${'00'.repeat(60)}"`,
    );
  const shown = (text: string) => text.replace(/"id":\d+/, (id) => `${id}7`);
  await expect(taken(await crafted('customer_documents', lost, shown))).rejects.toThrow(UnfitArchive);
});

test('an archive neither changes a picture that is here nor uses up the numbers of the deployment', async () => {
  const ours = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" id="ours"/>');
  await into.photoBlobs.put('a.svg', ours);
  await taken(archive.bytes);
  expect(await into.photoBlobs.get('a.svg')).toEqual(ours);
  const last = await crafted('product_stock_changes', (text) =>
    text.replace(String(highNumber), String(2n ** 63n - 1n)),
  );
  await expect(taken(last)).rejects.toThrow('its numbers are higher');
});

test('staff of a suspended organization read, sign out and write nothing; its end deletes every row, and no other', async () => {
  const { organizationId } = neighbor.shop;
  const { call } = await into.staff(neighbor.shop);
  const other = await createTenant(into);
  await suspendOrganization(into.context, testOrigin, organizationId);
  into.clock.advance(1_000);
  expect((await call('GET', '/staff/v1/orders')).status).toBe(200);
  const refused = await call('POST', '/staff/v1/brands', { body: { name: 'Nobody' } });
  expect([refused.status, refused.error?.code]).toEqual([403, 'ORGANIZATION_SUSPENDED']);

  const suspension = async () => (await call('GET', '/staff/v1/me')).data.organization.suspension;
  expect(await suspension()).toEqual({ endsAt: null });

  const endsAtMs = into.clock.now() + 86_400_000;
  await endOrganization(into.context, testOrigin, organizationId, endsAtMs);
  expect(await suspension()).toEqual({ endsAt: new Date(endsAtMs).toISOString() });
  expect(await pruneOrganization(into.context, operator, organizationId)).toBe(0);
  const kept = await contentsOf(other.shop.organizationId);
  into.clock.advance(86_400_000);
  // The retention of documents comes first: it deletes their files.
  expect(await pruneOrganization(into.context, operator, organizationId)).toBe(0);
  into.clock.advance(86_400_000);
  await purgeDocuments(into.context, into.documentFiles, testOrigin, organizationId);
  expect(await pruneOrganization(into.context, operator, organizationId)).toBeGreaterThan(100);
  expect(await pruneOrganization(into.context, operator, other.shop.organizationId)).toBe(0);
  expect(await rowsOf(organizationId)).toEqual([]);
  expect(await contentsOf(other.shop.organizationId)).toEqual(kept);
  expect((await call('GET', '/staff/v1/orders')).status).toBe(401);
});

/** A digest of every row of one organization; the tables of digests, which have rows of all, are left out. */
async function contentsOf(organization: OrganizationId) {
  const all = Object.entries(await witness.contents(organization));
  return Object.fromEntries(all.filter(([table]) => table.endsWith(` of ${organization}`)));
}

/** The tables that still have rows of it. */
async function rowsOf(organization: OrganizationId): Promise<string[]> {
  const tables = await witness.query(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'`,
  );
  const left: string[] = [];
  for (const { name } of tables) {
    const [{ count }] = await witness.query(
      `select count(*)::int as count from ${name} where organization_id = $1`,
      [organization],
      organization,
    );
    if (count > 0) left.push(name);
  }
  return left;
}

/** A license that reports, with a row in each table of what the state was told and what was read of it. */
async function fillTablesOfState({ context }: TestService, organization: OrganizationId): Promise<void> {
  const id = await createConnection(context, testOrigin, organization, {
    ...{ inventoryLocationId: null, state: 'CA', isSandbox: false, licenseNumber: 'C10-0000001' },
    ...{ userKey, isOn: true },
  });
  const [head, at] = [`${organization}, ${id}`, `'2026-03-10T18:00:00Z'`];
  const payload = `'{"lines":[]}'`;
  const first = 'select min(id) as id from staff_members';
  const [staff] = await tenantSql(context.database, organization, first);
  for (const text of [
    `insert into state_reports (organization_id, connection_id, id, kind, revision, external_number, payload, digest, packages, state,
       next_at, occurred_at, alarm_at, created_at, updated_at)
     values (${head}, 1, 'adjustment', 1, 'A1-1-X', ${payload}, encode(sha256(${payload}), 'hex'), '{1A4}', 'waiting', ${at}, ${at},
       ${at}, ${at}, ${at})`,
    `insert into state_report_steps values (${organization}, 1, 1, 'waiting', 'Written with the change of stock.', ${at})`,
    `insert into state_filed_rows values (${head}, 'Sale', 'tkt-1', '{"Quantity":"1"}', null, ${at})`,
    `insert into state_receipts values (${head}, 9001, '1-1-A', '2026-03-10T11:00:00', false, true, 1299, '[]', ${at}, ${at})`,
    `insert into state_trips values (${head}, 9002, false, true, '[]', ${at})`,
    `insert into state_packages (organization_id, connection_id, label, state_record_id, place, quantity, unit, read_at)
     values (${head}, '1A4', 7, 'active', 3.125, 'Grams', ${at})`,
    `insert into state_comparisons (organization_id, connection_id, id, state, reads_from, read_until, created_at)
     values (${head}, 1, 'running', ${at}, ${at}, ${at})`,
    `insert into state_answers values (${organization}, 1, ${id}, 'more-there', '1A4', '1', '2', 'state-is-right', 'Counted', ${staff!.id}, ${at})`,
  ]) {
    await tenantSql(context.database, organization, text);
  }
}
