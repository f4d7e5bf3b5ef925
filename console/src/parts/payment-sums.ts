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
}

/** The sums of the payment rows. */
export interface PaymentSums {
  /** Cents not yet covered; negative: overpaid. */
  readonly remaining: number;
  readonly fees: number;
  readonly change: number;
}

/** The remainder of `due`, the fees, and the change. The service's own figures are final. */
export function sumsOf(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): PaymentSums {
  let remaining = due;
  let fees = 0;
  let change = 0;
  for (const row of rows) {
    const { paymentTypeId, amount, tendered } = row;
    const type = types.find(({ id }) => id === paymentTypeId);
    const fee = type ? paymentFee(type, amount ?? 0) : 0;
    remaining -= amount ?? 0;
    fees += fee;
    if (tendered === null || !cashTypeOf(row, types)) continue;
    const owed = (amount ?? 0) + fee;
    if (isPlausible(row, owed)) change += tendered - owed;
  }
  return { remaining, fees, change };
}

/** Whether the payments add up to the amount due, with enough and plausible cash for each cash payment and its fee. */
export function isPaid(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): boolean {
  return (
    due === 0 || (sumsOf(due, rows, types).remaining === 0 && rows.every((row) => hasEnoughCash(row, types)))
  );
}

function hasEnoughCash(row: PaymentRow, types: readonly PaymentType[]): boolean {
  const { amount, tendered } = row;
  const type = cashTypeOf(row, types);
  if (tendered === null || !type) return true;
  const owed = (amount ?? 0) + paymentFee(type, amount ?? 0);
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
  }));
}
