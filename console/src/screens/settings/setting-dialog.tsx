import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ApiFailure } from '../../api.ts';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import type { Edit } from '../../parts/use-edit.ts';

interface Saved {
  readonly id: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** One row of a list of settings, which the service reads as a whole: made or changed in a dialog. */
export function SettingDialog<Draft extends object, Row extends Saved & Draft>({
  edited,
  onClose,
  noun,
  nameOf,
  blank,
  create,
  save,
  loadAll,
  listKey,
  shown,
  children,
}: {
  /** What is open: a row, a new one, none. */
  edited: Row | 'new' | null;
  onClose: () => void;
  /** `payment type`. */
  noun: string;
  nameOf: (draft: Draft) => string;
  blank: Draft;
  create: (draft: Draft) => Promise<Row>;
  save: (id: number, changes: Partial<Draft>, updatedAt: string) => Promise<Row>;
  loadAll: () => Promise<readonly Row[]>;
  /** The first word of the list's query: stale once a row is saved. */
  listKey: string;
  /** A field as people read it. */
  shown: (name: keyof Row & string, value: Row[keyof Row]) => { label: string; value: ReactNode };
  /** Its inputs; `saved` is null for a new one. */
  children: (edit: Pick<Edit<Draft>, 'draft' | 'set'>, saved: Row | null) => ReactNode;
}) {
  const queryClient = useQueryClient();
  if (edited === null) return null;
  const saved = edited === 'new' ? null : edited;
  const draftOf = (row: Row) =>
    Object.fromEntries(Object.keys(blank).map((name) => [name, row[name as keyof Row]])) as Draft;
  return (
    <RecordDialog<Row>
      noun={noun}
      record={saved}
      size="lg"
      blank={{ ...blank, id: 0, createdAt: '', updatedAt: '' } as Saved & Draft as Row}
      create={(row) => create(draftOf(row))}
      save={(changes, updatedAt) => save(saved?.id ?? 0, changes, updatedAt)}
      load={async () => presentRow(await loadAll(), saved?.id)}
      shown={shown}
      onSaved={(row) => {
        sayDone(`${nameOf(row)} is ${saved ? 'saved' : 'added'}.`);
        void queryClient.invalidateQueries({ queryKey: [listKey] });
        onClose();
      }}
      onClose={onClose}
    >
      {(edit) => children({ draft: edit.draft, set: edit.set as unknown as Edit<Draft>['set'] }, saved)}
    </RecordDialog>
  );
}

/** One of the list as it is now. Fails when it is gone since. */
function presentRow<Row extends Saved>(rows: readonly Row[], id: number | undefined): Row {
  const row = rows.find((it) => it.id === id);
  if (row === undefined) {
    throw new ApiFailure({ message: 'Somebody has removed it since.', code: 'NOT_FOUND', status: 404 });
  }
  return row;
}
