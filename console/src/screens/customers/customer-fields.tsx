import { Anchor, Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, useFieldError } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useCan } from '../../session/session.tsx';
import { peopleWith } from '../../session/staff-role.ts';
import { t } from '../../words/words.ts';

/** The editable fields of a customer. Blank text is sent as null (unknown). */
export type CustomerProfile = { readonly patientNumber: string | null } & Pick<
  Schema['StaffCustomer'],
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'birthday'
  | 'sex'
  | 'zip'
  | 'licenseExpiry'
  | 'medicalExpiration'
  | 'residence'
  | 'notes'
  | 'patientState'
  | 'marketingOptIn'
  | 'taxExempt'
>;

/** The staff-editable part of a customer. */
export function profileOf(customer: Schema['StaffCustomer']): CustomerProfile {
  const { firstName, lastName, email, phone, birthday, sex, zip } = customer;
  const { licenseExpiry, medicalExpiration, residence, notes, patientState, marketingOptIn, taxExempt } =
    customer;
  return {
    firstName,
    lastName,
    email,
    phone,
    birthday,
    sex,
    zip,
    licenseExpiry,
    medicalExpiration,
    residence,
    notes,
    patientState,
    // Only sent: the service shows its last four.
    patientNumber: null,
    marketingOptIn,
    taxExempt,
  };
}

interface Draft {
  readonly draft: CustomerProfile;
  /** The end of the patient's number on file. */
  readonly numberOnFile?: string | null | undefined;
  readonly set: <Name extends keyof CustomerProfile>(name: Name, value: CustomerProfile[Name]) => void;
}

const columns = { base: 1, xs: 2 };

/** Name and contact details. */
export function PersonFields({ draft, set }: Draft) {
  const text = (name: 'firstName' | 'lastName' | 'email' | 'phone' | 'zip', label: string, type = 'text') => (
    <TextField
      path={name}
      label={label}
      type={type}
      autoComplete="off"
      value={draft[name]}
      onChange={(value) => set(name, name === 'firstName' || name === 'lastName' ? value : value || null)}
    />
  );
  return (
    <SimpleGrid cols={columns}>
      {text('firstName', t`First name`)}
      {text('lastName', t`Last name`)}
      <div>
        {text('phone', t`Phone`, 'tel')}
        <ContactOwnerLink path="phone" contact={draft.phone} />
      </div>
      <div>
        {text('email', t`Email`, 'email')}
        <ContactOwnerLink path="email" contact={draft.email} />
      </div>
      <Field path="birthday">
        {(error) => (
          <DayInput
            label={t`Birthday`}
            error={error}
            day={draft.birthday}
            onChange={(day) => set('birthday', day)}
          />
        )}
      </Field>
      {text('zip', t`ZIP code`)}
      <StateField path="residence" label={t`Home state`} {...{ draft, set }} />
      <TextField
        path="notes"
        label={t`Notes`}
        autoComplete="off"
        value={draft.notes}
        onChange={(value) => set('notes', value || null)}
      />
      <Field path="sex">
        {(error) => (
          <Select
            label={t`Sex`}
            error={error}
            data={[
              { value: '', label: t`Not recorded` },
              { value: 'female', label: t`Female` },
              { value: 'male', label: t`Male` },
              { value: 'tertiary', label: t`Other` },
            ]}
            value={draft.sex ?? ''}
            onChange={(sex) => set('sex', (sex || null) as CustomerProfile['sex'])}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}

/** A state in two letters. */
function StateField({
  path,
  label,
  draft,
  set,
}: Pick<Draft, 'draft' | 'set'> & { path: 'residence' | 'patientState'; label: string }) {
  return (
    <TextField
      path={path}
      label={label}
      description={t`Two letters, as on the card`}
      autoComplete="off"
      maxLength={2}
      value={draft[path]}
      onChange={(value) => set(path, value.trim().toUpperCase() || null)}
    />
  );
}

/** For a phone or email of another customer: a link to that customer, while typing. */
function ContactOwnerLink({ path, contact }: { path: 'phone' | 'email'; contact: string | null }) {
  const error = useFieldError(path);
  if (!contact || !error?.toLowerCase().startsWith('belongs to another customer')) return null;
  return (
    <Anchor
      component={Link}
      to={`/customers?search=${encodeURIComponent(contact)}`}
      target="_blank"
      size="sm"
    >
      {t`View that customer`}
    </Anchor>
  );
}

/** ID and medical card, the tax exemption that follows, and marketing consent. */
export function StandingFields({ draft, set, numberOnFile }: Draft) {
  const mayExempt = useCan('exemptFromTax');
  return (
    <Stack>
      <SimpleGrid cols={columns}>
        <Field path="licenseExpiry">
          {(error) => (
            <DayInput
              label={t`License expires`}
              description={t`Last day the ID is valid`}
              error={error}
              day={draft.licenseExpiry}
              onChange={(day) => set('licenseExpiry', day)}
            />
          )}
        </Field>
        <Field path="medicalExpiration">
          {(error) => (
            <DayInput
              label={t`Medical card expires`}
              description={t`Leave empty for an adult-use customer`}
              error={error}
              day={draft.medicalExpiration}
              onChange={(day) => set('medicalExpiration', day)}
            />
          )}
        </Field>
        <TextField
          path="patientNumber"
          label={t`Patient number`}
          description={
            numberOnFile == null
              ? t`Stored encrypted`
              : t`On file, ending in ${numberOnFile}: type a new one to replace it`
          }
          autoComplete="off"
          maxLength={50}
          value={draft.patientNumber}
          onChange={(value) => set('patientNumber', value || null)}
        />
        <StateField path="patientState" label={t`Patient number of`} {...{ draft, set }} />
        <Field path="taxExempt">
          {(error) => (
            <Select
              label={t`Tax exemption`}
              description={mayExempt ? undefined : t`Only ${peopleWith('exemptFromTax')} can change it`}
              disabled={!mayExempt}
              error={error}
              data={exemptions}
              value={draft.taxExempt === null ? '' : String(draft.taxExempt)}
              onChange={(value) => set('taxExempt', value ? value === 'true' : null)}
            />
          )}
        </Field>
      </SimpleGrid>
      <Field path="marketingOptIn">
        {(error) => (
          <Checkbox
            label={t`Accepts marketing`}
            error={error}
            checked={draft.marketingOptIn}
            onChange={(event) => set('marketingOptIn', event.currentTarget.checked)}
          />
        )}
      </Field>
    </Stack>
  );
}

const exemptions = [
  { value: '', label: t`By the medical card` },
  { value: 'true', label: t`Exempt` },
  { value: 'false', label: t`Not exempt` },
];

/** All editable fields of a customer, in sections. */
export function CustomerSections({ children, ...draft }: Draft & { children?: ReactNode }) {
  return (
    <>
      <SectionCard title={t`Person`}>
        <PersonFields {...draft} />
      </SectionCard>
      <SectionCard title={t`Documents and taxes`}>
        <StandingFields {...draft} />
      </SectionCard>
      {children}
    </>
  );
}

const labels: Readonly<Record<keyof CustomerProfile, string>> = {
  firstName: t`First name`,
  lastName: t`Last name`,
  email: t`Email`,
  phone: t`Phone`,
  birthday: t`Birthday`,
  sex: t`Sex`,
  zip: t`ZIP code`,
  licenseExpiry: t`License expires`,
  medicalExpiration: t`Medical card expires`,
  residence: t`Home state`,
  notes: t`Notes`,
  patientState: t`Patient number of`,
  patientNumber: t`Patient number`,
  marketingOptIn: t`Marketing`,
  taxExempt: t`Tax exemption`,
};

/** A field's label and value, for an edit conflict. */
export function shownProfileField(name: string, value: unknown): { label: string; value: string } {
  return { label: labels[name as keyof CustomerProfile] ?? name, value: shownValue(name, value) };
}

function shownValue(name: string, value: unknown): string {
  if (name === 'taxExempt') {
    return exemptions.find((it) => it.value === (value === null ? '' : String(value)))?.label ?? '–';
  }
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  return value === null || value === '' ? '–' : String(value);
}
