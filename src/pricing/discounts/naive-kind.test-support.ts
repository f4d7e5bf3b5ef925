import type fc from 'fast-check';
import type { Good } from '../naive-goods.test-support.ts';
import type { TieWatch } from '../naive-rational.test-support.ts';
import type { Discount } from './discount-kinds.ts';

interface AnyLevel {
  /** Random own terms of the kind; null where it has none. */
  readonly ownTerms: fc.Arbitrary<Discount['ownTerms']>;
  /**
   * The discount with settings under which a larger amount takes no less from any line. Left out is what
   * shifts cents from one line to another; docs/PRICING.md names it.
   */
  ordered(discount: Discount): Discount;
}

/** A line-level kind a second time: what comes off each line, the lines being left as they are. */
export interface NaiveLineKind extends AnyLevel {
  readonly level: 'line';
  takes(discount: Discount, goods: Good[], watch: TieWatch): number[];
}

/** An order-level kind a second time: what it would take of the total, before its maximum, the cap and the floor. */
export interface NaiveOrderKind extends AnyLevel {
  readonly level: 'order';
  wants(discount: Discount, leftCents: number): number;
}

/** The naive twin of a kind: slow, plain, and written from the rules and not from the kind's file. */
export type NaiveKind = NaiveLineKind | NaiveOrderKind;
