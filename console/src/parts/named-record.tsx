import type { ReactNode } from 'react';
import { t } from '../words/words.ts';
import { NameField } from './name-field.tsx';
import { LongTextField } from './text-field.tsx';
import type { Edit } from './use-edit.ts';

/** The common part of brands, tags and groups: a name and a description. */
interface NamedRecord {
  readonly name: string;
  readonly description: string | null;
}

type Inputs<Value extends object> = Pick<Edit<Value>, 'draft' | 'set'>;

/** The request body: an empty description becomes null; unchanged fields are left out. */
export function namedBody({ name, description }: Partial<NamedRecord>) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description?.trim() || null }),
  };
}

/** A field's label and value, for an edit conflict. */
export function shownNamed(name: string, value: ReactNode) {
  return { label: name === 'name' ? t`Name` : t`Description`, value: value ?? '–' };
}

/** The inputs for name and description. */
export function NamedFields({ draft, set, hint }: Inputs<NamedRecord> & { readonly hint?: string }) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <DescriptionField draft={draft} set={set} hint={hint} />
    </>
  );
}

/** A multi-line description; `hint` says who reads it. */
export function DescriptionField({
  draft,
  set,
  hint,
}: Inputs<Pick<NamedRecord, 'description'>> & { readonly hint?: string }) {
  return (
    <LongTextField
      path="description"
      label={t`Description`}
      description={hint}
      maxRows={8}
      value={draft.description}
      onChange={(value) => set('description', value || null)}
    />
  );
}
