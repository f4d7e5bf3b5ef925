import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportProfiles } from '../imports/export-profiles.ts';
import { guessMapping, type ImportKind, productImport, readItems, readMapping } from '../imports/imports.ts';
import { CellScanner, cellOf } from '../imports/table-cells.ts';
import { plainHeading } from '../imports/table-heading.ts';
import { uploadedFile } from '../imports/uploaded-file.ts';
import * as kinds from './import-kinds.ts';

/* What the exports of tills have in common, of each kind: a sample is read the same when it is written in another way. */

const samples = 'docs/examples/moves';
const fileOf = (name: string) => readdirSync(samples).find((file) => file.startsWith(`${name}.`))!;
const kindOf: Readonly<Record<string, ImportKind<never>>> = {
  ...{ products: productImport, packages: kinds.packageImport, customers: kinds.customerImport },
  ...{ vendors: kinds.vendorImport, sales: kinds.saleImport, discounts: kinds.discountImport },
  ...{ closings: kinds.closingImport, state: kinds.stateImport },
} as never;

test('a file of any length is read row by row: no more than a ticket and the first lines are held', async () => {
  const tickets = 1_000;
  let given = 0;
  const endless = {
    name: 'tickets.csv',
    size: async () => 1,
    async *bytes() {
      given = 1;
      yield Buffer.from('number,soldAt,productName,quantity,net\n');
      for (let at = 0; at < 2 * tickets; at++) {
        given++;
        yield Buffer.from(`T${Math.floor(at / 2)},2025-03-01,Sample Kush,1,"$12.00"\n`);
      }
    },
  };
  let [items, ahead] = [0, 0];
  for await (const { line } of readItems(endless, kinds.saleImport, null)) {
    ahead = Math.max(ahead, given - line);
    items++;
  }
  expect(items).toBe(tickets);
  expect(ahead).toBeLessThan(30);
});

interface Table {
  readonly lead: readonly string[];
  readonly names: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

async function read(kind: ImportKind<never>, name: string, content: string | Buffer) {
  const file = uploadedFile(name, Buffer.from(content));
  const guess = await guessMapping(file, kind, null);
  const mapping = guess.mapping === null ? null : readMapping(guess.mapping, kind.fields);
  const items = [];
  for await (const item of readItems(file, kind, mapping)) items.push(item);
  const { profile, doubts } = guess;
  return { profile, doubts, items, bodies: items.map(({ body, problems }) => ({ body, problems })) };
}

const cellsOf = (line: string) => {
  const scanner = new CellScanner(',');
  scanner.feed(line);
  return scanner.cells.map(cellOf);
};
const lineOf = (cells: readonly string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
const textOf = ({ lead, names, rows }: Table) =>
  `${[...lead, lineOf(names), ...rows.map(lineOf)].join('\n')}\n`;

function tableOf(text: string, knownBy: readonly string[]): Table {
  const lines = text.replace('\ufeff', '').trimEnd().split(/\r?\n/);
  const at = lines.findIndex((line) => {
    const plain = cellsOf(line).map(plainHeading);
    return knownBy.every((name) => plain.includes(plainHeading(name)));
  });
  const names = cellsOf(lines[at]!);
  return { lead: lines.slice(0, at), names, rows: lines.slice(at + 1).map(cellsOf) };
}

/** Each way of writing leaves what the file says as it is. */
const ways: readonly (readonly [rule: string, write: (table: Table) => string | Buffer])[] = [
  [
    'lines stand above the headings',
    (it) => textOf({ ...it, lead: ['Export Date:,11/22/2026', 'Key:,Value', ''] }),
  ],
  ['a byte order mark is in front', (it) => `\ufeff${textOf(it)}`],
  [
    'headings are in capitals, with two spaces',
    (it) => textOf({ ...it, names: it.names.map((name) => `${name.toUpperCase().replaceAll(' ', '  ')} `) }),
  ],
  [
    'columns stand in another order',
    (it) => textOf({ ...it, names: it.names.toReversed(), rows: it.rows.map((row) => row.toReversed()) }),
  ],
  [
    'money has no dollar sign',
    (it) => textOf({ ...it, rows: it.rows.map((row) => row.map((cell) => cell.replace(/^(\(?)\$/, '$1'))) }),
  ],
  [
    'a row of totals is at the end',
    (it) => textOf({ ...it, rows: [...it.rows, it.names.map((_, at) => (at === 0 ? 'Total' : ''))] }),
  ],
  ['the headings come again', (it) => textOf({ ...it, rows: [...it.rows, it.names] })],
  ['cells are separated by semicolons', (it) => textOf({ ...it, lead: [] }).replaceAll('","', '";"')],
];

const tables = exportProfiles.filter(({ name }) => fileOf(name).endsWith('.csv'));

test.each(tables.map((profile) => [profile.name, profile.kind, profile] as const))(
  '%s as %s says the same in whatever way it is written',
  async (name, _, { kind, knownBy, columns }) => {
    const file = fileOf(name);
    const text = readFileSync(join(samples, file), 'utf8');
    const table = tableOf(text, knownBy);
    const asItIs = await read(kindOf[kind]!, file, text);
    expect(asItIs.profile).toBe(name);
    expect(asItIs.bodies.length).toBeGreaterThan(0);
    expect(asItIs.items.flatMap(({ problems }) => problems)).toEqual([]);
    for (const [rule, write] of ways) {
      const other = await read(kindOf[kind]!, file, write(table));
      const said = (bodies: typeof other.bodies) => bodies.map(({ body }) => body);
      expect(
        said(other.bodies).filter((body) => body !== null),
        rule,
      ).toEqual(said(asItIs.bodies));
    }
    // Letters of Windows are read.
    const western = Buffer.from(textOf({ ...table, lead: ['Kiosk Caf\u00e9,,'] }), 'latin1');
    expect((await read(kindOf[kind]!, file, western)).items).toHaveLength(asItIs.items.length);
    // A hidden column is missed by its name.
    const hidden = table.names.findIndex(
      (heading) =>
        columns[heading] !== undefined && !knownBy.map(plainHeading).includes(plainHeading(heading)),
    );
    if (hidden >= 0) {
      const rest = (cells: readonly string[]) => cells.filter((_cell, at) => at !== hidden);
      const without = { ...table, names: rest(table.names), rows: table.rows.map(rest) };
      const { doubts } = await read(kindOf[kind]!, file, textOf(without));
      expect(doubts).toContainEqual({
        column: expect.stringMatching(
          new RegExp(`^${table.names[hidden]!.replace(/[.*+?()[\]]/g, '\\$&')}$`, 'i'),
        ),
        message: 'is missing; was it hidden before the export?',
      });
    }
    // Days that stand for none are none, and no number comes from what a spreadsheet made of it.
    const changed = (to: string, isOne: (heading: string) => boolean) =>
      read(
        kindOf[kind]!,
        file,
        textOf({
          ...table,
          rows: table.rows.map((row) =>
            row.map((cell, at) => (isOne(table.names[at]!) && cell !== '' ? to : cell)),
          ),
        }),
      );
    const fieldsOf = (heading: string) =>
      Object.entries(columns).flatMap(([column, rules]) =>
        column.toLowerCase() === heading.toLowerCase()
          ? typeof rules === 'string'
            ? [rules]
            : rules.map((rule) => rule.field)
          : [],
      );
    const isDay = (heading: string) =>
      fieldsOf(heading).some((field) =>
        ['birthday', 'expirationDate', 'medicalExpiration', 'licenseExpiry'].includes(field),
      );
    if (table.names.some(isDay)) {
      const dummies = await changed('01/01/1900', isDay);
      for (const { body } of dummies.items) {
        for (const field of table.names.filter(isDay).flatMap(fieldsOf))
          expect(body).not.toHaveProperty(field);
      }
    }
    const isId = (heading: string) =>
      fieldsOf(heading).some((field) => ['number', 'tag', 'formerId'].includes(field));
    if (table.names.some(isId)) {
      const damaged = await changed('2.68435E+17', isId);
      expect(JSON.stringify(damaged.items.map(({ body }) => body))).not.toMatch(/2\.68435|268435/);
    }
  },
);

test.each(
  exportProfiles
    .filter(({ name }) => fileOf(name).endsWith('.json'))
    .map((it) => [it.name, it.kind] as const),
)('%s as %s is read by its names, with a byte order mark and in any order', async (name, kind) => {
  const file = fileOf(name);
  const list = JSON.parse(readFileSync(join(samples, file), 'utf8')) as object[];
  const asItIs = await read(kindOf[kind]!, file, JSON.stringify(list));
  expect(asItIs.items.flatMap(({ problems }) => problems)).toEqual([]);
  const turned = list.map((one) => Object.fromEntries(Object.entries(one).toReversed()));
  const other = await read(kindOf[kind]!, file, `\ufeff${JSON.stringify({ data: turned })}`);
  expect(other.profile).toBe(name);
  expect(other.bodies).toEqual(asItIs.bodies);
});
