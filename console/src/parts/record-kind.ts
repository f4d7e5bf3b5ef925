import type { ReactNode } from 'react';
import { ApiFailure } from '../api.ts';
import type { Edit } from './use-edit.ts';

/** A small thing that is kept: a brand, a location. */
export interface KeptRecord {
  readonly id: number;
  readonly updatedAt: string;
}

/** How a kind of records is made and changed in its dialog. */
export interface EditedKind<Row extends KeptRecord> {
  /** `brand`. */
  readonly noun: string;
  /** A new one as it begins. */
  readonly blank: Row;
  readonly create: (draft: Row) => Promise<Row>;
  readonly save: (id: number, changes: Partial<Row>, updatedAt: string) => Promise<Row>;
  /** All there are now, of which one may have been saved by somebody else meanwhile. */
  readonly loadAll: () => Promise<readonly Row[]>;
  /** A field as people read it, for a conflict. */
  readonly shown: (
    name: keyof Row & string,
    value: Row[keyof Row],
  ) => { readonly label: string; readonly value: ReactNode };
  /** The inputs. */
  readonly fields: (edit: Edit<Row>) => ReactNode;
  readonly size?: string;
}

/** All that is its own in a kind of records: also how one goes. */
export interface RecordKind<Row extends KeptRecord & { readonly name: string }> extends EditedKind<Row> {
  /** First words of the queries that a change makes stale; the first is the resource, as in paths. */
  readonly resources: readonly [string, ...string[]];
  readonly removal: {
    readonly verb: 'Archive' | 'Delete';
    readonly send: (id: number) => Promise<unknown>;
    /** What it means, for who is about to do it. */
    readonly warning: (row: Row) => ReactNode;
  };
}

/** One of the records as it is now. Fails when it is gone since. */
export function presentRow<Row extends KeptRecord>(rows: readonly Row[], id: number): Row {
  const row = rows.find((it) => it.id === id);
  if (row === undefined) {
    throw new ApiFailure({ message: 'Somebody has removed it since.', code: 'NOT_FOUND', status: 404 });
  }
  return row;
}
