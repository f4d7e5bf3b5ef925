import type { Failure } from './failure.ts';

/** Something of a row that is written and should be looked at. */
export interface ImportWarning {
  /** Of the row's body. */
  readonly path: string;
  readonly message: string;
}

/** What has become of one row of a bulk import. */
export type ImportOutcome =
  | { readonly kind: 'created'; readonly id: number; readonly warnings?: readonly ImportWarning[] }
  /** It was here already, and stays as it is. */
  | { readonly kind: 'known'; readonly id: number }
  /** Nothing of it is written. */
  | { readonly kind: 'refused'; readonly problem: Failure };
