import { Modal, Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { useOnPhone } from '../../parts/on-phone.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { type StockItem, StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { said, t } from '../../words/words.ts';
import { locationChoices, locationsQuery, type Package } from './stock-words.ts';

/** Receives a package: sets its product and location. It is in stock at once. */
export function ReceivePackageDialog({
  saved,
  onReceived,
  onClose,
}: {
  saved: Package;
  onReceived: (received: Package) => void;
  onClose: () => void;
}) {
  const isPhone = useOnPhone();
  const size = isPhone ? 'lg' : 'sm';
  const locations = useQuery(locationsQuery);
  const [item, setItem] = useState<StockItem | null>(
    saved.product
      ? { productId: saved.product.id, productOptionId: saved.productOptionId, label: saved.product.name }
      : null,
  );
  const [location, setLocation] = useState<string | null>(null);
  const [amount, setAmount] = useState(saved.status === 'ready' ? saved.initialAmount : '');
  const [multiplier, setMultiplier] = useState(saved.multiplier);
  const [costPerUnit, setCost] = useState(saved.costPerUnit ?? '');
  const receive = async () => {
    const where = {
      ...(item && { productId: item.productId, productOptionId: item.productOptionId }),
      ...(location && { inventoryLocationId: Number(location) }),
    } as { productId: number; inventoryLocationId: number };
    const body = { ...where, amount, costPerUnit, ...(multiplier && { multiplier }) };
    const params = { path: { packageId: saved.id } };
    onReceived(await dataOf(api.POST('/staff/v1/packages/{packageId}/receive', { params, body })));
    notifyDone(t`The package is in stock.`);
  };
  return (
    <Modal opened onClose={onClose} title={t`Receive package`} size="lg" fullScreen={isPhone}>
      <ServerForm onSubmit={receive} onDone={onClose} onCancel={onClose} submit={t`Receive`}>
        <CameraScan />
        <Field path="productId">
          {(error) => (
            <StockItemPicker
              size={size}
              label={t`Product`}
              required
              data-autofocus
              error={error}
              item={item}
              onChange={setItem}
            />
          )}
        </Field>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <Field path="inventoryLocationId">
            {(error) => (
              <Select
                size={size}
                label={t`Location`}
                required
                error={error}
                data={choicesOr(locationChoices(locations.data), locations, createHints.locations)}
                value={location}
                onChange={setLocation}
              />
            )}
          </Field>
          <Field path="amount">
            {(error) => (
              <DecimalInput
                size={size}
                label={t`Amount, in ${said(saved.unit).toLowerCase()}`}
                required
                error={error}
                value={amount}
                onChange={setAmount}
              />
            )}
          </Field>
          <CostFields {...{ multiplier, setMultiplier, costPerUnit, setCost, size }} />
        </SimpleGrid>
      </ServerForm>
    </Modal>
  );
}

/** What the goods cost, and how many units a package unit has. */
function CostFields({
  multiplier,
  setMultiplier,
  costPerUnit,
  setCost,
  size,
}: {
  multiplier: string;
  setMultiplier: (multiplier: string) => void;
  costPerUnit: string;
  setCost: (cost: string) => void;
  size: 'lg' | 'sm';
}) {
  return (
    <>
      <Field path="multiplier">
        {(error) => (
          <DecimalInput
            size={size}
            label={t`Stock units per package unit`}
            description={t`Usually 1`}
            error={error}
            value={multiplier}
            onChange={setMultiplier}
          />
        )}
      </Field>
      <Field path="costPerUnit">
        {(error) => (
          <DecimalInput
            size={size}
            label={t`Cost per unit`}
            description={t`In dollars, for the average cost`}
            leftSection="$"
            required
            error={error}
            value={costPerUnit}
            onChange={setCost}
          />
        )}
      </Field>
    </>
  );
}
