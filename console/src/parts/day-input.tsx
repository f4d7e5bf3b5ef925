import { TextInput, type TextInputProps } from '@mantine/core';

/** A day of the calendar, `2026-03-08`. `null`: the field is empty. */
export function DayInput({
  day,
  onChange,
  ...props
}: { day: string | null; onChange: (day: string | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value' | 'type'
>) {
  return (
    <TextInput
      {...props}
      type="date"
      className="numbers"
      value={day ?? ''}
      onChange={(event) => onChange(event.currentTarget.value || null)}
    />
  );
}
