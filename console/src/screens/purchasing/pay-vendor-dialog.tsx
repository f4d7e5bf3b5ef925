import { Modal, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import { dollars } from '../../parts/dollars.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
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
          {t`${dollars(order.amountOutstanding)} of ${dollars(order.amountOwed)} is outstanding to ${order.vendor.name}.`}
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

/** Records what the vendor lets off, for goods that came damaged or for a rejected package. */
export function VendorCreditDialog({
  order,
  onGiven,
  onClose,
}: {
  order: PurchaseOrder;
  onGiven: (order: PurchaseOrder) => void;
  onClose: () => void;
}) {
  const record = useKeyedWrite(
    (body: { amount: number; reason: string; packageId?: number }, idempotencyKey) =>
      api.POST('/staff/v1/purchase-orders/{purchaseOrderId}/credits', {
        params: { path: { purchaseOrderId: order.id } },
        body: { ...body, idempotencyKey },
      }),
    (given) => {
      onGiven(given);
      return t`${dollars(given.amountOutstanding)} is still outstanding.`;
    },
  );
  const [cents, setCents] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const [packageId, setPackageId] = useState<string | null>(null);
  const rejected = useQuery({
    queryKey: ['packages', { status: 'transfer-returned' }],
    queryFn: () =>
      dataOf(api.GET('/staff/v1/packages', { params: { query: { status: 'transfer-returned' } } })),
  });
  const give = async () => {
    const body = {
      ...({ ...(cents !== null && { amount: cents }) } as { amount: number }),
      reason,
      ...(packageId !== null && { packageId: Number(packageId) }),
    };
    onGiven(await record(body));
    notifyDone(t`The credit is recorded.`);
  };
  return (
    <Modal opened onClose={onClose} title={t`Record credit`}>
      <ServerForm onSubmit={give} onDone={onClose} onCancel={onClose} submit={t`Record`}>
        <Field path="amount">
          {(error) => (
            <MoneyInput
              label={t`Credit of the vendor`}
              required
              data-autofocus
              error={error}
              cents={cents}
              onChange={setCents}
            />
          )}
        </Field>
        <TextField
          path="reason"
          label={t`Reason`}
          required
          maxLength={500}
          value={reason}
          onChange={setReason}
        />
        <Field path="packageId">
          {(error) => (
            <Select
              label={t`Rejected package`}
              description={t`Once the order is closed, you owe nothing for goods that never came.`}
              clearable
              error={error}
              data={choicesOr(
                (rejected.data ?? []).flatMap(({ id, label, voidReason }) =>
                  voidReason === null ? [] : [{ value: String(id), label }],
                ),
                rejected,
                t`Reject it under Inventory, Packages.`,
              )}
              value={packageId}
              onChange={setPackageId}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
