import type { BoundStatement } from '../../platform/statements/statement.ts';
import type { Named } from './finding.ts';

/** A row that a check's statement found wrong. */
export interface WrongRow {
  in_table: string;
  row_key: string;
  order_number: number | null;
  words: string;
}

/** Orders by id: after the first, up to and including the last. */
export interface OrderRange {
  readonly after: string;
  readonly until: string;
}

/** A check of orders and what belongs to them, range by range, so that a million orders take little memory. */
export interface OrderCheck extends Named {
  readonly find: (range: OrderRange) => BoundStatement<WrongRow>;
}

/** What a check of a whole organization gets. */
export interface OrganizationCheckInput {
  /** Events that were announced after it must be there: older ones may be pruned (D76). */
  readonly eventsAfter: string;
}

/** A check of a whole organization in one statement, for few rows or for sums. */
export interface OrganizationCheck extends Named {
  readonly find: (input: OrganizationCheckInput) => BoundStatement<WrongRow>;
}

/** Rows of one statement at most; the report lists no more. */
export const rowsMax = 100;

/** The rows of an order's table within the range of orders. */
export const inRange = 't.order_id > :after::uuid and t.order_id <= :until::uuid';
