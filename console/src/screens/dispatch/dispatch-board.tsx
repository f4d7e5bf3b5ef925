import { Button, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { DayInput } from '../../parts/day-input.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { useBoardMoves } from './board-moves.ts';
import { deliveryGroups, type GroupedBy } from './delivery-groups.ts';
import { DispatchMap } from './dispatch-map.tsx';
import { IdleDrivers } from './idle-drivers.tsx';
import { type NewTrip, PlanTripDialog } from './plan-trip-dialog.tsx';
import { TripCard } from './trip-card.tsx';
import { type Board, boardQuery } from './trips-query.ts';
import { WaitingList } from './waiting-list.tsx';

/** Who brings what today: the deliveries that wait, by zone or time slot, the trips with their stops, and where all of it is. */
export function Component() {
  const client = useQueryClient();
  // An order that is placed, packed or canceled changes what waits, and what is in a vehicle.
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: ['trips'] }), [client]);
  useLive(['trips', 'orders'], readAgain);
  const [day, setDay] = useState<string | null>(null);
  const [planned, plan] = useState<NewTrip | null>(null);
  const board = useQuery(boardQuery(day));
  const { data } = board;
  return (
    <Page>
      <PageHeader
        title={t`Deliveries`}
        actions={
          <>
            <DayInput aria-label={t`Day`} day={day ?? data?.day ?? null} onChange={setDay} />
            <Button
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => plan({ driverId: null, orderIds: [] })}
            >
              {t`Plan a trip`}
            </Button>
          </>
        }
      >
        {t`Drag deliveries onto trips and drivers, load the vehicle, and count what comes back.`}
      </PageHeader>
      {board.error && !data ? (
        <LoadFailure error={board.error} onRetry={() => board.refetch()} />
      ) : data ? (
        <Lists board={data} onPlan={plan} />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          {[1, 2].map((part) => (
            <Skeleton key={part} height={240} radius="md" />
          ))}
        </SimpleGrid>
      )}
      {planned !== null && (
        <PlanTripDialog day={data?.day ?? null} begin={planned} onClose={() => plan(null)} />
      )}
    </Page>
  );
}

function Lists({ board, onPlan }: { board: Board; onPlan: (trip: NewTrip) => void }) {
  const { tz } = useSession().organization;
  const [by, setBy] = useState<GroupedBy>('zone');
  const [picked, setPicked] = useState<readonly string[]>([]);
  const moves = useBoardMoves(() => setPicked([]));
  const { waiting, trips } = board;
  const groups = deliveryGroups(waiting, by, tz);
  // What went onto a trip meanwhile is picked no longer.
  const chosen = waiting.map(({ orderId }) => orderId).filter((id) => picked.includes(id));
  return (
    <Stack>
      <SegmentedControl
        aria-label={t`Deliveries by`}
        value={by}
        onChange={(value) => setBy(value as GroupedBy)}
        data={[
          { value: 'zone', label: t`By zone` },
          { value: 'slot', label: t`By time slot` },
        ]}
        style={{ alignSelf: 'start' }}
      />
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        <WaitingList {...{ groups, by, trips, moves }} picked={chosen} onPick={setPicked} />
        <Stack>
          <IdleDrivers
            trips={trips}
            onPlan={(driverId, dropped) =>
              onPlan({ driverId, orderIds: dropped === null ? chosen : [dropped] })
            }
          />
          {trips.map((trip) => (
            <TripCard key={trip.id} trip={trip} moves={moves} />
          ))}
          {trips.length === 0 && (
            <EmptyState
              title={t`No trips on this day`}
            >{t`Plan one with a driver and a vehicle.`}</EmptyState>
          )}
        </Stack>
      </SimpleGrid>
      <DispatchMap board={board} groups={groups} />
    </Stack>
  );
}
