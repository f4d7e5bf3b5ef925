import { NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { LimitCounts } from './limit-counts.tsx';
import {
  cannabisTypes,
  countsInWords,
  customerTypes,
  type LimitDraft,
  limitUnits,
  limitWindows,
  type OwnRule,
} from './limit-words.ts';
import { LocalityFields, localityInWords, ownSourceInWords } from './locality-fields.tsx';
import { SettingDialog } from './setting-dialog.tsx';

const blank: LimitDraft = {
  name: '',
  customerType: 'all',
  cannabisType: 'non-concentrated',
  limit: '',
  unit: 'g',
  window: 'transaction',
  windowDays: null,
  counts: [
    { cannabisType: 'non-concentrated', amount: null, unit: null, countsAs: null, countsAsUnit: null },
  ],
  locality: null,
  ownSource: null,
  startsOn: null,
  endsOn: null,
};

/** Creates or changes one of the shop's own limits. */
export function PurchaseLimitDialog({
  edited,
  onClose,
}: {
  edited: OwnRule | 'new' | null;
  onClose: () => void;
}) {
  return (
    <SettingDialog<LimitDraft, OwnRule>
      edited={edited}
      onClose={onClose}
      noun="purchase limit"
      nameOf={({ name }) => name}
      blank={blank}
      create={(body) => dataOf(api.POST('/staff/v1/purchase-limit-rules', { body }))}
      save={(purchaseLimitRuleId, body, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}', {
            params: { path: { purchaseLimitRuleId } },
            headers: ifUnchanged(updatedAt),
            body,
          }),
        )
      }
      loadAll={async () =>
        (await dataOf(api.GET('/staff/v1/purchase-limit-rules'))).filter(
          (rule): rule is typeof rule & OwnRule => rule.source === 'organization',
        )
      }
      listKey="purchase-limit-rules"
      shown={shown}
    >
      {(edit) => <Fields {...edit} />}
    </SettingDialog>
  );
}

const labels: Partial<Record<keyof OwnRule, string>> = {
  name: 'Name',
  customerType: 'Customers',
  cannabisType: 'Counted as',
  limit: 'Maximum',
  unit: 'Unit',
  window: 'Period',
  windowDays: 'Days',
  counts: 'Counts',
  locality: 'Applies in',
  ownSource: 'Legal source',
  startsOn: 'First day',
  endsOn: 'Last day',
};

function shown(name: keyof OwnRule, value: OwnRule[keyof OwnRule]) {
  const label = labels[name] ?? name;
  if (name === 'locality') return { label, value: localityInWords(value as OwnRule['locality']) };
  if (name === 'ownSource') return { label, value: ownSourceInWords(value as OwnRule['ownSource']) };
  if (Array.isArray(value)) return { label, value: countsInWords(value) };
  return { label, value: typeof value === 'object' ? '–' : value };
}

function options(words: Readonly<Record<string, string>>) {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

const { 'medical-under-21': _ofStatesOnly, ...ownCustomerTypes } = customerTypes;

function Fields({ draft, set }: Pick<Edit<LimitDraft>, 'draft' | 'set'>) {
  return (
    <>
      <Field path="name">
        {(error) => (
          <TextInput
            label="Name"
            description="Shown with the remaining limit"
            data-autofocus
            error={error}
            value={draft.name}
            onChange={(event) => set('name', event.currentTarget.value)}
          />
        )}
      </Field>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="limit">
          {(error) => (
            <DecimalInput
              label="Maximum"
              description="0 forbids the sale"
              error={error}
              value={draft.limit}
              onChange={(limit) => set('limit', limit)}
            />
          )}
        </Field>
        <Field path="unit">
          {(error) => (
            <Select
              label="Unit"
              description="Unit of the limit"
              error={error}
              data={[...limitUnits]}
              value={draft.unit}
              onChange={(unit) => unit && set('unit', unit as LimitDraft['unit'])}
            />
          )}
        </Field>
        <Field path="cannabisType">
          {(error) => (
            <Select
              label="Counted as"
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
        <Field path="customerType">
          {(error) => (
            <Select
              label="Customers"
              error={error}
              data={options(ownCustomerTypes)}
              value={draft.customerType}
              onChange={(type) => type && set('customerType', type as LimitDraft['customerType'])}
            />
          )}
        </Field>
        <Field path="window">
          {(error) => (
            <Select
              label="Counted together"
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
        {draft.window === 'rolling-days' && (
          <Field path="windowDays">
            {(error) => (
              <NumberInput
                label="Days, today included"
                allowDecimal={false}
                min={1}
                max={366}
                error={error}
                value={draft.windowDays ?? ''}
                onChange={(days) => set('windowDays', typeof days === 'number' ? days : null)}
              />
            )}
          </Field>
        )}
      </SimpleGrid>
      <LimitCounts draft={draft} set={set} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="startsOn">
          {(error) => (
            <DayInput
              label="First day"
              description="Leave empty for no start"
              error={error}
              day={draft.startsOn}
              onChange={(day) => set('startsOn', day)}
            />
          )}
        </Field>
        <Field path="endsOn">
          {(error) => (
            <DayInput
              label="Last day"
              description="Leave empty for no end"
              error={error}
              day={draft.endsOn}
              onChange={(day) => set('endsOn', day)}
            />
          )}
        </Field>
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
