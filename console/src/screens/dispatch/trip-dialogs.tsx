import { Modal, MultiSelect, Select, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { t } from '../../words/words.ts';
import { orderTitle } from '../orders/order-words.ts';
import { locationsQuery } from '../settings/setting-lists.ts';
import { boardQuery, driversQuery, placeOf, refreshTrips, type Trip } from './trips-query.ts';

interface DialogProps {
  readonly trip: Trip;
  readonly onClose: () => void;
}

/** Puts the goods into the vehicle; a driver with a drawer gets the cash for change. */
export function LoadTripDialog({ trip, onClose }: DialogProps) {
  const client = useQueryClient();
  const drivers = useQuery(driversQuery);
  const [float, setFloat] = useState<number | null>(null);
  const hasDrawer = drivers.data?.find(({ id }) => id === trip.driver.id)?.registerId != null;
  const send = async () => {
    const params = { path: { tripId: trip.id } };
    const body = hasDrawer && float !== null ? { float } : {};
    await dataOf(api.POST('/staff/v1/trips/{tripId}/load', { params, body }));
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Load ${trip.vehicle.name}`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Load`}>
        <Text size="sm">{t`The goods of the orders move to the vehicle. The limit of what it may carry is checked first.`}</Text>
        {hasDrawer && (
          <Field path="float">
            {(error) => (
              <MoneyInput
                label={t`Cash in the drawer`}
                description={t`Leave empty if the drawer is already open.`}
                error={error}
                cents={float}
                onChange={setFloat}
              />
            )}
          </Field>
        )}
      </ServerForm>
    </Modal>
  );
}

/** Puts more orders into the vehicle of a trip that came by the shop. */
export function RestockTripDialog({ trip, onClose }: DialogProps) {
  const client = useQueryClient();
  const board = useQuery(boardQuery(null));
  const [orderIds, setOrderIds] = useState<string[]>([]);
  const send = async () => {
    const params = { path: { tripId: trip.id } };
    await dataOf(api.POST('/staff/v1/trips/{tripId}/restock', { params, body: { orderIds } }));
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Load ${trip.vehicle.name}`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Load more`}>
        <Text size="sm">{t`For a driver who is at the shop. The trip leaves again once the state knows what is loaded.`}</Text>
        <Field path="orderIds">
          {(error) => (
            <MultiSelect
              label={t`Orders`}
              required
              searchable
              error={error}
              data={choicesOr(
                (board.data?.waiting ?? []).map((it) => ({
                  value: it.orderId,
                  label: `${orderTitle({ number: it.orderNumber, id: it.orderId })} · ${placeOf(it)}`,
                })),
                board,
                t`Accept a delivery first.`,
              )}
              value={orderIds}
              onChange={setOrderIds}
            />
          )}
        </Field>
      </ServerForm>
    </Modal>
  );
}

/** Where goods go: the locations of the shop, without vehicles. */
function PlaceField({
  path,
  label,
  value,
  onChange,
}: {
  path: string;
  label: string;
  value: string | null;
  onChange: (value: string | null) => void;
}) {
  const locations = useQuery(locationsQuery);
  const places = (locations.data ?? []).filter(
    ({ archivedAt, type }) => archivedAt === null && type === 'standard',
  );
  return (
    <Field path={path}>
      {(error) => (
        <Select
          label={label}
          required
          error={error}
          data={choicesOr(
            places.map(({ id, name }) => ({ value: String(id), label: name })),
            locations,
            createHints.locations,
          )}
          value={value}
          onChange={onChange}
        />
      )}
    </Field>
  );
}

/** Takes the goods of a trip that has not left out of the vehicle. */
export function UnloadTripDialog({ trip, onClose }: DialogProps) {
  const client = useQueryClient();
  const [place, setPlace] = useState<string | null>(null);
  const send = async () => {
    const params = { path: { tripId: trip.id } };
    const body = { toInventoryLocationId: Number(place) };
    await dataOf(api.POST('/staff/v1/trips/{tripId}/unload', { params, body }));
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Unload ${trip.vehicle.name}`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Unload`}>
        <PlaceField path="toInventoryLocationId" label={t`Goods go to`} value={place} onChange={setPlace} />
      </ServerForm>
    </Modal>
  );
}

/** Lets a trip leave of which the state does not know, with the reason. */
export function LeaveWithoutStateDialog({ trip, onClose }: DialogProps) {
  const client = useQueryClient();
  const [withoutState, setWithoutState] = useState('');
  const send = async () => {
    const params = { path: { tripId: trip.id } };
    await dataOf(api.POST('/staff/v1/trips/{tripId}/depart', { params, body: { withoutState } }));
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Leave without the state`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Leave`}>
        <Text size="sm">{t`The law asks that the state knows of a trip before it leaves. The reports go out later, and the reason is kept.`}</Text>
        <TextField
          path="withoutState"
          label={t`Reason`}
          required
          maxLength={500}
          value={withoutState}
          onChange={setWithoutState}
        />
      </ServerForm>
    </Modal>
  );
}

const goesTo = { stock: t`Good: back to stock`, quarantine: t`Quarantine`, waste: t`Waste` } as const;
type GoesTo = keyof typeof goesTo;

/** Counts what came back: each good is looked at, and the driver's cash is counted without knowing what is expected. */
export function CloseTripDialog({ trip, onClose }: DialogProps) {
  const client = useQueryClient();
  const [place, setPlace] = useState<string | null>(null);
  const [verdicts, setVerdicts] = useState<Readonly<Record<number, GoesTo>>>({});
  const [counted, setCounted] = useState<number | null>(null);
  const isBack = trip.status === 'back';
  const send = async () => {
    await dataOf(
      api.POST('/staff/v1/trips/{tripId}/close', {
        params: { path: { tripId: trip.id } },
        body: {
          toInventoryLocationId: Number(place),
          goods: trip.goods.map(({ productId, productOptionId, packageId, amount }, index) => ({
            ...{ productId, productOptionId, packageId, amount },
            to: verdicts[index] ?? 'stock',
          })),
          ...(trip.drawer !== null && counted !== null && { counts: [{ paymentTypeId: null, counted }] }),
        },
      }),
    );
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Close the trip`} size="lg">
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Close the trip`}>
        <PlaceField
          path="toInventoryLocationId"
          label={t`Good ones go to`}
          value={place}
          onChange={setPlace}
        />
        <Stack gap="xs">
          {trip.goods.map(({ productName, packageLabel, amount }, index) => (
            <Select
              key={`${productName} ${packageLabel ?? ''}`}
              label={`${amount} × ${productName}${packageLabel === null ? '' : ` · ${packageLabel}`}`}
              data={Object.entries(goesTo).map(([value, label]) => ({ value, label }))}
              allowDeselect={false}
              value={verdicts[index] ?? 'stock'}
              onChange={(value) => setVerdicts({ ...verdicts, [index]: (value ?? 'stock') as GoesTo })}
            />
          ))}
          {isBack && trip.goods.length === 0 && <Text size="sm">{t`No goods are left in the vehicle.`}</Text>}
        </Stack>
        {isBack && trip.drawer !== null && (
          <Field path="counts">
            {(error) => (
              <MoneyInput
                label={t`Cash counted`}
                description={t`All cash in the driver's drawer, tips included.`}
                error={error}
                cents={counted}
                onChange={setCounted}
              />
            )}
          </Field>
        )}
      </ServerForm>
    </Modal>
  );
}

/** Says what became of an act of the driver that was not taken. */
export function SettleActDialog({
  tripId,
  unsentActId,
  onClose,
}: {
  tripId: number;
  unsentActId: number;
  onClose: () => void;
}) {
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const send = async () => {
    const params = { path: { tripId, unsentActId } };
    await dataOf(
      api.POST('/staff/v1/trips/{tripId}/unsent-acts/{unsentActId}/settle', { params, body: { note } }),
    );
    await refreshTrips(client);
  };
  return (
    <Modal opened onClose={onClose} title={t`Settle`}>
      <ServerForm onSubmit={send} onDone={onClose} onCancel={onClose} submit={t`Settle`}>
        <TextField path="note" label={t`What was done about it`} required value={note} onChange={setNote} />
      </ServerForm>
    </Modal>
  );
}
