import { Modal, Select, SimpleGrid, TextInput } from '@mantine/core';
import { api, dataOf, type Schema } from '../../api.ts';
import { MomentInput } from '../../parts/moment-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { stepWords } from './order-steps.ts';
import { type Order, orderTitle } from './order-words.ts';
import { useOrderStep } from './use-order-step.ts';

type DispatchTask = NonNullable<Schema['StaffOrder']['dispatchTask']>;

const statuses = ['unassigned', 'assigned', 'active', 'completed', 'failed'] as const;

/** The driver and status of a delivery. */
export function DispatchDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const step = useOrderStep();
  const { draft, set, changes } = useEdit<
    Pick<DispatchTask, 'status' | 'driverName' | 'trackingUrl' | 'estimatedArrivalAt'>
  >({
    status: order.dispatchTask?.status ?? 'assigned',
    driverName: order.dispatchTask?.driverName ?? null,
    trackingUrl: order.dispatchTask?.trackingUrl ?? null,
    estimatedArrivalAt: order.dispatchTask?.estimatedArrivalAt ?? null,
  });
  const send = () =>
    step(order.id, () =>
      dataOf(
        api.POST('/staff/v1/orders/{orderId}/dispatch', {
          params: { path: { orderId: order.id } },
          body: { ...changes, status: draft.status },
        }),
      ),
    );
  return (
    <Modal opened onClose={onClose} title={t`Dispatch ${orderTitle(order).toLowerCase()}`} size="lg">
      <ServerForm
        onSubmit={send}
        onCancel={onClose}
        onDone={() => {
          notifyDone(stepWords.dispatch.done);
          onClose();
        }}
      >
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="driverName">
            {(error) => (
              <TextInput
                label={t`Driver`}
                data-autofocus
                error={error}
                value={draft.driverName ?? ''}
                onChange={(event) => set('driverName', event.currentTarget.value || null)}
              />
            )}
          </Field>
          <Field path="status">
            {(error) => (
              <Select
                label={t`Status`}
                error={error}
                data={statuses.map((value) => ({ value, label: sentence(value) }))}
                value={draft.status}
                onChange={(value) => value && set('status', value as DispatchTask['status'])}
              />
            )}
          </Field>
          <Field path="estimatedArrivalAt">
            {(error) => (
              <MomentInput
                label={t`Expected arrival`}
                error={error}
                moment={draft.estimatedArrivalAt}
                onChange={(at) => set('estimatedArrivalAt', at)}
              />
            )}
          </Field>
          <Field path="trackingUrl">
            {(error) => (
              <TextInput
                label={t`Tracking page (HTTPS)`}
                type="url"
                error={error}
                value={draft.trackingUrl ?? ''}
                onChange={(event) => set('trackingUrl', event.currentTarget.value || null)}
              />
            )}
          </Field>
        </SimpleGrid>
      </ServerForm>
    </Modal>
  );
}
