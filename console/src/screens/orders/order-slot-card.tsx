import { Button, Modal, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr } from '../../parts/choices-or.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { shopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { timeSlotsQuery } from '../settings/setting-lists.ts';
import { type Order, orderTitle } from './order-words.ts';
import { useOrderStep } from './use-order-step.ts';

type Slot = NonNullable<Order['slot']>;

const openStatuses: readonly Order['status'][] = ['draft', 'new', 'packed'];

/** `Mar 6, 5:00 PM – 7:00 PM`. */
function slotInWords({ from, to }: Slot, tz: string): string {
  return `${shopTime(from, tz, 'short')} – ${shopTime(to, tz, 'time')}`;
}

/** The time slot of an order, in the shop's time zone. */
export function SlotTime({ slot }: { slot: Slot }) {
  return slotInWords(slot, useSession().organization.tz);
}

/**
 * When an order is picked up or delivered; staff move an open one, and give one to an order without, where there are any to choose from.
 * Goods sold over the counter have none.
 */
export function OrderSlotCard({ order }: { order: Order }) {
  const [isOpen, setOpen] = useState(false);
  const isMovable = order.type !== 'in-store' && openStatuses.includes(order.status);
  const slots = useQuery({ ...timeSlotsQuery, enabled: isMovable && order.slot === undefined });
  const hasChoice = slots.data?.some((it) => it.orderType === order.type && it.archivedAt === null) ?? false;
  if (order.slot === undefined && !(isMovable && hasChoice)) return null;
  return (
    <SectionCard title={t`Time slot`}>
      <Text size="sm" mb={isMovable ? 'sm' : undefined}>
        {order.slot === undefined ? t`No set time` : <SlotTime slot={order.slot} />}
      </Text>
      {isMovable && (
        <Button variant="default" size="xs" onClick={() => setOpen(true)}>
          {order.slot === undefined ? t`Choose a time slot` : t`Change time slot`}
        </Button>
      )}
      {isOpen && <SlotDialog order={order} onClose={() => setOpen(false)} />}
    </SectionCard>
  );
}

const noSlot = 'none';

function SlotDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const { tz } = useSession().organization;
  const step = useOrderStep();
  const path = { orderId: order.id };
  const { draft, set } = useEdit<{ from: string }>({ from: order.slot?.from ?? noSlot });
  const offered = useQuery({
    queryKey: ['orders', order.id, 'slots'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/orders/{orderId}/slots', { params: { path }, signal })),
  });
  const send = () =>
    step(order.id, () =>
      dataOf(
        api.PUT('/staff/v1/orders/{orderId}/slot', {
          params: { path },
          body: { from: draft.from === noSlot ? null : draft.from },
        }),
      ),
    );
  return (
    <Modal opened onClose={onClose} title={t`Time slot of ${orderTitle(order).toLowerCase()}`}>
      <ServerForm
        onSubmit={send}
        onCancel={onClose}
        onDone={() => {
          notifyDone(t`The time slot is changed. The customer gets an email.`);
          onClose();
        }}
      >
        <Field path="from">
          {(error) => (
            <Select
              label={t`Time slot`}
              data-autofocus
              allowDeselect={false}
              error={error}
              data={choicesOr(
                [
                  ...withPresent(offered.data?.slots ?? [], order.slot).map(({ from, to, left }) => ({
                    value: from,
                    label: t`${slotInWords({ from, to }, tz)}, ${left} left`,
                    disabled: left === 0,
                  })),
                  { value: noSlot, label: t`No set time` },
                ],
                offered,
                '',
              )}
              value={draft.from}
              onChange={(from) => set('from', from ?? noSlot)}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}

/** The slot of the order may not be offered any more: it begins soon, or was closed. */
function withPresent(offered: readonly (Slot & { left: number })[], present: Slot | undefined) {
  if (present === undefined || offered.some(({ from }) => from === present.from)) return offered;
  return [{ ...present, left: 1 }, ...offered];
}
