import { Button, Checkbox, Modal, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import type { GoodsBack } from '../point-of-sale/cart.ts';
import classes from './order-detail.module.css';
import { type Order, orderTitle } from './order-words.ts';
import {
  BackToStockField,
  RefundAdjustmentFields,
  RefundCardField,
  RefundPaymentTypeField,
  RefundTypeField,
} from './refund-fields.tsx';
import { RefundPreview } from './refund-preview.tsx';
import { ReturnScans } from './return-scans.tsx';
import { returnedUnits } from './returnable-lines.ts';
import {
  type InventoryAction,
  noUnitOf,
  type ReturnedLine,
  type ReturnFields,
  useReturn,
} from './use-return.ts';

const inventoryActions: { value: InventoryAction; label: string }[] = [
  { value: 'quarantine', label: t`Quarantine` },
  { value: 'inventory', label: t`Back to stock` },
  { value: 'waste', label: t`Waste` },
  { value: 'vendor', label: t`Back to the vendor` },
];

/**
 * Records a return of a fulfilled order. The service calculates the refund to the cent. A scan of goods adds one unit of them;
 * the scan that opened the dialog has (`scannedLine`).
 */
export function ReturnDialog({
  order,
  scannedLine,
  onExchange,
  onClose,
}: {
  order: Order;
  scannedLine: number | null;
  /** At the till: other goods are chosen for these. */
  onExchange?: (back: GoodsBack) => void;
  onClose: () => void;
}) {
  const payable = usePaymentTypes(order.type);
  const { draft, set, addUnit, send, exchange, previewed } = useReturn(order, {
    firstTypeId: payable.types?.[0]?.id ?? null,
    scannedLine,
  });
  const takesGiftCards = payable.types?.find(({ id }) => id === draft.paymentTypeId)?.takesGiftCards;
  return (
    <Modal opened onClose={onClose} title={t`Return goods of ${orderTitle(order).toLowerCase()}`} size="xl">
      <ServerForm submit={t`Record return`} onSubmit={send} onDone={onClose} onCancel={onClose}>
        <ReturnScans order={order} onUnit={addUnit} />
        <ReturnableLines order={order} draft={draft} set={set} />
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <ReasonField draft={draft} set={set} isNext={scannedLine !== null} />
          {onExchange ? (
            <Button
              mt={{ xs: 24 }}
              variant="default"
              onClick={() => void exchange(onExchange).catch(notifyError)}
            >
              {t`Exchange for other goods`}
            </Button>
          ) : (
            <Checkbox
              mt={{ xs: 32 }}
              label={t`Exchange: the replacement is a new order`}
              checked={draft.isExchange}
              onChange={(event) => set({ isExchange: event.currentTarget.checked })}
            />
          )}
          {Object.values(draft.lines).some(isForSale) && <BackToStockField draft={draft} set={set} />}
          <RefundTypeField draft={draft} set={set} isWalkIn={order.customer.id === undefined} />
          {draft.refundType === 'payment-method' && (
            <RefundPaymentTypeField draft={draft} set={set} payable={payable} />
          )}
          {draft.refundType === 'payment-method' && takesGiftCards && (
            <RefundCardField code={draft.giftCard} onCode={(giftCard) => set({ giftCard })} />
          )}
        </SimpleGrid>
        {draft.refundType !== 'none' && <RefundAdjustmentFields draft={draft} set={set} />}
        <RefundPreview
          orderId={order.id}
          body={previewed}
          onTakeBack={(takesRewardsBack) => set({ takesRewardsBack })}
        />
        <Text size="xs" c="dimmed">
          {t`The refund is the exact amount paid for these units. To refund delivery and payment fees, add an adjustment.`}
        </Text>
      </ServerForm>
    </Modal>
  );
}

const isForSale = ({ quantity, inventoryAction }: ReturnedLine) =>
  quantity > 0 && inventoryAction === 'inventory';

/** The lines of the order with units that are not returned yet. */
function ReturnableLines({ order, draft, set }: ReturnFields & { order: Order }) {
  const lines = order.lineItems
    .map((line) => ({ line, left: line.quantity - returnedUnits(order, line.id) }))
    .filter(({ left }) => left > 0);
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">{t`Item`}</th>
          <th scope="col">{t`Returned`}</th>
          <th scope="col">{t`Disposition`}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ line, left }) => (
          <ReturnableLine
            key={line.id}
            name={`${line.productName}, ${line.optionName}`}
            left={left}
            returned={draft.lines[line.id] ?? noUnitOf(line)}
            onChange={(returned) => set({ lines: { ...draft.lines, [line.id]: returned } })}
          />
        ))}
      </tbody>
    </table>
  );
}

function ReasonField({ draft, set, isNext }: ReturnFields & { isNext: boolean }) {
  return (
    <Field path="lineItems[0].reason">
      {(error) => (
        <TextInput
          label={t`Reason`}
          required
          data-autofocus={isNext || undefined}
          maxLength={500}
          error={error}
          value={draft.reason}
          onChange={(event) => set({ reason: event.currentTarget.value })}
        />
      )}
    </Field>
  );
}

function ReturnableLine({
  name,
  left,
  returned,
  onChange,
}: {
  name: string;
  left: number;
  returned: ReturnedLine;
  onChange: (returned: ReturnedLine) => void;
}) {
  return (
    <tr>
      <td>{name}</td>
      <td>
        <div style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
          <QuantityStepper
            label={t`Units of ${name}`}
            value={returned.quantity}
            max={left}
            onChange={(quantity) => onChange({ ...returned, quantity })}
          />
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            {t`of ${left}`}
          </Text>
        </div>
      </td>
      <td>
        <Select
          aria-label={t`Disposition of ${name}`}
          size="xs"
          data={inventoryActions}
          value={returned.inventoryAction}
          onChange={(value) => value && onChange({ ...returned, inventoryAction: value as InventoryAction })}
        />
      </td>
    </tr>
  );
}
