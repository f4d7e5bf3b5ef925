import { Alert, Modal, Select, SimpleGrid } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { ConfirmFigure } from '../../parts/confirm-figure.tsx';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { useKeptDraft } from '../../parts/kept-draft.ts';
import { useOnPhone } from '../../parts/on-phone.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { isByGram, type StockItem, StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { CameraScan } from '../../scanner/camera-scan.tsx';
import { rich } from '../../words/rich.ts';
import { said, t } from '../../words/words.ts';
import { amountLeft } from '../purchasing/amount-left.ts';
import { locationChoices, locationsQuery, type Package } from './stock-words.ts';

/** What is typed of a package. */
interface Draft {
  readonly item: StockItem | null;
  readonly location: string | null;
  readonly amount: string;
  readonly multiplier: string;
  readonly costPerUnit: string;
  /** The amount above the announced one that is meant. */
  readonly meant?: string;
}

function isDraft(value: unknown): value is Draft {
  const draft = value as Partial<Draft> | null;
  const isItem = draft?.item === null || typeof draft?.item?.productId === 'number';
  const isLocation = draft?.location === null || typeof draft?.location === 'string';
  const texts = [draft?.amount, draft?.multiplier, draft?.costPerUnit];
  return isItem && isLocation && texts.every((text) => typeof text === 'string');
}

/** What was typed of a package that is not received yet. It outlives a reload and another screen, until it is saved or cancelled. */
export function useReceiveDraft({
  id,
  product,
  productOptionId,
  status,
  initialAmount,
  multiplier,
  costPerUnit,
}: Package) {
  const [blank] = useState<Draft>(() => ({
    item: product && {
      productId: product.id,
      productOptionId,
      label: product.name,
      isByGram: isByGram(product),
    },
    location: null,
    amount: status === 'ready' ? initialAmount : '',
    multiplier: status === 'ready' ? '' : multiplier,
    costPerUnit: costPerUnit ?? '',
  }));
  return useKeptDraft(`receive-package:${id}`, blank, isDraft);
}

/** Receives a package: sets its product and location. It is in stock at once. */
export function ReceivePackageDialog({
  saved,
  draft,
  onReceived,
  onClose,
}: {
  saved: Package;
  draft: ReturnType<typeof useReceiveDraft>;
  onReceived: (received: Package) => void;
  onClose: () => void;
}) {
  const isPhone = useOnPhone();
  const size = isPhone ? 'lg' : 'sm';
  const { item, location, amount, multiplier, costPerUnit, meant } = draft.value;
  const unit = said(saved.unit).toLowerCase();
  // What was received before, the service knows.
  const isMore = amount !== '' && (saved.status !== 'ready' || isAbove(amount, saved.initialAmount));
  const change = (changes: Partial<Draft>) => draft.set((before) => ({ ...before, ...changes }));
  const close = () => {
    draft.drop();
    onClose();
  };
  const undo = useWrite({
    mutationFn: () =>
      dataOf(
        api.POST('/staff/v1/packages/{packageId}/undo-receipt', {
          params: { path: { packageId: saved.id } },
        }),
      ),
    onSuccess: (present) => {
      onReceived(present);
      notifyDone(t`The receipt is undone.`);
    },
    onError: notifyError,
  });
  const receive = async () => {
    const where = {
      ...(item && { productId: item.productId, productOptionId: item.productOptionId }),
      ...(location && { inventoryLocationId: Number(location) }),
    } as { productId: number; inventoryLocationId: number };
    const body = {
      ...{ ...where, amount, costPerUnit },
      ...(multiplier && { multiplier }),
      ...(meant === amount && { confirmExcess: true }),
    };
    const params = { path: { packageId: saved.id } };
    onReceived(await dataOf(api.POST('/staff/v1/packages/{packageId}/receive', { params, body })));
    notifyDone(t`The package is in stock.`, () => undo.mutate());
  };
  return (
    <Modal opened onClose={close} title={t`Receive package`} size="lg" fullScreen={isPhone}>
      <ServerForm onSubmit={receive} onDone={close} onCancel={close} submit={t`Receive`}>
        {draft.keptAt !== null && (
          <Alert color="yellow" title={t`Your entries were saved on this device`}>
            {rich`They are of ${<ShopTime at={new Date(draft.keptAt).toISOString()} />} and not saved yet.`}
          </Alert>
        )}
        <CameraScan />
        <ProductField {...{ item, size }} onChange={change} />
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <LocationField {...{ location, size }} onChange={change} />
          <Field path="amount">
            {(error) => (
              <DecimalInput
                size={size}
                label={t`Amount, in ${unit}`}
                required
                error={error}
                value={amount}
                onChange={(next) => change({ amount: next })}
              />
            )}
          </Field>
          <CostFields {...{ item, multiplier, costPerUnit, size }} onChange={change} />
        </SimpleGrid>
        {isMore && (
          <ConfirmFigure
            question={t`More than the announced ${saved.initialAmount} ${unit}?`}
            yes={t`Yes, ${amount} ${unit}`}
            isConfirmed={meant === amount}
            onConfirm={(isConfirmed) => change({ meant: isConfirmed ? amount : '' })}
          />
        )}
      </ServerForm>
    </Modal>
  );
}

/** Whether there is more of it than was announced; both are decimals as text. */
function isAbove(amount: string, announced: string): boolean {
  return /^\d+(\.\d+)?$/.test(amount) && amountLeft(amount, announced) !== '0';
}

/** What the goods cost, and how many units a package unit has. */
function CostFields({
  item,
  multiplier,
  costPerUnit,
  onChange,
  prefix = '',
  size,
}: OfReception<'item' | 'multiplier' | 'costPerUnit'>) {
  return (
    <>
      <Field path={`${prefix}multiplier`}>
        {(error) => (
          <DecimalInput
            size={size}
            label={t`Stock units per package unit`}
            description={t`Leave empty for pieces and weights, which convert automatically`}
            error={error}
            value={multiplier}
            onChange={(next) => onChange({ multiplier: next })}
          />
        )}
      </Field>
      <Field path={`${prefix}costPerUnit`}>
        {(error) => (
          <DecimalInput
            size={size}
            label={item === null ? t`Cost per unit` : item.isByGram ? t`Cost per gram` : t`Cost per piece`}
            description={t`In dollars, for the average cost`}
            leftSection="$"
            required
            error={error}
            value={costPerUnit}
            onChange={(next) => onChange({ costPerUnit: next })}
          />
        )}
      </Field>
    </>
  );
}

type OfReception<Name extends keyof Draft> = Pick<Draft, Name> & {
  /** The path of the fields in the body: `reception.`. */
  prefix?: string;
  size: 'lg' | 'sm';
  onChange: (changes: Partial<Draft>) => void;
};

function ProductField({ item, prefix = '', size, onChange }: OfReception<'item'>) {
  return (
    <Field path={`${prefix}productId`}>
      {(error) => (
        <StockItemPicker
          size={size}
          label={t`Product`}
          required
          data-autofocus={prefix === '' || undefined}
          error={error}
          item={item}
          onChange={(next) => onChange({ item: next })}
        />
      )}
    </Field>
  );
}

function LocationField({ location, prefix = '', size, onChange }: OfReception<'location'>) {
  const locations = useQuery(locationsQuery);
  return (
    <Field path={`${prefix}inventoryLocationId`}>
      {(error) => (
        <Select
          size={size}
          label={t`Location`}
          required
          error={error}
          data={choicesOr(locationChoices(locations.data), locations, createHints.locations)}
          value={location}
          onChange={(next) => onChange({ location: next })}
        />
      )}
    </Field>
  );
}

export const noReception: Pick<Draft, 'item' | 'location' | 'multiplier' | 'costPerUnit'> = {
  ...{ item: null, location: null, multiplier: '', costPerUnit: '' },
};

/** What a package is, where it goes and what it cost. */
export function ReceptionFields({
  value,
  prefix,
  onChange,
}: {
  value: typeof noReception;
  prefix: string;
  onChange: (changes: Partial<typeof noReception>) => void;
}) {
  const common = { ...value, prefix, size: 'sm', onChange } as const;
  return (
    <>
      <ProductField {...common} />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <LocationField {...common} />
        <CostFields {...common} />
      </SimpleGrid>
    </>
  );
}
