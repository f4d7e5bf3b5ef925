import { type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import type {
  PurchaseOrderLineRow,
  PurchaseOrderPaymentRow,
  PurchaseOrderRow,
  ReceptionRow,
} from './purchase-order-queries.ts';

/** What a purchase order costs in the end (D90). */

/** Cents of a line: for what came, and for what is still to come. */
interface OwedForLine {
  readonly cameCents: number;
  readonly restCents: number;
}

export interface AmountsOwed {
  readonly lines: ReadonlyMap<number, OwedForLine>;
  readonly owedCents: number;
  readonly paidCents: number;
  readonly creditedCents: number;
  readonly outstandingCents: number;
  /** What was paid or credited above what is owed: the vendor owes it to the shop. */
  readonly overpaidCents: number;
}

/**
 * A line is owed for what came, at the invoiced price; while the order is open, also for what is still to come of it.
 * Shipping and handling is owed unless the order ended without any goods. A credit for a rejected package takes from
 * what is still to come, which is owed nothing once the order is closed; any other credit takes from what came.
 */
export function amountsOwed(
  order: Pick<PurchaseOrderRow, 'status' | 'shipping_handling_fee_cents'>,
  lines: readonly PurchaseOrderLineRow[],
  receptionsOf: (lineId: number) => readonly ReceptionRow[],
  payments: readonly PurchaseOrderPaymentRow[],
): AmountsOwed {
  const isOpen = order.status === 'open';
  const owed = new Map(lines.map((line) => [line.id, owedForLine(line, receptionsOf(line.id), isOpen)]));
  const sum = (cents: readonly number[]) => cents.reduce((total, it) => total + it, 0);
  const amountOf = (isCounted: (row: PurchaseOrderPaymentRow) => boolean) =>
    sum(payments.filter(isCounted).map(({ amount_cents: cents }) => cents));
  const came = sum([...owed.values()].map(({ cameCents }) => cameCents));
  const rest = sum([...owed.values()].map(({ restCents }) => restCents));
  const rejected = amountOf((row) => row.credit_reason !== null && row.package_id !== null);
  const otherCredits = amountOf((row) => row.credit_reason !== null && row.package_id === null);
  const hasGoods = isOpen || lines.some(({ id }) => receptionsOf(id).length > 0);
  const gross = came + Math.max(0, rest - rejected) + (hasGoods ? order.shipping_handling_fee_cents : 0);
  const paidCents = amountOf((row) => row.credit_reason === null);
  const left = gross - otherCredits - paidCents;
  return {
    lines: owed,
    owedCents: gross,
    paidCents,
    creditedCents: rejected + otherCredits,
    outstandingCents: Math.max(0, left),
    overpaidCents: Math.max(0, -left),
  };
}

function owedForLine(
  line: PurchaseOrderLineRow,
  receptions: readonly ReceptionRow[],
  isOpen: boolean,
): OwedForLine {
  const price = line.invoiced_cost_per_unit ?? line.cost_per_unit;
  const came = receptions.reduce((sum, it) => sum.plus(it.amount), zero);
  const worth = receptions.reduce((sum, it) => {
    const paid = line.invoiced_cost_per_unit ?? it.cost_per_unit ?? line.cost_per_unit;
    return sum.plus(decimal(it.amount).times(paid));
  }, zero);
  const excise = (amount: Decimal) => inCents(amount.times(line.ca_excise_per_unit));
  const cameCents = inCents(worth) + excise(came);
  const left = decimal(line.amount).minus(came);
  if (!isOpen || left.lte(zero)) return { cameCents, restCents: 0 };
  // Rounded as a whole, so that an order without surprises costs what it said.
  const wholeCents = inCents(worth.plus(left.times(price))) + excise(came.plus(left));
  return { cameCents, restCents: wholeCents - cameCents };
}

/** Dollars as cents, rounded half-up. */
function inCents(dollars: Decimal): number {
  return dollars.times(100).round(0, 1).toNumber();
}
