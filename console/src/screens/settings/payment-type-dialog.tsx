import { Checkbox, Select, SimpleGrid, TextInput } from '@mantine/core';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { dollars } from '../../parts/dollars.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { SettingDialog } from './setting-dialog.tsx';

type PaymentType = Schema['PaymentTypeSetting'];

export const methodInWords: Readonly<Record<PaymentType['method'], string>> = {
  cash: t`Cash`,
  debit: t`Debit card`,
  processor: t`Processor`,
  other: t`Other`,
};

const roundingInWords = {
  state: t`As the state says`,
  off: t`Not rounded`,
  symmetric: t`To the nearest five cents`,
  down: t`Down to five cents`,
};

const blank = {
  name: '',
  method: 'cash' as PaymentType['method'],
  fee: 0,
  feePercent: '0',
  feeDescription: null as string | null,
  availableDelivery: true,
  cashRounding: null as PaymentType['cashRounding'],
  takesGiftCards: false,
  agreedFee: 0,
  agreedFeePercent: '0',
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
      noun={t`payment type`}
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
  name: t`Name`,
  method: t`Method`,
  fee: t`Fee`,
  feePercent: t`Fee in percent`,
  feeDescription: t`Fee name`,
  availableDelivery: t`Available for deliveries`,
  cashRounding: t`Rounding of cash`,
  takesGiftCards: t`Paid by gift cards of the shop`,
  agreedFee: t`Provider keeps`,
  agreedFeePercent: t`Provider keeps, in percent`,
};

function shown(name: keyof PaymentType, value: PaymentType[keyof PaymentType]) {
  const label = labels[name] ?? name;
  if (name === 'cashRounding') {
    return { label, value: roundingInWords[(value as PaymentType['cashRounding']) ?? 'state'] };
  }
  if (name === 'fee' || name === 'agreedFee') return { label, value: dollars(value as number) };
  if (typeof value === 'boolean') return { label, value: value ? t`Yes` : t`No` };
  return { label, value: value ?? '–' };
}

function Fields({ draft, set }: Pick<Edit<Draft>, 'draft' | 'set'>) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="method">
        {(error) => (
          <Select
            label={t`Method`}
            error={error}
            data={Object.entries(methodInWords).map(([value, label]) => ({ value, label }))}
            value={draft.method}
            onChange={(method) => {
              if (!method) return;
              set('method', method as Draft['method']);
              if (method !== 'cash') set('cashRounding', null);
              if (method !== 'other') set('takesGiftCards', false);
            }}
          />
        )}
      </Field>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <Field path="fee">
          {(error) => (
            <MoneyInput
              label={t`Fee`}
              description={t`Flat amount per payment`}
              error={error}
              cents={draft.fee}
              onChange={(cents) => set('fee', cents ?? 0)}
            />
          )}
        </Field>
        <Field path="feePercent">
          {(error) => (
            <DecimalInput
              label={t`Fee in percent`}
              description={t`Percent of the payment`}
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
            label={t`Fee name`}
            description={t`Customers see it`}
            error={error}
            value={draft.feeDescription ?? ''}
            onChange={(event) => set('feeDescription', event.currentTarget.value || null)}
          />
        )}
      </Field>
      {draft.method === 'cash' && (
        <Field path="cashRounding">
          {(error) => (
            <Select
              label={t`Rounding of cash`}
              description={t`To five cents, after taxes and fees; only cash is rounded`}
              error={error}
              data={Object.entries(roundingInWords).map(([value, label]) => ({ value, label }))}
              value={draft.cashRounding ?? 'state'}
              onChange={(value) =>
                set(
                  'cashRounding',
                  value === null || value === 'state' ? null : (value as Draft['cashRounding']),
                )
              }
            />
          )}
        </Field>
      )}
      {draft.method !== 'cash' && <AgreedFee draft={draft} set={set} />}
      {draft.method === 'other' && (
        <Checkbox
          label={t`Paid by gift cards of the shop`}
          description={t`Each payment names the code of a card. Read the law of your state first.`}
          checked={draft.takesGiftCards}
          onChange={(event) => set('takesGiftCards', event.currentTarget.checked)}
        />
      )}
      <Checkbox
        label={t`Available for deliveries`}
        checked={draft.availableDelivery}
        onChange={(event) => set('availableDelivery', event.currentTarget.checked)}
      />
    </>
  );
}

/** What a provider may keep: paid out less, it becomes a task. */
function AgreedFee({ draft, set }: Pick<Edit<Draft>, 'draft' | 'set'>) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Field path="agreedFee">
        {(error) => (
          <MoneyInput
            label={t`Provider keeps`}
            description={t`As agreed, of each payment`}
            error={error}
            cents={draft.agreedFee}
            onChange={(cents) => set('agreedFee', cents ?? 0)}
          />
        )}
      </Field>
      <Field path="agreedFeePercent">
        {(error) => (
          <DecimalInput
            label={t`Provider keeps, in percent`}
            description={t`As agreed, of the amount`}
            rightSection="%"
            error={error}
            value={draft.agreedFeePercent}
            onChange={(percent) => set('agreedFeePercent', percent)}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}
