import { paymentFee } from './payment-fee.ts';
import type { PaymentType } from './use-payment-types.ts';

/** A payment as it is being taken. */
export interface PaymentRow {
  readonly key: number;
  readonly paymentTypeId: number;
  readonly amount: number | null;
  /** The cash that was given; null: exactly what is due. */
  readonly tendered: number | null;
  /** The cash that was confirmed although it is much for what is due. */
  readonly confirmed?: number;
}

/** What the rows come to. */
export interface PaymentSums {
  /** Cents that no payment covers yet; negative: too much. */
  readonly remaining: number;
  readonly fees: number;
  readonly change: number;
}

/** What is left to pay of `due`, the fees, and what goes back of the cash; the service has the last word on all of it. */
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
    if (isBelievable(row, owed)) change += tendered - owed;
  }
  return { remaining, fees, change };
}

/** Whether the payments come to what is due, each cash payment with enough given for it and its fee, and not unbelievably much. */
export function isPaid(due: number, rows: readonly PaymentRow[], types: readonly PaymentType[]): boolean {
  return due === 0 || (sumsOf(due, rows, types).remaining === 0 && rows.every((row) => isGiven(row, types)));
}

function isGiven(row: PaymentRow, types: readonly PaymentType[]): boolean {
  const { amount, tendered } = row;
  const type = cashTypeOf(row, types);
  if (tendered === null || !type) return true;
  const owed = (amount ?? 0) + paymentFee(type, amount ?? 0);
  return tendered >= owed && isBelievable(row, owed);
}

/** Whether so much cash is usual for what is owed, or confirmed. */
function isBelievable({ tendered, confirmed }: PaymentRow, owed: number): boolean {
  return tendered === null || !isMuchCash(tendered, owed) || confirmed === tendered;
}

function cashTypeOf({ paymentTypeId }: PaymentRow, types: readonly PaymentType[]): PaymentType | undefined {
  return types.find(({ id, method }) => id === paymentTypeId && method === 'cash');
}

const muchCashTimes = 10;
const muchCashCents = 1_000_000;

/** Whether somebody must confirm that so much cash was given: more than ten times what is owed, or more than $10,000. */
export function isMuchCash(tendered: number, owed: number): boolean {
  return tendered > muchCashCents || (owed > 0 && tendered > owed * muchCashTimes);
}

/** The rows as the service takes them. */
export function paymentsOf(rows: readonly PaymentRow[], types: readonly PaymentType[]) {
  return rows.map((row) => ({
    paymentTypeId: row.paymentTypeId,
    amount: row.amount ?? 0,
    ...(row.tendered !== null && cashTypeOf(row, types) && { tendered: row.tendered }),
  }));
}
