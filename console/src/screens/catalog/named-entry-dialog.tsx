import { Textarea } from '@mantine/core';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Field } from '../../parts/server-form.tsx';

/** What brands and tags have in common. */
export interface NamedEntry {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly updatedAt: string;
}

/** The part of an entry that is edited, for a body: what is not sent stays. */
export function entryChanges<Entry extends NamedEntry>({ name, description }: Partial<Entry>) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description?.trim() || null }),
  };
}

/** Makes or changes a brand or a tag: its name and what is said of it. */
export function NamedEntryDialog<Entry extends NamedEntry>({
  noun,
  entry,
  blank,
  create,
  save,
  load,
  onSaved,
  onClose,
}: {
  noun: string;
  /** Null: a new one. */
  entry: Entry | null;
  blank: Entry;
  create: (draft: Entry) => Promise<Entry>;
  save: (changes: Partial<Entry>, updatedAt: string) => Promise<Entry>;
  load: () => Promise<readonly Entry[]>;
  onSaved: () => void;
  onClose: () => void;
}) {
  return (
    <RecordDialog<NamedEntry>
      noun={noun}
      record={entry}
      blank={blank}
      create={(draft) => create({ ...blank, ...draft })}
      save={(changes, updatedAt) => save(changes as Partial<Entry>, updatedAt)}
      load={async () => (await load()).find(({ id }) => id === entry?.id) ?? blank}
      shown={(name, value) => ({ label: name === 'name' ? 'Name' : 'Description', value: value ?? '–' })}
      onSaved={onSaved}
      onClose={onClose}
    >
      {({ draft, set }) => (
        <>
          <NameField value={draft.name} onChange={(name) => set('name', name)} />
          <Field path="description">
            {(error) => (
              <Textarea
                label="Description"
                autosize
                minRows={2}
                maxRows={8}
                error={error}
                value={draft.description ?? ''}
                onChange={(event) => set('description', event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
