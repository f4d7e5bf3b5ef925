import { Alert, Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { ApiFailure, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { dollars } from '../../parts/dollars.ts';
import { PaymentModal } from '../../parts/payment-modal.tsx';
import { PaymentRows } from '../../parts/payment-rows.tsx';
import { isPaid, type PaymentRow } from '../../parts/payment-sums.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { WithPaymentTypes } from '../../parts/with-payment-types.tsx';
import { typeInto } from '../../scanner/type-into.ts';
import { orderTitle } from '../orders/order-words.ts';
import { usePlaceInQueue } from '../queue/use-place-in-queue.ts';
import type { SaleUnderWay } from './kept-sale.ts';
import { firstPayments, type PlacedOrder, sell } from './sell.ts';
import type { Payment } from './use-payment.ts';

type SoldOrder = Schema['FulfilledOrder'];

interface PaidSale extends Payment {
  /** The sale as it is by now: kept before anything is sent. */
  readonly onSale: (sale: SaleUnderWay | null) => void;
  /** Codes that were scanned since it is open: they are not in this sale. */
  readonly scanned: readonly string[];
  /** What was typed before the dialog was there: the cash. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly onSold: (order: SoldOrder) => void;
}

/** Takes the payments, places the order and hands it over, in one go. */
export function PayDialog({
  onUnpaid,
  onClose,
  ...paid
}: PaidSale & {
  /** It was left when the order was placed, but the payments not taken. */
  onUnpaid: (order: PlacedOrder) => void;
  onClose: () => void;
}) {
  const { sale, onSale } = paid;
  const close = () => {
    if (sale?.placed) return onUnpaid(sale.placed);
    // What was sent and not answered is decided on first.
    if (sale && !sale.isSent) onSale(null);
    onClose();
  };
  return (
    <PaymentModal onClose={close} title="Take payment">
      <WithPaymentTypes orderType="in-store" due={sale?.due ?? null}>
        {(types) => <PayForm {...paid} types={types} onClose={close} />}
      </WithPaymentTypes>
    </PaymentModal>
  );
}

function PayForm({
  sale,
  onSale,
  draft,
  onDraft,
  scanned,
  typedAhead,
  types,
  onSold,
  onClose,
}: PaidSale & {
  types: readonly PaymentType[];
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const due = sale?.due ?? null;
  const placed = sale?.placed ?? null;
  const typed = sale ? sale.payments : draft;
  const rows = typed.length > 0 ? typed : firstPayments(due, types);
  const setRows = (payments: readonly PaymentRow[]) =>
    sale ? onSale({ ...sale, payments }) : onDraft(payments);
  const isCash = types.find(({ id }) => id === rows[0]?.paymentTypeId)?.method === 'cash';
  useLayoutEffect(() => {
    const ahead = typedAhead.current;
    const cash = document.activeElement;
    if (!ahead?.value || !isCash || cash === ahead || !(cash instanceof HTMLInputElement)) return;
    typeInto(cash, ahead.value);
    ahead.value = '';
  }, [typedAhead, isCash]);
  // Left without an answer by the page before this one, or by this form some time ago.
  const [wasLeft] = useState(sale !== null && (sale.isSent || sale.sentPayments !== null));
  const send = async () => {
    if (sale === null) return;
    try {
      onSold(await sell(sale, rows, types, onSale));
    } catch (error) {
      if (error instanceof ApiFailure && error.code === 'PRICE_CHANGED') {
        void queryClient.invalidateQueries({ queryKey: ['cart-pricing'] });
      }
      throw error;
    } finally {
      for (const key of ['orders', 'products', 'inventory', 'customers']) {
        void queryClient.invalidateQueries({ queryKey: [key] });
      }
    }
  };
  return (
    <ServerForm
      submit="Take payment and hand over"
      refused="Not sold"
      onSubmit={send}
      onCancel={onClose}
      isReady={due !== null && isPaid(due, rows, types)}
    >
      <ScannedAlert codes={scanned}>Scanned while paying: close payment to add it.</ScannedAlert>
      {wasLeft && !placed && (
        <Text size="sm">
          This sale was sent before, and no answer came: it may be placed. Take the payment: it is sold once.
        </Text>
      )}
      {placed && (
        <Text size="sm">
          <Link to={`/orders/${placed.id}`}>{orderTitle(placed)}</Link> is placed and its stock is taken, but
          it is not paid yet: put the payments right, and try again.
        </Text>
      )}
      {due === 0 ? (
        <Text size="sm">Nothing is left to pay.</Text>
      ) : (
        <PaymentRows due={due} rows={rows} onChange={setRows} types={types} />
      )}
    </ServerForm>
  );
}

/** Names codes that are not in the sale. */
function ScannedAlert({ codes, children }: { codes: readonly string[]; children: ReactNode }) {
  if (codes.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" p="xs" mb="xs" title={children}>
      {codes.join(', ')}
    </Alert>
  );
}

/** After a sale: the change in large figures, the receipt, and on to the next one. */
export function SaleDone({
  order,
  notSold,
  onClose,
}: {
  order: SoldOrder;
  /** Codes that were scanned while it was paid. */
  notSold: readonly string[];
  onClose: () => void;
}) {
  const place = usePlaceInQueue(order.userId);
  const close = () => {
    place.leave();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={`${orderTitle(order)} is sold`}>
      <ScannedAlert codes={notSold}>Scanned while paying, and not sold:</ScannedAlert>
      <Stack align="center" gap="xs">
        <Text size="sm" c="dimmed">
          {order.change > 0 ? 'Change' : 'Paid'}
        </Text>
        <Text fz={40} fw={650} lh={1.1} className="numbers">
          {dollars(order.change > 0 ? order.change : order.customerGrandTotal)}
        </Text>
        {order.change > 0 && (
          <Text size="sm" c="dimmed">
            Sold for {dollars(order.customerGrandTotal)}
          </Text>
        )}
      </Stack>
      {place.entry && (
        <Group justify="center" mt="lg">
          <Checkbox
            label={`Take ${customerName(place.entry)} out of the queue: served`}
            checked={place.leaves}
            onChange={(event) => place.setLeaves(event.currentTarget.checked)}
          />
        </Group>
      )}
      <Group justify="center" mt="xl">
        <Button
          component={Link}
          to={`/print/orders/${order.id}/receipt?now`}
          target="_blank"
          variant="default"
          leftSection={<IconPrinter size={18} aria-hidden />}
        >
          Receipt
        </Button>
        <Button onClick={close} data-autofocus>
          Next sale
        </Button>
      </Group>
    </Modal>
  );
}
