import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import {
  type ImportFields,
  type ImportKind,
  productImport,
  readMapping,
  UnreadableFile,
} from '../src/shop/imports/imports.ts';
import { customerImport } from '../src/shop/moves/import-kinds.ts';
import { tenantSql } from '../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop, testOrigin } from '../test/harness/test-shop.ts';
import { ImportProgress } from './import-progress.ts';
import { mappingAt } from './mapping-at.ts';
import { type ImportReport, type ImportRun, runImport } from './run-import.ts';

const service = await startOwnTestService();
const { context } = service;
const folder = mkdtempSync(join(tmpdir(), 'dispensary-import-'));
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await service.close();
});

const mappingOf = (path: string, fields: ImportFields) => readMapping(mappingAt(path), fields);
const examples = fileURLToPath(new URL('../docs/examples/', import.meta.url));
let files = 0;

function write(text: string | Buffer, ending = 'csv'): string {
  const path = join(folder, `${++files}.${ending}`);
  writeFileSync(path, text);
  return path;
}

function importFile<Row>(
  kind: ImportKind<Row>,
  shop: TestShop,
  path: string,
  more: Partial<ImportRun> = {},
): Promise<ImportReport> {
  return runImport(kind, {
    context,
    origin: testOrigin,
    organization: shop.organizationId,
    path,
    mapping: null,
    isTrial: false,
    from: null,
    progress: null,
    onProgress: () => {},
    ...more,
  });
}

const counts = ({ created, known, refused }: ImportReport) => ({ created, known, refused });

/** Row counts of every table of an organization that an import could change. */
async function rowCounts({ organizationId }: TestShop) {
  const tables = ['products', 'product_options', 'product_photos', 'brands', 'product_sub_categories'];
  const others = ['customers', 'audit_entries', 'outbox_events'];
  const [row] = await tenantSql(
    context.database,
    organizationId,
    `select ${[...tables, ...others].map((table) => `(select count(*) from ${table})::int as ${table}`).join(', ')}`,
  );
  return row!;
}

const header = 'name,brandName,category,subCategories,unit,strainType,optionName,amount,price,content,upc';
const row = (name: string, cells: string) =>
  `${name},Harborlight Farms,Flower,Whole flower|Small batch,gram,hybrid,${cells}`;

test('a file of options becomes products as through the API, with events, and a second import changes nothing', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = write(
    [
      header,
      row('Moonlit Grove', 'Eighth,3.5,3500,3.5,850012345678'),
      row('moonlit grove', 'Quarter,7,6500,7,850012345685'),
      row('"Fog, Harbor"', ',1,1200,1,'),
    ].join('\r\n'),
  );
  const before = await rowCounts(shop);
  const first = await importFile(productImport, shop, path);
  expect(first).toEqual({ created: 2, known: 0, refused: 0, done: 2, problems: [], warnings: [] });
  const { data } = await service.call('GET', '/api/v1/products/all', { keys: shop.keys });
  const made = data.filter(({ brand }: { brand: { name: string } }) => brand.name === 'Harborlight Farms');
  expect(made).toMatchObject([
    {
      name: 'Moonlit Grove',
      isActive: false,
      inventoryType: 'option',
      primaryCategory: { name: 'Flower' },
      subCategories: [{ name: 'Whole flower' }, { name: 'Small batch' }],
      options: [
        { name: 'Eighth', amount: 3.5, price: 3500, content: '3.5', upc: '850012345678' },
        { name: 'Quarter', amount: 7, price: 6500, content: '7', upc: '850012345685' },
      ],
    },
    { name: 'Fog, Harbor', options: [{ name: '1 gram', upc: null }] },
  ]);
  const after = await rowCounts(shop);
  // Two products, a brand and two sub-categories, each with an audit entry and an event.
  expect(after).toMatchObject({
    products: before.products + 2,
    brands: before.brands + 1,
    product_sub_categories: before.product_sub_categories + 2,
    audit_entries: before.audit_entries + 5,
    outbox_events: before.outbox_events + 5,
  });

  expect(counts(await importFile(productImport, shop, path))).toEqual({ created: 0, known: 2, refused: 0 });
  expect(await rowCounts(shop)).toEqual(after);
});

test('every bad row is reported with line, column and expectation, and creates nothing, not even a brand', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = write(
    [
      `${header},salesPrice,thcAmount`,
      `Good,Good Brand,Flower,,gram,hybrid,,1,100,1,,,`,
      `Bad price,Lost Brand,Flower,Lost,gram,hybrid,,1,12.50,1,,,`,
      `Two faults,Lost Brand,Flower,,gram,hybrid,,a lot,-3,1,,,`,
      `No category,Lost Brand,Nowhere,Lost,gram,hybrid,,1,100,1,,,`,
      `No content,Lost Brand,Flower,Lost,gram,hybrid,,1,100,,,,`,
      `Dear sale,Lost Brand,Flower,Lost,gram,hybrid,,1,100,1,,200,`,
      `No unit,Lost Brand,Flower,Lost,gram,hybrid,,1,100,1,,,22.5`,
      `"Broken`,
      `over lines",Lost Brand,Flower,Lost,pound,hybrid,,1,100,1,,,`,
      `Short,Lost Brand`,
      `Pair,Lost Brand,Flower,,gram,hybrid,,1,100,1,,,`,
      `Pair,Lost Brand,Flower,,item,hybrid,,2,200,2,,,`,
      `good,good brand,flower,,gram,hybrid,,2,200,2,,,`,
    ].join('\n'),
  );
  const trial = await importFile(productImport, shop, path, { isTrial: true });
  const before = await rowCounts(shop);
  const report = await importFile(productImport, shop, path);
  expect(report).toEqual({ ...trial, done: 10 });
  expect(counts(report)).toEqual({ created: 1, known: 0, refused: 9 });
  expect([...report.problems].sort((a, b) => a.line - b.line)).toEqual([
    {
      line: 3,
      column: 'price',
      message:
        'must be whole cents, such as 1250, or dollars with their sign, such as $12.50, or free, not "12.50"',
    },
    { line: 4, column: 'amount', message: expect.stringMatching(/^must be a number.*, not "a lot"$/) },
    { line: 4, column: 'price', message: expect.stringMatching(/^must be whole cents.*, not "-3"$/) },
    {
      line: 5,
      column: 'category',
      message:
        'is not a category of the organization: "Nowhere"; it must be the name of one of its categories',
    },
    { line: 6, column: 'content', message: 'is required' },
    { line: 7, column: 'salesPrice', message: expect.stringMatching(/^must be at most.*, not "200"$/) },
    { line: 8, column: 'thcUnit', message: 'is required' },
    { line: 9, column: 'unit', message: 'must be one of gram, item, not "pound"' },
    { line: 11, column: null, message: 'must have 13 cells, as the headings have, not 2' },
    { line: 13, column: 'unit', message: 'must be as in line 12, of the same product, or blank, not "item"' },
  ]);
  expect(await rowCounts(shop)).toMatchObject({
    products: before.products + 1,
    brands: before.brands + 1,
    product_sub_categories: before.product_sub_categories,
  });
});

test('a product is matched by UPC, otherwise by name, brand and category; UPCs of two products are refused', async () => {
  const shop = await createTestShop(context, { products: [] });
  const list = (...cells: readonly string[]) => write([header, ...cells].join('\n'));
  await importFile(productImport, shop, list(row('One', ',1,100,1,111'), row('Two', ',1,100,1,222')));
  const renamed = list('Another name,Another Brand,Edibles,,item,none,,1,100,1,111');
  expect(counts(await importFile(productImport, shop, renamed))).toEqual({
    created: 0,
    known: 1,
    refused: 0,
  });
  const alike = list(row(' ONE ', ',2,200,2,'));
  expect(counts(await importFile(productImport, shop, alike))).toEqual({ created: 0, known: 1, refused: 0 });
  const elsewhere = list(row('One', ',1,100,1,333').replace('Harborlight Farms', 'Other Farms'));
  expect(counts(await importFile(productImport, shop, elsewhere))).toEqual({
    created: 1,
    known: 0,
    refused: 0,
  });
  const both = await importFile(
    productImport,
    shop,
    list(row('Both', 'A,1,100,1,111'), row('Both', 'B,1,100,1,222')),
  );
  expect(both.problems).toEqual([
    { line: 3, column: 'upc', message: expect.stringMatching(/^must not be that of product \d+/) },
  ]);
});

test('a run killed between batches continues there, and creates nothing twice', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = write(
    [header, ...Array.from({ length: 650 }, (_, at) => row(`Product ${at}`, `,1,100,1,`))].join('\n'),
  );
  const progress = await ImportProgress.of(folder, path, 'products', String(shop.organizationId));
  const before = await rowCounts(shop);
  let batches = 0;
  const killed = importFile(productImport, shop, path, {
    progress,
    onProgress: () => {
      if (++batches === 2) throw new Error('killed');
    },
  });
  await expect(killed).rejects.toThrow('killed');
  expect(progress.read()).toEqual({ done: 400, created: 400, known: 0, refused: 0 });
  expect((await rowCounts(shop)).products).toBe(before.products + 400);
  // Killed after the commit and before the mark: the batch is repeated and recognized.
  progress.write({ done: 200, created: 200, known: 0, refused: 0 });

  const report = await importFile(productImport, shop, path, { progress, from: progress.read() });
  expect(report).toMatchObject({ done: 650, created: 450, known: 200, refused: 0 });
  expect((await rowCounts(shop)).products).toBe(before.products + 650);
});

test('two concurrent imports of one file create every product once', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = write(
    [header, ...Array.from({ length: 450 }, (_, at) => row(`Product ${at}`, `,1,100,1,`))].join('\n'),
  );
  const before = await rowCounts(shop);
  const reports = await Promise.all([1, 2, 3].map(() => importFile(productImport, shop, path)));
  expect(reports.reduce((sum, { created }) => sum + created, 0)).toBe(450);
  expect((await rowCounts(shop)).products).toBe(before.products + 450);
});

test('JSON and NDJSON contain request bodies or rows; unknown names are refused', async () => {
  const shop = await createTestShop(context, { products: [] });
  const body = {
    name: 'Harbor Fog',
    unit: 'gram',
    strainType: 'hybrid',
    category: 'Flower',
    subCategories: [],
    photos: ['https://pictures.example.com/fog.jpg'],
    options: [{ amount: 3.5, price: 3500, content: '3.5' }],
  };
  const list = [
    body,
    { ...body, name: 'Strange', stock: 3 },
    { name: 'Flat', category: 'Accessories', unit: 'item', strainType: 'none', amount: 1, price: 900 },
    { ...body, name: 'Odd', options: [{ amount: 1, price: 'gratis', content: '1' }] },
  ];
  const report = await importFile(productImport, shop, write(JSON.stringify(list), 'json'));
  expect(counts(report)).toEqual({ created: 2, known: 0, refused: 2 });
  expect(report.problems).toEqual([
    { line: 2, column: 'stock', message: expect.stringContaining('is not known') },
    { line: 4, column: 'options[0].price', message: expect.stringContaining('must be a whole number') },
  ]);
  const lines = `${JSON.stringify(body)}\n\nnonsense\n[]\n`;
  const second = await importFile(productImport, shop, write(lines, 'ndjson'));
  expect(counts(second)).toEqual({ created: 0, known: 1, refused: 2 });
  expect(second.problems.map(({ line }) => line)).toEqual([3, 4]);
});

test('in all formats, text that is not UTF-8 is read as Windows-1252 and told by its line', async () => {
  const shop = await createTestShop(context, { products: [] });
  // More than one batch and one stream piece come before the line.
  const people = Array.from({ length: 2_000 }, (_, at) => `Ana,Núñez,ana${at}@customers.example.com`);
  const ofLatin = (lines: readonly string[], lineBreak: string) =>
    Buffer.concat([
      Buffer.from(`firstName,lastName,email${lineBreak}${people.join(lineBreak)}${lineBreak}`),
      Buffer.from(lines.join(lineBreak), 'latin1'),
    ]);
  const body = { firstName: 'Ana', lastName: 'Núñez', email: 'ana@customers.example.com' };
  const told = [
    [ofLatin(['Jo,Doe,jo@customers.example.com', 'José,Doe,jose@customers.example.com'], '\n'), 'csv', 2003],
    [ofLatin(['José,Doe,jose@customers.example.com'], '\r\n'), 'csv', 2002],
    [ofLatin(['José,Doe,jose@customers.example.com'], '\r'), 'csv', 2002],
    [Buffer.from(`[${JSON.stringify(body)}]`, 'latin1'), 'json', 1],
    [Buffer.from(`\n\n${JSON.stringify(body)}`, 'latin1'), 'ndjson', 3],
  ] as const;
  for (const [bytes, ending, line] of told) {
    const report = await importFile(customerImport, shop, write(bytes, ending));
    expect(report).toMatchObject({ refused: 0, problems: [] });
    expect(report.warnings).toEqual([
      { line, column: null, message: 'is not UTF-8, and was read as Windows-1252: check its letters' },
    ]);
  }
  const staff = await service.staff(shop, 'manager');
  const { data } = await staff.call('GET', '/staff/v1/customers?search=jose@');
  expect(data).toMatchObject([{ firstName: 'José', lastName: 'Doe' }]);
});

test('a line that no encoding explains is refused, and no other line', async () => {
  const shop = await createTestShop(context, { products: [] });
  const before = 'firstName,lastName,email\nAna,Cañon,ana@customers.example.com\n';
  const wrong = [
    Buffer.concat([
      Buffer.from(`${before}Bo,Cañ`),
      Buffer.from([0xff]),
      Buffer.from('on,bo@x.example.com\n'),
    ]),
    // Half a character at the end.
    Buffer.from(`${before}Bo,Cañ`).subarray(0, -1),
    Buffer.from(`\ufeff${before}Bo,\ud83c,bo@x.example.com`, 'utf16le'),
  ];
  for (const bytes of wrong) {
    const { problems, refused } = await importFile(customerImport, shop, write(bytes, 'csv'));
    expect(refused).toBe(1);
    expect(problems).toEqual([{ line: 3, column: null, message: expect.stringMatching(/^must be UTF-8/) }]);
  }
  expect((await rowCounts(shop)).customers).toBe(1);
  const mapping = write(Buffer.from('{"columns":{\n"Año":"name"}}', 'latin1'), 'json');
  expect(() => mappingOf(mapping, customerImport.fields)).toThrow(
    `${mapping}, line 2: this is not UTF-8. Save the file as UTF-8 and try again.`,
  );
});

test('UTF-8 and UTF-16 with a mark are imported exactly, in every format', async () => {
  const shop = await createTestShop(context, { products: [] });
  const names = ['Ana Sofía', 'Žofie', '林', '𝒢race'];
  const person = (name: string, at: number, tag: string) => ({
    firstName: name,
    lastName: 'Núñez',
    email: `${tag}${at}@customers.example.com`,
  });
  const encodings = {
    utf8: (text: string) => Buffer.from(text),
    marked: (text: string) => Buffer.from(`\ufeff${text}`),
    little: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    big: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  };
  const formats = {
    csv: (people: readonly object[]) =>
      ['firstName,lastName,email', ...people.map((it) => Object.values(it).join())].join('\r\n'),
    json: (people: readonly object[]) => JSON.stringify(people),
    ndjson: (people: readonly object[]) => people.map((it) => `${JSON.stringify(it)}\r\n`).join(''),
  };
  for (const [encoding, encode] of Object.entries(encodings)) {
    for (const [format, lay] of Object.entries(formats)) {
      const tag = `${encoding}-${format}-`;
      const people = names.map((name, at) => person(name, at, tag));
      const report = await importFile(customerImport, shop, write(encode(lay(people)), format));
      expect(counts(report)).toEqual({ created: people.length, known: 0, refused: 0 });
    }
  }
  const kept = await tenantSql(
    context.database,
    shop.organizationId,
    `select first_name as name, count(*)::int as count from customers where last_name = 'Núñez' group by 1`,
  );
  expect(Object.fromEntries(kept.map(({ name, count }) => [name, count]))).toEqual(
    Object.fromEntries(names.map((name) => [name, 12])),
  );
});

test('an unreadable file is named', async () => {
  const shop = await createTestShop(context, { products: [] });
  const directory = join(folder, 'directory.csv');
  mkdirSync(directory);
  const none = join(folder, 'none.ndjson');
  for (const [path, words] of [
    [directory, `${directory} must be a file`],
    [none, `${none}: there is no such file`],
  ] as const) {
    const failed = importFile(productImport, shop, path);
    await expect(failed).rejects.toThrow(words);
    await expect(failed).rejects.toBeInstanceOf(UnreadableFile);
    await expect(ImportProgress.of(folder, path, 'products')).rejects.toBeInstanceOf(UnreadableFile);
  }
  expect(() => mappingOf(directory, productImport.fields)).toThrow(`--mapping: ${directory} cannot be read`);
});

test('unreadable content is reported before the import, or where it occurs', async () => {
  const shop = await createTestShop(context, { products: [] });
  const broken = [
    ['name,price,prise\nA,1,2', 'csv', 'The column prise is not a field; the nearest is price'],
    ['PK\u0003\u0004 xl/workbook.xml', 'csv', 'this is a workbook of a spreadsheet. Save its sheet as CSV'],
    ['', 'csv', 'must have a line'],
    ['{}', 'json', 'must be a list of objects'],
    ['[', 'json', 'The file is not JSON'],
    ['x', 'xlsx', 'must end in .csv, .tsv, .txt, .json or .ndjson; save the sheet of a spreadsheet as CSV'],
  ] as const;
  for (const [text, ending, words] of broken) {
    const failed = importFile(productImport, shop, write(text, ending));
    await expect(failed).rejects.toThrow(words);
    await expect(failed).rejects.toBeInstanceOf(UnreadableFile);
  }
});

test('customers are matched by email, otherwise by phone; wrong and duplicate values are reported', async () => {
  const shop = await createTestShop(context, { products: [] });
  const path = write(
    [
      'firstName,lastName,email,phone,birthday,sex,marketingOptIn,joinedAt',
      'Marisol,Okafor,Marisol@Customers.example.com,(415) 555-0123,1988-02-29,female,true,2021-05-04T17:00:00Z',
      'Teodor,Lindqvist,,415-555-0187,,,,',
      'Without,Contact,,,,,,',
      'Early,Bird,early@customers.example.com,,2999-01-01,,,',
      'Bad,Mail,nonsense,,,,,',
      'Twin,Okafor,marisol@customers.example.com ,,,,,',
      'Odd,Flag,odd@customers.example.com,,,,perhaps,',
      'Late,Riser,late@customers.example.com,,,,,2999-01-01T00:00:00Z',
    ].join('\n'),
  );
  const before = await rowCounts(shop);
  const report = await importFile(customerImport, shop, path);
  expect(counts(report)).toEqual({ created: 2, known: 0, refused: 6 });
  expect([...report.problems].sort((a, b) => a.line - b.line)).toEqual([
    { line: 4, column: null, message: 'email or phone must be present' },
    { line: 5, column: 'birthday', message: 'must not be in the future' },
    { line: 6, column: 'email', message: 'must be an email address' },
    { line: 7, column: 'email', message: 'must not be that of line 2' },
    { line: 8, column: 'marketingOptIn', message: 'must be true or false' },
    { line: 9, column: 'joinedAt', message: 'must not be in the future' },
  ]);
  const { data } = await service.call('GET', '/api/v1/customers', { keys: shop.keys });
  expect(data).toMatchObject([
    { firstName: 'Teodor', phone: '+14155550187' },
    { firstName: 'Marisol', email: 'Marisol@Customers.example.com', joinedAt: '2021-05-04T17:00:00.000Z' },
  ]);
  const after = await rowCounts(shop);
  expect(after).toMatchObject({
    customers: before.customers + 2,
    audit_entries: before.audit_entries + 2,
    outbox_events: before.outbox_events + 2,
  });
  expect(counts(await importFile(customerImport, shop, path))).toEqual({ created: 0, known: 2, refused: 6 });
  expect(await rowCounts(shop)).toEqual(after);
});

test('the example menu export is imported through its mapping, dollars exact to the cent', async () => {
  const shop = await createTestShop(context, { products: [] });
  const mapping = mappingOf(join(examples, 'menu-export-mapping.json'), productImport.fields);
  const report = await importFile(productImport, shop, join(examples, 'menu-export.csv'), { mapping });
  expect(report).toMatchObject({ created: 4, refused: 0, problems: [], warnings: [] });
  const { data } = await service.call('GET', '/api/v1/products/all', { keys: shop.keys });
  const made = new Map(data.map((product: { name: string }) => [product.name, product]));
  expect(made.get('Moonlit Grove')).toMatchObject({
    strainType: 'hybrid',
    unit: 'gram',
    thcAmount: '22.5',
    thcUnit: '%',
    description: 'Pine, orange peel, a quiet evening.',
    options: [
      { name: '3.5g', amount: 3.5, price: 3500, salesPrice: null, content: '3.5', upc: '850012345678' },
      { name: '7g', amount: 7, price: 6500, salesPrice: 6000, content: '7', upc: '850012345685' },
    ],
  });
  expect(made.get('Sea Glass Gummies')).toMatchObject({
    options: [{ price: 101_850, amount: 1, content: '100' }],
  });
  // An eighth of an ounce by the law, to the last decimal.
  expect(made.get('Lantern Hill')).toMatchObject({
    options: [{ name: '1/8oz', amount: 3.543691, content: '3.543690390625' }],
  });
  expect(made.get('Rolling Tray')).toMatchObject({ brand: null, strainType: 'none' });
});

test('the example customer list is imported through its mapping', async () => {
  const shop = await createTestShop(context, { products: [] });
  const mapping = mappingOf(join(examples, 'customer-list-mapping.json'), customerImport.fields);
  const report = await importFile(customerImport, shop, join(examples, 'customer-list.csv'), { mapping });
  expect(report).toMatchObject({ created: 2, refused: 0, problems: [] });
  const { data } = await service.call('GET', '/api/v1/customers', { keys: shop.keys });
  expect(data).toMatchObject([
    { firstName: 'Teodor', birthday: '1990-11-05', marketingOptIn: false },
    { firstName: 'Marisol', birthday: '1988-02-29', medicalExpiration: '2027-01-31', marketingOptIn: true },
  ]);
});

test('an invalid mapping is refused with the location', () => {
  const sent = [
    ['{"columns":{"A":"nme"}}', 'columns.A: nme is not a field; the nearest is name'],
    [
      '{"columns":{"A":{"field":"price","convert":"euros"}}}',
      'columns.A.convert must be one of dollars-to-cents',
    ],
    ['{"columns":{"A":{"field":"name","vals":{}}}}', 'columns.A.vals must be one of field'],
    ['{"columns":{"A":{"field":"name","values":{"x":1}}}}', 'columns.A.values.x must be text'],
    ['{"rows":[]}', 'rows must be one of preset, columns, constants'],
    ['{"columns":{},"constants":{"size":"1"}}', 'constants: size is not a field'],
    ['{"columns":{},"constants":{"price":"1.50"}}', 'constants.price must be whole cents'],
    ['{"columns":{"A":{"field":"amount","blank":"one"}}}', 'columns.A.blank must be a number'],
    ['[]', 'the mapping must be an object'],
    ['{', '--mapping:'],
  ] as const;
  for (const [text, words] of sent) {
    expect(() => mappingOf(write(text, 'json'), productImport.fields)).toThrow(words);
  }
  expect(readFileSync(join(examples, 'menu-export-mapping.json'), 'utf8')).toContain('"columns"');
});
