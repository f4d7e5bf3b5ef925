import { TextInput, type TextInputProps } from '@mantine/core';

const decimal = /^-?(\d+(\.\d*)?|\.\d+)$/;

/** A decimal as text (`3.5`), sent as it is: amounts of stock, rates, percents. */
export function DecimalInput({
  value,
  onChange,
  error,
  ...props
}: { value: string; onChange: (value: string) => void } & Omit<TextInputProps, 'onChange' | 'value'>) {
  const isWrong = value !== '' && !decimal.test(value);
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...props}
      className="numbers"
      error={isWrong ? 'A number such as 3.5' : error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/[\s,]/g, ''))}
    />
  );
}
