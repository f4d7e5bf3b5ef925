import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import {
  Cents,
  Flag,
  Id,
  List,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
} from '../../platform/http/schemas.ts';
import type { MenuInspection } from './inspect-menu.ts';
import { mappingView, NullableMapping } from './mapping-view.ts';
import { importModes, importStatuses, type MenuImportRow } from './menu-import-queries.ts';
import { menuRecordsMax } from './menu-reader.ts';
import type { ProductField } from './product-import.ts';
import { canBeUndone } from './run-menu-import.ts';
import type { SentMapping } from './sent-mapping.ts';
import { menuBytesMax } from './upload-menu.ts';

const Count = (description: string) => WholeNumber({ min: 0, max: menuRecordsMax, description });

export const MenuImport = Named(
  'MenuImport',
  Type.Object({
    id: Id(),
    fileName: Text({ max: 200 }),
    fileBytes: WholeNumber({ min: 1, max: menuBytesMax }),
    records: Count('Rows of the file, or objects'),
    status: OneOf(importStatuses, {
      description: '`uploaded`, `checked`, `failed` and `canceled` can be mapped, checked and imported',
    }),
    mode: OneOf(importModes),
    mapping: NullableMapping,
    percent: WholeNumber({ min: 0, max: 100, description: 'The progress of the run' }),
    products: Count('Products that the run is done with'),
    created: Count('Products that the run has made, or that a check would make'),
    changed: Count('Changed ones'),
    retired: WholeNumber({ min: 0, max: 10_000_000, description: 'Products that left the menu' }),
    refused: Count('Refused products'),
    notes: Count('Remarks on rows that were read in another way than they are written'),
    failure: Nullable(Text({ max: 1000, description: 'Why the run failed' })),
    canBeUndone: Flag({ description: 'Whether it is the last one, and was done' }),
    hasFile: Flag({ description: 'Whether its file is still there' }),
    createdByName: Text({ max: 500, description: 'Who uploaded it' }),
    createdAt: Timestamp(),
    startedAt: Nullable(Timestamp({ description: 'When the import began' })),
    finishedAt: Nullable(Timestamp({ description: 'When it was done' })),
    updatedAt: Timestamp(),
  }),
);

const LookedProduct = Named(
  'MenuLookProduct',
  Type.Object({
    line: WholeNumber({ min: 1, max: 100_000_000, description: 'Where it begins in the file' }),
    name: Text({ max: 500 }),
    brandName: Nullable(Text({ max: 500 })),
    category: Text({ max: 500 }),
    strainType: Text({ max: 100 }),
    unit: Text({ max: 100 }),
    thc: Nullable(Text({ max: 200 })),
    cbd: Nullable(Text({ max: 200 })),
    options: List(
      Type.Object({
        name: Nullable(Text({ max: 500 })),
        amount: Text({ max: 100 }),
        price: Cents(),
        salesPrice: Nullable(Cents()),
        content: Nullable(Text({ max: 100 })),
        upc: Nullable(Text({ max: 500 })),
      }),
      { max: 1000 },
    ),
  }),
);

export const MenuLook = Named(
  'MenuLook',
  Type.Object({
    mapping: NullableMapping,
    columns: List(
      Type.Object({
        name: Text({ max: 1000 }),
        samples: List(Text({ max: 200 }), { max: 3, description: 'The first different texts' }),
      }),
      { max: 500 },
    ),
    products: List(LookedProduct, { max: 10, description: 'The first ten that are valid' }),
    doubts: List(
      Type.Object({
        column: Nullable(Text({ max: 1000 })),
        message: Text({ max: 2000 }),
        count: WholeNumber({ min: 0, max: menuRecordsMax, description: 'Rows that have it; 0: the column' }),
        line: Nullable(WholeNumber({ min: 1, max: 100_000_000, description: 'The first of them' })),
      }),
      { max: 200 },
    ),
    looked: Count('Products that were looked at'),
    refused: Count('Products that would be refused'),
  }),
);

export const MenuImportProblem = Named(
  'MenuImportProblem',
  Type.Object({
    line: WholeNumber({ min: 1, max: 100_000_000 }),
    column: Nullable(Text({ max: 200, description: 'Null: the whole row' })),
    message: Text({ max: 1000, description: 'What is expected, and the text that was there' }),
    isNote: Flag({ description: 'A remark: the row was not refused for it' }),
  }),
);

/** An import as replies show it. */
export function shownImport(row: MenuImportRow) {
  const moment = (ms: number | null) => (ms === null ? null : isoTimestamp(ms));
  return {
    id: row.id,
    fileName: row.file_name,
    fileBytes: row.file_bytes,
    records: row.record_count,
    status: row.status,
    mode: row.mode,
    mapping: row.mapping === null ? null : mappingView<ProductField>(JSON.parse(row.mapping) as SentMapping),
    percent: Math.floor(row.done_share / 10),
    products: row.done_count,
    created: row.created_count,
    changed: row.changed_count,
    retired: row.retired_count,
    refused: row.refused_count,
    notes: row.note_count,
    failure: row.failure,
    canBeUndone: canBeUndone(row),
    hasFile: row.has_file,
    createdByName: row.created_by_name,
    createdAt: isoTimestamp(row.created_at),
    startedAt: moment(row.started_at),
    finishedAt: moment(row.finished_at),
    updatedAt: isoTimestamp(row.updated_at),
  };
}

const samplesShown = 3;
const columnsShown = 500;
const optionsShown = 1000;

/** A look as replies show it. */
export function shownLook({ mapping, columns, products, doubts, looked, refused }: MenuInspection) {
  const cut = (text: string, max: number) => Buffer.from(text.slice(0, max)).toString();
  return {
    mapping: mapping === null ? null : mappingView<ProductField>(mapping),
    columns: columns.slice(0, columnsShown).map(({ name, samples }) => ({
      name: cut(name, 1000),
      samples: samples.slice(0, samplesShown).map((text) => cut(text, 200)),
    })),
    products: products.map(({ options, ...product }) => ({
      ...product,
      options: options.slice(0, optionsShown),
    })),
    doubts: doubts.map(({ column, message, ...doubt }) => ({
      ...doubt,
      column: column === null ? null : cut(column, 1000),
      message: cut(message, 2000),
    })),
    looked,
    refused,
  };
}

export const exampleMapping = {
  preset: 'flat-variants',
  columns: [
    { column: 'Product', rules: [{ field: 'name' }] },
    {
      column: 'Type',
      rules: [
        { field: 'category' },
        { field: 'unit', values: [{ text: 'flower', value: 'gram' }], otherwise: 'item' },
      ],
    },
    { column: 'Strain', rules: [{ field: 'strainType', blank: 'none' }] },
    {
      column: 'Weight',
      rules: [{ field: 'optionName' }, { field: 'amount', blank: '1' }, { field: 'content' }],
    },
    { column: 'Price', rules: [{ field: 'price', convert: 'dollars-to-cents' }] },
  ],
  constants: [],
} as const;

export const exampleImport = {
  id: 2801,
  fileName: 'menu.csv',
  fileBytes: 18_412,
  records: 240,
  status: 'checked',
  mode: 'change',
  mapping: exampleMapping,
  percent: 100,
  products: 118,
  created: 96,
  changed: 4,
  retired: 0,
  refused: 3,
  notes: 1,
  failure: null,
  canBeUndone: false,
  hasFile: true,
  createdByName: 'Ada Quill',
  createdAt: '2026-03-10T17:05:09.123Z',
  startedAt: null,
  finishedAt: null,
  updatedAt: '2026-03-10T17:06:11.123Z',
} as const;

export const exampleProblem = {
  line: 14,
  column: 'Price',
  message: 'must be an amount in dollars with at most 2 decimals, such as 12.50, not "ask us"',
  isNote: false,
} as const;

export const exampleLook = {
  mapping: exampleMapping,
  columns: [{ name: 'Product', samples: ['Moonlit Grove', 'Harbor Fog'] }],
  products: [
    {
      line: 2,
      name: 'Moonlit Grove',
      brandName: 'Fernweh Farms',
      category: 'Flower',
      strainType: 'hybrid',
      unit: 'gram',
      thc: '22.1–24.5 %',
      cbd: null,
      options: [
        { name: '1g', amount: '1', price: 1200, salesPrice: null, content: '1', upc: '850012340010' },
      ],
    },
  ],
  doubts: [{ column: 'Shelf', message: 'is not used', count: 0, line: null }],
  looked: 118,
  refused: 3,
} as const;
