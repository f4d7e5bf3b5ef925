import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { t } from '../words/words.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { RecordDialog } from './guarded-record-dialog.tsx';
import type { KeptRecord, RecordKind } from './record-kind.ts';
import { notifyDone } from './toasts.tsx';

/** The edit actions for records of a kind; the screen renders `dialogs`. */
interface RecordEdits<Row> {
  readonly add: () => void;
  readonly edit: (row: Row) => void;
  readonly remove: (row: Row) => void;
  readonly dialogs: ReactNode;
}

const removals = {
  archive: {
    ask: (name: string) => t`Archive ${name}?`,
    act: (noun: string) => t`Archive ${noun}`,
    done: (name: string) => t`${name} is archived.`,
  },
  delete: {
    ask: (name: string) => t`Delete ${name}?`,
    act: (noun: string) => t`Delete ${noun}`,
    done: (name: string) => t`${name} is deleted.`,
  },
};

/** The dialogs that create, change and remove a record. Each refetches the queries of the record. */
export function useRecordEdits<Row extends KeptRecord & { readonly name: string }>(
  kind: RecordKind<Row>,
): RecordEdits<Row> {
  const queryClient = useQueryClient();
  const [edited, setEdited] = useState<Row | 'new' | null>(null);
  const [removed, setRemoved] = useState<Row | null>(null);
  const { noun, removal } = kind;
  const words = removals[removal.verb];
  const refresh = () => {
    for (const resource of kind.resources) void queryClient.invalidateQueries({ queryKey: [resource] });
  };
  const remove = async (row: Row) => {
    await removal.send(row.id);
    notifyDone(words.done(row.name));
    refresh();
  };
  const dialogs = (
    <>
      {edited && (
        <RecordDialog
          kind={kind}
          record={edited === 'new' ? null : edited}
          onSaved={() => {
            notifyDone(t`The ${noun} is saved.`);
            refresh();
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
      {removed && (
        <ConfirmDialog
          opened
          title={words.ask(removed.name)}
          action={words.act(noun)}
          isDangerous
          onConfirm={() => remove(removed)}
          onClose={() => setRemoved(null)}
        >
          {removal.warning(removed)}
        </ConfirmDialog>
      )}
    </>
  );
  return { add: () => setEdited('new'), edit: setEdited, remove: setRemoved, dialogs };
}
