import { Modal, Select, Text, Textarea } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { acceptOrder, stepWords } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { undoOf } from './undo-step.ts';
import { useOrderStep } from './use-order-step.ts';

interface DialogProps {
  readonly order: Order;
  readonly onClose: () => void;
}

/** Accepts a draft order; the stock comes from the locations in the settings, or from one location. */
export function AcceptDialog({ order, onClose }: DialogProps) {
  const step = useOrderStep();
  const [locationId, setLocationId] = useState('');
  const locations = useQuery({
    queryKey: ['inventory-locations'],
    queryFn: () => dataOf(api.GET('/staff/v1/inventory-locations')),
    staleTime: 60_000,
  });
  const places = (locations.data ?? []).filter(({ archivedAt }) => archivedAt === null);
  return (
    <Modal opened onClose={onClose} title={t`Accept ${orderTitle(order).toLowerCase()}`}>
      <ServerForm
        submit={t`Accept`}
        onSubmit={() =>
          step(order.id, () => acceptOrder(order.id, locationId ? Number(locationId) : undefined))
        }
        onDone={() => notifyDone(stepWords.accept.done, undoOf('accept', order.id, step))}
        onCancel={onClose}
      >
        <Text size="sm">{t`This takes the stock now, oldest package first.`}</Text>
        <Field path="inventoryLocationId">
          {(error) => (
            <Select
              label={t`Take stock from`}
              data-autofocus
              error={error}
              data={[
                { value: '', label: t`Locations from the settings` },
                ...places.map(({ id, name }) => ({ value: String(id), label: t`${name} only` })),
              ]}
              value={locationId}
              onChange={(value) => setLocationId(value ?? '')}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}

/** Cancels an order, with a reason that everyone who sees the order can read. */
export function CancelDialog(props: DialogProps) {
  return (
    <EndDialog
      {...props}
      words={stepWords.cancel}
      end={(ending) => dataOf(api.POST('/staff/v1/orders/{orderId}/cancel', ending))}
      title={t`Cancel ${orderTitle(props.order).toLowerCase()}`}
      refused={t`The order is not canceled`}
      keep={t`Keep order`}
    >
      {t`This returns its stock, discount uses, credits and points. You cannot reopen the order.`}
    </EndDialog>
  );
}

/** Voids a sale that was made by mistake, on its own day. */
export function VoidDialog(props: DialogProps) {
  return (
    <EndDialog
      {...props}
      words={stepWords.void}
      end={(ending) => dataOf(api.POST('/staff/v1/orders/{orderId}/void', ending))}
      title={t`Void ${orderTitle(props.order).toLowerCase()}`}
      refused={t`The sale is not voided`}
      keep={t`Keep sale`}
    >
      {t`Stock, points, credits, discounts and the drawer go back as if there had been no sale. Give the customer the money back.`}
    </EndDialog>
  );
}

/** Ends an order for good, with a reason. */
function EndDialog({
  order,
  onClose,
  words,
  end,
  title,
  refused,
  keep,
  children,
}: DialogProps & {
  readonly words: (typeof stepWords)['void'];
  readonly end: (ending: {
    params: { path: { orderId: string } };
    body: { reason: string };
  }) => Promise<Order>;
  readonly title: string;
  readonly refused: string;
  readonly keep: string;
  readonly children: string;
}) {
  const step = useOrderStep();
  const [reason, setReason] = useState('');
  return (
    <Modal opened onClose={onClose} title={title}>
      <ServerForm
        submit={words.verb}
        isDangerous
        refused={refused}
        cancel={keep}
        onSubmit={() =>
          step(order.id, () => end({ params: { path: { orderId: order.id } }, body: { reason } }))
        }
        onDone={() => notifyDone(words.done)}
        onCancel={onClose}
      >
        <Text size="sm">{children}</Text>
        <Field path="reason">
          {(error) => (
            <Textarea
              label={t`Reason`}
              required
              data-autofocus
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
