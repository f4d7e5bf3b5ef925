import { NumberInput, type NumberInputProps } from '@mantine/core';

/** A whole number; null: the field is empty. */
export function WholeNumberInput({
  value,
  onChange,
  ...props
}: { value: number | null; onChange: (value: number | null) => void } & Omit<
  NumberInputProps,
  'value' | 'onChange'
>) {
  return (
    <NumberInput
      allowDecimal={false}
      className="numbers"
      hideControls
      {...props}
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : null)}
    />
  );
}
