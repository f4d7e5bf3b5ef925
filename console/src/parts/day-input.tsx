import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../words/words.ts';
import { useTypedDate } from './typed-date.ts';

/** A calendar day, `2026-03-08`; `null`: the field is empty. An incomplete day is an error and blocks the form. */
export function DayInput({
  day,
  onChange,
  ...props
}: { day: string | null; onChange: (day: string | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value' | 'type'
>) {
  const input = useTypedDate({
    shown: day ?? '',
    onRead: (text) => onChange(text || null),
    error: props.error,
    mistake: t`Enter a complete date, with the year`,
    onBlur: props.onBlur,
  });
  return <TextInput max="9999-12-31" {...props} {...input} type="date" className="numbers" />;
}
