import type fc from 'fast-check';
import type { Good } from '../reference-goods.test-support.ts';
import type { TieWatch } from '../reference-rational.test-support.ts';
import type { Discount } from './discount-kinds.ts';

interface AnyLevel {
  /** Random own terms of the kind; null if it has none. */
  readonly ownTerms: fc.Arbitrary<Discount['ownTerms']>;
  /**
   * The discount with settings under which a larger amount never reduces a line less. Settings that move cents
   * from one line to another are left out; docs/PRICING.md names them.
   */
  ordered(discount: Discount): Discount;
}

/** A second reading of a line-level kind: the reduction of each line; the lines are not changed. */
export interface ReferenceLineKind extends AnyLevel {
  readonly level: 'line';
  takes(discount: Discount, goods: Good[], watch: TieWatch): number[];
}

/**
 * A second reading of an order-level kind: the reduction of the total before its maximum, the cap and the
 * floor.
 */
export interface ReferenceOrderKind extends AnyLevel {
  readonly level: 'order';
  wants(discount: Discount, leftCents: number): number;
}

/** The reference implementation of a kind: slow, plain, and written from the rules, not from the kind's file. */
export type ReferenceKind = ReferenceLineKind | ReferenceOrderKind;
