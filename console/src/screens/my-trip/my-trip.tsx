import { Alert, Badge, Button, Group, Stack, Text } from '@mantine/core';
import { IconCloudUpload } from '@tabler/icons-react';
import { useState } from 'react';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { shopTime } from '../../parts/shop-time.tsx';
import { notifyRefusal } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useSession } from '../../session/session.tsx';
import { isOpen, isToDo, type QueuedAct, type Trip, type TripAct } from '../../trip/trip-acts.ts';
import { useTrip } from '../../trip/use-trip.ts';
import { said, t } from '../../words/words.ts';
import classes from './my-trip.module.css';
import { PositionSwitch } from './position-switch.tsx';
import { StopCard } from './stop-card.tsx';

/** The trip of the signed-in driver, made for a phone in one hand. It goes on without a line: what is done is sent later. */
export function Component() {
  const { trip, error, retry, waiting, refused, act } = useTrip();
  // A second tap, before the act shows, is none.
  const { mutate: onAct } = useWrite({
    mutationFn: act,
    onError: () => notifyRefusal(t`This phone could not keep it. Nothing was done: try again.`, t`Not saved`),
  });
  if (trip === undefined) return error ? <LoadFailure error={error} onRetry={retry} /> : null;
  return (
    <Page kind="form">
      <PageHeader title={t`My trip`}>{trip?.vehicle.name}</PageHeader>
      {trip === null ? (
        <EmptyState title={t`You have no trip`}>
          {t`It appears here once the dispatcher has planned it for you.`}
        </EmptyState>
      ) : (
        <div className={classes.page}>
          <TripHead trip={trip} waiting={waiting} onAct={onAct} />
          <Refused trip={trip} refused={refused} />
          <ol className={classes.stops} aria-label={t`Stops`}>
            {stopsInOrder(trip).map((stop, index) => (
              <StopCard
                key={stop.id}
                trip={trip}
                stop={stop}
                isNext={index === 0 && isToDo(stop)}
                onAct={onAct}
              />
            ))}
          </ol>
          <PositionSwitch trip={trip} />
        </div>
      )}
    </Page>
  );
}

/** What is to do first. */
const stopsInOrder = ({ stops }: Trip) =>
  stops.toSorted(
    (one, other) => Number(isToDo(other)) - Number(isToDo(one)) || one.position - other.position,
  );

function TripHead({
  trip,
  waiting,
  onAct,
}: {
  trip: Trip;
  waiting: readonly QueuedAct[];
  onAct: (act: TripAct) => void;
}) {
  const [isReturning, setReturning] = useState(false);
  const open = trip.stops.filter(isOpen).length;
  const waitsForState = trip.status === 'loaded' && trip.stateReport?.isKnown === false;
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Text>{t`${String(trip.stops.length - open)} of ${String(trip.stops.length)} stops done`}</Text>
        {waiting.length > 0 && (
          <Badge
            size="lg"
            color="yellow"
            variant="light"
            role="status"
            leftSection={<IconCloudUpload size={16} aria-hidden />}
          >
            {t`${String(waiting.length)} waiting to be sent`}
          </Badge>
        )}
      </Group>
      {trip.status === 'draft' && <Alert>{t`The vehicle is not loaded yet.`}</Alert>}
      {waitsForState && (
        <Alert color="yellow" title={t`The trip waits for the state`}>
          {trip.stateReport?.words}
        </Alert>
      )}
      {trip.status === 'loaded' && (
        <Button size="lg" disabled={waitsForState} onClick={() => onAct({ kind: 'depart' })}>
          {t`Depart`}
        </Button>
      )}
      {trip.status === 'out' && (
        <Button
          size="lg"
          variant={open === 0 ? 'filled' : 'default'}
          onClick={() => (open === 0 ? onAct({ kind: 'return' }) : setReturning(true))}
        >
          {t`I am back at the shop`}
        </Button>
      )}
      {trip.status === 'back' && (
        <Alert color="teal">{t`You are back. Hand the goods and the cash to the dispatcher.`}</Alert>
      )}
      <ConfirmDialog
        opened={isReturning}
        title={t`End the trip with stops left?`}
        action={t`I am back`}
        onConfirm={async () => onAct({ kind: 'return' })}
        onClose={() => setReturning(false)}
      >
        {t`${String(open)} stops are not done. They count as not home, and their goods come back.`}
      </ConfirmDialog>
    </Stack>
  );
}

/** What the service refused later, with its words: those that the dispatcher has as a task, and those that are still to be told. */
function Refused({ trip, refused }: { trip: Trip; refused: readonly QueuedAct[] }) {
  const { tz } = useSession().organization;
  const told = trip.unsentActs.filter(({ settledAt }) => settledAt === null);
  if (told.length + refused.length === 0) return null;
  const line = (kind: string, stopId: number | null, occurredAt: string, refusal: string | null) => {
    const stop = trip.stops.find(({ id }) => id === stopId);
    const where = stop ? t`stop ${String(stop.position + 1)}` : t`the trip`;
    return `${[said(kindWords[kind] ?? kind), where, shopTime(occurredAt, tz, 'time')].join(', ')}: ${refusal ?? ''}`;
  };
  return (
    <Alert color="red" role="alert" title={t`The service did not take everything`}>
      <ul className={classes.items}>
        {told.map(({ id, kind, stopId, occurredAt, refusal }) => (
          <li key={id}>{line(kind, stopId, occurredAt, refusal)}</li>
        ))}
        {refused.map(({ actKey, act, occurredAt, refusal }) => (
          <li key={actKey}>{line(act.kind, 'stopId' in act ? act.stopId : null, occurredAt, refusal)}</li>
        ))}
      </ul>
      <Text size="sm" mt="xs">
        {refused.length === 0
          ? t`The dispatcher has it as a task. Keep the goods and the cash of these stops apart until it is settled.`
          : t`Call the dispatcher, who does not know of it yet. Keep the goods and the cash of these stops apart.`}
      </Text>
    </Alert>
  );
}

const kindWords: Readonly<Record<string, string>> = {
  depart: t`Depart`,
  return: t`Return`,
  arrive: t`Arrived`,
  deliver: t`Hand over`,
  refuse: t`Refuse`,
  'not-home': t`Not home`,
};
