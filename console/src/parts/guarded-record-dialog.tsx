import { Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { ServerForm } from './server-form.tsx';
import { type Edit, useEdit } from './use-edit.ts';
import { useGuardedEdit } from './use-guarded-edit.tsx';

interface RecordDialogProps<Value extends { readonly updatedAt: string }> {
  /** `brand`. */
  readonly noun: string;
  /** What is changed; null: a new one, which begins as `blank`. */
  readonly record: Value | null;
  readonly blank: Value;
  readonly create: (draft: Value) => Promise<Value>;
  readonly save: (changes: Partial<Value>, updatedAt: string) => Promise<Value>;
  /** What there is now, when somebody else has saved meanwhile. */
  readonly load: () => Promise<Value>;
  /** A field as people read it, for a conflict. */
  readonly shown: (
    name: keyof Value & string,
    value: Value[keyof Value],
  ) => { label: string; value: ReactNode };
  /** It is there, or changed. */
  readonly onSaved: (saved: Value) => void;
  readonly onClose: () => void;
  readonly size?: string;
  readonly children: (edit: Edit<Value>) => ReactNode;
}

/** A small thing in a dialog, made or changed: without losing what somebody else saved meanwhile. */
export function RecordDialog<Value extends { readonly updatedAt: string }>(props: RecordDialogProps<Value>) {
  const { noun, record, size, onClose } = props;
  return (
    <Modal opened onClose={onClose} title={record ? `Change ${noun}` : `New ${noun}`} size={size}>
      {record ? <ChangeForm {...props} record={record} /> : <CreateForm {...props} />}
    </Modal>
  );
}

function CreateForm<Value extends { readonly updatedAt: string }>({
  blank,
  create,
  onSaved,
  onClose,
  children,
}: RecordDialogProps<Value>) {
  const edit = useEdit(blank);
  return (
    <ServerForm onSubmit={async () => onSaved(await create(edit.draft))} onCancel={onClose} submit="Add">
      {children(edit)}
    </ServerForm>
  );
}

function ChangeForm<Value extends { readonly updatedAt: string }>({
  record,
  save,
  load,
  shown,
  onSaved,
  onClose,
  children,
}: RecordDialogProps<Value> & { record: Value }) {
  const edit = useGuardedEdit<Value, Value>({
    saved: record,
    editedOf: (it) => it,
    save,
    load,
    accept: onSaved,
    shown,
  });
  return (
    <>
      <ServerForm onSubmit={edit.submit} onStale={() => {}} onCancel={onClose}>
        {children(edit)}
      </ServerForm>
      {edit.conflict}
    </>
  );
}
