import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { freshKey } from '../../parts/fresh-key.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import type { PurchaseOrder } from './purchase-words.ts';

/** Records what was paid to the vendor. Sent again after a lost answer, it is recorded once. */
export function PayVendorDialog({
  order,
  onPaid,
  onClose,
}: {
  order: PurchaseOrder;
  onPaid: (order: PurchaseOrder) => void;
  onClose: () => void;
}) {
  const [idempotencyKey] = useState(freshKey);
  const [cents, setCents] = useState<number | null>(order.amountOutstanding);
  const pay = async () => {
    const paid = await dataOf(
      api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/payments', {
        params: { path: { purchaseOrderId: order.id } },
        body: { ...(cents !== null && { amount: cents }), idempotencyKey } as {
          amount: number;
          idempotencyKey: string;
        },
      }),
    );
    onPaid(paid);
    sayDone(
      paid.amountOutstanding === 0
        ? 'The order is paid.'
        : `${dollars(paid.amountOutstanding)} still outstanding.`,
    );
  };
  return (
    <Modal opened onClose={onClose} title="Record a payment">
      <ServerForm onSubmit={pay} onDone={onClose} onCancel={onClose} submit="Record">
        <Text size="sm" className="numbers">
          {dollars(order.amountOutstanding)} of {dollars(order.finalTotal)} is outstanding to{' '}
          {order.vendor.name}.
        </Text>
        <Field path="amount">
          {(error) => (
            <MoneyInput
              label="Paid"
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
