import type { ReactNode } from 'react';
import { NameField } from './name-field.tsx';
import { LongTextField } from './text-field.tsx';
import type { Edit } from './use-edit.ts';

/** What brands, tags and groups have in common: a name, and what is said of it. */
interface NamedRecord {
  readonly name: string;
  readonly description: string | null;
}

type Inputs<Value extends object> = Pick<Edit<Value>, 'draft' | 'set'>;

/** As a body has it: an empty description is none, and what did not change is not sent. */
export function namedBody({ name, description }: Partial<NamedRecord>) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description?.trim() || null }),
  };
}

/** A field as people read it, for a conflict. */
export function shownNamed(name: string, value: ReactNode) {
  return { label: name === 'name' ? 'Name' : 'Description', value: value ?? '–' };
}

/** The inputs of both. */
export function NamedFields({ draft, set, hint }: Inputs<NamedRecord> & { readonly hint?: string }) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <DescriptionField draft={draft} set={set} hint={hint} />
    </>
  );
}

/** What is said of a thing, in some lines; `hint` tells who reads it. */
export function DescriptionField({
  draft,
  set,
  hint,
}: Inputs<Pick<NamedRecord, 'description'>> & { readonly hint?: string }) {
  return (
    <LongTextField
      path="description"
      label="Description"
      description={hint}
      maxRows={8}
      value={draft.description}
      onChange={(value) => set('description', value || null)}
    />
  );
}
