import { type ComponentProps, useState } from 'react';
import { t } from '../words/words.ts';
import { ConfirmFigure } from './confirm-figure.tsx';
import { DecimalInput } from './decimal-input.tsx';
import { isFarOff } from './far-off.ts';
import { useMistakes } from './typed-fields.ts';

/** A decimal input that asks for confirmation when the value is a hundred times off; its form is not sent before. */
export function AmountInput({
  before,
  unit = '',
  value,
  error,
  ...props
}: ComponentProps<typeof DecimalInput> & {
  /** The amount in stock or expected; null: unknown. */
  before: string | null;
  /** The unit of both, for the question. */
  unit?: string;
}) {
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const inUnit = (amount: string) => (unit === '' ? amount : `${amount} ${unit}`);
  const isFar = before !== null && isFarOff(value, before);
  useMistakes(() => isFar && confirmed !== value);
  return (
    <div>
      <DecimalInput value={value} error={error ?? (isFar && confirmed !== value)} {...props} />
      {isFar && (
        <div style={{ marginTop: 8 }}>
          <ConfirmFigure
            question={t`${inUnit(value)} where ${inUnit(before)} was expected?`}
            yes={t`Yes, ${inUnit(value)}`}
            isConfirmed={confirmed === value}
            onConfirm={(isConfirmed) => setConfirmed(isConfirmed ? value : null)}
          />
        </div>
      )}
    </div>
  );
}
