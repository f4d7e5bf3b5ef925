import { type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import type { ReportState } from './report-lifecycle.ts';

/** How the stock of a package at the state differs from the stock here. */
export const stockDifferenceKinds = [
  'receipt-differs',
  'adjusted-at-state',
  'more-at-state',
  'less-at-state',
  'ended-at-state',
  'absent-at-state',
  'not-accepted',
  'not-received',
  'not-here',
  'unit-differs',
] as const;
export type StockDifferenceKind = (typeof stockDifferenceKinds)[number];

/** Quantities by label. */
export type Quantities = ReadonlyMap<string, Decimal>;

/** A report, as far as the stock at the state depends on it. */
export interface StockReport {
  readonly id: number;
  readonly revision: number;
  readonly state: ReportState;
  readonly sentAtMs: number | null;
  readonly settledAtMs: number | null;
  /** What it says was sold, or what it adds to packages. */
  readonly quantities: Quantities;
}

/** Reports of one order and license, or one adjustment alone. */
export interface ReportChain {
  readonly isAdjustment: boolean;
  /** Oldest first. */
  readonly reports: readonly StockReport[];
  /** What the receipt that the state has says, where it was read; null: not read, so what was accepted counts. */
  readonly atState: Quantities | null;
}

/** What an answer of the state that is read a moment later may still lack. */
const settlingMs = 20_000;

/** Whether the state had a report when its packages were read. */
function wasThere({ state, sentAtMs, settledAtMs }: StockReport, asOfMs: number): 'yes' | 'no' | 'maybe' {
  if (state === 'accepted' || state === 'done-by-hand') {
    if (settledAtMs !== null && settledAtMs <= asOfMs - settlingMs) return 'yes';
    return sentAtMs !== null && sentAtMs > asOfMs + settlingMs ? 'no' : 'maybe';
  }
  return state === 'waiting' || state === 'refused' || state === 'superseded' ? 'no' : 'maybe';
}

/**
 * What reports under way will still change of a package at the state, negative where they take away. Null: at that moment it cannot be
 * said, because one of them is just being carried out.
 */
export function underWay(chains: readonly ReportChain[], label: string, asOfMs: number): Decimal | null {
  let sum = zero;
  for (const { reports, isAdjustment, atState } of chains) {
    const there = reports.map((report) => wasThere(report, asOfMs));
    const of = (quantities: Quantities | undefined) => quantities?.get(label) ?? zero;
    if (there.includes('maybe')) {
      if (reports.some(({ quantities }) => quantities.has(label)) || atState?.has(label)) return null;
      continue;
    }
    const last = reports.at(-1)!;
    if (isAdjustment) {
      if (there[0] === 'no' && last.state !== 'superseded') sum = sum.plus(of(last.quantities));
      continue;
    }
    const known = reports.findLast((_, at) => there[at] === 'yes');
    const has = known === undefined ? zero : of(atState ?? known.quantities);
    sum = sum.plus(has).minus(of(last.quantities));
  }
  return sum;
}

/** A package here and at the state. */
export interface ComparedStock {
  readonly place: 'active' | 'ended' | 'coming' | 'absent';
  readonly theirUnit: string;
  /** Null: there is no such package here. */
  readonly ourUnit: string | null;
  /** On its way here by our own books. */
  readonly isReady: boolean;
  readonly ours: Decimal;
  readonly theirs: Decimal;
  readonly underWay: Decimal;
  /** What receipts that differ explain. */
  readonly byReceipts: Decimal;
  /** What people adjusted at the state, the latest first. */
  readonly adjusted: readonly Decimal[];
}

/** Some systems keep three decimals. */
const comparedDecimals = 3;
export const isSameAmount = (one: Decimal, other: Decimal): boolean =>
  one.round(comparedDecimals, 1).eq(other.round(comparedDecimals, 1));

/** What the state would have by our books, before the reports that are under way. */
export const expectedAtState = (it: Pick<ComparedStock, 'ours' | 'underWay'>): Decimal =>
  it.ours.minus(it.underWay);

/** The class of a difference; null: there is none. */
export function stockDifference(it: ComparedStock): StockDifferenceKind | null {
  const { place, ours, theirs } = it;
  if (place === 'coming') return ours.gt(zero) ? 'not-accepted' : null;
  if (place === 'absent') return ours.gt(zero) ? 'absent-at-state' : null;
  if (place === 'ended' && ours.gt(zero)) return 'ended-at-state';
  if (it.ourUnit === null) return place === 'active' && theirs.gt(zero) ? 'not-here' : null;
  if (it.isReady) return place === 'active' && theirs.gt(zero) ? 'not-received' : null;
  if (it.ourUnit !== it.theirUnit) return ours.gt(zero) || theirs.gt(zero) ? 'unit-differs' : null;
  const difference = theirs.minus(expectedAtState(it));
  if (isSameAmount(difference, zero)) return null;
  if (isSameAmount(difference, it.byReceipts)) return 'receipt-differs';
  let adjusted = it.byReceipts;
  for (const change of it.adjusted) {
    adjusted = adjusted.plus(change);
    if (isSameAmount(difference, adjusted)) return 'adjusted-at-state';
  }
  return difference.gt(zero) ? 'more-at-state' : 'less-at-state';
}

/** What a person can answer to a difference of stock. The rest is done on the state's website. */
export function answersTo(kind: StockDifferenceKind): ('state-is-right' | 'we-are-right')[] {
  switch (kind) {
    case 'adjusted-at-state':
    case 'more-at-state':
    case 'less-at-state':
      return ['state-is-right', 'we-are-right'];
    case 'receipt-differs':
    case 'ended-at-state':
    case 'absent-at-state':
      return ['state-is-right'];
    case 'not-here':
      return ['we-are-right'];
    case 'not-accepted':
    case 'not-received':
    case 'unit-differs':
      return [];
  }
}

/** Quantities of lines by label. */
export function quantitiesOf(
  lines: readonly { readonly label: string; readonly quantity: string }[],
): Quantities {
  const sums = new Map<string, Decimal>();
  for (const { label, quantity } of lines) sums.set(label, decimal(quantity).plus(sums.get(label) ?? zero));
  return sums;
}
