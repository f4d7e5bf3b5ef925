import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { dollars } from '../../parts/dollars.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { SettingDialog } from './setting-dialog.tsx';

type PaymentType = Schema['PaymentTypeSetting'];

export const methodInWords: Readonly<Record<PaymentType['method'], string>> = {
  cash: 'Cash',
  debit: 'Debit card',
  processor: 'Processor',
  other: 'Other',
};

const blank = {
  name: '',
  method: 'cash' as PaymentType['method'],
  fee: 0,
  feePercent: '0',
  feeDescription: null as string | null,
  availableDelivery: true,
};

type Draft = typeof blank;

/** Creates or changes a payment type. */
export function PaymentTypeDialog({
  edited,
  onClose,
}: {
  edited: PaymentType | 'new' | null;
  onClose: () => void;
}) {
  return (
    <SettingDialog<Draft, PaymentType>
      edited={edited}
      onClose={onClose}
      noun="payment type"
      nameOf={({ name }) => name}
      blank={blank}
      create={(body) => dataOf(api.POST('/staff/v1/payment-types', { body }))}
      save={(paymentTypeId, body, updatedAt) =>
        dataOf(
          api.PATCH('/staff/v1/payment-types/{paymentTypeId}', {
            params: { path: { paymentTypeId } },
            headers: ifUnchanged(updatedAt),
            body,
          }),
        )
      }
      loadAll={() => dataOf(api.GET('/staff/v1/payment-types'))}
      listKey="payment-types"
      shown={shown}
    >
      {(edit) => <Fields {...edit} />}
    </SettingDialog>
  );
}

const labels: Partial<Record<keyof PaymentType, string>> = {
  name: 'Name',
  method: 'Method',
  fee: 'Fee',
  feePercent: 'Fee in percent',
  feeDescription: 'Fee name',
  availableDelivery: 'Available for deliveries',
};

function shown(name: keyof PaymentType, value: PaymentType[keyof PaymentType]) {
  const label = labels[name] ?? name;
  if (name === 'fee') return { label, value: dollars(value as number) };
  if (typeof value === 'boolean') return { label, value: value ? 'Yes' : 'No' };
  return { label, value: value ?? '–' };
}

function Fields({ draft, set }: Pick<Edit<Draft>, 'draft' | 'set'>) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="method">
        {(error) => (
          <Select
            label="Method"
            error={error}
            data={Object.entries(methodInWords).map(([value, label]) => ({ value, label }))}
            value={draft.method}
            onChange={(method) => method && set('method', method as Draft['method'])}
          />
        )}
      </Field>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="fee">
          {(error) => (
            <MoneyInput
              label="Fee"
              description="Flat amount per payment"
              error={error}
              cents={draft.fee}
              onChange={(cents) => set('fee', cents ?? 0)}
            />
          )}
        </Field>
        <Field path="feePercent">
          {(error) => (
            <DecimalInput
              label="Fee in percent"
              description="Percent of the payment"
              rightSection="%"
              error={error}
              value={draft.feePercent}
              onChange={(percent) => set('feePercent', percent)}
            />
          )}
        </Field>
      </SimpleGrid>
      <Field path="feeDescription">
        {(error) => (
          <TextInput
            label="Fee name"
            description="Customers see it"
            error={error}
            value={draft.feeDescription ?? ''}
            onChange={(event) => set('feeDescription', event.currentTarget.value || null)}
          />
        )}
      </Field>
      <Checkbox
        label="Available for deliveries"
        checked={draft.availableDelivery}
        onChange={(event) => set('availableDelivery', event.currentTarget.checked)}
      />
    </>
  );
}
