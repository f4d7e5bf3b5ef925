import { TextInput, type TextInputProps } from '@mantine/core';
import { centsOf, dollarsInput } from './dollars.ts';
import { useMistakes, useTyped } from './typed-fields.ts';

/**
 * Dollars as typed, whole cents as value: exact. `null`: the field is empty, or what stands there is no amount, which is
 * said at once and keeps the form from being sent.
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
        // What is typed takes the place of what stood there.
        event.currentTarget.select();
        props.onFocus?.(event);
      }}
      className="numbers"
      error={isWrong ? 'An amount such as 12.50' : error}
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
