import { Alert, Button, Checkbox, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useLayoutEffect, useState } from 'react';
import { Link } from 'react-router';
import { ApiFailure, api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { dollars } from '../../parts/dollars.ts';
import { PaymentModal } from '../../parts/payment-modal.tsx';
import { PaymentRows } from '../../parts/payment-rows.tsx';
import { isPaid, type PaymentRow, paymentsOf } from '../../parts/payment-sums.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { type PaymentType, usePaymentTypes } from '../../parts/use-payment-types.ts';
import { typeInto } from '../../scanner/type-into.ts';
import { orderTitle } from '../orders/order-words.ts';
import { usePlaceInQueue } from '../queue/use-place-in-queue.ts';
import { type Cart, cartBody } from './cart.ts';

type Order = Schema['StaffOrder'];
type SoldOrder = Schema['FulfilledOrder'];

interface Sale {
  readonly cart: Cart;
  /** Null: it is being fetched; what is typed meanwhile stays. */
  readonly pricing: Schema['StaffCartPricing'] | null;
  /** Of this one sale, however often it is tried. */
  readonly idempotencyKey: string;
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
  ...sale
}: Sale & {
  /** It was left when the order was placed, but the payments not taken. */
  onUnpaid: (order: Order) => void;
  onClose: () => void;
}) {
  const types = usePaymentTypes('in-store');
  const [placed, setPlaced] = useState<Order | null>(null);
  const close = () => (placed ? onUnpaid(placed) : onClose());
  return (
    <PaymentModal onClose={close} title="Take payment">
      {types.length === 0 ? (
        <Skeleton height={200} />
      ) : (
        <PayForm {...sale} types={types} placed={placed} onPlaced={setPlaced} onClose={close} />
      )}
    </PaymentModal>
  );
}

function PayForm({
  cart,
  pricing: present,
  idempotencyKey,
  scanned,
  typedAhead,
  types,
  placed,
  onPlaced,
  onSold,
  onClose,
}: Sale & {
  types: readonly PaymentType[];
  placed: Order | null;
  onPlaced: (order: Order) => void;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  // What the customer was told stays while it is tried again.
  const [pricing, setPricing] = useState(present);
  const due = pricing && dueOf(pricing);
  const [rows, setRows] = useState<readonly PaymentRow[]>([
    { key: 0, paymentTypeId: types[0]!.id, amount: due, tendered: null },
  ]);
  if (pricing === null && present !== null) {
    setPricing(present);
    setRows(rows.map((row) => ({ ...row, amount: row.amount ?? dueOf(present) })));
  }
  const isCash = types[0]!.method === 'cash';
  useLayoutEffect(() => {
    const ahead = typedAhead.current;
    const cash = document.activeElement;
    if (!ahead?.value || !isCash || cash === ahead || !(cash instanceof HTMLInputElement)) return;
    typeInto(cash, ahead.value);
    ahead.value = '';
  }, [typedAhead, isCash]);
  const place = async (expectedCustomerGrandTotal: number) => {
    const order = await dataOf(
      api.POST('/staff/v1/orders', {
        body: {
          ...cartBody(cart),
          idempotencyKey,
          expectedCustomerGrandTotal,
        },
      }),
    );
    onPlaced(order);
    return order;
  };
  const send = async () => {
    if (pricing === null) return;
    try {
      const order = placed ?? (await place(pricing.customerGrandTotal));
      const body = due === 0 ? {} : { payments: paymentsOf(rows, types) };
      const params = { path: { orderId: order.id } };
      onSold(await dataOf(api.POST('/staff/v1/orders/{orderId}/fulfill', { params, body })));
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

function dueOf({ netPrice, deliveryFee }: Schema['StaffCartPricing']): number {
  return netPrice + (deliveryFee ?? 0);
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
