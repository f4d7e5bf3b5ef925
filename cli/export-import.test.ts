import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seedDemo } from '../seed/seed-demo.ts';
import { createOrganization } from '../src/access/organizations/organizations.ts';
import { StaffSessions } from '../src/access/sessions/sessions.ts';
import { allEndpoints, allStaffEndpoints } from '../src/app/app.ts';
import { type OrganizationId, organizationId } from '../src/kernel/ids.ts';
import { SnapshotDatabase } from '../src/platform/database/snapshot-database.ts';
import { type ImportKind, inspectMenu, MenuFileReader, productImport } from '../src/shop/imports/imports.ts';
import { customerImport, staffImport, vendorImport } from '../src/shop/moves/import-kinds.ts';
import { startOwnTestService, type TestService } from '../test/harness/test-service.ts';
import { testOrigin } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { runExport } from './run-export.ts';
import { runImport } from './run-import.ts';
import { runSync } from './run-sync.ts';

/* Export and import are one format: what an organization exports, an empty one imports without a mapping. */

const root = mkdtempSync(join(tmpdir(), 'dispensary-round-trip-'));
let service: TestService;
let shops: readonly OrganizationId[];

beforeAll(async () => {
  service = await startOwnTestService({ dataFolder: join(root, 'data') });
  const files = { photos: service.photoBlobs, documents: service.documentFiles };
  // Few people and orders; the catalog is whole.
  const made = await seedDemo(service.context, 'production', files, () => {}, 0.05);
  shops = made.map(({ id }) => organizationId(id));
}, 120_000);
afterAll(async () => {
  await service.close();
  rmSync(root, { recursive: true, force: true });
});

let exports = 0;
// biome-ignore lint/suspicious/noExplicitAny: entries of any list
type Entry = Record<string, any>;

async function exported(
  organization: OrganizationId,
  resources: readonly string[] = ['product-categories', 'products', 'customers'],
): Promise<string> {
  const snapshot = new SnapshotDatabase(service.database.serving);
  const context = { ...service.context, database: snapshot };
  const access = {
    sessions: new StaffSessions(context, 'staging'),
    environment: 'staging',
    publicUrl: undefined,
  } as const;
  const photoUrl = (location: string) =>
    location.startsWith('/') ? `https://shop.example.com${location}` : location;
  const folder = join(root, String(++exports));
  try {
    await runExport({
      organization,
      snapshot,
      operations: [
        ...allStaffEndpoints(context, access, photoUrl, service.documentFiles, service.photoBlobs),
        ...allEndpoints(context, photoUrl, service.documentFiles),
      ],
      resources,
      folder,
      announce: async () => {},
      onProgress: () => {},
    });
    return folder;
  } finally {
    await snapshot.close();
  }
}

const entriesOf = (folder: string, resource: string): Entry[] =>
  readFileSync(join(folder, `${resource}.ndjson`), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const emptyOrganization = () =>
  createOrganization(service.context, testOrigin, {
    name: 'Empty',
    state: 'CA',
    tz: 'America/Los_Angeles',
  });

function importFile<Row>(kind: ImportKind<Row>, organization: OrganizationId, path: string) {
  const { context } = service;
  return runImport(kind, {
    ...{ context, origin: testOrigin, organization, path, mapping: null },
    ...{ isTrial: false, from: null, progress: null, onProgress: () => {} },
  });
}

/** What belongs to one organization, or to the moment of a write. */
const ofTheShop = new Set(['id', 'organizationId', 'createdAt', 'updatedAt', 'hashId', 'onHand', 'sizes']);
/** What customers have by their orders, groups and points, which are lists of their own. */
const ofOrders = new Set([
  ...['orderCount', 'spent', 'lastOrderAt', 'mostRecentAddress', 'loyalty', 'customerGroups'],
  'marketingOptInSource',
]);
function compared(entries: readonly Entry[], left: ReadonlySet<string> = new Set()): string[] {
  return entries
    .map((entry) =>
      JSON.stringify(entry, (name, value) => (ofTheShop.has(name) || left.has(name) ? undefined : value)),
    )
    .sort();
}

describe.each([
  ['California', 0],
  ['Michigan', 1],
] as const)('the demo shop of %s', (_, at) => {
  test('exports products and customers that an empty organization imports whole, without a mapping', async () => {
    const before = await exported(shops[at]!);
    const organization = await emptyOrganization();
    const products = entriesOf(before, 'products');
    const customers = entriesOf(before, 'customers').filter(({ erasedAt }) => erasedAt === null);
    expect(products.length).toBeGreaterThan(20);
    const report = await importFile(productImport, organization, join(before, 'products.ndjson'));
    expect(report).toMatchObject({ created: products.length, refused: 0, problems: [], warnings: [] });
    const people = await importFile(customerImport, organization, join(before, 'customers.ndjson'));
    expect(people).toMatchObject({ created: customers.length, refused: 0, problems: [] });

    const after = await exported(organization);
    expect(compared(entriesOf(after, 'products'))).toEqual(compared(products));
    expect(compared(entriesOf(after, 'customers'), ofOrders)).toEqual(compared(customers, ofOrders));
    const categories = entriesOf(before, 'product-categories').filter(({ id }) =>
      products.some(({ primaryCategory }) => primaryCategory.id === id),
    );
    const left = new Set(['order', 'displayOrder', 'productCount']);
    expect(compared(entriesOf(after, 'product-categories'), left)).toEqual(compared(categories, left));

    // A second run changes nothing.
    expect(await importFile(productImport, organization, join(after, 'products.ndjson'))).toMatchObject({
      ...{ created: 0, known: products.length, refused: 0 },
    });
    expect(await importFile(customerImport, organization, join(before, 'customers.ndjson'))).toMatchObject({
      ...{ created: 0, known: customers.length, refused: 0 },
    });
    const { context } = service;
    const same = await runSync({
      ...{ context, origin: testOrigin, organization, path: join(after, 'products.ndjson'), mapping: null },
      ...{ isTrial: false, onProgress: () => {}, onPlan: () => {} },
    });
    expect(same).toMatchObject({ create: [], change: [], retire: [], same: products.length, refused: 0 });
  }, 60_000);
});

test.each([
  ['inventory-vendors', vendorImport, ({ archivedAt }: Entry) => archivedAt === null, []],
  [
    'staff',
    staffImport,
    ({ role, disabledAt }: Entry) => role !== 'owner' && disabledAt === null,
    // They sign in here once an owner has invited them.
    ['status', 'hasSecondFactor'],
  ],
] as const)(
  '%s of an export come into an empty organization, and are exported again as they were',
  async (resource, kind, isBrought, left) => {
    const before = await exported(shops[0]!, [resource]);
    const all = entriesOf(before, resource);
    const brought = all.filter(isBrought);
    expect(brought.length).toBeGreaterThan(1);
    const organization = await emptyOrganization();
    const run = () =>
      importFile(kind as ImportKind<unknown>, organization, join(before, `${resource}.ndjson`));
    const report = await run();
    expect(report).toMatchObject({ created: brought.length, refused: 0, problems: [] });
    // Those that are left out are told.
    expect(report.warnings).toHaveLength(all.length - brought.length);
    const after = await exported(organization, [resource]);
    expect(compared(entriesOf(after, resource), new Set(left))).toEqual(compared(brought, new Set(left)));
    expect(await run()).toMatchObject({ created: 0, known: brought.length, refused: 0 });
  },
);

test('a look at an export says that it needs no mapping, and refuses nothing', async () => {
  const folder = await exported(shops[1]!);
  const path = join(root, 'export.json');
  writeFileSync(path, JSON.stringify(entriesOf(folder, 'products')));
  copyFileSync(join(folder, 'products.ndjson'), join(root, 'export.ndjson'));
  for (const file of [path, join(root, 'export.ndjson')]) {
    const look = await inspectMenu(service.context, await emptyOrganization(), {
      reader: new MenuFileReader(fileAt(file)),
      preset: null,
      productsMax: Number.POSITIVE_INFINITY,
    });
    expect(look).toMatchObject({ mapping: null, refused: 0 });
  }
});

test('what an export says of deleted products, free ones and erased customers is kept or told', async () => {
  const organization = await emptyOrganization();
  const [product] = entriesOf(await exported(shops[1]!), 'products') as [Entry];
  const [customer] = entriesOf(await exported(shops[1]!), 'customers') as [Entry];
  const write = (name: string, entries: readonly object[]) => {
    const path = join(root, name);
    writeFileSync(path, entries.map((entry) => JSON.stringify(entry)).join('\n'));
    return path;
  };
  const free = {
    ...product,
    name: 'Sticker',
    options: product.options.map((option: Entry) => ({ ...option, price: 0, salesPrice: null, upc: null })),
  };
  const deleted = { ...product, name: 'Gone', deletedAt: '2026-01-01T00:00:00.000Z' };
  const report = await importFile(productImport, organization, write('some.ndjson', [free, deleted]));
  expect(report).toMatchObject({ created: 1, refused: 0 });
  expect(report.warnings).toEqual([
    { line: 2, column: null, message: 'is a product that was deleted, and was left out' },
  ]);
  const [made] = entriesOf(await exported(organization), 'products') as [Entry];
  expect(made.options.map(({ price }: Entry) => price)).toEqual(product.options.map(() => 0));

  const alone = { ...customer, hashId: 'a', firstName: 'No', lastName: 'Contact', email: null, phone: null };
  const erased = {
    ...customer,
    hashId: 'b',
    firstName: '',
    lastName: '',
    email: null,
    phone: null,
    erasedAt: '2026-01-01T00:00:00.000Z',
  };
  const path = write('people.ndjson', [alone, erased]);
  const people = await importFile(customerImport, organization, path);
  expect(people).toMatchObject({ created: 1, refused: 0 });
  expect(people.warnings).toEqual([
    { line: 2, column: null, message: 'is a customer whose data were erased, and was left out' },
  ]);
  expect(await importFile(customerImport, organization, path)).toMatchObject({ created: 0, known: 1 });
});

test('a category of the same name and another type is refused: contents have its unit', async () => {
  const organization = await emptyOrganization();
  const folder = await exported(shops[0]!);
  const product = entriesOf(folder, 'products').find(
    ({ primaryCategory }) => primaryCategory.cannabisType !== 'none',
  )!;
  const other = {
    ...product,
    name: 'Other',
    primaryCategory: { ...product.primaryCategory, cannabisType: 'none' },
  };
  const path = join(root, 'types.ndjson');
  writeFileSync(path, JSON.stringify(other));
  await importFile(productImport, organization, join(folder, 'products.ndjson'));
  const report = await importFile(productImport, organization, path);
  expect(report.problems).toEqual([
    { line: 1, column: 'category', message: expect.stringMatching(/^must be of the type none/) },
  ]);
});
