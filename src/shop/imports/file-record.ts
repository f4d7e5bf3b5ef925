/** What files are read as, whatever their format. */

/** A remark on a line of a file: it was read in another way than it is written, or left out. */
export interface FileNote {
  readonly line: number;
  readonly message: string;
}

/** One row of a file in any format. */
export interface FileRecord {
  /** Its first line, from 1; in a JSON list the number of its entry. */
  readonly line: number;
  /** The values by the file's names; null: not a record. */
  readonly values: Readonly<Record<string, unknown>> | null;
  /** Why it is not a record; absent beside no values: only remarks, at the end of the file. */
  readonly problem?: string;
  /** Remarks on it, and on what was left out before it. */
  readonly notes?: readonly FileNote[];
  /** The part of the file read so far, from 0 to 1. */
  readonly share: number;
}
