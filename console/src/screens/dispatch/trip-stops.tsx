import { ActionIcon, Anchor, Group, Stack, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconX } from '@tabler/icons-react';
import { Link } from 'react-router';
import { StatusBadge, type Tone } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import { SlotTime } from '../orders/order-slot-card.tsx';
import { orderTitle } from '../orders/order-words.ts';
import type { BoardMoves } from './board-moves.ts';
import classes from './dispatch.module.css';
import { dragsOrder, useOrderDrop } from './drag-order.ts';
import { placeOf, stopStatusWords, type Trip, type TripStop } from './trips-query.ts';

const tones: Record<TripStop['status'], Tone> = {
  waiting: 'neutral',
  arrived: 'active',
  delivered: 'good',
  partly: 'good',
  refused: 'bad',
  notHome: 'waiting',
};

/** The stops of a trip in their order; those of a draft are moved by buttons, and dragged. */
export function TripStops({ trip, moves }: { trip: Trip; moves: BoardMoves }) {
  if (trip.stops.length === 0) return <Text c="dimmed">{t`No stops yet.`}</Text>;
  return (
    <Stack gap={4} component="ol" m={0} p={0} style={{ listStyle: 'none' }}>
      {trip.stops.map((stop, index) =>
        trip.status === 'draft' ? (
          <PlannedStop key={stop.id} trip={trip} index={index} moves={moves} />
        ) : (
          <Group key={stop.id} component="li" justify="space-between" wrap="nowrap">
            <StopWords stop={stop} />
            <StatusBadge
              status={stop.status}
              tone={tones[stop.status]}
              label={stopStatusWords[stop.status]}
            />
          </Group>
        ),
      )}
    </Stack>
  );
}

function PlannedStop({ trip, index, moves }: { trip: Trip; index: number; moves: BoardMoves }) {
  const stop = trip.stops[index]!;
  const ids = trip.stops.map(({ orderId }) => orderId);
  const drop = useOrderDrop(
    moves.isMoving ? null : (orderId) => orderId !== stop.orderId && moves.put(trip, [orderId], stop.orderId),
  );
  const moved = (to: number) => ids.toSpliced(index, 1).toSpliced(to, 0, stop.orderId);
  return (
    <Group
      component="li"
      justify="space-between"
      wrap="nowrap"
      className={`${classes.order} ${classes.stop}`}
      data-over={drop.isOver || undefined}
      {...dragsOrder(stop.orderId)}
      {...drop.handlers}
    >
      <StopWords stop={stop} />
      <Group gap={2} wrap="nowrap">
        <StopButton
          label={t`Move ${titleOf(stop)} up`}
          isOff={index === 0 || moves.isMoving}
          icon={<IconArrowUp size={16} aria-hidden />}
          press={() => moves.setStops(trip, moved(index - 1))}
        />
        <StopButton
          label={t`Move ${titleOf(stop)} down`}
          isOff={index === ids.length - 1 || moves.isMoving}
          icon={<IconArrowDown size={16} aria-hidden />}
          press={() => moves.setStops(trip, moved(index + 1))}
        />
        <StopButton
          label={t`Take ${titleOf(stop)} off the trip`}
          isOff={moves.isMoving}
          icon={<IconX size={16} aria-hidden />}
          press={() => moves.setStops(trip, ids.toSpliced(index, 1))}
        />
      </Group>
    </Group>
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
        <Anchor component={Link} to={`/orders/${stop.orderId}`}>
          {titleOf(stop)}
        </Anchor>
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
