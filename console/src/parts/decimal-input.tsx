import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../words/words.ts';
import { isDecimalText, withoutGroups } from './decimal-text.ts';
import { useMistakes } from './typed-fields.ts';

/**
 * A decimal as text (`3.5`), sent unchanged: stock amounts, rates, percents. Invalid text is reported at once and blocks the
 * form.
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
        // Typing replaces the selected content.
        event.currentTarget.select();
        props.onFocus?.(event);
      }}
      className="numbers"
      error={isWrong ? t`Enter a number such as 3.5` : error}
      value={value}
      onChange={(event) => onChange(withoutGroups(event.currentTarget.value.trim()))}
    />
  );
}
