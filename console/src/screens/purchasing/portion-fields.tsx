import { Checkbox } from '@mantine/core';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field, useFieldError } from '../../parts/server-form.tsx';
import { t } from '../../words/words.ts';
import type { Portion } from './receive-portions.ts';

/** Shown once the service has refused an amount for a package with a label: its manifest may say less. */
export function MoreIsMeant({
  portion,
  path,
  onChange,
}: {
  portion: Portion;
  path: string;
  onChange: (changes: Partial<Portion>) => void;
}) {
  const isRefused = useFieldError(path) !== undefined;
  if (portion.label.trim() === '' || !(isRefused || portion.confirmExcess)) return null;
  return (
    <Checkbox
      label={t`More than the manifest says`}
      checked={portion.confirmExcess ?? false}
      onChange={(event) => onChange({ confirmExcess: event.currentTarget.checked })}
    />
  );
}

/** The price of the goods on the invoice, if it differs from the order's. */
export function InvoicedCost({
  portion,
  ordered,
  path,
  size = 'sm',
  onChange,
}: {
  portion: Portion;
  /** Dollars per unit. */
  ordered: string;
  path: string;
  size?: 'sm' | 'lg';
  onChange: (changes: Partial<Portion>) => void;
}) {
  return (
    <Field path={path}>
      {(error) => (
        <DecimalInput
          size={size}
          label={t`Unit cost on the invoice`}
          leftSection="$"
          placeholder={ordered}
          error={error}
          value={portion.costPerUnit ?? ''}
          onChange={(costPerUnit) => onChange({ costPerUnit })}
        />
      )}
    </Field>
  );
}
