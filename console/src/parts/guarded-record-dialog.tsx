import { Modal } from '@mantine/core';
import { t } from '../words/words.ts';
import { type EditedKind, type KeptRecord, presentRow } from './record-kind.ts';
import { ServerForm } from './server-form.tsx';
import { useEdit } from './use-edit.ts';
import { useGuardedEdit } from './use-guarded-edit.tsx';

interface RecordDialogProps<Row extends KeptRecord> {
  readonly kind: EditedKind<Row>;
  /** The record to change; null: a new one. */
  readonly record: Row | null;
  /** Called once the record is created or changed. */
  readonly onSaved: (saved: Row) => void;
  readonly onClose: () => void;
}

/** Creates or changes a small record in a dialog, without overwriting other people's changes. */
export function RecordDialog<Row extends KeptRecord>(props: RecordDialogProps<Row>) {
  const { kind, record, onClose } = props;
  return (
    <Modal
      opened
      onClose={onClose}
      title={record ? t`Edit ${kind.noun}` : t`New ${kind.noun}`}
      size={kind.size}
    >
      {record ? <ChangeForm {...props} record={record} /> : <CreateForm {...props} />}
    </Modal>
  );
}

function CreateForm<Row extends KeptRecord>({ kind, onSaved, onClose }: RecordDialogProps<Row>) {
  const edit = useEdit(kind.blank);
  return (
    <ServerForm
      onSubmit={async () => onSaved(await kind.create(edit.draft))}
      onCancel={onClose}
      submit={t`Add`}
    >
      {kind.fields(edit)}
    </ServerForm>
  );
}

function ChangeForm<Row extends KeptRecord>({
  kind,
  record,
  onSaved,
  onClose,
}: RecordDialogProps<Row> & { record: Row }) {
  const edit = useGuardedEdit<Row>({
    saved: record,
    save: (changes, updatedAt) => kind.save(record.id, changes, updatedAt),
    load: async () => presentRow(await kind.loadAll(), record.id),
    accept: onSaved,
    shown: kind.shown,
  });
  return (
    <>
      <ServerForm onSubmit={edit.submit} onStale={() => {}} onCancel={onClose}>
        {kind.fields(edit)}
      </ServerForm>
      {edit.conflict}
    </>
  );
}
