import { Modal } from '@mantine/core';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ServerForm } from '../../parts/server-form.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { type Edit, useEdit } from '../../parts/use-edit.ts';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { presentRow } from './present-row.ts';

interface Saved {
  readonly id: number;
  readonly updatedAt: string;
}

interface RecordDialogProps<Row extends Saved & Draft, Draft extends object> {
  /** What is open: a row, a new one, none. */
  readonly edited: Row | 'new' | null;
  readonly onClose: () => void;
  /** `payment type`. */
  readonly noun: string;
  readonly nameOf: (draft: Draft) => string;
  readonly blank: Draft;
  readonly create: (draft: Draft) => Promise<unknown>;
  readonly save: (id: number, changes: Partial<Draft>, updatedAt: string) => Promise<Row>;
  readonly loadAll: () => Promise<readonly Row[]>;
  /** Stale once it is saved. */
  readonly queryKey: QueryKey;
  /** A field as people read it. */
  readonly shown: (name: keyof Row & string, value: Row[keyof Row]) => { label: string; value: ReactNode };
  /** Its inputs; `saved` is null for a new one. */
  readonly children: (edit: Pick<Edit<Draft>, 'draft' | 'set'>, saved: Row | null) => ReactNode;
}

/** Adds a row of the settings or changes one; two who change the same one see both versions. */
export function RecordDialog<Row extends Saved & Draft, Draft extends object>(
  props: RecordDialogProps<Row, Draft>,
) {
  const { edited, onClose, noun, nameOf } = props;
  const title = edited === 'new' ? `Add a ${noun}` : `Edit ${edited && nameOf(edited)}`;
  return (
    <Modal opened={edited !== null} onClose={onClose} title={title} size="lg">
      {edited === 'new' && <NewForm {...props} />}
      {edited !== null && edited !== 'new' && <EditForm {...props} saved={edited} />}
    </Modal>
  );
}

function NewForm<Row extends Saved & Draft, Draft extends object>({
  blank,
  create,
  noun,
  nameOf,
  queryKey,
  onClose,
  children,
}: RecordDialogProps<Row, Draft>) {
  const queryClient = useQueryClient();
  const edit = useEdit(blank);
  return (
    <ServerForm
      submit={`Add ${noun}`}
      onCancel={onClose}
      onSubmit={() => create(edit.draft)}
      onDone={() => {
        sayDone(`${nameOf(edit.draft)} is added.`);
        void queryClient.invalidateQueries({ queryKey });
        onClose();
      }}
    >
      {children(edit, null)}
    </ServerForm>
  );
}

function EditForm<Row extends Saved & Draft, Draft extends object>({
  saved,
  save,
  loadAll,
  nameOf,
  queryKey,
  shown,
  onClose,
  children,
}: RecordDialogProps<Row, Draft> & { saved: Row }) {
  const queryClient = useQueryClient();
  const edit = useGuardedEdit<Row>({
    saved,
    save: (changes, updatedAt) => save(saved.id, changes, updatedAt),
    load: async () => presentRow(await loadAll(), saved.id),
    accept: () => {
      void queryClient.invalidateQueries({ queryKey });
      onClose();
    },
    shown,
  });
  const draft: Draft = edit.draft;
  const draftEdit = { draft, set: edit.set as unknown as Edit<Draft>['set'] };
  return (
    <>
      <ServerForm
        onCancel={onClose}
        onSubmit={edit.submit}
        onDone={() => sayDone(`${nameOf(saved)} is saved.`)}
        // Both versions are shown instead.
        onStale={() => {}}
      >
        {children(draftEdit, saved)}
      </ServerForm>
      {edit.conflict}
    </>
  );
}
