import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { t } from '../../words/words.ts';
import type { PurchaseOrder } from './purchase-words.ts';

/** Records a payment to the vendor. Sent again after a lost answer, it is recorded once. */
export function PayVendorDialog({
  order,
  onPaid,
  onClose,
}: {
  order: PurchaseOrder;
  onPaid: (order: PurchaseOrder) => void;
  onClose: () => void;
}) {
  const record = useKeyedWrite(
    (body: { amount: number }, idempotencyKey) =>
      api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/payments', {
        params: { path: { purchaseOrderId: order.id } },
        body: { ...body, idempotencyKey },
      }),
    (paid) => {
      onPaid(paid);
      return t`${dollars(paid.amountOutstanding)} is still outstanding.`;
    },
  );
  const [cents, setCents] = useState<number | null>(order.amountOutstanding);
  const pay = async () => {
    const paid = await record({ ...(cents !== null && { amount: cents }) } as { amount: number });
    onPaid(paid);
    notifyDone(
      paid.amountOutstanding === 0
        ? t`The order is paid.`
        : t`${dollars(paid.amountOutstanding)} still outstanding.`,
    );
  };
  return (
    <Modal opened onClose={onClose} title={t`Record payment`}>
      <ServerForm onSubmit={pay} onDone={onClose} onCancel={onClose} submit={t`Record`}>
        <Text size="sm" className="numbers">
          {t`${dollars(order.amountOutstanding)} of ${dollars(order.finalTotal)} is outstanding to ${order.vendor.name}.`}
        </Text>
        <Field path="amount">
          {(error) => (
            <MoneyInput
              label={t`Amount paid`}
              required
              data-autofocus
              error={error}
              cents={cents}
              onChange={setCents}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
