import { Modal, Select, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import type { Order } from './order-words.ts';
import { useOrderStep } from './use-order-step.ts';

/** Says how a payment was made in truth. */
export function CorrectPaymentDialog({
  order,
  payment,
  onClose,
}: {
  readonly order: Order;
  readonly payment: Order['payments'][number];
  readonly onClose: () => void;
}) {
  const step = useOrderStep();
  const payable = usePaymentTypes(order.type);
  const types = payable.types ?? [];
  const [typeId, setTypeId] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const params = { path: { orderId: order.id, orderPaymentId: payment.id } };
  const body = { paymentTypeId: Number(typeId), reason };
  return (
    <Modal opened onClose={onClose} title={t`Correct payment by ${payment.name}`}>
      <ServerForm
        submit={t`Correct payment`}
        refused={t`The payment is not corrected`}
        onSubmit={() =>
          step(order.id, () =>
            dataOf(
              api.POST('/staff/v1/orders/{orderId}/payments/{orderPaymentId}/correct', { params, body }),
            ),
          )
        }
        onDone={() => notifyDone(t`The payment is corrected, in the drawer and the reports, too.`)}
        onCancel={onClose}
      >
        <Text size="sm">{t`The amount stays as on the receipt. The audit log keeps both.`}</Text>
        <Field path="paymentTypeId">
          {(error) => (
            <Select
              label={t`Paid by`}
              required
              data-autofocus
              error={error}
              data={choicesOr(
                types
                  .filter(({ id }) => id !== payment.paymentTypeId)
                  .map(({ id, name }) => ({ value: String(id), label: name })),
                { ...payable, data: payable.types },
                createHints.paymentTypes,
              )}
              value={typeId}
              onChange={setTypeId}
            />
          )}
        </Field>
        <Field path="reason">
          {(error) => (
            <Textarea
              label={t`Reason`}
              required
              autosize
              minRows={2}
              maxLength={500}
              error={error}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
