import { Alert, Checkbox, MultiSelect, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { LocalityFields } from './locality-fields.tsx';
import { TaxBasisFields } from './tax-basis-fields.tsx';
import { type Tax, taxedCustomers, taxTypes } from './tax-words.ts';

export type TaxDraft = Omit<Tax, 'id' | 'patients' | 'createdAt' | 'updatedAt'>;

type Draft = Pick<Edit<TaxDraft>, 'draft' | 'set'>;

/** Fields that can change in place: name, source and end. A change of any other field ends the tax and starts a new one. */
const inPlace: readonly (keyof TaxDraft)[] = ['description', 'ownSource', 'endsAt', 'startsAt'];

/** The fields of a tax: rate, scope, customers and dates. */
export function TaxFields({
  draft,
  set,
  saved,
  categories,
}: Draft & { saved: Tax | null; categories: readonly Schema['StaffProductCategory'][] }) {
  const names = Object.keys(draft).filter((name) => !inPlace.includes(name as keyof TaxDraft));
  const isSuccession =
    saved !== null &&
    names.some(
      (name) => JSON.stringify(draft[name as keyof TaxDraft]) !== JSON.stringify(saved[name as keyof Tax]),
    );
  return (
    <>
      <Field path="description">
        {(error) => (
          <TextInput
            label={t`Name`}
            description={t`Customers see it`}
            data-autofocus
            error={error}
            value={draft.description}
            onChange={(event) => set('description', event.currentTarget.value)}
          />
        )}
      </Field>
      <TaxBasisFields
        basis={draft.basis}
        onChange={(basis) => {
          set('basis', basis);
          // Beside a basis there is no rate, and fees have no content.
          if ((basis === null) !== (draft.basis === null)) set('rate', basis === null ? '' : '0');
          if (basis !== null) set('appliesToFees', false);
        }}
      />
      <Charged draft={draft} set={set} />
      <Field path="customerType">
        {(error) => (
          <Select
            label={t`Charged to`}
            error={error}
            data={Object.entries(taxedCustomers).map(([value, label]) => ({ value, label }))}
            value={draft.customerType}
            onChange={(type) => type && set('customerType', type as TaxDraft['customerType'])}
          />
        )}
      </Field>
      <Traits draft={draft} set={set} />
      <Categories draft={draft} set={set} categories={categories} />
      <LocalityFields
        locality={draft.locality}
        ownSource={draft.ownSource}
        onLocality={(locality) => set('locality', locality)}
        onSource={(ownSource) => set('ownSource', ownSource)}
      />
      {isSuccession && (
        <Alert color="blue">
          {t`This tax ends and a new one replaces it, now or at the time you set. Existing orders do not change.`}
        </Alert>
      )}
      <Dates draft={draft} set={set} isNew={saved === null} />
    </>
  );
}

function Charged({ draft, set }: Draft) {
  return (
    <SimpleGrid cols={{ base: 1, sm: draft.basis === null ? 3 : 2 }}>
      {draft.basis === null && (
        <Field path="rate">
          {(error) => (
            <DecimalInput
              label={t`Rate`}
              rightSection="%"
              error={error}
              value={draft.rate}
              onChange={(rate) => set('rate', rate)}
            />
          )}
        </Field>
      )}
      <Field path="tier">
        {(error) => (
          <Select
            label={t`Tier`}
            error={error}
            data={['1', '2', '3', '4', '5']}
            value={draft.tier}
            onChange={(tier) => tier && set('tier', tier as TaxDraft['tier'])}
          />
        )}
      </Field>
      <Field path="type">
        {(error) => (
          <Select
            label={t`Kind`}
            error={error}
            data={Object.entries(taxTypes).map(([value, label]) => ({ value, label }))}
            value={draft.type}
            onChange={(type) => type && set('type', type as TaxDraft['type'])}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}

const traits = [
  { name: 'included', label: t`Included in product prices` },
  { name: 'encompass', label: t`Also taxes the taxes of lower tiers` },
  { name: 'exemptable', label: t`Tax-exempt customers do not pay it` },
  { name: 'appliesToFees', label: t`Charged on delivery fees` },
  { name: 'onlyInDeliveryZones', label: t`Only on deliveries to zones that select it` },
] as const;

function Traits({ draft, set }: Draft) {
  return (
    <Stack gap="sm">
      {traits.map(({ name, label }) => (
        <Field key={name} path={name}>
          {(error) => (
            <Checkbox
              label={label}
              error={error}
              checked={draft[name]}
              onChange={(event) => set(name, event.currentTarget.checked)}
            />
          )}
        </Field>
      ))}
      <Checkbox
        label={t`Always rounded up to the next cent`}
        checked={draft.rounding === 'up'}
        onChange={(event) => set('rounding', event.currentTarget.checked ? 'up' : 'half-up')}
      />
    </Stack>
  );
}

function Categories({
  draft,
  set,
  categories,
}: Draft & { categories: readonly Schema['StaffProductCategory'][] }) {
  const data = categories.map(({ id, name }) => ({ value: String(id), label: name }));
  return (
    <>
      <Field path="excludedProductCategoryIds">
        {(error) => (
          <MultiSelect
            label={t`Not charged on`}
            description={t`Categories without this tax`}
            searchable
            error={error}
            data={choicesOr(data, { data, error: null }, createHints.categories)}
            value={draft.excludedProductCategoryIds.map(String)}
            onChange={(ids) => set('excludedProductCategoryIds', ids.map(Number))}
          />
        )}
      </Field>
      {draft.exemptable && (
        <Field path="nonExemptableProductCategoryIds">
          {(error) => (
            <MultiSelect
              label={t`Never exempt`}
              description={t`Categories where tax-exempt customers still pay it`}
              searchable
              error={error}
              data={choicesOr(data, { data, error: null }, createHints.categories)}
              value={draft.nonExemptableProductCategoryIds.map(String)}
              onChange={(ids) => set('nonExemptableProductCategoryIds', ids.map(Number))}
            />
          )}
        </Field>
      )}
    </>
  );
}

function Dates({ draft, set, isNew }: Draft & { isNew: boolean }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Field path="startsAt">
        {(error) => (
          <MomentInput
            label={t`From`}
            description={
              isNew ? t`Leave empty for now` : t`When the change takes effect. Leave empty for now`
            }
            error={error}
            moment={draft.startsAt}
            onChange={(moment) => set('startsAt', moment)}
          />
        )}
      </Field>
      <Field path="endsAt">
        {(error) => (
          <MomentInput
            label={t`Until`}
            description={t`Leave empty for no end`}
            error={error}
            moment={draft.endsAt}
            onChange={(moment) => set('endsAt', moment)}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}
