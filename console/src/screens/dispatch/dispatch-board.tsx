import { Button, Checkbox, Group, Menu, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { plural, t } from '../../words/words.ts';
import { SlotTime } from '../orders/order-slot-card.tsx';
import { orderTitle } from '../orders/order-words.ts';
import { PlanTripDialog } from './plan-trip-dialog.tsx';
import { TripCard } from './trip-card.tsx';
import { boardQuery, type Delivery, placeOf, refreshTrips, type Trip } from './trips-query.ts';

/** Who brings what today: the deliveries that wait, by zone, and the trips with their stops. */
export function Component() {
  const client = useQueryClient();
  // An order that is placed, packed or canceled changes what waits, and what is in a vehicle.
  const readAgain = useCallback(() => void client.invalidateQueries({ queryKey: ['trips'] }), [client]);
  useLive(['trips', 'orders'], readAgain);
  const [day, setDay] = useState<string | null>(null);
  const [isPlanning, plan] = useDisclosure(false);
  const board = useQuery(boardQuery(day));
  const { data } = board;
  return (
    <Page>
      <PageHeader
        title={t`Deliveries`}
        actions={
          <>
            <DayInput aria-label={t`Day`} day={day ?? data?.day ?? null} onChange={setDay} />
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={plan.open}>
              {t`Plan a trip`}
            </Button>
          </>
        }
      >
        {t`Put deliveries on trips, load the vehicle, and count what comes back.`}
      </PageHeader>
      {board.error && !data ? (
        <LoadFailure error={board.error} onRetry={() => board.refetch()} />
      ) : (
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
          {data ? (
            <>
              <Waiting
                waiting={data.waiting}
                drafts={data.trips.filter(({ status }) => status === 'draft')}
              />
              <Stack>
                {data.trips.map((trip) => (
                  <TripCard key={trip.id} trip={trip} />
                ))}
                {data.trips.length === 0 && (
                  <EmptyState
                    title={t`No trips on this day`}
                  >{t`Plan one with a driver and a vehicle.`}</EmptyState>
                )}
              </Stack>
            </>
          ) : (
            [1, 2].map((part) => <Skeleton key={part} height={240} radius="md" />)
          )}
        </SimpleGrid>
      )}
      {isPlanning && <PlanTripDialog day={data?.day ?? null} onClose={plan.close} />}
    </Page>
  );
}

function Waiting({ waiting, drafts }: { waiting: readonly Delivery[]; drafts: readonly Trip[] }) {
  const client = useQueryClient();
  const [picked, setPicked] = useState<readonly string[]>([]);
  const chosen = waiting.filter(({ orderId }) => picked.includes(orderId)).map(({ orderId }) => orderId);
  const add = useWrite({
    mutationFn: (trip: Trip) =>
      dataOf(
        api.PUT('/staff/v1/trips/{tripId}/stops', {
          params: { path: { tripId: trip.id } },
          body: { orderIds: [...trip.stops.map(({ orderId }) => orderId), ...chosen] },
        }),
      ),
    onSuccess: async () => {
      setPicked([]);
      await refreshTrips(client);
    },
    onError: notifyError,
  });
  return (
    <SectionCard
      title={t`To be planned`}
      hint={plural(waiting.length, {
        one: t`1 delivery waits.`,
        other: t`${waiting.length} deliveries wait.`,
      })}
    >
      <Stack gap="xs">
        {waiting.map((delivery, index) => (
          <div key={delivery.orderId}>
            {delivery.zoneName !== waiting[index - 1]?.zoneName && (
              <Text size="sm" fw={600} mt={index === 0 ? 0 : 'sm'}>
                {delivery.zoneName ?? t`No zone`}
              </Text>
            )}
            <Group justify="space-between" wrap="nowrap">
              <Checkbox
                label={`${orderTitle({ number: delivery.orderNumber, id: delivery.orderId })} · ${placeOf(delivery)}`}
                checked={picked.includes(delivery.orderId)}
                onChange={({ currentTarget: { checked } }) =>
                  setPicked(
                    checked ? [...picked, delivery.orderId] : picked.filter((id) => id !== delivery.orderId),
                  )
                }
              />
              <Text span size="sm">
                {delivery.window === null ? (
                  <Money cents={delivery.total} />
                ) : (
                  <SlotTime slot={delivery.window} />
                )}
              </Text>
            </Group>
          </div>
        ))}
      </Stack>
      {waiting.length > 0 && (
        <Menu>
          <Menu.Target>
            <Button mt="md" variant="default" disabled={chosen.length === 0} loading={add.isPending}>
              {t`Put on a trip`}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {drafts.map((trip) => (
              <Menu.Item key={trip.id} onClick={() => add.mutate(trip)}>
                {`${trip.driver.firstName} ${trip.driver.lastName} · ${trip.vehicle.name}`}
              </Menu.Item>
            ))}
            {drafts.length === 0 && <Menu.Label>{t`Plan a trip first.`}</Menu.Label>}
          </Menu.Dropdown>
        </Menu>
      )}
    </SectionCard>
  );
}
