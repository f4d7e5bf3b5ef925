import { Modal, Text } from '@mantine/core';
import { useState } from 'react';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { dollars } from '../../parts/dollars.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { t } from '../../words/words.ts';
import { lineName, type PurchaseOrder } from './purchase-words.ts';

/** Sets the unit price that the vendor's invoice has for goods of an open order, also for those that came. */
export function InvoicePriceDialog({
  order,
  line,
  onSaved,
  onClose,
}: {
  order: PurchaseOrder;
  line: PurchaseOrder['lineItems'][number];
  onSaved: (order: PurchaseOrder) => void;
  onClose: () => void;
}) {
  const [price, setPrice] = useState(line.invoicedCostPerUnit ?? '');
  const save = async () => {
    const saved = await dataOf(
      api.PUT('/staff/v1/purchase-orders/{purchaseOrderId}', {
        params: { path: { purchaseOrderId: order.id } },
        headers: ifUnchanged(order.updatedAt),
        body: {
          // The full set of lines: the others stay as they are.
          lineItems: order.lineItems.map(({ id }) => ({
            id,
            ...(id === line.id && { invoicedCostPerUnit: price === '' ? null : price }),
          })),
        },
      }),
    );
    onSaved(saved);
    notifyDone(t`The price is saved. ${dollars(saved.amountOutstanding)} is outstanding.`);
  };
  const at = order.lineItems.indexOf(line);
  return (
    <Modal opened onClose={onClose} title={t`Price on the invoice`}>
      <ServerForm onSubmit={save} onDone={onClose} onCancel={onClose}>
        <Text size="sm" className="numbers">
          {t`${lineName(line)}: ${line.amountReceived} of ${line.amount} received, ordered at $${line.costPerUnit} each.`}
        </Text>
        <Field path={`lineItems[${at}].invoicedCostPerUnit`}>
          {(error) => (
            <DecimalInput
              label={t`Unit cost on the invoice`}
              description={t`Applies to the whole line. Leave empty for what each delivery cost when it was received.`}
              leftSection="$"
              placeholder={line.costPerUnit}
              data-autofocus
              error={error}
              value={price}
              onChange={setPrice}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}
