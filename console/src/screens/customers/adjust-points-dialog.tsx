import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

interface Props {
  readonly customer: Schema['StaffCustomerDetail'];
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Adds or removes points manually. */
export function AdjustPointsDialog(props: Props) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t`Adjust points`}>
      {props.opened && <AdjustPointsForm {...props} />}
    </Modal>
  );
}

function AdjustPointsForm({ customer, onClose }: Props) {
  const queryClient = useQueryClient();
  const [pointsAmount, setPoints] = useState('');
  const [reason, setReason] = useState('');
  useUnsavedWork(pointsAmount !== '' || reason !== '');
  const adjust = () =>
    dataOf(
      api.POST('/staff/v1/customers/{customerId}/loyalty-adjustments', {
        params: { path: { customerId: customer.id } },
        body: { ...(pointsAmount && { pointsAmount }), ...(reason && { reason }) } as {
          pointsAmount: string;
          reason: string;
        },
      }),
    );
  return (
    <ServerForm
      onSubmit={adjust}
      onDone={() => {
        onClose();
        notifyDone(t`The points are adjusted.`);
        void queryClient.invalidateQueries({ queryKey: ['customers'] });
      }}
      onCancel={onClose}
      submit={t`Adjust points`}
    >
      <Text size="sm">
        {rich`The customer has ${(
          <Text span fw={600} className="numbers">
            {customer.loyalty.pointsAmount}
          </Text>
        )} points.`}
      </Text>
      <Field path="pointsAmount">
        {(error) => (
          <DecimalInput
            label={t`Points to add`}
            description={t`Use a minus to remove points, such as −20`}
            data-autofocus
            error={error}
            value={pointsAmount}
            onChange={(value) => setPoints(value.replace('−', '-'))}
          />
        )}
      </Field>
      <TextField path="reason" label={t`Reason`} value={reason} onChange={setReason} />
    </ServerForm>
  );
}
