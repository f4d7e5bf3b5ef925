import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { productImport } from '../src/shop/imports/imports.ts';
import { comparableProducts } from '../test/harness/comparable-products.ts';
import { runMenuJobs } from '../test/harness/run-menu-jobs.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { runImport } from './run-import.ts';
import { runSync } from './run-sync.ts';

/* What describes a product, with its pictures and those of its options, by every way into the catalog. */

const service = await startTestService();
const { context } = service;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-pictured-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});
const newShop = () => createTestShop(context, { products: [] });
const at = 'https://photos.example.com';

type SentPhoto = string | { readonly url: string; readonly altText: string };

/** What is told of a product beside its name and pictures; every field that the interface takes is in one of them. */
interface Told {
  readonly brandName?: string;
  readonly description?: string;
  readonly strain?: string;
  readonly sku?: string;
  readonly terpenes?: readonly { readonly name: string; readonly percent?: string }[];
  readonly effects?: readonly string[];
  readonly flavours?: readonly string[];
  readonly labResults?: readonly {
    readonly lab: string;
    readonly date?: string;
    readonly certificateUrl?: string;
  }[];
  readonly thcAmount?: string;
  readonly thcUnit?: '%';
}

interface Body extends Told {
  readonly name: string;
  readonly photos: readonly SentPhoto[];
  readonly options: readonly {
    readonly name?: string;
    readonly amount: number;
    readonly price: number;
    readonly content: string;
    readonly upc?: string;
    readonly salesPrice?: number;
    readonly photos?: readonly SentPhoto[];
  }[];
}

const bodies: readonly Body[] = [
  {
    name: 'Grove',
    ...{ brandName: 'Alder Yard', description: 'Pine, *orange*.', strain: 'Grove Haze', sku: 'GR-35' },
    terpenes: [{ name: 'Myrcene', percent: '0.82' }, { name: 'Limonene' }],
    ...{ effects: ['Calm', 'Sleepy'], flavours: ['Pine'], thcAmount: '18.2', thcUnit: '%' },
    labResults: [
      { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/1.pdf' },
      { lab: 'Second Look Labs' },
    ],
    photos: [`${at}/1.jpg`, { url: `${at}/2.jpg`, altText: 'A jar; "half" full, on a table' }],
    options: [
      {
        ...{
          name: 'Eighth',
          amount: 3.5,
          price: 3500,
          content: '3.5',
          upc: '850012345678',
          salesPrice: 3000,
        },
        photos: [{ url: `${at}/e1.jpg`, altText: 'An eighth on a scale' }, `${at}/e2.jpg`],
      },
      { name: 'Quarter', amount: 7, price: 6500, content: '7' },
    ],
  },
  {
    name: 'Fog',
    photos: [{ url: `${at}/3.jpg`, altText: 'Nebel über dem Hafen' }],
    options: [{ amount: 1, price: 1200, content: '1', photos: [`${at}/o.jpg`] }],
  },
  { name: 'Dune', photos: [], options: [{ amount: 1, price: 900, content: '1' }] },
];
const common = { category: 'Flower', unit: 'gram', strainType: 'hybrid', subCategories: [] };
const sent = bodies.map((body) => ({ ...body, ...common }));

const header = [
  ...['name', 'category', 'unit', 'strainType', 'photos', 'photoAltTexts', 'optionName', 'amount', 'price'],
  ...['content', 'optionPhotos', 'optionPhotoAltTexts', 'upc', 'salesPrice', 'brandName', 'description'],
  ...['strain', 'sku', 'terpenes', 'effects', 'flavours', 'labResults', 'thcAmount', 'thcUnit'],
];
const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
const urls = (photos: readonly SentPhoto[] = []) =>
  photos.map((photo) => (typeof photo === 'string' ? photo : photo.url)).join('|');
const texts = (photos: readonly SentPhoto[] = []) =>
  photos.every((photo) => typeof photo === 'string')
    ? ''
    : photos.map((photo) => (typeof photo === 'string' ? '' : photo.altText)).join('|');

const toldCells = (told: Told) => [
  ...[told.brandName ?? '', told.description ?? '', told.strain ?? '', told.sku ?? ''],
  (told.terpenes ?? []).map(({ name, percent }) => (percent ? `${name} ${percent}%` : name)).join('|'),
  ...[told.effects ?? [], told.flavours ?? []].map((words) => words.join('|')),
  (told.labResults ?? [])
    .map(({ lab, date, certificateUrl }) => [lab, date, certificateUrl].filter(Boolean).join(' '))
    .join('|'),
  ...[told.thcAmount ?? '', told.thcUnit ?? ''],
];

/** The products as the rows of a file. */
function csvOf(products: readonly Body[]): string {
  const rows = products.flatMap(({ name, photos, options, ...told }) =>
    options.map((option) =>
      [
        ...[name, 'Flower', 'gram', 'hybrid', urls(photos), texts(photos), option.name ?? ''],
        ...[String(option.amount), String(option.price), option.content],
        ...[urls(option.photos), texts(option.photos)],
        ...[option.upc ?? '', String(option.salesPrice ?? ''), ...toldCells(told)],
      ].map(cell),
    ),
  );
  return [header, ...rows].map((cells) => cells.join(',')).join('\n');
}

let files = 0;
function write(extension: string, content: string): string {
  const path = join(folder, `${++files}.${extension}`);
  writeFileSync(path, content);
  return path;
}

function byCommand({ organizationId }: TestShop, path: string) {
  return runImport(productImport, {
    ...{ context, origin: testOrigin, organization: organizationId, path, mapping: null },
    ...{ isTrial: false, from: null, progress: null, onProgress: () => {} },
  });
}

/** Follows a file. Resolves to how many products were made, changed, and left alone. */
async function follow({ organizationId }: TestShop, path: string, isTrial = false) {
  const { create, change, same, problems } = await runSync({
    ...{ context, origin: testOrigin, organization: organizationId, path, mapping: null },
    ...{ isTrial, onProgress: () => {}, onPlan: () => {} },
  });
  expect([create, problems]).toEqual([[], []]);
  return { change: change.length, same };
}

type Staff = Awaited<ReturnType<typeof service.staff>>;

/** Imports as the console does. Resolves to the import. */
async function byConsole(shop: TestShop, staff: Staff, fileName: string, content: string) {
  const { data, error } = await staff.call(
    'POST',
    `/staff/v1/menu-imports?fileName=${fileName}`,
    Buffer.from(content),
    { headers: { 'content-type': 'application/octet-stream' } },
  );
  expect(error).toBeUndefined();
  await staff.call('POST', `/staff/v1/menu-imports/${data.id}/runs`, { mode: 'change', dryRun: false });
  await runMenuJobs(service, shop.organizationId);
  return (await staff.call('GET', `/staff/v1/menu-imports/${data.id}`)).data;
}

test('the same products make the same catalog by the interface, by staff, by command and in the console', async () => {
  const ndjson = sent.map((body) => JSON.stringify(body)).join('\n');
  const csv = csvOf(bodies);
  const ways: Readonly<Record<string, (shop: TestShop) => Promise<unknown>>> = {
    'one at a time': async ({ keys }) => {
      for (const body of sent) {
        expect((await service.call('POST', '/api/v1/products', { keys, body })).error).toBeUndefined();
      }
    },
    staff: async (shop) => {
      const staff = await service.staff(shop, 'inventory');
      for (const body of sent) {
        expect((await staff.call('POST', '/staff/v1/products', body)).error).toBeUndefined();
      }
    },
    'by external ids': async ({ keys }) => {
      // Twice: a retry makes no twins.
      for (const body of [...sent, ...sent]) {
        const path = `/api/v1/products/by-external-id/${body.name}`;
        expect((await service.call('PUT', path, { keys, body })).error).toBeUndefined();
      }
    },
    'as a batch': async ({ keys }) => {
      const body = { products: sent.map((product) => ({ externalId: product.name, ...product })) };
      for (let time = 0; time < 2; time++) {
        const { data } = await service.call('POST', '/api/v1/products/batch', { keys, body });
        expect(data.results.map(({ error }: { error?: object }) => error)).toEqual(sent.map(() => undefined));
      }
    },
    'by command, JSON': async (shop) => {
      expect(await byCommand(shop, write('ndjson', ndjson))).toMatchObject({ created: 3, refused: 0 });
    },
    'by command, CSV': async (shop) => {
      expect(await byCommand(shop, write('csv', csv))).toMatchObject({ created: 3, refused: 0 });
    },
    'in the console, JSON': async (shop) => {
      const done = await byConsole(shop, await service.staff(shop), 'menu.ndjson', ndjson);
      expect(done).toMatchObject({ status: 'done', created: 3, refused: 0 });
    },
    'in the console, CSV': async (shop) => {
      const done = await byConsole(shop, await service.staff(shop), 'menu.csv', csv);
      expect(done).toMatchObject({ status: 'done', created: 3, refused: 0 });
    },
  };
  const catalogs = new Map<string, unknown>();
  for (const [way, send] of Object.entries(ways)) {
    const shop = await newShop();
    await send(shop);
    catalogs.set(way, await comparableProducts(service, shop));
  }
  const [expected] = catalogs.values();
  expect(expected).toMatchObject([
    { name: 'Dune', photos: [], options: [{ photos: [] }] },
    {
      name: 'Fog',
      photos: [{ altText: 'Nebel über dem Hafen' }],
      options: [{ photos: [{ altText: null }] }],
    },
    {
      name: 'Grove',
      ...{ strain: 'Grove Haze', sku: 'GR-35', effects: ['Calm', 'Sleepy'], flavours: ['Pine'] },
      terpenes: [
        { name: 'Myrcene', percent: '0.82' },
        { name: 'Limonene', percent: null },
      ],
      labResults: [
        { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/1.pdf' },
        { lab: 'Second Look Labs', date: null, certificateUrl: null },
      ],
      photos: [{ altText: null }, { fullPath: `${at}/2.jpg`, altText: 'A jar; "half" full, on a table' }],
      options: [
        { photos: [{ fullPath: `${at}/e1.jpg`, altText: 'An eighth on a scale' }, { altText: null }] },
        { photos: [] },
      ],
    },
  ]);
  for (const [way, catalog] of catalogs) expect(catalog, way).toEqual(expected);
});

describe('a catalog that follows a file', () => {
  const [grove, fog, dune] = bodies as readonly [Body, Body, Body];
  const changed: readonly Body[] = [
    {
      ...grove,
      photos: [{ url: `${at}/1.jpg`, altText: 'The front' }, `${at}/2.jpg`],
      options: [
        { ...grove.options[0]!, photos: [`${at}/e2.jpg`] },
        { ...grove.options[1]!, photos: [{ url: `${at}/q.jpg`, altText: 'A bag' }] },
      ],
    },
    fog,
    dune,
  ];

  test('shows changes of texts and photos, makes them, and finds nothing at the second time', async () => {
    const shop = await newShop();
    await byCommand(shop, write('csv', csvOf(bodies)));
    expect(await follow(shop, write('csv', csvOf(bodies)))).toMatchObject({ change: 0, same: 3 });
    const path = write('csv', csvOf(changed));
    const before = await comparableProducts(service, shop);
    expect(await follow(shop, path, true)).toEqual({ change: 1, same: 2 });
    expect(await comparableProducts(service, shop)).toEqual(before);
    expect(await follow(shop, path)).toMatchObject({ change: 1, same: 2 });
    expect((await comparableProducts(service, shop))[2]).toMatchObject({
      // What the file leaves blank keeps its text.
      photos: [{ altText: 'The front' }, { altText: 'A jar; "half" full, on a table' }],
      options: [{ photos: [{ fullPath: `${at}/e2.jpg` }] }, { photos: [{ altText: 'A bag' }] }],
    });
    expect(await follow(shop, path)).toMatchObject({ change: 0, same: 3 });
    // A file without these columns says nothing about them.
    const kept = await comparableProducts(service, shop);
    const plain = csvOf(
      changed.map((body) => ({
        ...body,
        photos: [],
        options: body.options.map(({ photos: _, ...option }) => option),
      })),
    );
    expect(await follow(shop, write('csv', plain))).toMatchObject({ change: 0, same: 3 });
    expect(await comparableProducts(service, shop)).toEqual(kept);
  });

  test('gets back the texts and the photos of options when the import is undone, except what was edited since', async () => {
    const shop = await newShop();
    const staff = await service.staff(shop);
    await byConsole(shop, staff, 'menu.csv', csvOf(bodies));
    const before = await comparableProducts(service, shop);
    const undo = async (id: number) => {
      expect((await staff.call('POST', `/staff/v1/menu-imports/${id}/undo`)).error).toBeUndefined();
      await runMenuJobs(service, shop.organizationId);
    };
    const second = await byConsole(shop, staff, 'menu.csv', csvOf(changed));
    expect(second).toMatchObject({ changed: 1 });
    await undo(second.id);
    expect(await comparableProducts(service, shop)).toEqual(before);

    const third = await byConsole(shop, staff, 'menu.csv', csvOf(changed));
    const { data } = await staff.call('GET', '/staff/v1/products');
    const product = data.find(({ name }: { name: string }) => name === 'Grove');
    const [, quarter] = product.options;
    const photo = `/staff/v1/products/${product.id}/photos/${quarter.photos[0].id}`;
    await staff.call('PATCH', photo, { altText: 'Edited since' });
    await undo(third.id);
    const [, , after] = await comparableProducts(service, shop);
    const [, , former] = before as unknown as { photos: object; options: { photos: object }[] }[];
    expect(after).toMatchObject({
      photos: former!.photos,
      options: [{ photos: former!.options[0]!.photos }, { photos: [{ altText: 'Edited since' }] }],
    });
  });
});

test('of 500 rows with three wrong ones 497 are written, and each refusal has line, column, text and what is expected', async () => {
  const products = Array.from({ length: 500 }, (_, number): Body => {
    const option = { amount: 1, price: 100 + number, content: '1' };
    return { name: `Row ${number}`, photos: [`${at}/${number}.jpg`], options: [option] };
  });
  const long = 'x'.repeat(501);
  products[2] = { ...products[2]!, photos: [{ url: `${at}/2.jpg`, altText: long }] };
  products[250] = {
    ...products[250]!,
    options: [{ ...products[250]!.options[0]!, photos: ['a picture'] }],
  };
  products[499] = { ...products[499]!, photos: [] };
  const csv = csvOf(products).replace(/("Row 499","Flower","gram","hybrid",""),""/, '$1,"A text|of nothing"');
  const shop = await newShop();
  const report = await byCommand(shop, write('csv', csv));
  expect(report).toMatchObject({ created: 497, refused: 3 });
  const wrong = {
    text: `must be text of at most 500 characters, not "${'x'.repeat(60)}…"`,
    address:
      'must be an http or https address of at most 2,000 characters, alone or in an object with url and altText, not "a picture"',
    many: 'must have a text, or a blank, for each photo in their order: there are 0, not "A text|of nothing"',
  };
  const problems = [
    { line: 4, column: 'photoAltTexts', message: wrong.text },
    { line: 252, column: 'optionPhotos', message: wrong.address },
    { line: 501, column: 'photoAltTexts', message: wrong.many },
  ];
  expect(report.problems).toEqual(problems);
  expect(await comparableProducts(service, shop)).toHaveLength(497);

  const another = await newShop();
  const staff = await service.staff(another);
  const done = await byConsole(another, staff, 'menu.csv', csv);
  expect(done).toMatchObject({ status: 'done', created: 497, refused: 3 });
  const refused = await staff.call('GET', `/staff/v1/menu-imports/${done.id}/problems`);
  expect(refused.data.problems).toMatchObject(problems);
});
