import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { csvRows } from './csv-rows.ts';
import {
  fieldOfHeading,
  type HeadingMapping,
  plainHeading,
  readHeadingMapping,
} from './transfer-headings.ts';
import {
  type ImportTransfersBody,
  type SentTransferRow,
  type TransferColumn,
  transferColumns,
  transferRowsMax,
} from './transfer-rows.ts';

const namesMax = 200;
const cellLengthMax = 1000;
/** Whether a column of text can keep it. */
const isStorable = (text: string) => !text.includes('\0') && !/[\uD800-\uDFFF]/u.test(text);

/**
 * The rows of an import by our fields, from JSON or CSV, under any of the known names and those of the mapping. Of two
 * names of one field, the nearer one counts, and the other where it is blank. Fails with INVALID_PARAMS.
 */
export function sentTransferRows({
  rows,
  csv,
  mapping: sentMapping = {},
  shared = {},
}: Static<typeof ImportTransfersBody>): SentTransferRow[] {
  if (rows !== undefined && csv !== undefined) {
    throw failure('INVALID_PARAMS', 'csv must be left out when rows is sent.');
  }
  const mapping = readHeadingMapping(sentMapping, transferColumns);
  const sent = rows === undefined ? fromCsv(csv ?? '', mapping) : fromJson(rows, mapping);
  return sent.map((row) => ({
    ...row,
    ...Object.fromEntries(Object.entries(shared).filter(([field]) => !row[field as TransferColumn]?.trim())),
  }));
}

function fromCsv(csv: string, mapping: HeadingMapping): SentTransferRow[] {
  const { names, records } = csvRows(csv, transferRowsMax);
  const fields = names.map((name, index) => {
    const field = fieldOfHeading(name, mapping);
    if (field !== undefined) return field;
    throw failure(
      'INVALID_PARAMS',
      `csv: the name of column ${index + 1} is not known. Send mapping with it: null to read over it, or one of ${transferColumns.join(', ')}.`,
    );
  });
  const plain = names.map(plainHeading);
  const twice = plain.findIndex((name, index) => fields[index] !== null && plain.indexOf(name) < index);
  if (twice >= 0) {
    throw failure('INVALID_PARAMS', `csv must not have the column ${fields[twice]!.field} twice.`);
  }
  return records.map((cells) => rowOf(fields.map((field, index) => [field, cells[index]!] as const)));
}

function fromJson(
  rows: readonly Readonly<Record<string, unknown>>[],
  mapping: HeadingMapping,
): SentTransferRow[] {
  const flat = rows.flatMap(withPackages);
  if (flat.length > transferRowsMax) {
    throw failure(
      'INVALID_PARAMS',
      `rows must have at most ${transferRowsMax.toLocaleString('en')} packages.`,
    );
  }
  return flat.map(({ row, path }) => {
    const entries = Object.entries(row);
    if (entries.length > namesMax) {
      throw failure('INVALID_PARAMS', `${path} must have at most ${namesMax} fields.`);
    }
    return rowOf(
      entries.map(([name, value]) => {
        const field = fieldOfHeading(name, mapping) ?? null;
        return [field, field === null ? '' : textOf(value, `${path}.${name}`)] as const;
      }),
    );
  });
}

/** A transfer with its packages becomes a row for each. */
function withPackages(row: Readonly<Record<string, unknown>>, index: number) {
  const path = `rows[${index}]`;
  const name = Object.keys(row).find((it) => plainHeading(it) === 'packages');
  const packages = name === undefined ? undefined : row[name];
  if (!Array.isArray(packages)) return [{ row, path }];
  return packages.slice(0, transferRowsMax + 1).map((pack: unknown, at) => {
    if (typeof pack === 'object' && pack !== null && !Array.isArray(pack)) {
      return { row: { ...row, ...(pack as object) }, path: `${path}.${name}[${at}]` };
    }
    throw failure('INVALID_PARAMS', `${path}.${name}[${at}] must be an object.`);
  });
}

/** A text, number or flag as text. */
function textOf(value: unknown, path: string): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'number' && Number.isFinite(value) ? decimalTextOf(value) : value;
  if (typeof text === 'string' && text.length <= cellLengthMax && isStorable(text)) return text;
  if (typeof text === 'boolean') return String(text);
  throw failure(
    'INVALID_PARAMS',
    `${path} must be a text of at most ${cellLengthMax} characters, a number, or true or false.`,
  );
}

/** Without an exponent, as far as an amount can have it. */
function decimalTextOf(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(6) : text;
}

type NamedCell = readonly [
  field: { readonly field: TransferColumn; readonly rank: number } | null,
  text: string,
];

function rowOf(cells: readonly NamedCell[]): SentTransferRow {
  const row: { [Column in TransferColumn]?: string } = {};
  const byRank = cells.toSorted(([one], [other]) => (one?.rank ?? 0) - (other?.rank ?? 0));
  for (const [named, text] of byRank) {
    if (named !== null && !row[named.field]?.trim()) row[named.field] = text;
  }
  return row;
}
