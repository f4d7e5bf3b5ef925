import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import type { BoardMoves } from './board-moves.ts';
import classes from './dispatch.module.css';
import { useOrderDrop } from './drag-order.ts';
import {
  CloseTripDialog,
  LeaveWithoutStateDialog,
  LoadTripDialog,
  RestockTripDialog,
  SettleActDialog,
  UnloadTripDialog,
} from './trip-dialogs.tsx';
import { TripStops } from './trip-stops.tsx';
import { type Trip, tripStatusWords, useTripAct } from './trips-query.ts';

const tones: Record<Trip['status'], Tone> = {
  draft: 'neutral',
  loaded: 'ready',
  out: 'active',
  back: 'waiting',
  closed: 'good',
};
/** A trip: who drives what, its stops in their order, and what comes next. */
export function TripCard({ trip, moves }: { trip: Trip; moves: BoardMoves }) {
  const { driver, vehicle, totals } = trip;
  const drop = useOrderDrop(
    trip.status === 'draft' && !moves.isMoving ? (orderId) => moves.put(trip, [orderId]) : null,
  );
  const isDone = trip.status === 'back' || trip.status === 'closed';
  return (
    <div className={classes.place} data-over={drop.isOver || undefined} {...drop.handlers}>
      <SectionCard
        title={`${driver.firstName} ${driver.lastName} · ${vehicle.name}`}
        hint={
          <Group gap="xs">
            <StatusBadge
              status={trip.status}
              tone={tones[trip.status]}
              label={tripStatusWords[trip.status]}
            />
            <span>{vehicle.licensePlate}</span>
            {(trip.departedAt ?? trip.plannedDepartureAt) !== null && (
              <ShopTime at={(trip.departedAt ?? trip.plannedDepartureAt)!} />
            )}
          </Group>
        }
      >
        <Stack>
          <TripStops trip={trip} moves={moves} />
          <Carried trip={trip} />
          {isDone && (
            <Text size="sm">
              {t`${totals.delivered} delivered, ${totals.notDelivered} not. Sales and tips:`}{' '}
              <Money cents={totals.sales + totals.tips} />
            </Text>
          )}
          <StateNotice trip={trip} />
          <UnsentActs trip={trip} />
          <TripActs trip={trip} />
        </Stack>
      </SectionCard>
    </div>
  );
}

/** What the vehicle carries of cannabis, beside what the law lets it carry. */
function Carried({ trip: { carried, status } }: { trip: Trip }) {
  const { value, limit } = carried;
  if (status === 'back' || status === 'closed' || value === 0) return null;
  if (limit === null) return <Text size="sm">{t`Carries cannabis for ${dollars(value)}.`}</Text>;
  const isOver = value > limit;
  const words = isOver
    ? t`Carries cannabis for ${dollars(value)}: ${dollars(value - limit)} more than the law allows.`
    : t`Carries cannabis for ${dollars(value)} of ${dollars(limit)} that the law allows.`;
  return (
    <div>
      <Text size="sm" fw={isOver ? 600 : undefined}>
        {words}
      </Text>
      <Progress
        value={Math.min(100, (value / limit) * 100)}
        color={isOver ? 'red' : undefined}
        mt={4}
        aria-label={words}
      />
    </div>
  );
}

/** What the state does not know yet; a manager may let the trip leave all the same. */
function StateNotice({ trip }: { trip: Trip }) {
  const [isLeaving, setIsLeaving] = useState(false);
  const mayLeave = useCan('sendStateReportAgain');
  if (trip.status !== 'loaded' || trip.stateReport?.isKnown !== false) return null;
  return (
    <Alert color="yellow" title={t`The trip waits for the state`}>
      <Group justify="space-between">
        <span>{trip.stateReport.words}</span>
        {mayLeave && (
          <Button size="xs" variant="default" onClick={() => setIsLeaving(true)}>
            {t`Leave without the state`}
          </Button>
        )}
      </Group>
      {isLeaving && <LeaveWithoutStateDialog trip={trip} onClose={() => setIsLeaving(false)} />}
    </Alert>
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

type Asked = 'load' | 'restock' | 'unload' | 'close';

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
          {trip.departedAt === null && (
            <Button variant="default" onClick={() => setAsked('unload')}>{t`Unload`}</Button>
          )}
        </>
      )}
      {status === 'out' && (
        <>
          <Button loading={comeBack.isPending} onClick={() => comeBack.mutate()}>{t`Is back`}</Button>
          <Button variant="default" onClick={() => setAsked('restock')}>{t`Load more`}</Button>
        </>
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
      {asked === 'restock' && <RestockTripDialog trip={trip} onClose={close} />}
      {asked === 'unload' && <UnloadTripDialog trip={trip} onClose={close} />}
      {asked === 'close' && <CloseTripDialog trip={trip} onClose={close} />}
    </Group>
  );
}
