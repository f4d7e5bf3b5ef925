import { TextInput, type TextInputProps } from '@mantine/core';
import { useTypedDate } from './typed-date.ts';

/** A day of the calendar, `2026-03-08`. `null`: the field is empty. Half a day is no value: the form is not sent with it. */
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
    mistake: 'A whole day, with its year',
    onBlur: props.onBlur,
  });
  return <TextInput max="9999-12-31" {...props} {...input} type="date" className="numbers" />;
}
