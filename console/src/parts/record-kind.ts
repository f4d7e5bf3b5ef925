import type { ReactNode } from 'react';
import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import type { Edit } from './use-edit.ts';

/** A small stored record: a brand, a location. */
export interface KeptRecord {
  readonly id: number;
  readonly updatedAt: string;
}

/** How records of a kind are created and changed in a dialog. */
export interface EditedKind<Row extends KeptRecord> {
  /** The noun in titles: `brand`. */
  readonly noun: string;
  /** The initial values of a new record. */
  readonly blank: Row;
  readonly create: (draft: Row) => Promise<Row>;
  readonly save: (id: number, changes: Partial<Row>, updatedAt: string) => Promise<Row>;
  /** Reads all records again, to find changes by other people. */
  readonly loadAll: () => Promise<readonly Row[]>;
  /** A field's label and value, for an edit conflict. */
  readonly shown: (
    name: keyof Row & string,
    value: Row[keyof Row],
  ) => { readonly label: string; readonly value: ReactNode };
  /** The inputs. */
  readonly fields: (edit: Edit<Row>) => ReactNode;
  readonly size?: string;
}

/** A complete kind of record: editing, and how a record is removed. */
export interface RecordKind<Row extends KeptRecord & { readonly name: string }> extends EditedKind<Row> {
  /** First words of the query keys that a change invalidates; the first is the resource, as in paths. */
  readonly resources: readonly [string, ...string[]];
  readonly removal: {
    readonly verb: 'archive' | 'delete';
    readonly send: (id: number) => Promise<unknown>;
    /** Explains the consequences before the removal. */
    readonly warning: (row: Row) => ReactNode;
  };
}

/** The current version of a record. Fails when it was removed. */
export function presentRow<Row extends KeptRecord>(rows: readonly Row[], id: number): Row {
  const row = rows.find((it) => it.id === id);
  if (row === undefined) {
    throw new ApiFailure({ message: t`It was already removed.`, code: 'NOT_FOUND', status: 404 });
  }
  return row;
}
