import { expect, test } from 'vitest';
import { guessMapping } from './guess-mapping.ts';
import { readRecords } from './import-file.ts';
import { readItems } from './import-items.ts';
import { markdownOf } from './markdown-of.ts';
import { productImport } from './product-import.ts';
import { uploadedFile } from './uploaded-file.ts';

/* What a file may hold is bounded before it is converted, so no text takes more than its share of time. */

async function recordsOf(name: string, text: string) {
  const records = [];
  for await (const record of readRecords(uploadedFile(name, Buffer.from(text)))) records.push(record);
  return records.map(({ line, values, problem }) => ({
    line,
    problem: problem ?? null,
    has: values !== null,
  }));
}

/** Milliseconds of the processor, whatever else the machine does. */
async function processorMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const nested = (depth: number, value: string) => `${'{"a":'.repeat(depth)}${value}${'}'.repeat(depth)}`;

test('a cell of more than 32 KB is told by its row and column, in every format; the other rows come in', async () => {
  const long = 'é'.repeat(16_385);
  expect(await recordsOf('menu.csv', `name,description\nA,short\nB,${long}\nC,short`)).toEqual([
    { line: 2, problem: null, has: true },
    { line: 3, problem: 'must have at most 32 KB in "description", not 33 KB', has: false },
    { line: 4, problem: null, has: true },
  ]);
  const objects = [{ name: 'A' }, { name: 'B', brand: { about: [long] } }, { name: 'C' }];
  const problems = [null, 'must have at most 32 KB in "about", not 33 KB', null];
  const ofJson = await recordsOf('menu.json', JSON.stringify(objects));
  expect(ofJson.map(({ problem }) => problem)).toEqual(problems);
  const ofLines = await recordsOf('menu.ndjson', objects.map((one) => JSON.stringify(one)).join('\n'));
  expect(ofLines.map(({ problem }) => problem)).toEqual(problems);
});

test('a cell of exactly 32 KB is read', async () => {
  const [record] = await recordsOf('menu.csv', `name,description\nA,${'x'.repeat(32_768)}`);
  expect(record).toEqual({ line: 2, problem: null, has: true });
});

test('a table of more than 500 columns is refused in words, an object of more fields by its row', async () => {
  const names = Array.from({ length: 100_000 }, (_, at) => `column ${at}`);
  const read = () => recordsOf('menu.csv', `${names.join(',')}\n${names.map(() => '1').join(',')}`);
  await expect(read()).rejects.toThrow(/The file has 100,000 columns; at most 500 can be read/);
  expect(await processorMs(() => read().catch(() => {}))).toBeLessThan(1_500);
  const wide = JSON.stringify(Object.fromEntries(names.map((name) => [name, 1])));
  expect(await recordsOf('menu.ndjson', `{"name":"A"}\n${wide}`)).toEqual([
    { line: 1, problem: null, has: true },
    { line: 2, problem: 'must have at most 500 fields in one object', has: false },
  ]);
  const within = JSON.stringify({ name: 'A', more: JSON.parse(wide) });
  expect((await recordsOf('menu.json', `[${within}]`))[0]!.problem).toMatch(/at most 500 fields/);
});

test.each([
  ['too deep an object', nested(5_000, '1'), /at most 10 levels within each other/],
  ['too deep a list', `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, /at most 10 levels/],
  ['too long a list', JSON.stringify({ a: Array(501).fill(1) }), /at most 500 entries in "a", not 501/],
  ['too long a name', JSON.stringify({ ['n'.repeat(501)]: 1 }), /names of at most 500 characters/],
  ['too many texts', JSON.stringify({ a: Array(17).fill('x'.repeat(32_768)) }), /at most 512 KB in all/],
])('a row is refused for %s, and no other row', async (_, text, problem) => {
  const [refused, read] = await recordsOf('menu.ndjson', `${text}\n{"name":"B"}`);
  expect(refused!.problem).toMatch(problem);
  expect(read).toEqual({ line: 2, problem: null, has: true });
});

/** The signs of HTML, Markdown, CSV and JSON that a careless reader looks at again for each of them. */
const units = [
  ...['<p ', '<p "', "<p '", '<b>', '<i>', '<b><p>', '<b><i>', '</b>', '<b></i>', '<a href=', '<a href="'],
  ...['<ul><li>', '<li>', '<table><tr><td>', '<blockquote>', '<!--', '<![CDATA[', '<?', '<script>', '<svg>'],
  ...['<textarea>', '<br>', '<hr>', '&', '&amp;', '&#', '&#x', '&#0;', '[', '](', '(', '*', '**a ', '_', '`'],
  ...[
    '> ',
    '# ',
    '- ',
    '1. ',
    '\\',
    ' ',
    '\u00a0',
    '\t',
    '\n',
    '\r',
    '"',
    "'",
    ',',
    ';',
    '|',
    '{"',
    '9',
    '9,',
  ],
  ...[
    '1-',
    '%',
    'a.',
    '//',
    'http://',
    '@',
    '\u0000',
    '\u202e',
    '\ud83d\ude00',
    '<a href="https://x.test">y</a>',
  ],
];
const filled = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / Buffer.byteLength(unit)));

test.each(units)('a description full of %j becomes Markdown at once', async (unit) => {
  const text = `<p>x</p>${filled(unit, 32_700)}`;
  expect(await processorMs(() => markdownOf(text))).toBeLessThan(400);
});

test.each(units)('cells full of %j are read as every field at once', async (unit) => {
  const fields = Object.keys(productImport.fields);
  const row = Object.fromEntries(fields.map((field) => [field, filled(unit, 15_000)]));
  const file = uploadedFile('menu.ndjson', Buffer.from(JSON.stringify(row)));
  const spent = await processorMs(async () => {
    const { mapping } = await guessMapping(file, productImport, 'flat-variants');
    expect(mapping).not.toBeNull();
    for await (const { body } of readItems(file, productImport, null)) {
      expect(body).not.toBeNull();
      expect(() => productImport.read({ ...(body as object), options: [row] })).toThrow();
    }
  });
  expect(spent).toBeLessThan(1_500);
});

test('a file in which every cell stays open takes time by its length, and a cell of many lines is still read', async () => {
  const open = '"a"b,c\n'.repeat(40_000);
  const ms = await processorMs(async () => {
    const records = await recordsOf('menu.csv', `name,brand\n${open}`);
    expect(records).toHaveLength(40_000);
  });
  expect(ms).toBeLessThan(3_500);
  const lines = Array.from({ length: 900 }, (_, at) => `line ${at}`).join('\n');
  const few = '"a"b,c\n'.repeat(3);
  expect(await recordsOf('menu.csv', `name,brand\n"A","${lines}"\n${few}`)).toMatchObject([
    { line: 2, has: true },
    ...[902, 903, 904].map((line) => ({ line })),
  ]);
});
