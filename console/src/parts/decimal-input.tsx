import { TextInput, type TextInputProps } from '@mantine/core';
import { isDecimalText, withoutGroups } from './decimal-text.ts';
import { useMistakes } from './typed-fields.ts';

/**
 * A decimal as text (`3.5`), sent as it is: amounts of stock, rates, percents. What is none is said at once and keeps the
 * form from being sent.
 */
export function DecimalInput({
  value,
  onChange,
  error,
  ...props
}: { value: string; onChange: (value: string) => void } & Omit<TextInputProps, 'onChange' | 'value'>) {
  const isWrong = value !== '' && !isDecimalText(value);
  useMistakes(() => isWrong);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...props}
      onFocus={(event) => {
        // What is typed takes the place of what stood there.
        event.currentTarget.select();
        props.onFocus?.(event);
      }}
      className="numbers"
      error={isWrong ? 'A number such as 3.5' : error}
      value={value}
      onChange={(event) => onChange(withoutGroups(event.currentTarget.value.trim()))}
    />
  );
}
