import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import type { EditedKind, KeptRecord } from '../../parts/record-kind.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';

interface Saved extends KeptRecord {
  readonly createdAt: string;
}

/** Creates or changes one row of a settings list, which the service returns whole. */
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
  /** The open row, a new one, or none. */
  edited: Row | 'new' | null;
  onClose: () => void;
  /** The noun in titles: `payment type`. */
  noun: string;
  nameOf: (draft: Draft) => string;
  blank: Draft;
  create: (draft: Draft) => Promise<Row>;
  save: (id: number, changes: Partial<Draft>, updatedAt: string) => Promise<Row>;
  loadAll: () => Promise<readonly Row[]>;
  /** The first word of the list's query key, invalidated after saving. */
  listKey: string;
  /** A field's label and value, for an edit conflict. */
  shown: (name: keyof Row & string, value: Row[keyof Row]) => { label: string; value: ReactNode };
  /** The inputs; `saved` is null for a new row. */
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
        notifyDone(saved ? t`${nameOf(row)} is saved.` : t`${nameOf(row)} is added.`);
        void queryClient.invalidateQueries({ queryKey: [listKey] });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
