import { type ComponentProps, useState } from 'react';
import { t } from '../words/words.ts';
import { ConfirmFigure } from './confirm-figure.tsx';
import { DecimalInput } from './decimal-input.tsx';
import { isFarOff } from './far-off.ts';
import { useMistakes } from './typed-fields.ts';

/** A decimal input that asks for confirmation when the value is a hundred times off; its form is not sent before. */
export function AmountInput({
  before,
  value,
  error,
  ...props
}: ComponentProps<typeof DecimalInput> & {
  /** The amount in stock or expected; null: unknown. */
  before: string | null;
}) {
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const isFar = before !== null && isFarOff(value, before);
  useMistakes(() => isFar && confirmed !== value);
  return (
    <div>
      <DecimalInput value={value} error={error ?? (isFar && confirmed !== value)} {...props} />
      {isFar && (
        <div style={{ marginTop: 8 }}>
          <ConfirmFigure
            question={t`${value} where ${before} was expected?`}
            yes={t`Yes, ${value}`}
            isConfirmed={confirmed === value}
            onConfirm={(isConfirmed) => setConfirmed(isConfirmed ? value : null)}
          />
        </div>
      )}
    </div>
  );
}
