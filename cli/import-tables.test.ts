import { describe, expect, test } from 'vitest';
import {
  guessMapping,
  type ImportKind,
  inspectMenu,
  MenuFileReader,
  productImport,
} from '../src/shop/imports/imports.ts';
import { customerImport } from '../src/shop/moves/import-kinds.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../test/harness/test-shop.ts';
import { fileAt } from './file-at.ts';
import { importRuns } from './import-runs.test-support.ts';
import type { ImportReport } from './run-import.ts';

/* Tables as spreadsheets and other tills write them: what can be read comes in, the rest is told by its row. */

const service = await startTestService();
const { context } = service;
const imports = importRuns(service);
const { fileOf } = imports;
const newShop = () => createTestShop(context, { products: [] });

const importPath = <Row>(
  kind: ImportKind<Row>,
  shop: TestShop,
  path: string,
  mapping: object | null = null,
) => imports.load(kind, shop, path, { mapping });

interface Sample {
  readonly noun: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly write: (shop: TestShop, path: string) => Promise<ImportReport>;
  /** The names that came in, in the order of the rows. */
  readonly namesIn: (shop: TestShop) => Promise<readonly string[]>;
}

/** Products and customers, each with the same number of columns. */
const samples: readonly Sample[] = [
  {
    noun: 'products',
    header: ['name', 'category', 'unit', 'strainType', 'amount', 'price'],
    rows: [
      ['Oak tray', 'Accessories', 'item', 'none', '1', '$12.50'],
      ['Café "Noir", tin', 'Accessories', 'item', 'none', '1', '$1,234.50'],
      ['Ash tray', 'Accessories', 'item', 'none', '1', '900'],
    ],
    write: (shop, path) => importPath(productImport, shop, path),
    namesIn: async ({ keys }) =>
      (await service.call('GET', '/api/v1/products/all', { keys })).data.map(
        ({ name }: { name: string }) => name,
      ),
  },
  {
    noun: 'customers',
    header: ['firstName', 'lastName', 'email', 'phone', 'zip', 'sex'],
    rows: [
      ['Ada', 'Quill', 'ada@customers.example.com', '(415) 555-0123', '94110', 'female'],
      ['René "Bo", Jr', 'Núñez', 'rene@customers.example.com', '415-555-0124', '01010', 'male'],
      ['Ida', 'Ash', 'ida@customers.example.com', '', '', ''],
    ],
    write: (shop, path) => importPath(customerImport, shop, path),
    namesIn: async (shop) => {
      const staff = await service.staff(shop, 'manager');
      const { data } = await staff.call('GET', '/staff/v1/customers');
      return data.map(({ firstName }: { firstName: string }) => firstName);
    },
  },
];

const quoted = (cell: string, delimiter: string) =>
  /["\n\r]/.test(cell) || cell.includes(delimiter) ? `"${cell.replaceAll('"', '""')}"` : cell;
const tableOf = (rows: readonly (readonly string[])[], delimiter = ',', lineEnd = '\n') =>
  rows.map((cells) => cells.map((cell) => quoted(cell, delimiter)).join(delimiter)).join(lineEnd);
const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const latin = (text: string) => Buffer.from(text, 'latin1');

describe.each(samples)('$noun', ({ header, rows, write, namesIn }) => {
  const whole = [header, ...rows];
  const names = rows.map(([name]) => name!);
  const asCell = (cells: readonly string[]) =>
    cells.map((cell) => `="${cell.replaceAll('"', '""')}"`).join(',');
  const blanks = ','.repeat(header.length - 1);

  const spellings: readonly (readonly [string, string | Buffer, string?])[] = [
    ['semicolons', tableOf(whole, ';')],
    ['tabs in a .csv', tableOf(whole, '\t')],
    ['tabs in a .tsv', tableOf(whole, '\t'), 'tsv'],
    ['tabs in a .txt', tableOf(whole, '\t'), 'txt'],
    ['bars', tableOf(whole, '|')],
    ['sep=;', `sep=;\r\n${tableOf(whole, ';', '\r\n')}`],
    ['a quoted sep=,', `"sep=,"\n${tableOf(whole)}`],
    ['sep= and a mark', `\ufeffsep=\t\n${tableOf(whole, '\t')}`],
    ['CR line ends', tableOf(whole, ',', '\r')],
    ['CRLF line ends', tableOf(whole, ',', '\r\n')],
    ['a mark of UTF-8', `\ufeff${tableOf(whole)}`],
    ['UTF-16 with tabs', utf16(`\ufeff${tableOf(whole, '\t', '\r\n')}`)],
    ['UTF-16, big end first, with tabs', utf16(`\ufeff${tableOf(whole, '\t', '\r\n')}`).swap16()],
    ['UTF-16 without a mark', utf16(tableOf(whole, '\t', '\r\n')), 'txt'],
    ['UTF-16 with commas', utf16(`\ufeff${tableOf(whole)}`)],
    ['Windows-1252', latin(tableOf(whole))],
    ['Windows-1252 with semicolons and CR', latin(tableOf(whole, ';', '\r'))],
    ['blank lines', `\n\n${tableOf(whole, ',', '\n\n')}\n\n\n`],
    [
      'rows of empty cells',
      `${tableOf([header])}\n${blanks}\n${tableOf(rows, ',', `\n${blanks}\n`)}\n${blanks}`,
    ],
    ['cells of a spreadsheet', [tableOf([header]), ...rows.map(asCell)].join('\n')],
    [
      'quoted cells of a spreadsheet',
      tableOf([
        header,
        ...rows.map((cells) => cells.map((cell) => (/["$,]/.test(cell) ? cell : `="${cell}"`))),
      ]),
    ],
    [
      'title lines',
      `Export Date,11/20/2026\nFrom Date:,11/1/2026\nLocation:,Sample Shop\n\n${tableOf(whole)}`,
    ],
    ['a title in one cell', `All Report - November 2026${blanks}\n${tableOf(whole)}`],
    ['a title with quotation marks', `"The ""full"" list, all stores"\n${tableOf(whole, ';')}`],
    ['many title lines', `${'Key:,Value\n'.repeat(12)}${tableOf(whole)}`],
    ['a comma at the end of each line', whole.map((cells) => `${tableOf([cells])},`).join('\n')],
    [
      'empty cells at the end of rows',
      [tableOf([header]), ...rows.map((cells) => `${tableOf([cells])},,`)].join('\n'),
    ],
    [
      'headings in capitals and with spaces',
      tableOf([header.map((name) => ` ${name.replace(/([A-Z])/g, ' $1').toUpperCase()} `), ...rows]),
    ],
    ['a totals row', `${tableOf(whole)}\nTotal${blanks.slice(1)},"$2,147.00"`],
    ['a short totals row', `${tableOf(whole)}\nGrand Total:,3`],
    ['headings again', `${tableOf([header, ...rows.slice(0, 2), header, ...rows.slice(2)])}`],
    [
      'a column twice',
      [`${tableOf([header])},${header[1]}`, ...rows.map((cells) => `${tableOf([cells])},Nowhere`)].join('\n'),
    ],
    [
      'a column without a heading',
      [
        `${header[0]},,${header.slice(1).join(',')}`,
        ...rows.map(([first, ...others]) => tableOf([[first!, 'x', ...others]])),
      ].join('\n'),
    ],
    ['spaces before quotation marks', tableOf(whole).replace(/(?<=[,\n])"/g, ' "')],
    [
      'a cell of several lines',
      tableOf([header, ...rows])
        .replace('"Café ""Noir"", tin"', '"Café\n""Noir"", tin"')
        .replace('"René ""Bo"", Jr"', '"René\n""Bo"", Jr"'),
    ],
  ];

  test.each(spellings)('with %s come in whole', async (_, content, ending) => {
    const shop = await newShop();
    const report = await write(shop, fileOf(content as string | Buffer, ending as string | undefined));
    expect(report).toMatchObject({ created: rows.length, refused: 0, problems: [] });
    expect((await namesIn(shop)).map((name) => name.replace(/\s+/g, ' ')).sort()).toEqual([...names].sort());
  });

  test.each([
    [
      'above the headings',
      `Location:,Main\n${tableOf(whole)}`,
      1,
      /^stands above the headings, and was left out$/,
    ],
    ['a row of totals', `${tableOf(whole)}\nTotals${blanks}`, 5, /^is a row of totals, and was left out$/],
    ['headings again', tableOf([...whole, header]), 5, /^repeats the headings, and was left out$/],
    [
      'a heading twice',
      `${tableOf([header])},${header[0]}\n${rows.map((cells) => `${tableOf([cells])},x`).join('\n')}`,
      1,
      /more than once: the first column counts/,
    ],
  ] as const)('what was left out is told with its line: %s', async (_, content, line, message) => {
    const { warnings } = await write(await newShop(), fileOf(content));
    expect(warnings).toEqual([{ line, column: null, message: expect.stringMatching(message) }]);
  });

  /** Rows that no program would write so, between good ones: line 3 is the one in question. */
  const odd: readonly (readonly [string, (cells: readonly string[]) => string, boolean])[] = [
    ['a stray mark within a cell', ([name, ...others]) => [`12" ${name}`, ...others].join(','), true],
    ['a stray mark at the end of a cell', ([name, ...others]) => [`${name} 12"`, ...others].join(','), true],
    ['a stray mark at the start of a cell', ([name, ...others]) => [`"${name}`, ...others].join(','), true],
    ['a stray mark at the start of the last cell', (cells) => `${cells.slice(0, -1).join(',')},"`, false],
    ['marks within a quoted cell', ([name, ...others]) => [`"12" ${name}"`, ...others].join(','), true],
    [
      'a mark that is doubled at the end',
      ([name, ...others]) => [`"${name} 12""`, ...others].join(','),
      true,
    ],
    ['a mark that swallows the row', (cells) => `"${cells.join(',').replace(/,/g, '",')}`, false],
    ['too few cells', (cells) => cells.slice(0, 3).join(','), false],
    ['too many cells', (cells) => `${cells.join(',')},more`, false],
    ['an open mark and too few cells', ([name]) => `"${name},x`, false],
  ];
  test.each(odd)('a row with %s costs no other row', async (_, spoil, comesIn) => {
    const shop = await newShop();
    const plain = rows.map((cells, at) =>
      cells.map((cell, place) =>
        place === 0 ? `${names[at]!.split(/[ ,"]/)[0]}` : cell.replaceAll(',', ''),
      ),
    );
    const many = Array.from({ length: 30 }, (_row, at) =>
      plain[2]!.map((cell, place) => (place === 0 ? `Good ${at}` : cell.replace('ida@', `good${at}@`))),
    );
    const content = [tableOf([header, plain[0]!]), spoil(plain[1]!), tableOf([plain[2]!, ...many])].join(
      '\n',
    );
    const report = await write(shop, fileOf(content));
    expect(report.problems.every(({ line }) => line === 3)).toBe(true);
    expect([report.created >= 32, report.refused <= 1]).toEqual([true, true]);
    if (comesIn) expect(report).toMatchObject({ refused: 0 });
    const came = await namesIn(shop);
    for (const name of [plain[0]![0], plain[2]![0], 'Good 0', 'Good 29']) expect(came).toContain(name);
  });

  test('a cell of several lines that ends stays one cell, whatever stands within it', async () => {
    const shop = await newShop();
    const text = `${names[0]}\nwith, a comma; and a tab\t\nand ""marks""`;
    const content = `${tableOf([header])}\n"${text}",${tableOf([rows[0]!.slice(1)])}\n${tableOf(rows.slice(1))}`;
    const report = await write(shop, fileOf(content));
    expect(report).toMatchObject({ created: 3, refused: 0, problems: [], warnings: [] });
  });
});

describe('a look and the import agree', () => {
  const own = 'name,category,unit,strainType,amount,price';
  const tray = 'Oak tray,Accessories,item,none,1,$12';
  const contents: readonly (readonly [string, string, string])[] = [
    ['our columns', `${own}\n${tray}`, 'csv'],
    [
      'our columns with other signs',
      `Name;Category;Unit;Strain-Type;Amount;Price\n${tray.replaceAll(',', ';')}`,
      'csv',
    ],
    ['our columns and refused rows', `${own}\n${tray}\nAsh tray,Nowhere,item,none,1,$12`, 'csv'],
    ['a column options', `${own},options\n${tray},x`, 'csv'],
    ['a column that is not ours', `${own},shelf\n${tray},x`, 'csv'],
    ['columns that are missing', 'name,price\nOak tray,12', 'csv'],
    ['a heading twice', `${own},price\n${tray},x`, 'csv'],
    ['a column without a heading', `${own},\n${tray},x`, 'csv'],
    ['title lines and totals', `Shop:,Main\n${own}\n${tray}\nTotal,,,,,$12`, 'csv'],
  ];
  test.each(contents)('%s', async (_, content, ending) => {
    const shop = await newShop();
    const path = fileOf(content, ending);
    const look = await inspectMenu(context, shop.organizationId, {
      reader: new MenuFileReader(fileAt(path)),
      preset: null,
      productsMax: Number.POSITIVE_INFINITY,
    });
    const without = await importPath(productImport, shop, path).catch(() => null);
    if (look.mapping === null) {
      expect(without).toMatchObject({ refused: look.refused, created: look.looked - look.refused });
    } else {
      // What needs a mapping is not half imported without one.
      expect([without?.created ?? 0]).toEqual([0]);
      const report = await importPath(productImport, shop, path, look.mapping);
      expect(report).toMatchObject({ refused: look.refused, created: look.looked - look.refused });
    }
  });

  test('an object with another field further on is refused by its row', async () => {
    const shop = await newShop();
    const tin = {
      name: 'Tin',
      category: 'Accessories',
      unit: 'item',
      strainType: 'none',
      amount: 1,
      price: '$1',
    };
    const lines = [tin, { ...tin, name: 'Box', shelf: 3 }, { ...tin, name: 'Bag' }].map((one) =>
      JSON.stringify(one),
    );
    const report = await importPath(productImport, shop, fileOf(lines.join('\n'), 'ndjson'));
    expect(report).toMatchObject({ created: 2, refused: 1 });
    expect(report.problems).toEqual([
      { line: 2, column: null, message: expect.stringMatching(/^has the name shelf, which is not a field/) },
    ]);
  });
});

test('lists and lines of objects are read under each other’s ending', async () => {
  const tin = {
    name: 'Tin',
    category: 'Accessories',
    unit: 'item',
    strainType: 'none',
    amount: 1,
    price: '$1',
  };
  const both = [tin, { ...tin, name: 'Box' }];
  const lines = both.map((one) => JSON.stringify(one)).join('\n');
  for (const [content, ending] of [
    [lines, 'json'],
    [lines, 'jsonl'],
    [JSON.stringify(both), 'ndjson'],
    [JSON.stringify(both, null, 2), 'ndjson'],
    [`\ufeff${JSON.stringify(both)}`, 'json'],
  ] as const) {
    const shop = await newShop();
    expect(await importPath(productImport, shop, fileOf(content, ending))).toMatchObject({
      created: 2,
      refused: 0,
    });
  }
});

test('a mapping finds the headings by its names', async () => {
  const shop = await newShop();
  const path = fileOf('Report of 3 November\nArtikel;Preis;Menge\nOak tray;12,0,0;1\nAsh tray;9.00;1');
  const mapping = {
    columns: { Artikel: 'name', Preis: { field: 'price', convert: 'dollars-to-cents' }, Menge: 'amount' },
    constants: { category: 'Accessories', unit: 'item', strainType: 'none' },
  };
  const report = await importPath(productImport, shop, path, mapping);
  expect(report).toMatchObject({ created: 1, refused: 1 });
  expect(report.problems).toEqual([expect.objectContaining({ line: 3, column: 'Preis' })]);
});

test('the headings of other tills are found under their title lines', async () => {
  const shop = await newShop();
  const found = async (text: string) => {
    const path = fileOf(text);
    const { mapping } = await guessMapping(fileAt(path), productImport, null);
    return importPath(productImport, shop, path, mapping);
  };
  const sweed =
    'Export Date: 11/20/2026,,,\nFrom,11/1/2026,,\n,,,\nType,Brand,Product Name,Unit Price\nAccessories,Fernweh,Oak tray,$12.00\nTotal,,,$12.00';
  expect(await found(sweed)).toMatchObject({ created: 1, refused: 0 });
  const blaze =
    'Company Products - November 2026\nShop,SKU,Item,Category,Unit Price,Brand,Weight Per Unit,Active\nMain,="00012",Fog,Accessories,$12.00,Fernweh,1 each,Yes';
  expect(await found(blaze)).toMatchObject({ created: 1, refused: 0 });
});

test('words and dates that stand for none are none', async () => {
  const none = ['N/A', '-', 'n/a', 'None', 'null', '#N/A'];
  const products = await newShop();
  const lines = none.map(
    (word, at) => `Tin ${at},Accessories,item,none,1,$2,${word},${word},${word},${word}`,
  );
  const path = fileOf(
    ['name,category,unit,strainType,amount,price,brandName,thcAmount,optionName,strain', ...lines].join('\n'),
  );
  expect(await importPath(productImport, products, path)).toMatchObject({
    created: none.length,
    problems: [],
  });
  const { data } = await service.call('GET', '/api/v1/products/all', { keys: products.keys });
  for (const product of data) {
    expect(product).toMatchObject({
      brand: null,
      thcAmount: null,
      strain: null,
      options: [{ name: '1 item' }],
    });
  }
  const shop = await newShop();
  const dummies = ['1900-01-01', '1969-12-31', '1970-01-01', 'N/A', '-'];
  const people = dummies.map(
    (text, at) => `Ada ${at},Quill,ada${at}@customers.example.com,${text},${text},${text}`,
  );
  const report = await importPath(
    customerImport,
    shop,
    fileOf(['firstName,lastName,email,birthday,licenseExpiry,joinedAt', ...people].join('\n')),
  );
  expect(report).toMatchObject({ created: dummies.length, problems: [] });
  expect(report.warnings).toHaveLength(9);
  const mapped = fileOf('First,Last,Mail,Born\nBo,Ash,bo@customers.example.com,1/1/1900');
  const columns = {
    ...{ First: 'firstName', Last: 'lastName', Mail: 'email' },
    Born: { field: 'birthday', convert: 'us-date' },
  };
  expect(await importPath(customerImport, shop, mapped, { columns })).toMatchObject({
    created: 1,
    problems: [],
  });
  const staff = await service.staff(shop, 'manager');
  for (const customer of (await staff.call('GET', '/staff/v1/customers')).data) {
    expect(customer).toMatchObject({ birthday: null, licenseExpiry: null });
  }
});

test('a row that is taken for a known customer, but has another name, is told without names', async () => {
  const shop = await newShop();
  const people = (...rows: readonly string[]) => fileOf(['firstName,lastName,email', ...rows].join('\n'));
  await importPath(customerImport, shop, people('Ada,Quill,ada@customers.example.com'));
  const other = await importPath(customerImport, shop, people('Bo,Ash,ADA@customers.example.com'));
  expect(other).toMatchObject({ created: 0, known: 1, refused: 0 });
  expect(other.warnings).toEqual([
    {
      line: 2,
      column: 'email',
      message: expect.stringMatching(/^belongs to customer \d+, so the row was taken/),
    },
  ]);
  const same = await importPath(customerImport, shop, people('ada,QUILL,ada@customers.example.com'));
  expect(same).toMatchObject({ known: 1, warnings: [] });
});

test('decimal commas of a whole column are read, and what could be a thousand or a part is told by its row', async () => {
  const shop = await newShop();
  const path = fileOf(
    [
      'Product;Category;Size;Price;THC %',
      'Kiefer;Flower;3,5 g;29,90;18,5',
      'Linde;Flower;1 g;1.250,00;22',
      'Erle;Flower;1 g;1.250;20',
      'Esche;Flower;1 g;1,250;20',
      'Ulme;Accessories;1;7,5;',
      'Eibe;Accessories;1;1250;',
      'Birke;Accessories;1;12,500;',
      'Buche;Accessories;1;1,2,5;',
    ].join('\n'),
  );
  const { mapping } = await guessMapping(fileAt(path), productImport, null);
  const report = await importPath(productImport, shop, path, mapping);
  expect([report.created, report.refused]).toEqual([4, 4]);
  expect(report.problems.map(({ line, column }) => [line, column])).toEqual(
    [4, 5, 8, 9].map((line) => [line, 'Price']),
  );
  expect(report.problems[0]!.message).toContain('must be a number that can be read in one way only');
  expect(report.warnings.filter(({ message }) => message.includes('decimal commas'))).toMatchObject([
    { line: 2, column: 'Size', message: 'has decimal commas: "3,5 g" is read as 3.5 g' },
    { line: 2, column: 'Price', message: 'has decimal commas: "29,90" is read as 29.90' },
    { line: 2, column: 'THC %', message: 'has decimal commas: "18,5" is read as 18.5' },
  ]);
  const { data } = await service.call('GET', '/api/v1/products/all', { keys: shop.keys });
  const priceOf = (name: string) =>
    data.find((it: { name: string }) => it.name === name)?.options.map((it: { price: number }) => it.price);
  expect(['Kiefer', 'Linde', 'Ulme', 'Eibe'].map(priceOf)).toEqual([[2990], [125_000], [750], [125_000]]);
});

test('with a decimal point a comma stays a thousand', async () => {
  const shop = await newShop();
  const rows = ['Product,Category,Price', 'Oak,Accessories,"1,250"', 'Elm,Accessories,"$1,250.50"'];
  const path = fileOf(rows.join('\n'));
  const { mapping } = await guessMapping(fileAt(path), productImport, null);
  expect((await importPath(productImport, shop, path, mapping)).created).toBe(2);
  const { data } = await service.call('GET', '/api/v1/products/all', { keys: shop.keys });
  const prices = data.flatMap(({ options }: { options: { price: number }[] }) =>
    options.map(({ price }) => price),
  );
  expect(prices.toSorted()).toEqual([125_000, 125_050]);
});

test('what could be a thousand or a part is told also in rows before the first decimal comma of its column', async () => {
  const shop = await newShop();
  const rows = ['Erle;Flower;1 g;1.250', 'Esche;Flower;1 g;1,250', 'Kiefer;Flower;3,5 g;29,90'];
  const path = fileOf(['Product;Category;Size;Price', ...rows].join('\n'));
  const { mapping } = await guessMapping(fileAt(path), productImport, null);
  const report = await importPath(productImport, shop, path, mapping);
  expect(report).toMatchObject({ created: 1, refused: 2 });
  const doubt = (line: number) =>
    expect.objectContaining({ line, column: 'Price', message: expect.stringContaining('in one way only') });
  expect(report.problems).toEqual([doubt(2), doubt(3)]);
  // Read from the front to the last row, the comma is told where it is.
  expect(report.warnings.filter(({ column }) => column === 'Price')).toEqual([
    expect.objectContaining({ line: 4, message: 'has decimal commas: "29,90" is read as 29.90' }),
  ]);
  const look = await inspectMenu(context, shop.organizationId, {
    reader: new MenuFileReader(fileAt(path)),
    preset: null,
    productsMax: Number.POSITIVE_INFINITY,
  });
  expect(look.refused).toBe(2);
});
