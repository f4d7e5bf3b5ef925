import { statement, type TextArray } from '../../platform/statements/statement.ts';

export interface BacklogRow {
  readonly id: number;
  readonly overdue: number;
  /** Milliseconds since 1970. */
  readonly oldest: number | null;
  readonly is_due: boolean;
}

/** Runs as the owner. */
export const selectBacklog = statement<
  { kind: string; at: string; before: string; limit: number },
  BacklogRow
>(
  'select_retention_backlog',
  'select id, overdue, oldest, is_due from retention_backlog(:kind, :at, :before, :limit::integer)',
  { isLong: true },
);

/** Runs as the owner. Notes which of these files no row names; returns those that were noted before `before`. */
export const noteStrayFiles = statement<
  { store: string; names: TextArray; at: string; before: string },
  { name: string }
>('note_stray_files', 'select name from note_stray_files(:store, :names::text[], :at, :before)', {
  isLong: true,
});

/** Runs as the owner. */
export const selectFilesWithoutRows = statement<{ store: string; names: TextArray }, { name: string }>(
  'select_files_without_rows',
  'select name from files_without_rows(:store, :names::text[]) as name',
  { isLong: true },
);

/** Runs as the owner: the files are gone. */
export const forgetStrayFiles = statement<{ store: string; names: TextArray }>(
  'forget_stray_files',
  'delete from stray_files where store = :store and name = any(:names::text[])',
);
