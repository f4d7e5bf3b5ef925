import { ActionIcon, Alert, Button, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconPrinter, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import { SlotTime } from '../orders/order-slot-card.tsx';
import { orderTitle } from '../orders/order-words.ts';
import { CloseTripDialog, LoadTripDialog, SettleActDialog, UnloadTripDialog } from './trip-dialogs.tsx';
import {
  placeOf,
  stopStatusWords,
  type Trip,
  type TripStop,
  tripStatusWords,
  useTripAct,
} from './trips-query.ts';

const tones: Record<Trip['status'], Tone> = {
  draft: 'neutral',
  loaded: 'ready',
  out: 'active',
  back: 'waiting',
  closed: 'good',
};
const stopTones: Record<TripStop['status'], Tone> = {
  waiting: 'neutral',
  arrived: 'active',
  delivered: 'good',
  partly: 'good',
  refused: 'bad',
  notHome: 'waiting',
};

/** A trip: who drives what, its stops in their order, and what comes next. */
export function TripCard({ trip }: { trip: Trip }) {
  const { driver, vehicle, totals } = trip;
  const isDone = trip.status === 'back' || trip.status === 'closed';
  return (
    <SectionCard
      title={`${driver.firstName} ${driver.lastName} · ${vehicle.name}`}
      hint={
        <Group gap="xs">
          <StatusBadge status={trip.status} tone={tones[trip.status]} label={tripStatusWords[trip.status]} />
          <span>{vehicle.licensePlate}</span>
          {(trip.departedAt ?? trip.plannedDepartureAt) !== null && (
            <ShopTime at={(trip.departedAt ?? trip.plannedDepartureAt)!} />
          )}
        </Group>
      }
    >
      <Stack>
        <Stops trip={trip} />
        {isDone && (
          <Text size="sm">
            {t`${totals.delivered} delivered, ${totals.notDelivered} not. Sales and tips:`}{' '}
            <Money cents={totals.sales + totals.tips} />
          </Text>
        )}
        <UnsentActs trip={trip} />
        <TripActs trip={trip} />
      </Stack>
    </SectionCard>
  );
}

function Stops({ trip }: { trip: Trip }) {
  const set = (orderIds: string[]) =>
    dataOf(
      api.PUT('/staff/v1/trips/{tripId}/stops', {
        params: { path: { tripId: trip.id } },
        body: { orderIds },
      }),
    );
  const [next, setNext] = useState<string[]>([]);
  const save = useTripAct(() => set(next));
  const change = (orderIds: string[]) => {
    setNext(orderIds);
    // After the next render, which has them.
    requestAnimationFrame(() => save.mutate());
  };
  const ids = trip.stops.map(({ orderId }) => orderId);
  const moved = (from: number, to: number) => {
    const rest = ids.filter((_, index) => index !== from);
    return [...rest.slice(0, to), ids[from]!, ...rest.slice(to)];
  };
  if (trip.stops.length === 0) return <Text c="dimmed">{t`No stops yet.`}</Text>;
  return (
    <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {trip.stops.map((stop, index) => (
        <Group key={stop.id} component="li" justify="space-between" wrap="nowrap">
          <StopWords stop={stop} />
          {trip.status === 'draft' ? (
            <Group gap={2} wrap="nowrap">
              <StopButton
                label={t`Move ${titleOf(stop)} up`}
                isOff={index === 0 || save.isPending}
                icon={<IconArrowUp size={16} aria-hidden />}
                press={() => change(moved(index, index - 1))}
              />
              <StopButton
                label={t`Move ${titleOf(stop)} down`}
                isOff={index === ids.length - 1 || save.isPending}
                icon={<IconArrowDown size={16} aria-hidden />}
                press={() => change(moved(index, index + 1))}
              />
              <StopButton
                label={t`Take ${titleOf(stop)} off the trip`}
                isOff={save.isPending}
                icon={<IconX size={16} aria-hidden />}
                press={() => change(ids.filter((id) => id !== stop.orderId))}
              />
            </Group>
          ) : (
            <StatusBadge
              status={stop.status}
              tone={stopTones[stop.status]}
              label={stopStatusWords[stop.status]}
            />
          )}
        </Group>
      ))}
    </Stack>
  );
}

function StopButton(props: { label: string; isOff: boolean; icon: React.ReactNode; press: () => void }) {
  return (
    <ActionIcon variant="subtle" aria-label={props.label} disabled={props.isOff} onClick={props.press}>
      {props.icon}
    </ActionIcon>
  );
}

const titleOf = ({ orderNumber, orderId }: TripStop) => orderTitle({ number: orderNumber, id: orderId });

function StopWords({ stop }: { stop: TripStop }) {
  return (
    <div>
      <Text span fw={600}>
        <Link to={`/orders/${stop.orderId}`}>{titleOf(stop)}</Link>
      </Text>{' '}
      <Text span>{placeOf(stop)}</Text>
      {stop.window !== null && (
        <Text size="sm">
          <SlotTime slot={stop.window} />
        </Text>
      )}
      {stop.reason !== null && (
        <Text size="sm" c="dimmed">
          {stop.reason}
        </Text>
      )}
    </div>
  );
}

/** What the driver did without a line and the service did not take. */
function UnsentActs({ trip }: { trip: Trip }) {
  const [settling, setSettling] = useState<number | null>(null);
  const open = trip.unsentActs.filter(({ settledAt }) => settledAt === null);
  return (
    <>
      {open.map((act) => (
        <Alert key={act.id} color="yellow" title={t`The service did not take what the driver did`}>
          <Group justify="space-between">
            <span>{act.refusal}</span>
            <Button size="xs" variant="default" onClick={() => setSettling(act.id)}>
              {t`Settle`}
            </Button>
          </Group>
        </Alert>
      ))}
      {settling !== null && (
        <SettleActDialog tripId={trip.id} unsentActId={settling} onClose={() => setSettling(null)} />
      )}
    </>
  );
}

type Asked = 'load' | 'unload' | 'close';

/** The acts that the status of the trip allows. */
function TripActs({ trip }: { trip: Trip }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const params = { path: { tripId: trip.id } };
  const suggest = useTripAct(async () => {
    const { orderIds } = await dataOf(api.GET('/staff/v1/trips/{tripId}/suggested-stops', { params }));
    return dataOf(api.PUT('/staff/v1/trips/{tripId}/stops', { params, body: { orderIds } }));
  });
  const depart = useTripAct(() => dataOf(api.POST('/staff/v1/trips/{tripId}/depart', { params, body: {} })));
  const comeBack = useTripAct(() =>
    dataOf(api.POST('/staff/v1/trips/{tripId}/return', { params, body: {} })),
  );
  const { status, stops } = trip;
  const close = () => setAsked(null);
  return (
    <Group>
      {status === 'draft' && (
        <>
          <Button disabled={stops.length === 0} onClick={() => setAsked('load')}>{t`Load`}</Button>
          <Button
            variant="default"
            disabled={stops.length < 2}
            loading={suggest.isPending}
            onClick={() => suggest.mutate()}
          >
            {t`Suggest an order`}
          </Button>
        </>
      )}
      {status === 'loaded' && (
        <>
          <Button loading={depart.isPending} onClick={() => depart.mutate()}>{t`Leave`}</Button>
          <Button variant="default" onClick={() => setAsked('unload')}>{t`Unload`}</Button>
        </>
      )}
      {status === 'out' && (
        <Button loading={comeBack.isPending} onClick={() => comeBack.mutate()}>{t`Is back`}</Button>
      )}
      {(status === 'back' || (status === 'draft' && stops.length === 0)) && (
        <Button variant={status === 'back' ? 'filled' : 'default'} onClick={() => setAsked('close')}>
          {t`Close the trip`}
        </Button>
      )}
      {stops.length > 0 && (
        <Button
          variant="default"
          component={Link}
          to={`/print/manifest?trip=${trip.id}`}
          leftSection={<IconPrinter size={18} aria-hidden />}
        >
          {t`Manifest`}
        </Button>
      )}
      {asked === 'load' && <LoadTripDialog trip={trip} onClose={close} />}
      {asked === 'unload' && <UnloadTripDialog trip={trip} onClose={close} />}
      {asked === 'close' && <CloseTripDialog trip={trip} onClose={close} />}
    </Group>
  );
}
