import { Modal, SegmentedControl, SimpleGrid } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { MomentInput } from '../../parts/moment-input.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { t } from '../../words/words.ts';

interface Props {
  readonly customer: Schema['StaffCustomerDetail'];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Adds a credit to a customer's account. */
export function GiveCreditDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t`Add credit`} size="lg">
      {props.opened && <GiveCreditForm {...props} />}
    </Modal>
  );
}

type Form = 'store-credit' | 'promo-amount' | 'promo-percent';

function GiveCreditForm({ customer, onClose }: Props) {
  const queryClient = useQueryClient();
  const [form, setForm] = useState<Form>('store-credit');
  const [amount, setAmount] = useState<number | null>(null);
  const [percent, setPercent] = useState('');
  const [description, setDescription] = useState('');
  const [expiresAt, setExpiresAt] = useState<string | null>(null);
  useUnsavedWork(amount !== null || percent !== '' || description !== '' || expiresAt !== null);
  const isPercent = form === 'promo-percent';
  const give = () =>
    dataOf(
      api.POST('/staff/v1/customers/{customerId}/credits', {
        params: { path: { customerId: customer.id } },
        body: {
          type: form === 'store-credit' ? 'store-credit' : 'promo-code',
          ...(isPercent ? percent && { percent } : amount !== null && { amount }),
          ...(description && { description }),
          ...(expiresAt && { expiresAt }),
        } as { type: Schema['CustomerCredit']['type']; description: string },
      }),
    );
  return (
    <ServerForm
      onSubmit={give}
      onDone={() => {
        onClose();
        notifyDone(t`The credit is added.`);
        void queryClient.invalidateQueries({ queryKey: ['customers', customer.id] });
      }}
      onCancel={onClose}
      submit={t`Add credit`}
    >
      <SegmentedControl
        aria-label={t`Kind`}
        fullWidth
        data={[
          { value: 'store-credit', label: t`Store credit` },
          { value: 'promo-amount', label: t`Promo, amount` },
          { value: 'promo-percent', label: t`Promo, percent` },
        ]}
        value={form}
        onChange={(value) => setForm(value as Form)}
      />
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {isPercent ? (
          <Field path="percent">
            {(error) => (
              <DecimalInput
                label={t`Percent of one order`}
                rightSection="%"
                error={error}
                value={percent}
                onChange={setPercent}
              />
            )}
          </Field>
        ) : (
          <Field path="amount">
            {(error) => <MoneyInput label={t`Amount`} error={error} cents={amount} onChange={setAmount} />}
          </Field>
        )}
        <Field path="expiresAt">
          {(error) => (
            <MomentInput
              label={t`Expires (optional)`}
              error={error}
              moment={expiresAt}
              onChange={setExpiresAt}
            />
          )}
        </Field>
      </SimpleGrid>
      <TextField
        path="description"
        label={t`Description`}
        description={t`Customers see it`}
        value={description}
        onChange={setDescription}
      />
    </ServerForm>
  );
}
