import { TextInput } from '@mantine/core';
import { Field } from './server-form.tsx';

/** The name of what a dialog makes or changes: its first field, where typing begins. */
export function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return (
    <Field path="name">
      {(error) => (
        <TextInput
          label="Name"
          data-autofocus
          error={error}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  );
}
