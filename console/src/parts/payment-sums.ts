import { cashRoundingCents } from '../../../src/engines/offline-pricing/cash-rounding.ts';
import { paymentFee } from './payment-fee.ts';
import type { PaymentType } from './use-payment-types.ts';

/** A payment being entered. */
export interface PaymentRow {
  readonly key: number;
  readonly paymentTypeId: number;
  readonly amount: number | null;
  /** The cash given; null: the exact amount due. */
  readonly tendered: number | null;
  /** The large cash amount that was confirmed. */
  readonly confirmed?: number;
  /** The code of the gift card that pays. */
  readonly giftCard?: string;
}

/** The sums of the payment rows. */
export interface PaymentSums {
  /** Cents not yet covered; negative: overpaid. */
  readonly remaining: number;
  readonly fees: number;
  /** What rounding adds to the cash. */
  readonly rounding: number;
  readonly change: number;
}

/** The remainder of `due`, the fees, the rounding, and the change. The service's own figures are final. */
export function sumsOf(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): PaymentSums {
  let remaining = due;
  let fees = 0;
  let change = 0;
  const rounding = roundingByRow(rows, types);
  for (const row of rows) {
    const { paymentTypeId, amount, tendered } = row;
    const type = types.find(({ id }) => id === paymentTypeId);
    remaining -= amount ?? 0;
    fees += type ? paymentFee(type, amount ?? 0) : 0;
    if (tendered === null || !cashTypeOf(row, types)) continue;
    const owed = owedOf(row, rows, types);
    if (isPlausible(row, owed)) change += tendered - owed;
  }
  return { remaining, fees, change, rounding: [...rounding.values()].reduce((sum, it) => sum + it, 0) };
}

/** What the customer gets of these cents by a payment type: cash is rounded, as the service does it. */
export function givenBack(cents: number, type: PaymentType | undefined): number {
  return type?.method === 'cash' ? cents + cashRoundingCents(cents, type.cashRounding ?? 'off') : cents;
}

/** What is paid by a row: with the fee, cash rounded. */
export function owedOf(row: PaymentRow, rows: readonly PaymentRow[], types: readonly PaymentType[]): number {
  return withFee(row, types) + (roundingByRow(rows, types).get(row) ?? 0);
}

function withFee({ paymentTypeId, amount }: PaymentRow, types: readonly PaymentType[]): number {
  const type = types.find(({ id }) => id === paymentTypeId);
  return (amount ?? 0) + (type ? paymentFee(type, amount ?? 0) : 0);
}

/** What rounding adds to each row. */
export function roundingOf(rows: readonly PaymentRow[], types: readonly PaymentType[]): readonly number[] {
  const byRow = roundingByRow(rows, types);
  return rows.map((row) => byRow.get(row) ?? 0);
}

/** All cash is rounded as one amount, which the largest row of it bears, as the service does it. */
function roundingByRow(
  rows: readonly PaymentRow[],
  types: readonly PaymentType[],
): ReadonlyMap<PaymentRow, number> {
  const ruleOf = (row: PaymentRow) => cashTypeOf(row, types)?.cashRounding ?? 'off';
  const cash = rows.filter((row) => ruleOf(row) !== 'off');
  const [first, ...others] = cash;
  if (first === undefined) return new Map();
  const largest = others.reduce(
    (one, other) => (withFee(other, types) > withFee(one, types) ? other : one),
    first,
  );
  const cents = cash.reduce((sum, row) => sum + withFee(row, types), 0);
  return new Map([[largest, cashRoundingCents(cents, ruleOf(largest))]]);
}

/** Whether the payments add up to the amount due, with enough and plausible cash for each cash payment and its fee. */
export function isPaid(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): boolean {
  return (
    due <= 0 ||
    (sumsOf(due, rows, types).remaining === 0 &&
      rows.every((row) => hasEnoughCash(row, rows, types) && hasCard(row, types)))
  );
}

/** A payment by gift card names its card. */
function hasCard(
  { paymentTypeId, amount, giftCard = '' }: PaymentRow,
  types: readonly PaymentType[],
): boolean {
  const takesCards = types.find(({ id }) => id === paymentTypeId)?.takesGiftCards === true;
  return !takesCards || (amount ?? 0) === 0 || giftCard.trim() !== '';
}

function hasEnoughCash(row: PaymentRow, rows: readonly PaymentRow[], types: readonly PaymentType[]): boolean {
  const { tendered } = row;
  if (tendered === null || !cashTypeOf(row, types)) return true;
  const owed = owedOf(row, rows, types);
  return tendered >= owed && isPlausible(row, owed);
}

/** Whether the cash is plausible for the amount owed, or confirmed. */
function isPlausible({ tendered, confirmed }: PaymentRow, owed: number): boolean {
  return tendered === null || !isMuchCash(tendered, owed) || confirmed === tendered;
}

function cashTypeOf({ paymentTypeId }: PaymentRow, types: readonly PaymentType[]): PaymentType | undefined {
  return types.find(({ id, method }) => id === paymentTypeId && method === 'cash');
}

const muchCashTimes = 10;
const muchCashCents = 1_000_000;

/** Whether this much cash needs confirmation: more than ten times the amount owed, or more than $10,000. */
export function isMuchCash(tendered: number, owed: number): boolean {
  return tendered > muchCashCents || (owed > 0 && tendered > owed * muchCashTimes);
}

/** The rows as the body of a request. */
export function paymentsOf(rows: readonly PaymentRow[], types: readonly PaymentType[]) {
  return rows.map((row) => ({
    paymentTypeId: row.paymentTypeId,
    amount: row.amount ?? 0,
    ...(row.tendered !== null && cashTypeOf(row, types) && { tendered: row.tendered }),
    ...(row.giftCard !== undefined &&
      types.find(({ id }) => id === row.paymentTypeId)?.takesGiftCards && { giftCard: row.giftCard.trim() }),
  }));
}
