/** What the catalogue says of one code. */
export interface CatalogueEntry {
  readonly status: number;
  /** The condition. */
  readonly when: string;
  /** What the caller can do about it. */
  readonly remedy: string;
  /** The shape of `meta`, if the code has one. */
  readonly meta?: string;
  /** The text for staff operations, where it concerns a session instead of keys. */
  readonly forStaff?: { readonly when: string; readonly remedy: string };
}
