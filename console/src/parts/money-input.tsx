import { TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../words/words.ts';
import { centsOf, dollarsInput } from './dollars.ts';
import { useMistakes, useTyped } from './typed-fields.ts';

/**
 * Typed dollars with exact cents as the value. `null`: the field is empty or invalid; invalid text is reported at once and
 * blocks the form.
 */
export function MoneyInput({
  cents,
  onChange,
  error,
  ...props
}: { cents: number | null; onChange: (cents: number | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value'
>) {
  const [typed, setTyped] = useTyped(cents);
  const shown = typed ?? (cents === null ? '' : dollarsInput(cents));
  const isWrong = shown.trim() !== '' && centsOf(shown) === null;
  useMistakes(() => isWrong);
  return (
    <TextInput
      inputMode="decimal"
      leftSection="$"
      autoComplete="off"
      {...props}
      onFocus={(event) => {
        // Typing replaces the selected content.
        event.currentTarget.select();
        props.onFocus?.(event);
      }}
      className="numbers"
      error={isWrong ? t`Enter an amount such as 12.50` : error}
      value={shown}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(centsOf(event.currentTarget.value));
      }}
      onBlur={(event) => {
        if (!isWrong) setTyped(null);
        props.onBlur?.(event);
      }}
    />
  );
}
