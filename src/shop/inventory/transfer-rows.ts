import Type, { type Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { CheckedLater, Flag, List, Nullable, ReadAs, Text } from '../../platform/http/schemas.ts';
import { labelPattern } from './package-schemas.ts';
import { expectedUnit, packageUnit } from './package-units.ts';

/** Rows of imported transfers: one for each package; the rows of one manifest belong together. */

export const transferRowsMax = 1000;
const csvLengthMax = 900_000;

/** Checked row by row: errors are reported for every row, not only the first. */
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
  shipmentState: Type.Optional(
    Nullable(
      Text({ max: 1000, description: 'In the state system: a package that is `Rejected` there is refused' }),
    ),
  ),
});

export const ImportTransfersBody = Type.Object({
  rows: Type.Optional(
    List(CheckedLater(RowBody), {
      min: 1,
      max: transferRowsMax,
      description:
        'One for each package, with these fields or the names that the state systems write, such as `PackageLabel` and `ShippedQuantity`; or transfers with their `Packages`. Other names are read over. Or send `csv`',
    }),
  ),
  csv: Type.Optional(
    Text({
      min: 1,
      max: csvLengthMax,
      description:
        'The same as CSV, with commas, semicolons or tabs; the first line has the column names, ours or those of the state systems, and `rows` in errors count from 1 after it',
    }),
  ),
  mapping: Type.Optional(
    // Its names are those of the file: it is checked with them.
    CheckedLater(
      Type.Unsafe<Readonly<Record<string, string | null>>>({
        type: 'object',
        additionalProperties: { type: ['string', 'null'], maxLength: 50 },
        description:
          'For other headings: the name of a field for each, or null to read over it, such as `{"Lot": "label", "Rep": null}`',
      }),
    ),
  ),
  shared: Type.Optional(
    Type.Object(
      {
        manifestNumber: RowBody.properties.manifestNumber,
        transferExternalId: RowBody.properties.transferExternalId,
        shipperName: RowBody.properties.shipperName,
        shipperLicenseNumber: RowBody.properties.shipperLicenseNumber,
      },
      { description: 'The values of rows that have none: the packages of one manifest' },
    ),
  ),
  onlyGood: Type.Optional(Flag({ description: 'Import the valid rows and report the others' })),
});

export type TransferColumn = keyof Static<typeof RowBody>;
/** The texts of a row, by field. */
export type SentTransferRow = { readonly [Column in TransferColumn]?: string | null | undefined };

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
  /** The same for 418901 and 0000418901. */
  readonly manifestKey: string;
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
const flag: Check = (text) => (/^(true|false)$/.test(text) ? null : 'must be true or false');
const flagWords: Readonly<Record<string, string>> = {
  yes: 'true',
  y: 'true',
  1: 'true',
  no: 'false',
  n: 'false',
  0: 'false',
};

/** What other systems write, as the checks expect it. A date of the year 1 is none. */
const spellings: Partial<Record<TransferColumn, (text: string) => string>> = {
  initialAmount: (text) => {
    const amount = text.replace(/^(\d{1,3})((?:,\d{3})+)(?=$|\.)/, (all) => all.replaceAll(',', ''));
    const whole = amount.startsWith('.') ? `0${amount}` : amount;
    return /^\d+\.\d{1,20}$/.test(whole) ? canonicalDecimalText(whole) : whole;
  },
  expirationDate: (text) => {
    const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: .*)?$/.exec(text);
    const day = american
      ? `${american[3]}-${american[1]!.padStart(2, '0')}-${american[2]!.padStart(2, '0')}`
      : text.replace(/^(\d{4}-\d{2}-\d{2})[T ].*$/, '$1');
    return day === '0001-01-01' ? '' : day;
  },
  onHold: (text) => flagWords[text.toLowerCase()] ?? text.toLowerCase(),
  tradeSample: (text) => flagWords[text.toLowerCase()] ?? text.toLowerCase(),
  label: (text) => text.toUpperCase(),
};

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
  shipmentState: (text) =>
    /^(rejected|returned)$/i.test(text) ? `must not be ${text}: the package went back to its shipper` : null,
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
    const text = (column: TransferColumn) => {
      const trimmed = cells[column]?.trim() ?? '';
      return (spellings[column]?.(trimmed) ?? trimmed) || null;
    };
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
      manifestKey: manifestKey(text('manifestNumber')!),
      transferExternalId: text('transferExternalId'),
      shipperName: text('shipperName')!,
      shipperLicenseNumber: text('shipperLicenseNumber')!,
      label: text('label')!,
      externalId: text('externalId'),
      externalProductName: text('externalProductName'),
      initialAmount: text('initialAmount')!,
      unit: packageUnit(text('unit')!)!,
      expirationDate: text('expirationDate'),
      onHold: text('onHold') === 'true',
      tradeSample: text('tradeSample') === 'true',
    };
    const twin = labels.get(read.label);
    if (twin !== undefined) {
      bad.push({ row, field: 'label', message: `label must not be that of row ${twin}` });
      continue;
    }
    const first = manifests.get(read.manifestKey) ?? read;
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
    manifests.set(read.manifestKey, first);
    rows.push(read);
  }
  return { rows, bad };
}

/** A manifest is the same with leading zeros and without. */
function manifestKey(number: string): string {
  return number.replace(/^0+(?=\d)/, '');
}

type Shipper = Pick<TransferRow, 'shipperName' | 'shipperLicenseNumber'>;

/** How a row contradicts the existing data of its manifest, or null. */
export function otherShipper(row: Shipper, known: Shipper): 'shipperName' | 'shipperLicenseNumber' | null {
  if (row.shipperLicenseNumber !== known.shipperLicenseNumber) return 'shipperLicenseNumber';
  return row.shipperName === known.shipperName ? null : 'shipperName';
}
