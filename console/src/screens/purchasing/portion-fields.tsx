import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DayInput } from '../../parts/day-input.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field, useFieldError } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { dutiesQuery } from '../../parts/use-asks-for-id.ts';
import { forScans } from '../../scanner/scanner.ts';
import { t } from '../../words/words.ts';
import type { PurchaseLine } from './purchase-words.ts';
import type { Certificate, Portion } from './receive-portions.ts';

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

/** Whether goods of a line come with a tag of the state only; false until that is known. */
export function useNeedsTag({ product }: Pick<PurchaseLine, 'product'>): boolean {
  const { data } = useQuery({ ...dutiesQuery, staleTime: 300_000 });
  return data?.tagsPackages === true && product.primaryCategory.cannabisType !== 'none';
}

/** The package of goods: its label, the last day of sale, and what the certificate of the lab says. */
export function PackageFields({
  portion,
  path,
  needsTag,
  size = 'sm',
  onChange,
}: {
  portion: Portion;
  path: (field: string) => string;
  needsTag: boolean;
  size?: 'sm' | 'lg';
  onChange: (changes: Partial<Portion>) => void;
}) {
  const certificate = portion.certificate ?? {};
  const change = (changes: Certificate) => onChange({ certificate: { ...certificate, ...changes } });
  return (
    <>
      <TextField
        path={path('package.label')}
        label={t`Package label`}
        description={needsTag ? t`The state's tag: cannabis is never received loose` : undefined}
        required={needsTag && portion.amount !== ''}
        size={size}
        {...forScans}
        placeholder={needsTag ? t`Scan the tag` : t`Loose`}
        className="numbers"
        maxLength={24}
        value={portion.label}
        onChange={(label) => onChange({ label })}
      />
      {portion.label.trim() !== '' && (
        <>
          <Field path={path('package.expirationDate')}>
            {(error) => (
              <DayInput
                label={t`On sale until`}
                size={size}
                error={error}
                day={portion.expirationDate}
                onChange={(expirationDate) => onChange({ expirationDate })}
              />
            )}
          </Field>
          {potencies.map(({ name, label }) => (
            <Field key={name} path={path(`package.${name}`)}>
              {(error) => (
                <DecimalInput
                  label={label}
                  size={size}
                  error={error}
                  value={certificate[name] ?? ''}
                  onChange={(value) => change({ [name]: value })}
                />
              )}
            </Field>
          ))}
          <TextField
            path={path('package.labName')}
            label={t`Lab`}
            size={size}
            maxLength={500}
            value={certificate.labName ?? ''}
            onChange={(labName) => change({ labName })}
          />
          <Field path={path('package.labDate')}>
            {(error) => (
              <DayInput
                label={t`Tested on`}
                size={size}
                error={error}
                day={certificate.labDate ?? null}
                onChange={(labDate) => change({ labDate })}
              />
            )}
          </Field>
          <TextField
            path={path('package.certificateUrl')}
            label={t`Certificate (web address)`}
            size={size}
            value={certificate.certificateUrl ?? ''}
            onChange={(certificateUrl) => change({ certificateUrl })}
          />
        </>
      )}
    </>
  );
}

const potencies = [
  { name: 'thcPercent', label: t`THC %` },
  { name: 'cbdPercent', label: t`CBD %` },
] as const;
