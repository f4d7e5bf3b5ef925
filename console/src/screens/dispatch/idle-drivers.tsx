import { Button, Group } from '@mantine/core';
import { IconSteeringWheel } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { SectionCard } from '../../parts/section-card.tsx';
import { t } from '../../words/words.ts';
import classes from './dispatch.module.css';
import { useOrderDrop } from './drag-order.ts';
import { type Driver, driversQuery, type Trip } from './trips-query.ts';

/** Drivers who have no trip to plan: an order that is dropped on one, or what is picked, begins a trip. */
export function IdleDrivers({
  trips,
  onPlan,
}: {
  trips: readonly Trip[];
  onPlan: (driverId: number, dropped: string | null) => void;
}) {
  const drivers = useQuery(driversQuery);
  const idle = (drivers.data ?? []).filter(
    ({ id, archivedAt }) =>
      archivedAt === null && !trips.some(({ driver, status }) => driver.id === id && status !== 'closed'),
  );
  if (idle.length === 0) return null;
  return (
    <SectionCard title={t`Drivers without a trip`}>
      <Group>
        {idle.map((driver) => (
          <IdleDriver key={driver.id} driver={driver} onPlan={(dropped) => onPlan(driver.id, dropped)} />
        ))}
      </Group>
    </SectionCard>
  );
}

function IdleDriver({ driver, onPlan }: { driver: Driver; onPlan: (dropped: string | null) => void }) {
  const drop = useOrderDrop(onPlan);
  return (
    <Button
      variant="default"
      leftSection={<IconSteeringWheel size={18} aria-hidden />}
      className={classes.place}
      data-over={drop.isOver || undefined}
      onClick={() => onPlan(null)}
      {...drop.handlers}
    >
      {t`Plan for ${driver.firstName ?? ''} ${driver.lastName ?? ''}`}
    </Button>
  );
}
