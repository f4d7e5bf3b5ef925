import { decimal, zero } from '../../kernel/decimal.ts';
import { memberOf, textMember } from './json-members.ts';
import type { ReceiptContent } from './receipt-of-sale.ts';

/** A receipt as the state shows it. */
export interface StateReceipt {
  readonly id: number;
  readonly externalNumber: string | null;
  readonly soldAt: string | null;
  readonly isVoid: boolean;
  readonly isFinal: boolean;
  readonly totalCents: number | null;
  /** ISO, in UTC, with microseconds; null: it was not shown. */
  readonly lastModified: string | null;
  /** Null: lists leave them out. */
  readonly lines: readonly StateReceiptLine[] | null;
}

export interface StateReceiptLine {
  readonly label: string;
  /** Decimal text. */
  readonly quantity: string;
  readonly amountCents: number;
}

/** Reads a row of a list or a receipt by its id; null: it is none. Members have either of the names that were seen. */
export function readStateReceipt(value: unknown): StateReceipt | null {
  const id = memberOf(value, 'Id');
  if (typeof id !== 'number' || !Number.isSafeInteger(id) || id <= 0) return null;
  const sold = memberOf(value, 'Transactions');
  const lines = Array.isArray(sold) && sold.length > 0 ? sold.map(lineOf) : null;
  return {
    id,
    externalNumber: textMember(value, 'ExternalReceiptNumber'),
    soldAt: textMember(value, 'SalesDateTime'),
    isVoid: isSetDate(memberOf(value, 'ArchivedDate')),
    isFinal: memberOf(value, 'IsFinal') === true,
    totalCents: centsOf(memberOf(value, 'TotalPrice')),
    lastModified: instantIn(textMember(value, 'LastModified')),
    lines: lines?.includes(null) ? null : (lines as StateReceiptLine[] | null),
  };
}

/** Two changes of one millisecond are two changes. */
function instantIn(text: string | null): string | null {
  const ms = Date.parse(text ?? '');
  if (Number.isNaN(ms)) return null;
  const [, digits = ''] = /\.(\d+)/.exec(text!) ?? [];
  return new Date(ms).toISOString().replace('Z', `${digits.padEnd(6, '0').slice(3, 6)}Z`);
}

/** The state writes the year 1 where it has no date. */
function isSetDate(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.startsWith('0001-');
}

function lineOf(value: unknown): StateReceiptLine | null {
  const label = textMember(value, 'PackageLabel');
  const quantity = memberOf(value, 'QuantitySold') ?? memberOf(value, 'Quantity');
  const amountCents = centsOf(memberOf(value, 'TotalPrice') ?? memberOf(value, 'TotalAmount'));
  if (label === null || typeof quantity !== 'number' || amountCents === null) return null;
  return { label, quantity: decimal(quantity).toFixed(), amountCents };
}

function centsOf(value: unknown): number | null {
  return typeof value === 'number' ? decimal(value).times(100).round(0, 1).toNumber() : null;
}

/** Some systems keep three decimals: a thousandth of a gram. */
const comparedDecimals = 3;

/** Whether a receipt of the state says what ours says: the same packages, each to the cent and the thousandth. */
export function isSameSale(content: Pick<ReceiptContent, 'lines'>, shown: StateReceipt): boolean {
  if (shown.lines === null) return content.lines.length === 0;
  const theirs = new Map<string, { quantity: ReturnType<typeof decimal>; amountCents: number }>();
  for (const { label, quantity, amountCents } of shown.lines) {
    const sum = theirs.get(label) ?? { quantity: zero, amountCents: 0 };
    theirs.set(label, { quantity: sum.quantity.plus(quantity), amountCents: sum.amountCents + amountCents });
  }
  return (
    theirs.size === content.lines.length &&
    content.lines.every(({ label, quantity, amountCents }) => {
      const their = theirs.get(label);
      return (
        their !== undefined &&
        their.amountCents === amountCents &&
        their.quantity.round(comparedDecimals, 1).eq(decimal(quantity).round(comparedDecimals, 1))
      );
    })
  );
}
