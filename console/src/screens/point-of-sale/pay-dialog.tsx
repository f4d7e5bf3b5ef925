import { Alert, Checkbox, Group, Modal, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { ApiFailure } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { dollars } from '../../parts/dollars.ts';
import { HandOverFields } from '../../parts/hand-over-fields.tsx';
import { PaymentModal } from '../../parts/payment-modal.tsx';
import { isPaid, type PaymentRow } from '../../parts/payment-sums.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { useAsksForId } from '../../parts/use-asks-for-id.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { WithPaymentTypes } from '../../parts/with-payment-types.tsx';
import { typeInto } from '../../scanner/type-into.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { orderTitle, paidFor } from '../orders/order-words.ts';
import { usePlaceInQueue } from '../queue/use-place-in-queue.ts';
import { type Charge, loadConnections } from './charge-providers.ts';
import { ChargeWait } from './charge-wait.tsx';
import { ReceiptWays } from './receipt-ways.tsx';
import { RefundTender } from './refund-tender.tsx';
import type { PendingSale } from './saved-sale.ts';
import { firstPayments, type PlacedOrder, type SoldOrder, sell } from './sell.ts';
import type { Payment } from './use-payment.ts';

interface PaidSale extends Payment {
  /** The current sale: saved before anything is sent. */
  readonly onSale: (sale: PendingSale | null) => void | Promise<void>;
  /** Codes scanned since the dialog opened: they are not in this sale. */
  readonly scanned: readonly string[];
  /** Digits typed before the dialog opened: the cash amount. */
  readonly typedAhead: RefObject<HTMLInputElement | null>;
  readonly onSold: (order: SoldOrder) => void;
}

/** Places the order, takes the payments and fulfills it, in one step. */
export function PayDialog({
  onUnpaid,
  onClose,
  rootRef,
  ...paid
}: PaidSale & {
  /** Called when the dialog closes with the order placed and the payments not taken. */
  onUnpaid: (order: PlacedOrder) => void;
  onClose: () => void;
  rootRef: RefObject<HTMLDivElement | null>;
}) {
  const { sale, onSale } = paid;
  const close = () => {
    if (sale?.placed) return onUnpaid(sale.placed);
    // An unanswered sale must be decided first.
    if (sale && !sale.isSent) onSale(null);
    onClose();
  };
  return (
    <PaymentModal rootRef={rootRef} onClose={close} title={t`Take payment`}>
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
  // Unanswered since an earlier page load, or since an earlier try of this form.
  const [wasLeft] = useState(sale !== null && (sale.isSent || sale.sentPayments !== null));
  const asksForId = useAsksForId();
  const [idSeen, setIdSeen] = useState(false);
  const [charge, setCharge] = useState<Charge | null>(null);
  const left = useRef(false);
  useEffect(() => void loadConnections().catch(() => {}), []);
  const watch = { onCharge: setCharge, isLeft: () => left.current };
  const send = async () => {
    if (sale === null) return;
    try {
      onSold(await sell(sale, rows, types, onSale, idSeen, watch));
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
  const leave = () => {
    left.current = true;
  };
  return (
    <>
      {charge && <ChargeWait charge={charge} onLeave={leave} />}
      <ServerForm
        submit={t`Take payment and hand over`}
        refused={t`Not sold`}
        onSubmit={send}
        onCancel={onClose}
        isReady={due !== null && isPaid(due, rows, types)}
      >
        <ScannedAlert codes={scanned}>{t`Scanned during payment. Close payment to add it.`}</ScannedAlert>
        {wasLeft && !placed && (
          <Text size="sm">
            {t`This sale was sent before without a response and may be placed. Take the payment: it is sold only once.`}
          </Text>
        )}
        {placed && (
          <Text size="sm">
            {rich`${<Link to={`/orders/${placed.id}`}>{orderTitle(placed)}</Link>} is placed and its stock is taken, but it is not paid yet. Correct the payments and try again.`}
          </Text>
        )}
        {sale?.idScanned && (
          <Text size="sm" mb="md">
            {t`The ID was scanned in this sale.`}
          </Text>
        )}
        <HandOverFields
          {...{ idSeen, due, rows, types }}
          asksForId={asksForId && !sale?.idScanned}
          onIdSeen={setIdSeen}
          onRows={setRows}
        />
        {due !== null && due < 0 && (
          <RefundTender cents={-due} row={rows[0]} types={types} onChange={(row) => setRows([row])} />
        )}
      </ServerForm>
    </>
  );
}

/** Lists codes that are not in the sale. */
function ScannedAlert({ codes, children }: { codes: readonly string[]; children: ReactNode }) {
  if (codes.length === 0) return null;
  return (
    <Alert color="yellow" role="alert" p="xs" mb="xs" title={children}>
      {codes.join(', ')}
    </Alert>
  );
}

/** After a sale: the change in large figures, the receipt, the next sale. */
export function SaleDone({
  order,
  notSold,
  onClose,
}: {
  order: SoldOrder;
  /** Codes scanned during payment. */
  notSold: readonly string[];
  onClose: () => void;
}) {
  const place = usePlaceInQueue(order.userId);
  const { back } = order;
  const paid = paidFor(order);
  const close = () => {
    place.leave();
    onClose();
  };
  return (
    <Modal opened onClose={close} title={t`${orderTitle(order)} is sold`}>
      <ScannedAlert codes={notSold}>{t`Scanned during payment, not sold:`}</ScannedAlert>
      <Stack align="center" gap="xs">
        <Text size="sm" c="dimmed">
          {back > 0 ? t`Give back` : order.change > 0 ? t`Change` : t`Paid`}
        </Text>
        <Text fz={48} fw={650} lh={1.1} className="numbers">
          {dollars(back > 0 ? back : order.change > 0 ? order.change : paid)}
        </Text>
        {order.change > 0 && (
          <Text size="sm" c="dimmed">
            {t`Sold for ${dollars(paid)}`}
          </Text>
        )}
      </Stack>
      {place.entry && (
        <Group justify="center" mt="lg">
          <Checkbox
            label={t`Remove ${customerName(place.entry)} from the queue (served)`}
            checked={place.leaves}
            onChange={(event) => place.setLeaves(event.currentTarget.checked)}
          />
        </Group>
      )}
      <ReceiptWays order={order} onDone={close} />
    </Modal>
  );
}
