import { TextField } from './text-field.tsx';

/** The name of what a dialog makes or changes: its first field, where typing begins. */
export function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return <TextField path="name" label="Name" data-autofocus value={value} onChange={onChange} />;
}
