import type { Failure } from './failure.ts';

/** A warning about an imported row. */
interface ImportWarning {
  /** The path in the row's body. */
  readonly path: string;
  readonly message: string;
}

/** The outcome of one row of a bulk import. */
export type ImportOutcome =
  | { readonly kind: 'created'; readonly id: number; readonly warnings?: readonly ImportWarning[] }
  /** It exists already and is unchanged. */
  | { readonly kind: 'known'; readonly id: number; readonly warnings?: readonly ImportWarning[] }
  /** The row was not written. */
  | { readonly kind: 'refused'; readonly problem: Failure };
