import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import type { EditedKind, KeptRecord } from '../../parts/record-kind.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import type { Edit } from '../../parts/use-edit.ts';

interface Saved extends KeptRecord {
  readonly createdAt: string;
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
  const kind: EditedKind<Row> = {
    noun,
    size: 'lg',
    blank: { ...blank, id: 0, createdAt: '', updatedAt: '' } as Saved & Draft as Row,
    create: (row) => create(draftOf(row)),
    save,
    loadAll,
    shown,
    fields: ({ draft, set }) => children({ draft, set: set as unknown as Edit<Draft>['set'] }, saved),
  };
  return (
    <RecordDialog
      kind={kind}
      record={saved}
      onSaved={(row) => {
        notifyDone(`${nameOf(row)} is ${saved ? 'saved' : 'added'}.`);
        void queryClient.invalidateQueries({ queryKey: [listKey] });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
