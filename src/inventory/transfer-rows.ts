import Type, { type Static } from 'typebox';
import { Flag, List, Nullable, ReadAs, Text } from '../http/schemas.ts';
import { labelPattern } from './package-schemas.ts';
import { expectedUnit, packageUnit } from './package-units.ts';

/** Rows of imported transfers: one for each package; the rows of one manifest belong together. */

export const transferRowsMax = 1000;
const csvLengthMax = 900_000;

/** Lax on purpose: errors are reported for every row, not only the first. */
const RowBody = Type.Object({
  manifestNumber: Type.Optional(Nullable(Text({ max: 1000 }))),
  transferExternalId: Type.Optional(Nullable(Text({ max: 1000 }))),
  shipperName: Type.Optional(Nullable(Text({ max: 1000 }))),
  shipperLicenseNumber: Type.Optional(Nullable(Text({ max: 1000 }))),
  label: Type.Optional(Nullable(Text({ max: 1000 }))),
  externalId: Type.Optional(Nullable(Text({ max: 1000 }))),
  externalProductName: Type.Optional(Nullable(Text({ max: 1000 }))),
  initialAmount: Type.Optional(
    ReadAs('decimal', Nullable(Text({ max: 1000, description: 'Decimal text above 0' }))),
  ),
  unit: Type.Optional(Nullable(Text({ max: 1000 }))),
  expirationDate: Type.Optional(Nullable(Text({ max: 1000, description: 'YYYY-MM-DD' }))),
  onHold: Type.Optional(Nullable(Text({ max: 1000, description: '`true` or `false`' }))),
  tradeSample: Type.Optional(Nullable(Text({ max: 1000, description: '`true` or `false`' }))),
});

export const ImportTransfersBody = Type.Object({
  rows: Type.Optional(
    List(RowBody, { min: 1, max: transferRowsMax, description: 'One for each package; or send `csv`' }),
  ),
  csv: Type.Optional(
    Text({
      min: 1,
      max: csvLengthMax,
      description:
        'The same as CSV; the first line has the column names, and `rows` in errors count from 1 after it',
    }),
  ),
  onlyGood: Type.Optional(Flag({ description: 'Import the valid rows and report the others' })),
});

export type SentTransferRow = Static<typeof RowBody>;
export type TransferColumn = keyof SentTransferRow;

export const transferColumns = Object.keys(RowBody.properties) as readonly TransferColumn[];

/** An error of a row. */
export interface BadRow {
  /** Starts at 1. */
  readonly row: number;
  readonly field: string;
  readonly message: string;
}

/** A row that can be imported, as far as the row alone shows. */
export interface TransferRow {
  readonly row: number;
  readonly manifestNumber: string;
  readonly transferExternalId: string | null;
  readonly shipperName: string;
  readonly shipperLicenseNumber: string;
  readonly label: string;
  readonly externalId: string | null;
  readonly externalProductName: string | null;
  readonly initialAmount: string;
  readonly unit: string;
  readonly expirationDate: string | null;
  readonly onHold: boolean;
  readonly tradeSample: boolean;
}

type Check = (text: string) => string | null;

const atMost =
  (max: number): Check =>
  (text) =>
    text.length <= max ? null : `must be at most ${max} characters long`;
const amountPattern = /^(?=.*[1-9])(0|[1-9]\d{0,11})(\.\d{1,6})?$/;
const flag: Check = (text) => (/^(true|false)$/i.test(text) ? null : 'must be true or false');

const required: readonly TransferColumn[] = [
  'manifestNumber',
  'shipperName',
  'shipperLicenseNumber',
  'label',
  'initialAmount',
  'unit',
];

const checks: Readonly<Record<TransferColumn, Check>> = {
  manifestNumber: atMost(100),
  transferExternalId: atMost(100),
  shipperName: atMost(500),
  shipperLicenseNumber: atMost(100),
  label: (text) => (new RegExp(labelPattern).test(text) ? null : 'must be 24 characters 0-9 and A-Z'),
  externalId: atMost(100),
  externalProductName: atMost(500),
  initialAmount: (text) =>
    amountPattern.test(text) ? null : 'must be a number above 0, with at most 6 decimals',
  unit: (text) => (packageUnit(text) === null ? expectedUnit : null),
  expirationDate: (text) => (isDay(text) ? null : 'must be a date YYYY-MM-DD that exists'),
  onHold: flag,
  tradeSample: flag,
};

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '0001') return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/**
 * The valid rows and all errors of the others: for each row itself, and between rows (a label twice, one manifest with
 * two shippers).
 */
export function readTransferRows(sent: readonly SentTransferRow[]): {
  readonly rows: readonly TransferRow[];
  readonly bad: readonly BadRow[];
} {
  const bad: BadRow[] = [];
  const rows: TransferRow[] = [];
  const labels = new Map<string, number>();
  const manifests = new Map<string, TransferRow>();
  for (const [index, cells] of sent.entries()) {
    const row = index + 1;
    const text = (column: TransferColumn) => cells[column]?.trim() || null;
    const faults = transferColumns.flatMap((column): BadRow[] => {
      const value = text(column);
      if (value === null) {
        return required.includes(column)
          ? [{ row, field: column, message: `${column} must be present` }]
          : [];
      }
      const fault = checks[column](value);
      return fault === null ? [] : [{ row, field: column, message: `${column} ${fault}` }];
    });
    if (faults.length > 0) {
      bad.push(...faults);
      continue;
    }
    const read: TransferRow = {
      row,
      manifestNumber: text('manifestNumber')!,
      transferExternalId: text('transferExternalId'),
      shipperName: text('shipperName')!,
      shipperLicenseNumber: text('shipperLicenseNumber')!,
      label: text('label')!,
      externalId: text('externalId'),
      externalProductName: text('externalProductName'),
      initialAmount: text('initialAmount')!,
      unit: packageUnit(text('unit')!)!,
      expirationDate: text('expirationDate'),
      onHold: text('onHold')?.toLowerCase() === 'true',
      tradeSample: text('tradeSample')?.toLowerCase() === 'true',
    };
    const twin = labels.get(read.label);
    if (twin !== undefined) {
      bad.push({ row, field: 'label', message: `label must not be that of row ${twin}` });
      continue;
    }
    const first = manifests.get(read.manifestNumber) ?? read;
    const other = otherShipper(read, first);
    if (other !== null) {
      bad.push({
        row,
        field: other,
        message: `${other} must be that of row ${first.row}, which has the same manifest`,
      });
      continue;
    }
    labels.set(read.label, row);
    manifests.set(read.manifestNumber, first);
    rows.push(read);
  }
  return { rows, bad };
}

type Shipper = Pick<TransferRow, 'shipperName' | 'shipperLicenseNumber'>;

/** How a row contradicts the existing data of its manifest, or null. */
export function otherShipper(row: Shipper, known: Shipper): 'shipperName' | 'shipperLicenseNumber' | null {
  if (row.shipperLicenseNumber !== known.shipperLicenseNumber) return 'shipperLicenseNumber';
  return row.shipperName === known.shipperName ? null : 'shipperName';
}
