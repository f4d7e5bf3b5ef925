import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { DayInput } from '../../parts/day-input.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { LimitCounts } from './limit-counts.tsx';
import { cannabisTypes, customerTypes, type LimitDraft, limitUnits, limitWindows } from './limit-words.ts';
import { LocalityFields } from './locality-fields.tsx';

type LimitEdit = Pick<Edit<LimitDraft>, 'draft' | 'set'>;

/** The fields of one of the shop's own limits. */
export function LimitFields({ draft, set }: LimitEdit) {
  return (
    <>
      <NameField draft={draft} set={set} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <MaximumField draft={draft} set={set} />
        <UnitField draft={draft} set={set} />
        <CountedTypeField draft={draft} set={set} />
        <CustomersField draft={draft} set={set} />
        <PeriodField draft={draft} set={set} />
        {draft.window === 'rolling-days' && <DaysField draft={draft} set={set} />}
      </SimpleGrid>
      <LimitCounts draft={draft} set={set} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <FirstDayField draft={draft} set={set} />
        <LastDayField draft={draft} set={set} />
      </SimpleGrid>
      <LocalityFields
        locality={draft.locality}
        ownSource={draft.ownSource}
        onLocality={(locality) => set('locality', locality)}
        onSource={(ownSource) => set('ownSource', ownSource)}
      />
    </>
  );
}

function options(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

const { 'medical-under-21': _ofStatesOnly, ...ownCustomerTypes } = customerTypes;

function NameField({ draft, set }: LimitEdit) {
  return (
    <Field path="name">
      {(error) => (
        <TextInput
          label={t`Name`}
          description={t`Shown with the remaining limit`}
          data-autofocus
          error={error}
          value={draft.name}
          onChange={(event) => set('name', event.currentTarget.value)}
        />
      )}
    </Field>
  );
}

function MaximumField({ draft, set }: LimitEdit) {
  return (
    <Field path="limit">
      {(error) => (
        <DecimalInput
          label={t`Maximum`}
          description={t`0 forbids the sale`}
          error={error}
          value={draft.limit}
          onChange={(limit) => set('limit', limit)}
        />
      )}
    </Field>
  );
}

function UnitField({ draft, set }: LimitEdit) {
  return (
    <Field path="unit">
      {(error) => (
        <Select
          label={t`Unit`}
          description={t`Unit of the limit`}
          error={error}
          data={[...limitUnits]}
          value={draft.unit}
          onChange={(unit) => unit && set('unit', unit as LimitDraft['unit'])}
        />
      )}
    </Field>
  );
}

function CountedTypeField({ draft, set }: LimitEdit) {
  return (
    <Field path="cannabisType">
      {(error) => (
        <Select
          label={t`Counted as`}
          error={error}
          data={options(cannabisTypes)}
          value={draft.cannabisType}
          onChange={(type) => {
            if (!type) return;
            const cannabisType = type as LimitDraft['cannabisType'];
            // A limit that counts only its own type keeps doing so when the type changes.
            if (draft.counts.length === 1 && draft.counts[0]?.cannabisType === draft.cannabisType) {
              set('counts', [{ ...draft.counts[0], cannabisType }]);
            }
            set('cannabisType', cannabisType);
          }}
        />
      )}
    </Field>
  );
}

function CustomersField({ draft, set }: LimitEdit) {
  return (
    <Field path="customerType">
      {(error) => (
        <Select
          label={t`Customers`}
          error={error}
          data={options(ownCustomerTypes)}
          value={draft.customerType}
          onChange={(type) => type && set('customerType', type as LimitDraft['customerType'])}
        />
      )}
    </Field>
  );
}

function PeriodField({ draft, set }: LimitEdit) {
  return (
    <Field path="window">
      {(error) => (
        <Select
          label={t`Counted together`}
          error={error}
          data={options(limitWindows)}
          value={draft.window}
          onChange={(chosen) => {
            if (!chosen) return;
            set('window', chosen as LimitDraft['window']);
            set('windowDays', chosen === 'rolling-days' ? (draft.windowDays ?? 30) : null);
          }}
        />
      )}
    </Field>
  );
}

function DaysField({ draft, set }: LimitEdit) {
  return (
    <Field path="windowDays">
      {(error) => (
        <NumberInput
          label={t`Days, today included`}
          allowDecimal={false}
          min={1}
          max={366}
          error={error}
          value={draft.windowDays ?? ''}
          onChange={(days) => set('windowDays', typeof days === 'number' ? days : null)}
        />
      )}
    </Field>
  );
}

function FirstDayField({ draft, set }: LimitEdit) {
  return (
    <Field path="startsOn">
      {(error) => (
        <DayInput
          label={t`First day`}
          description={t`Leave empty for no start`}
          error={error}
          day={draft.startsOn}
          onChange={(day) => set('startsOn', day)}
        />
      )}
    </Field>
  );
}

function LastDayField({ draft, set }: LimitEdit) {
  return (
    <Field path="endsOn">
      {(error) => (
        <DayInput
          label={t`Last day`}
          description={t`Leave empty for no end`}
          error={error}
          day={draft.endsOn}
          onChange={(day) => set('endsOn', day)}
        />
      )}
    </Field>
  );
}
