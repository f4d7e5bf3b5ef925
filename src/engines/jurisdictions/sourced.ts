/** A local calendar day, `YYYY-MM-DD`. */
export type LocalDate = string;

/**
 * The source and age of a statement. A statement of low confidence is not a fact: it is a gap of the kind
 * `doubtful`, which is a warning for owners.
 */
export interface Provenance {
  /** The law. */
  readonly citation: string;
  /**
   * high: a primary text without pending changes. medium: secondary sources that agree, or a primary text that
   * is old or partial. High becomes medium a year after the text was read (`confidenceOn`).
   */
  readonly confidence: Confidence;
  /** What was read, and what to know before relying on it. */
  readonly source: string;
  /** The address of the law or of the page that was read. Editions that were imported before this rule may have null. */
  readonly link: string | null;
  /** primary: the text of the law, or a page of its authority. secondary: a text by others about it. */
  readonly sourceKind: 'primary' | 'secondary';
  /** The day on which the source was read. */
  readonly readOn: LocalDate;
  /** The date of the text, as exact as it is known: `2021`, `2021-07` or `2021-07-14`; null: the text has none. */
  readonly textOf: string | null;
  /** A pending change, in words; null: none is known. */
  readonly pending: string | null;
}

/** A fact with its source, and the days on which it is in force. */
export interface Sourced extends Provenance {
  /** First day; null: in force before 2024. */
  readonly effectiveFrom: LocalDate | null;
  /** Last day; null: open. */
  readonly effectiveTo: LocalDate | null;
}

export type Confidence = 'high' | 'medium';

/** In the unit of the law: "1 oz" is not "28 g". */
export interface Quantity {
  /** Decimal text. */
  readonly amount: string;
  readonly unit: 'mg' | 'g' | 'oz' | 'fl oz' | 'count';
}
