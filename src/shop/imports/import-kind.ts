import type { OrganizationId } from '../../kernel/ids.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { CellKind } from './cell-values.ts';

export interface ImportField {
  readonly kind: CellKind;
  /** The name in a product's option, if it is an option's field. */
  readonly optionName?: string;
  /** Cell content of this field is not repeated in error messages. */
  readonly isPersonal?: true;
  /** Whether N/A and the like stand for no value; of a required field they are what is wrong with it. */
  readonly mayBeNothing?: true;
  /** What 0 means in a file (D83): an option that is not sold, or no value; absent: 0. */
  readonly zero?: 'not-sold' | 'none' | undefined;
}

/** The possible names of a file's columns, and targets of a mapping. */
export type ImportFields = Readonly<Record<string, ImportField>>;

/** The kinds of imports, each with the rules of its slice. */
export interface ImportKind<Row> {
  readonly noun: string;
  readonly fields: ImportFields;
  /** The fields that group rows; empty: every row is its own item. */
  readonly groupedBy: readonly string[];
  /** Rows that say the same of an option are one: a list of stock has a row for each batch and room. */
  readonly equalRowsAreOne?: true;
  /** Lists that requests require and files may omit. */
  readonly emptyLists: readonly string[];
  /** What a record of the service's own export says (docs/BULK.md); null: it is none; a text: why it is left out. */
  ofExport(values: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | string | null;
  /** Loads the change that bodies get before they are read. */
  loadChange(): Promise<(body: unknown) => unknown>;
  read(body: unknown): Row;
  keysOf(row: Row): readonly string[];
  write(
    context: Context,
    origin: Origin,
    organization: OrganizationId,
    rows: readonly Row[],
    options: { readonly isTrial: boolean },
  ): Promise<ImportOutcome[]>;
}
