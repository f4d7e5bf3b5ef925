import { Alert, Autocomplete, Modal, SegmentedControl, Select, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api.ts';
import { AmountInput } from '../../parts/amount-input.tsx';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { type StockItem, StockItemPicker } from '../../parts/stock-item-picker.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useKeyedWrite } from '../../parts/use-keyed-write.ts';
import { t } from '../../words/words.ts';
import { stateConnectionsQuery } from '../settings/state-pages-queries.ts';
import {
  amountIn,
  itemName,
  locationChoices,
  locationsQuery,
  type StockLevel,
  unitWord,
} from './stock-words.ts';

/** The stock actions; without a level the dialog asks for item and location. `adds`: goods are taken in. */
export type StockTask =
  | { readonly kind: 'adjust'; readonly level: StockLevel | null; readonly adds?: boolean }
  | { readonly kind: 'count' | 'move'; readonly level: StockLevel };

const titles = { adjust: t`Adjust stock`, count: t`Count stock`, move: t`Move stock` } as const;

/** Changes stock at a location, with a reason for the ledger. Sent again after a lost answer, it is done once. */
export function StockDialog({ task, onClose }: { task: StockTask; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title={titles[task.kind]}>
      {task.kind === 'adjust' && (
        <AdjustForm level={task.level} adds={task.adds ?? false} onClose={onClose} />
      )}
      {task.kind === 'count' && <CountForm level={task.level} onClose={onClose} />}
      {task.kind === 'move' && <MoveForm level={task.level} onClose={onClose} />}
    </Modal>
  );
}

const reasons = [
  t`Broken`,
  t`Missing`,
  t`Found`,
  t`Display`,
  t`Sample for staff`,
  t`Destroyed`,
  t`Received in error`,
];

/** Sends a stock change once, then refreshes the lists, also if an earlier send was already saved. */
function useStockWrite<Body, Data>(
  send: Parameters<typeof useKeyedWrite<Body, Data>>[0],
  inWords: (data: Data) => string,
): (body: Body) => Promise<void> {
  const queryClient = useQueryClient();
  const known = (data: Data): string => {
    for (const key of ['inventory', 'inventory-ledger', 'packages']) {
      void queryClient.invalidateQueries({ queryKey: [key] });
    }
    return inWords(data);
  };
  const write = useKeyedWrite(send, known);
  return async (body) => notifyDone(known(await write(body)));
}

function bodyOf(level: StockLevel) {
  const { productId, productOptionId, packageId } = level;
  return { productId, productOptionId, packageId };
}

function LevelFacts({ level }: { level: StockLevel }) {
  return (
    <Alert color="gray" variant="light">
      <Text size="sm" fw={600}>
        {itemName(level)}
      </Text>
      <Text size="sm" className="numbers">
        {level.locationName}
        {t`${level.packageLabel && t`, package ${level.packageLabel}`}: ${amountIn(level.onHand, level.unit)} on hand`}
      </Text>
    </Alert>
  );
}

function ReasonField({
  reason,
  onChange,
  required = false,
}: {
  reason: string;
  onChange: (reason: string) => void;
  required?: boolean;
}) {
  // A reason of the state is what the report to it names.
  const { data: licenses = [] } = useQuery(stateConnectionsQuery);
  const ofStates = licenses.flatMap((it) => it.adjustmentReasons);
  return (
    <Field path="reason">
      {(error) => (
        <Autocomplete
          label={t`Reason`}
          description={t`Recorded in the ledger`}
          required={required}
          data={[...new Set([...ofStates, ...reasons])]}
          maxLength={500}
          error={error}
          value={reason}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

function AdjustForm({
  level,
  adds,
  onClose,
}: {
  level: StockLevel | null;
  adds: boolean;
  onClose: () => void;
}) {
  const [item, setItem] = useState<StockItem | null>(null);
  const itemUnit = item && (item.isByGram ? 'gram' : 'item');
  const unit = level?.unit ?? itemUnit;
  const inUnit = (of: string) => (unit === null ? of : amountIn(of, unit));
  const adjust = useStockWrite(
    (
      body: { productId: number; inventoryLocationId: number; delta: string; reason: string },
      idempotencyKey,
    ) => api.POST('/staff/v1/inventory-adjustments', { body: { ...body, idempotencyKey } }),
    ({ delta, onHand }) => t`Adjusted by ${inUnit(delta)}: ${inUnit(onHand)} on hand.`,
  );
  const [way, setWay] = useState<'take' | 'add'>(adds ? 'add' : 'take');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [location, setLocation] = useState<string | null>(null);
  const send = async () => {
    const where = level
      ? { ...bodyOf(level), inventoryLocationId: level.inventoryLocationId }
      : {
          ...(item && { productId: item.productId, productOptionId: item.productOptionId }),
          ...(location && { inventoryLocationId: Number(location) }),
        };
    await adjust({
      ...(where as { productId: number; inventoryLocationId: number }),
      delta: way === 'take' && amount !== '' ? `-${amount}` : amount,
      reason: reason.trim(),
    });
  };
  return (
    <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Adjust`}>
      {level ? (
        <LevelFacts level={level} />
      ) : (
        <ItemAndLocation item={item} onItem={setItem} location={location} onLocation={setLocation} />
      )}
      <SegmentedControl
        aria-label={t`Direction`}
        fullWidth
        data={[
          { value: 'take', label: t`Remove` },
          { value: 'add', label: t`Add` },
        ]}
        value={way}
        onChange={(value) => setWay(value as typeof way)}
      />
      <Field path="delta">
        {(error) => (
          <AmountInput
            before={level?.onHand ?? null}
            label={unit === null ? t`Amount` : t`Amount, in ${unitWord(unit)}`}
            {...(unit !== null && { unit: unitWord(unit) })}
            required
            data-autofocus={level !== null || undefined}
            error={error}
            value={amount}
            onChange={setAmount}
          />
        )}
      </Field>
      <ReasonField reason={reason} onChange={setReason} required />
    </ServerForm>
  );
}

function ItemAndLocation({
  item,
  onItem,
  location,
  onLocation,
}: {
  item: StockItem | null;
  onItem: (item: StockItem | null) => void;
  location: string | null;
  onLocation: (location: string | null) => void;
}) {
  const locations = useQuery(locationsQuery);
  return (
    <>
      <Field path="productId">
        {(error) => (
          <StockItemPicker
            label={t`Item`}
            required
            data-autofocus
            error={error}
            item={item}
            onChange={onItem}
          />
        )}
      </Field>
      <Field path="inventoryLocationId">
        {(error) => (
          <Select
            label={t`Location`}
            description={t`Stock without a package`}
            required
            error={error}
            data={choicesOr(locationChoices(locations.data), locations, createHints.locations)}
            value={location}
            onChange={onLocation}
          />
        )}
      </Field>
    </>
  );
}

function CountForm({ level, onClose }: { level: StockLevel; onClose: () => void }) {
  const saveCount = useStockWrite(
    (typed: { counted: string; reason: string | null }, idempotencyKey) =>
      api.POST('/staff/v1/inventory-counts', {
        body: {
          inventoryLocationId: level.inventoryLocationId,
          lines: [{ ...bodyOf(level), counted: typed.counted }],
          reason: typed.reason,
          idempotencyKey,
        },
      }),
    ({ lines: [line] }) =>
      !line || line.difference === '0'
        ? t`Counted. It matches the ledger.`
        : t`Counted ${amountIn(line.counted, level.unit)}. Difference: ${amountIn(line.difference, level.unit)}.`,
  );
  const [counted, setCounted] = useState('');
  const [reason, setReason] = useState('');
  const send = () => saveCount({ counted, reason: reason.trim() || null });
  return (
    <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Save count`}>
      <LevelFacts level={level} />
      <Field path="lines[0].counted">
        {(error) => (
          <AmountInput
            before={level.onHand}
            unit={unitWord(level.unit)}
            label={t`Counted, in ${unitWord(level.unit)}`}
            description={t`The total at this location`}
            required
            data-autofocus
            error={error}
            value={counted}
            onChange={setCounted}
          />
        )}
      </Field>
      <ReasonField reason={reason} onChange={setReason} />
    </ServerForm>
  );
}

function MoveForm({ level, onClose }: { level: StockLevel; onClose: () => void }) {
  const locations = useQuery(locationsQuery);
  const others = locationChoices(locations.data).filter(
    ({ value }) => value !== String(level.inventoryLocationId),
  );
  const move = useStockWrite(
    (body: { toInventoryLocationId: number; amount: string; reason: string | null }, idempotencyKey) =>
      api.POST('/staff/v1/inventory-transfers', {
        body: {
          ...bodyOf(level),
          fromInventoryLocationId: level.inventoryLocationId,
          ...body,
          idempotencyKey,
        },
      }),
    ({ fromOnHand, toOnHand }) =>
      t`Moved. ${amountIn(fromOnHand, level.unit)} remain here, ${amountIn(toOnHand, level.unit)} at the other location.`,
  );
  const [to, setTo] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const send = () =>
    move({
      ...({ toInventoryLocationId: to ? Number(to) : undefined } as { toInventoryLocationId: number }),
      amount,
      reason: reason.trim() || null,
    });
  return (
    <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Move`}>
      <LevelFacts level={level} />
      <Field path="toInventoryLocationId">
        {(error) => (
          <Select
            label={t`To`}
            required
            data-autofocus
            error={error}
            data={choicesOr(others, locations, t`Add another location under Inventory, Locations.`)}
            value={to}
            onChange={setTo}
          />
        )}
      </Field>
      <Field path="amount">
        {(error) => (
          <DecimalInput
            label={t`Amount, in ${unitWord(level.unit)}`}
            required
            error={error}
            value={amount}
            onChange={setAmount}
          />
        )}
      </Field>
      <ReasonField reason={reason} onChange={setReason} />
    </ServerForm>
  );
}
