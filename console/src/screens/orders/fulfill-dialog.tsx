import { Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { HandOverFields } from '../../parts/hand-over-fields.tsx';
import { atOwnRegister } from '../../parts/own-register.ts';
import { PaymentModal } from '../../parts/payment-modal.tsx';
import { isPaid, type PaymentRow, paymentsOf } from '../../parts/payment-sums.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useAsksForId } from '../../parts/use-asks-for-id.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { WithPaymentTypes } from '../../parts/with-payment-types.tsx';
import { t } from '../../words/words.ts';
import { stepWords } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { useOrderStep } from './use-order-step.ts';

interface DialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Takes the payments and fulfills the order. */
export function FulfillDialog({ order, onClose }: DialogProps) {
  return (
    <PaymentModal onClose={onClose} title={t`Take payment for ${orderTitle(order).toLowerCase()}`}>
      <WithPaymentTypes orderType={order.type} due={dueOf(order)}>
        {(types) => <FulfillForm order={order} types={types} onClose={onClose} />}
      </WithPaymentTypes>
    </PaymentModal>
  );
}

/** Cents before payment fees. */
function dueOf({ netPrice, deliveryFee }: Order): number {
  return netPrice + (deliveryFee ?? 0);
}

function FulfillForm({ order, types, onClose }: DialogProps & { types: readonly PaymentType[] }) {
  const step = useOrderStep();
  const due = dueOf(order);
  const [rows, setRows] = useState(() => firstRows(order, due, types));
  const asksForId = useAsksForId();
  const [idSeen, setIdSeen] = useState(false);
  const send = async () => {
    const paid = due === 0 ? {} : { payments: paymentsOf(rows, types) };
    const body = { ...paid, ...atOwnRegister(), ...(idSeen && { idCheck: 'eye' as const }) };
    const { change } = await step(order.id, () =>
      dataOf(
        api.POST('/staff/v1/orders/{orderId}/fulfill', { params: { path: { orderId: order.id } }, body }),
      ),
    );
    notifyDone(
      change > 0 ? t`${stepWords.fulfill.done} Change: ${dollars(change)}.` : stepWords.fulfill.done,
    );
  };
  return (
    <ServerForm
      submit={t`Take payment and hand over`}
      onSubmit={send}
      onCancel={onClose}
      onDone={onClose}
      isReady={isPaid(due, rows, types)}
    >
      {order.needsHistoryCheck && (
        <Text size="sm">{t`Purchase history not checked yet: compare the ID with the customer's name first.`}</Text>
      )}
      <HandOverFields {...{ asksForId, idSeen, due, rows, types }} onIdSeen={setIdSeen} onRows={setRows} />
    </ServerForm>
  );
}

/** The customer's intended payments if still possible; otherwise everything with the first type. */
function firstRows(order: Order, due: number, types: readonly PaymentType[]): readonly PaymentRow[] {
  const intended = order.payments.filter(({ paymentTypeId }) => types.some(({ id }) => id === paymentTypeId));
  if (intended.length > 0 && intended.length === order.payments.length) {
    return intended.map(({ paymentTypeId, amount }, key) => ({
      key,
      paymentTypeId,
      amount,
      tendered: null,
    }));
  }
  return types.slice(0, 1).map(({ id }) => ({ key: 0, paymentTypeId: id, amount: due, tendered: null }));
}
