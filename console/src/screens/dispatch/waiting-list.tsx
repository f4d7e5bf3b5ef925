import { Button, Checkbox, Group, Menu, Stack, Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { plural, t } from '../../words/words.ts';
import { SlotTime } from '../orders/order-slot-card.tsx';
import { orderTitle } from '../orders/order-words.ts';
import type { BoardMoves } from './board-moves.ts';
import type { DeliveryGroup, GroupedBy } from './delivery-groups.ts';
import classes from './dispatch.module.css';
import { dragsOrder, useOrderDrop } from './drag-order.ts';
import { type Delivery, placeOf, type Trip } from './trips-query.ts';

/** The deliveries that wait, to be dragged onto a trip or a driver, or picked and put there. A stop that is dropped here waits again. */
export function WaitingList({
  groups,
  by,
  trips,
  picked,
  onPick,
  moves,
}: {
  groups: readonly DeliveryGroup[];
  by: GroupedBy;
  trips: readonly Trip[];
  picked: readonly string[];
  onPick: (picked: readonly string[]) => void;
  moves: BoardMoves;
}) {
  const drafts = trips.filter(({ status }) => status === 'draft');
  const drop = useOrderDrop(
    moves.isMoving
      ? null
      : (orderId) => {
          const trip = drafts.find(({ stops }) => stops.some((stop) => stop.orderId === orderId));
          if (trip === undefined) return;
          const ids = trip.stops.map((stop) => stop.orderId);
          moves.setStops(
            trip,
            ids.filter((id) => id !== orderId),
          );
        },
  );
  const count = groups.reduce((sum, { deliveries }) => sum + deliveries.length, 0);
  return (
    <div className={classes.place} data-over={drop.isOver || undefined} {...drop.handlers}>
      <SectionCard
        title={t`To be planned`}
        hint={plural(count, { one: t`1 delivery waits.`, other: t`${count} deliveries wait.` })}
      >
        <Stack gap="xs">
          {groups.map(({ key, title, deliveries }, index) => (
            <div key={key}>
              <Text size="sm" fw={600} mt={index === 0 ? 0 : 'sm'}>
                {title}
              </Text>
              {deliveries.map((delivery) => (
                <WaitingOrder
                  key={delivery.orderId}
                  delivery={delivery}
                  by={by}
                  isPicked={picked.includes(delivery.orderId)}
                  onPick={(isPicked) =>
                    onPick(
                      isPicked
                        ? [...picked, delivery.orderId]
                        : picked.filter((id) => id !== delivery.orderId),
                    )
                  }
                />
              ))}
            </div>
          ))}
        </Stack>
        {count > 0 && (
          <Menu>
            <Menu.Target>
              <Button mt="md" variant="default" disabled={picked.length === 0} loading={moves.isMoving}>
                {t`Put on a trip`}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {drafts.map((trip) => (
                <Menu.Item key={trip.id} onClick={() => moves.put(trip, picked)}>
                  {`${trip.driver.firstName} ${trip.driver.lastName} · ${trip.vehicle.name}`}
                </Menu.Item>
              ))}
              {drafts.length === 0 && <Menu.Label>{t`Plan a trip first.`}</Menu.Label>}
            </Menu.Dropdown>
          </Menu>
        )}
      </SectionCard>
    </div>
  );
}

function WaitingOrder(props: {
  delivery: Delivery;
  by: GroupedBy;
  isPicked: boolean;
  onPick: (isPicked: boolean) => void;
}) {
  const { delivery, by, isPicked, onPick } = props;
  const { orderNumber, orderId, window, zoneName, total } = delivery;
  return (
    <Group justify="space-between" wrap="nowrap" py={4} className={classes.order} {...dragsOrder(orderId)}>
      <Checkbox
        label={`${orderTitle({ number: orderNumber, id: orderId })} · ${placeOf(delivery)}`}
        checked={isPicked}
        onChange={({ currentTarget: { checked } }) => onPick(checked)}
      />
      <Text span size="sm" ta="end">
        {by === 'slot' ? (
          (zoneName ?? <Money cents={total} />)
        ) : window === null ? (
          <Money cents={total} />
        ) : (
          <SlotTime slot={window} />
        )}
      </Text>
    </Group>
  );
}
