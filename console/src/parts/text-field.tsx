import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useFieldError } from './server-form.tsx';

interface TextOfForm {
  /** The path in the body; the server's error for it is shown here. */
  readonly path: string;
  /** Null shows as empty. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** A single-line text field of a form. */
export function TextField({
  path,
  value,
  onChange,
  ...input
}: TextOfForm & Omit<TextInputProps, keyof TextOfForm>) {
  return (
    <TextInput
      {...input}
      error={useFieldError(path)}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** A multi-line text field that grows with its content. */
export function LongTextField({
  path,
  value,
  onChange,
  ...input
}: TextOfForm & Omit<TextareaProps, keyof TextOfForm>) {
  return (
    <Textarea
      autosize
      minRows={2}
      {...input}
      error={useFieldError(path)}
      value={value ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
