import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { StaffSessions } from '../src/access/sessions/sessions.ts';
import { allEndpoints, allStaffEndpoints } from '../src/app/app.ts';
import { SnapshotDatabase } from '../src/platform/database/snapshot-database.ts';
import { createTenant } from '../test/contract/contract-world.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { pickupBody, type TestShop } from '../test/harness/test-shop.ts';
import { exportedResources } from './export-lists.ts';
import { type ExportedFile, runExport, sumsFile } from './run-export.ts';
import { UsageError } from './usage-error.ts';

const service = await startOwnTestService();
const root = mkdtempSync(join(tmpdir(), 'dispensary-export-'));
afterAll(async () => {
  rmSync(root, { recursive: true, force: true });
  await service.close();
});

const tenant = await createTenant(service);
const stranger = await createTenant(service);
const { shop } = tenant;
const photoUrl = (location: string) => location;

let exports = 0;
/** The folders recorded in the audit log. */
const announced: string[] = [];
async function exportShop(
  { organizationId }: TestShop,
  {
    resources = exportedResources,
    onProgress = () => {},
  }: { resources?: readonly string[]; onProgress?: (resource: string) => void } = {},
): Promise<{ folder: string; files: readonly ExportedFile[] }> {
  const snapshot = new SnapshotDatabase(service.database.serving);
  const context = { ...service.context, database: snapshot };
  const access = {
    sessions: new StaffSessions(context, 'staging'),
    environment: 'staging',
    publicUrl: undefined,
  } as const;
  const folder = join(root, String(++exports));
  try {
    const files = await runExport({
      organization: organizationId,
      snapshot,
      operations: [
        ...allStaffEndpoints(context, access, photoUrl, service.documentFiles, service.photoBlobs),
        ...allEndpoints(context, photoUrl, service.documentFiles),
      ],
      resources,
      folder,
      announce: async () => void announced.push(folder),
      onProgress,
    });
    return { folder, files };
  } finally {
    await snapshot.close();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
const linesOf = (folder: string, resource: string): any[] =>
  readFileSync(join(folder, `${resource}.ndjson`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

test('an export has every resource as in the API, with valid checksums, readable by its owner only', async () => {
  const { folder, files } = await exportShop(shop);
  expect(files.map(({ resource }) => resource).sort()).toEqual([...exportedResources].sort());
  const sums = readFileSync(join(folder, sumsFile), 'utf8');
  for (const { file, records, bytes, sha256, resource } of files) {
    const content = readFileSync(join(folder, file));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
    expect(sums).toContain(`${sha256}  ${file}\n`);
    expect([content.length, linesOf(folder, resource).length]).toEqual([bytes, records]);
    expect(statSync(join(folder, file)).mode & 0o077).toBe(0);
  }
  const owner = await service.staff(shop);
  for (const [resource, path] of [
    ['orders', 'orders'],
    ['customers', 'customers'],
    ['products', 'products'],
    ['purchase-orders', 'purchase-orders'],
    ['order-returns', 'order-returns'],
    ['taxes', 'taxes'],
  ] as const) {
    const { data } = await owner.call('GET', `/staff/v1/${path}`);
    expect(data.length).toBeGreaterThan(0);
    expect(linesOf(folder, resource)).toEqual(data);
  }
  const { data: packages } = await service.call('GET', '/api/v1/packages', { keys: shop.keys });
  const byId = (a: { id: number }, b: { id: number }) => a.id - b.id;
  expect(linesOf(folder, 'packages')).toEqual([...packages].sort(byId));
  expect(linesOf(folder, 'organization')).toHaveLength(1);
});

test('a product is exported with all that describes it', async () => {
  const owner = await service.staff(shop);
  const details = {
    ...{ strain: 'Grove', sku: 'EX-1', effects: ['calm'], flavours: ['pine', 'orange'] },
    terpenes: [{ name: 'Myrcene', percent: '0.82' }],
    labResults: [
      { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/1.pdf' },
    ],
  };
  const altText = 'A jar with green flower';
  const url = 'https://photos.example.com/1.jpg';
  const made = await owner.call('POST', '/staff/v1/products', {
    ...{
      name: 'Exported Grove',
      description: 'Pine.',
      unit: 'gram',
      strainType: 'hybrid',
      category: 'Flower',
    },
    ...{ subCategories: [], photos: [{ url, altText }] },
    options: [{ amount: 1, price: 0, content: '1', photos: [{ url, altText }, url] }],
    ...details,
  });
  expect(made.error).toBeUndefined();
  const { folder } = await exportShop(shop, { resources: ['products'] });
  const line = linesOf(folder, 'products').find(({ id }) => id === made.data.id);
  expect(line).toMatchObject({
    ...details,
    photos: [url],
    photoAltTexts: [altText],
    options: [
      {
        price: 0,
        photos: [
          { fullPath: url, altText },
          { fullPath: url, altText: null },
        ],
      },
    ],
  });
});

test('it contains no secrets and nothing of another organization', async () => {
  const { folder, files } = await exportShop(shop);
  const text = files.map(({ file }) => readFileSync(join(folder, file), 'utf8')).join('');
  const ids = Object.values(stranger.ids).filter((id) => typeof id === 'string' && id.length > 20);
  for (const id of ids) expect(text).not.toContain(id);
  expect(text).not.toContain(`"organizationId":${stranger.shop.organizationId}`);
  expect(text).not.toContain(shop.keys.clientKey);
  expect(text).not.toMatch(/argon2|password[^.]/i);
});

test('all files are of one moment despite concurrent writes', async () => {
  const before = await exportShop(shop);
  let writes = 0;
  const pending: Promise<unknown>[] = [];
  const during = await exportShop(shop, {
    onProgress: () => {
      if (writes++ > 5) return;
      pending.push(
        service.call('POST', '/api/v1/orders', {
          keys: shop.keys,
          body: pickupBody(shop, {
            customer: { firstName: 'New', lastName: 'Person', email: `new${writes}@customers.example.com` },
          }),
        }),
      );
    },
  });
  expect(await Promise.all(pending)).toMatchObject(pending.map(() => ({ status: 201 })));
  const sumsOf = ({ files }: { files: readonly ExportedFile[] }) =>
    files.map(({ resource, sha256 }) => [resource, sha256]);
  expect(sumsOf(during)).toEqual(sumsOf(before));
  const after = await exportShop(shop);
  const countOf = ({ folder }: { folder: string }, resource: string) => linesOf(folder, resource).length;
  expect(countOf(after, 'orders')).toBe(countOf(before, 'orders') + pending.length);
  expect(countOf(after, 'customers')).toBe(countOf(before, 'customers') + pending.length);
  // Levels are the sums of the ledger, in the files as in the database.
  const sums = new Map<string, number>();
  const key = (line: Record<string, unknown>) =>
    [line.productId, line.productOptionId, line.inventoryLocationId, line.packageId].join();
  for (const line of linesOf(after.folder, 'inventory-ledger')) {
    sums.set(key(line), (sums.get(key(line)) ?? 0) + Number(line.delta));
  }
  for (const line of linesOf(after.folder, 'inventory')) {
    expect(sums.get(key(line)) ?? 0).toBeCloseTo(Number(line.onHand));
  }
});

test('lists longer than a page are complete', async () => {
  const [{ count }] = (await tenantSql(
    service.context.database,
    shop.organizationId,
    `insert into customers (organization_id, id, hash_id, first_name, last_name, joined_at, updated_at)
     select ${shop.organizationId}, 800000000 + n, 'T' || n, 'Many', 'People', now(), now() from generate_series(1, 130) n
     returning (select count(*)::int from customers) as count`,
  )) as [{ count: number }];
  const { folder } = await exportShop(shop, { resources: ['customers'] });
  const ids = linesOf(folder, 'customers').map(({ id }) => id);
  expect(new Set(ids).size).toBe(count + 130);
  expect(ids).toHaveLength(count + 130);
});

test("points have the customer's id, and an erased customer causes no error", async () => {
  const owner = await service.staff(shop);
  const person = { firstName: 'Tess', lastName: 'Walker', email: 'tess@customers.example.com' };
  const { data: customer } = await owner.call('POST', '/staff/v1/customers', person);
  const path = `/staff/v1/customers/${customer.id}`;
  const adjustment = { pointsAmount: 12.5, reason: 'A lost receipt' };
  const { data: adjusted } = await owner.call('POST', `${path}/loyalty-adjustments`, adjustment);
  expect((await owner.call('DELETE', path)).status).toBe(200);
  const { folder } = await exportShop(shop);
  const entries = linesOf(folder, 'loyalty-events').filter(({ customerId }) => customerId === customer.id);
  expect(entries).toEqual([
    expect.objectContaining({ ...adjustment, id: adjusted.id, type: 'adjusted', reason: 'Erased' }),
  ]);
  expect(linesOf(folder, 'customers').map(({ id }) => id)).toContain(customer.id);
});

test('an export is recorded before its first file exists, and not if its folder is refused', async () => {
  const { folder } = await exportShop(shop, { resources: ['taxes'] });
  expect(announced.filter((name) => name === folder)).toHaveLength(1);
  exports--;
  await expect(exportShop(shop)).rejects.toThrow(`--to: ${folder} must be empty`);
  expect(existsSync(join(folder, 'orders.ndjson'))).toBe(false);
  const file = join(root, String(++exports + 1));
  writeFileSync(file, 'other text');
  const failed = exportShop(shop);
  await expect(failed).rejects.toThrow(`--to: ${file} cannot be written to`);
  await expect(failed).rejects.toBeInstanceOf(UsageError);
  expect(readFileSync(file, 'utf8')).toBe('other text');
  expect(announced.filter((name) => name === folder || name === file)).toEqual([folder]);
});
