import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { useFieldError } from './server-form.tsx';

interface TextOfForm {
  /** As in the body: the server's error of it stands there. */
  readonly path: string;
  /** Null is shown as empty. */
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** A line of text of a form. */
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

/** Some lines of text of a form, as high as what is written. */
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
