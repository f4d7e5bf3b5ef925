import { Checkbox, SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { DayInput } from '../../parts/day-input.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { t } from '../../words/words.ts';
import type { Package } from './stock-words.ts';

/** The editable details of a package, besides its label. */
export type PackageDetails = Pick<Package, (typeof detailFields)[number]['name'] | 'onHold' | 'tradeSample'>;

const detailFields = [
  { name: 'expirationDate', label: t`On sale until`, kind: 'day' },
  { name: 'externalProductName', label: t`Product on the manifest`, kind: 'text' },
  { name: 'externalId', label: t`Tracking system ID`, kind: 'text' },
  { name: 'originalSourceLabel', label: t`Source package label`, kind: 'text' },
  { name: 'thcPercent', label: t`THC %`, kind: 'decimal' },
  { name: 'thcMg', label: t`THC mg`, kind: 'decimal' },
  { name: 'cbdPercent', label: t`CBD %`, kind: 'decimal' },
  { name: 'cbdMg', label: t`CBD mg`, kind: 'decimal' },
  { name: 'labName', label: t`Lab`, kind: 'text' },
  { name: 'labLicense', label: t`Lab license`, kind: 'text' },
  { name: 'labDate', label: t`Tested on`, kind: 'day' },
  { name: 'certificateUrl', label: t`Certificate (web address)`, kind: 'text' },
  { name: 'producerName', label: t`Producer`, kind: 'text' },
  { name: 'producerLicense', label: t`Producer license`, kind: 'text' },
  { name: 'harvestDate', label: t`Harvested on`, kind: 'day' },
  { name: 'harvestFacilityName', label: t`Harvested at`, kind: 'text' },
  { name: 'harvestFacilityLicense', label: t`Facility license`, kind: 'text' },
] as const;

/** The editable details of a package from the service. */
export function detailsOf(told: Package): PackageDetails {
  return Object.fromEntries(
    [...detailFields.map(({ name }) => name), 'onHold' as const, 'tradeSample' as const].map((name) => [
      name,
      told[name],
    ]),
  ) as unknown as PackageDetails;
}

/** A detail's label and value, for an edit conflict. */
export function shownDetail(name: keyof PackageDetails, value: PackageDetails[keyof PackageDetails]) {
  const field = detailFields.find((it) => it.name === name);
  const label = field?.label ?? (name === 'onHold' ? t`On hold` : t`Trade sample`);
  if (typeof value === 'boolean') return { label, value: value ? t`Yes` : t`No` };
  if (value === null || value === '') return { label, value: '–' };
  return { label, value: field?.kind === 'day' ? dayInWords(value) : value };
}

export const blankDetails = Object.fromEntries([
  ...detailFields.map(({ name }) => [name, null] as const),
  ['onHold', false] as const,
  ['tradeSample', false] as const,
]) as unknown as PackageDetails;

/** The filled details, for a request body. */
export function filledDetails(details: PackageDetails): Partial<PackageDetails> {
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== null && value !== '' && value !== false),
  );
}

interface DetailsEdit {
  readonly draft: PackageDetails;
  readonly set: <Name extends keyof PackageDetails>(name: Name, value: PackageDetails[Name]) => void;
  /** The path of the details in the body: `[0].package.`. */
  readonly prefix?: string;
}

/** The marks that keep a package from being sold: on hold and trade sample. */
export function PackageMarks({ draft, set }: DetailsEdit) {
  return (
    <>
      <Checkbox
        label={t`On hold`}
        description={t`Not for sale while on hold`}
        checked={draft.onHold}
        onChange={(event) => set('onHold', event.currentTarget.checked)}
      />
      <Checkbox
        label={t`Trade sample`}
        description={t`Never for sale`}
        checked={draft.tradeSample}
        onChange={(event) => set('tradeSample', event.currentTarget.checked)}
      />
    </>
  );
}

/** The dates, lab results and origin of a package. */
export function PackageDetailFields({ draft, set, prefix = '' }: DetailsEdit) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {detailFields.map(({ name, label, kind }) => (
        <Field key={name} path={`${prefix}${name}`}>
          {(error) => {
            if (kind === 'day') {
              return (
                <DayInput label={label} error={error} day={draft[name]} onChange={(day) => set(name, day)} />
              );
            }
            if (kind === 'decimal') {
              return (
                <DecimalInput
                  label={label}
                  error={error}
                  value={draft[name] ?? ''}
                  onChange={(value) => set(name, value || null)}
                />
              );
            }
            return (
              <TextInput
                label={label}
                error={error}
                value={draft[name] ?? ''}
                onChange={(event) => set(name, event.currentTarget.value || null)}
              />
            );
          }}
        </Field>
      ))}
    </SimpleGrid>
  );
}

/** Why a package is put on hold, rejected or void. */
export function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  return (
    <Textarea
      label={t`Reason`}
      required
      data-autofocus
      mt="md"
      maxLength={500}
      value={reason}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
