import { Checkbox, Modal, SegmentedControl, Select, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure, api, type Schema, type StaffPaths } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { dollars } from '../../parts/dollars.ts';
import { notLoaded } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { QuantityStepper } from '../../parts/quantity-stepper.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { usePaymentTypes } from '../../parts/use-payment-types.ts';
import classes from './order-detail.module.css';
import { type Order, orderTitle } from './order-words.ts';
import { RefundPreview } from './refund-preview.tsx';
import { returnedUnits } from './returnable-lines.ts';
import { useOrderStep } from './use-order-step.ts';

type InventoryAction = Order['returns'][number]['lineItems'][number]['inventoryAction'];
type RefundType = Order['returns'][number]['refundType'];

const inventoryActions: { value: InventoryAction; label: string }[] = [
  { value: 'inventory', label: 'Back to stock' },
  { value: 'waste', label: 'Waste' },
  { value: 'vendor', label: 'Back to the vendor' },
];

interface Chosen {
  readonly quantity: number;
  readonly inventoryAction: InventoryAction;
}

type ReturnBody = Omit<
  NonNullable<
    StaffPaths['/staff/v1/orders/{orderId}/returns']['post']['requestBody']
  >['content']['application/json'],
  'idempotencyKey'
>;

function madeInWords({ refundTotal }: Schema['OrderReturn']): string {
  return refundTotal === 0
    ? 'The return is recorded without a refund.'
    : `The return is recorded: refund ${dollars(-refundTotal)}.`;
}

/** Records a return of a fulfilled order. The service calculates the refund to the cent. */
export function ReturnDialog({ order, onClose }: { order: Order; onClose: () => void }) {
  const step = useOrderStep();
  const payable = usePaymentTypes(order.type);
  const types = payable.types ?? [];
  const record = useKeyedWrite(
    (body: ReturnBody, idempotencyKey) =>
      api.POST('/staff/v1/orders/{orderId}/returns', {
        params: { path: { orderId: order.id } },
        body: { ...body, idempotencyKey },
      }),
    madeInWords,
  );
  const [chosen, setChosen] = useState<Readonly<Record<number, Chosen>>>({});
  const [reason, setReason] = useState('');
  const [isExchange, setIsExchange] = useState(false);
  const [refundType, setRefundType] = useState<RefundType>('payment-method');
  const [typeId, setTypeId] = useState<number | null>(order.payments[0]?.paymentTypeId ?? null);
  const [adjustment, setAdjustment] = useState<number | null>(null);
  const [isMore, setIsMore] = useState(true);
  const [description, setDescription] = useState('');
  const paymentTypeId = typeId ?? types[0]?.id ?? null;
  const lines = order.lineItems
    .map((line) => ({ line, left: line.quantity - returnedUnits(order, line.id) }))
    .filter(({ left }) => left > 0);
  const coming = Object.entries(chosen)
    .filter(([, { quantity }]) => quantity > 0)
    .map(([id, line]) => ({ ...line, orderLineItemId: Number(id) }));
  const refund = {
    refundType,
    ...(refundType === 'payment-method' && { paymentTypeId }),
    ...(adjustment && refundType !== 'none' && { adjustmentAmount: isMore ? -adjustment : adjustment }),
  };
  const send = async () => {
    if (coming.length === 0) {
      throw new ApiFailure({
        message: 'Choose at least one returned unit.',
        code: 'INVALID_PARAMS',
        status: 400,
      });
    }
    const made = await step(order.id, () =>
      record({
        ...refund,
        lineItems: coming.map((line) => ({
          ...line,
          type: isExchange ? ('exchange' as const) : ('return' as const),
          reason,
        })),
        ...(refund.adjustmentAmount && { adjustmentDescription: description }),
      }),
    );
    notifyDone(madeInWords(made));
  };
  return (
    <Modal opened onClose={onClose} title={`Return goods of ${orderTitle(order).toLowerCase()}`} size="xl">
      <ServerForm submit="Record return" onSubmit={send} onDone={onClose} onCancel={onClose}>
        <table className={classes.lines}>
          <thead>
            <tr>
              <th scope="col">Item</th>
              <th scope="col">Returned</th>
              <th scope="col">Disposition</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ line, left }) => (
              <ReturnLine
                key={line.id}
                name={`${line.productName}, ${line.optionName}`}
                left={left}
                chosen={chosen[line.id] ?? { quantity: 0, inventoryAction: 'inventory' }}
                onChange={(values) => setChosen({ ...chosen, [line.id]: values })}
              />
            ))}
          </tbody>
        </table>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <Field path="lineItems.0.reason">
            {(error) => (
              <TextInput
                label="Reason"
                maxLength={500}
                error={error}
                value={reason}
                onChange={(event) => setReason(event.currentTarget.value)}
              />
            )}
          </Field>
          <Checkbox
            mt={{ xs: 32 }}
            label="Exchange: the replacement is a new order"
            checked={isExchange}
            onChange={(event) => setIsExchange(event.currentTarget.checked)}
          />
          <Field path="refundType">
            {(error) => (
              <Select
                label="Refund"
                error={error}
                data={[
                  { value: 'payment-method', label: 'To a payment type' },
                  ...(order.customer.id === undefined
                    ? []
                    : [{ value: 'store-credit', label: 'As store credit' }]),
                  { value: 'none', label: 'No refund' },
                ]}
                value={refundType}
                onChange={(value) => value && setRefundType(value as RefundType)}
              />
            )}
          </Field>
          {refundType === 'payment-method' && (
            <Field path="paymentTypeId">
              {(error) => (
                <Select
                  label="Payment type"
                  error={error ?? notLoaded({ data: payable.types, error: payable.error })}
                  data={choicesOr(
                    types.map(({ id, name }) => ({ value: String(id), label: name })),
                    { ...payable, data: payable.types },
                    createHints.paymentTypes,
                  )}
                  value={paymentTypeId === null ? null : String(paymentTypeId)}
                  onChange={(value) => value && setTypeId(Number(value))}
                />
              )}
            </Field>
          )}
        </SimpleGrid>
        {refundType !== 'none' && (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Field path="adjustmentAmount">
              {(error) => (
                <MoneyInput label="Adjustment" error={error} cents={adjustment} onChange={setAdjustment} />
              )}
            </Field>
            <div>
              <Text size="sm" fw={600} aria-hidden mb={2}>
                For the customer
              </Text>
              <SegmentedControl
                aria-label="For the customer"
                fullWidth
                data={[
                  { value: 'more', label: 'More' },
                  { value: 'less', label: 'Less' },
                ]}
                value={isMore ? 'more' : 'less'}
                onChange={(value) => setIsMore(value === 'more')}
              />
            </div>
            <Field path="adjustmentDescription">
              {(error) => (
                <TextInput
                  label="Description"
                  placeholder="Delivery fee"
                  error={error}
                  value={description}
                  onChange={(event) => setDescription(event.currentTarget.value)}
                />
              )}
            </Field>
          </SimpleGrid>
        )}
        <RefundPreview orderId={order.id} body={{ ...refund, lineItems: coming }} />
        <Text size="xs" c="dimmed">
          The refund is the exact amount paid for these units. To refund delivery and payment fees, add an
          adjustment.
        </Text>
      </ServerForm>
    </Modal>
  );
}

function ReturnLine({
  name,
  left,
  chosen,
  onChange,
}: {
  name: string;
  left: number;
  chosen: Chosen;
  onChange: (chosen: Chosen) => void;
}) {
  return (
    <tr>
      <td>{name}</td>
      <td>
        <div style={{ display: 'flex', alignItems: 'center', gap: 8 }}>
          <QuantityStepper
            label={`Units of ${name}`}
            value={chosen.quantity}
            max={left}
            onChange={(quantity) => onChange({ ...chosen, quantity })}
          />
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            of {left}
          </Text>
        </div>
      </td>
      <td>
        <Select
          aria-label={`Disposition of ${name}`}
          size="xs"
          data={inventoryActions}
          value={chosen.inventoryAction}
          onChange={(value) => value && onChange({ ...chosen, inventoryAction: value as InventoryAction })}
        />
      </td>
    </tr>
  );
}
