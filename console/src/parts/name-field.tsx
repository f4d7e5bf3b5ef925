import { t } from '../words/words.ts';
import { TextField } from './text-field.tsx';

/** The name of the record in a dialog: its first field, which has the focus. */
export function NameField({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  return <TextField path="name" label={t`Name`} required data-autofocus value={value} onChange={onChange} />;
}
