import type { Failure } from './failure.ts';

/** What has become of one row of a bulk import. */
export type ImportOutcome =
  | { readonly kind: 'created'; readonly id: number }
  /** It was here already, and stays as it is. */
  | { readonly kind: 'known'; readonly id: number }
  /** Nothing of it is written. */
  | { readonly kind: 'refused'; readonly problem: Failure };
