import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';
import { centsOf, dollarsInput } from './dollars.ts';

/** Dollars as typed, whole cents as value: exact. `null`: the field is empty. What is no amount is said at once. */
export function MoneyInput({
  cents,
  onChange,
  error,
  ...props
}: { cents: number | null; onChange: (cents: number | null) => void } & Omit<
  TextInputProps,
  'onChange' | 'value'
>) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = typed ?? (cents === null ? '' : dollarsInput(cents));
  const isWrong = shown.trim() !== '' && centsOf(shown) === null;
  return (
    <TextInput
      inputMode="decimal"
      leftSection="$"
      autoComplete="off"
      {...props}
      className="numbers"
      error={isWrong ? 'An amount such as 12.50' : error}
      value={shown}
      onChange={(event) => {
        const text = event.currentTarget.value;
        setTyped(text);
        if (text.trim() === '') onChange(null);
        else {
          const typedCents = centsOf(text);
          if (typedCents !== null) onChange(typedCents);
        }
      }}
      onBlur={(event) => {
        if (!isWrong) setTyped(null);
        props.onBlur?.(event);
      }}
    />
  );
}
