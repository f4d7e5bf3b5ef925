import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';

export type Trip = Schema['Trip'];
export type TripStop = Schema['TripStop'];
export type Vehicle = Schema['Vehicle'];
export type Driver = Schema['Driver'];
export type Delivery = Schema['Delivery'];

/** The deliveries and trips of a day. */
export type Board = Awaited<ReturnType<typeof readBoard>>;

const readBoard = (day: string | null, signal: AbortSignal) =>
  dataOf(api.GET('/staff/v1/dispatch-board', { params: { query: day === null ? {} : { day } }, signal }));

/** Drivers tell where they are each minute, without an event. */
const positionMs = 60_000;

/** The trips of a day, and what waits to be planned. */
export const boardQuery = (day: string | null) =>
  queryOptions({
    queryKey: ['trips', 'board', day],
    queryFn: ({ signal }) => readBoard(day, signal),
    refetchInterval: ({ state }) =>
      state.data?.trips.some(({ status, driver }) => status === 'out' && driver.sharesPosition) === true
        ? positionMs
        : false,
  });

export const manifestQuery = (tripId: number) =>
  queryOptions({
    queryKey: ['trips', tripId, 'manifest'],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/trips/{tripId}/manifest', { params: { path: { tripId } }, signal })),
  });

export const vehiclesQuery = queryOptions({
  queryKey: ['vehicles'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/vehicles', { signal })),
});

export const driversQuery = queryOptions({
  queryKey: ['drivers'],
  queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/drivers', { signal })),
});

/** One act on a trip; the board is read again after it. */
export function useTripAct(act: () => Promise<unknown>) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: act,
    onSuccess: () => refreshTrips(client),
    onError: (error) => {
      notifyError(error);
      void refreshTrips(client);
    },
  });
}

/** Trips move orders, stock and drawers. */
export function refreshTrips(client: ReturnType<typeof useQueryClient>) {
  return Promise.all(
    ['trips', 'orders', 'inventory', 'registers', 'drawer-sessions'].map((resource) =>
      client.invalidateQueries({ queryKey: [resource] }),
    ),
  );
}

export const tripStatusWords = {
  draft: t`Planned`,
  loaded: t`Loaded`,
  out: t`Out¦of a trip`,
  back: t`Back¦of a trip`,
  closed: t`Closed`,
} as const satisfies Record<Trip['status'], string>;

export const stopStatusWords = {
  waiting: t`Waiting`,
  arrived: t`Arrived`,
  delivered: t`Delivered`,
  partly: t`Delivered in part`,
  refused: t`Refused`,
  notHome: t`Not at home`,
} as const satisfies Record<TripStop['status'], string>;

/** `Marisol Okafor · 418 Alder Street, Oakland 94607` */
export function placeOf({ address, buyer }: Delivery): string {
  const name = buyer === null ? '' : `${buyer.firstName} ${buyer.lastName} · `;
  const { street1, city, postalCode } = address;
  return `${name}${[street1, city].filter(Boolean).join(', ')} ${postalCode ?? ''}`.trim();
}
