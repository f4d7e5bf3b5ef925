import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { refreshTrips, type Trip } from './trips-query.ts';

/** Orders move to a trip, within one, between two, and off again. */
export interface BoardMoves {
  readonly isMoving: boolean;
  /** The stops of a draft in a new order; what is left out waits again. Refused if another person changed the trip meanwhile. */
  readonly setStops: (trip: Trip, orderIds: readonly string[]) => void;
  /** Puts orders on a draft, before one of its stops or at its end. They leave another draft by that. */
  readonly put: (trip: Trip, orderIds: readonly string[], before?: string) => void;
}

/** One move at a time: the next one is of the board that it has made. */
export function useBoardMoves(onMoved?: () => void): BoardMoves {
  const client = useQueryClient();
  const move = useWrite({
    mutationFn: ({ trip, orderIds }: { trip: Trip; orderIds: readonly string[] }) =>
      dataOf(
        api.PUT('/staff/v1/trips/{tripId}/stops', {
          params: { path: { tripId: trip.id } },
          headers: ifUnchanged(trip.updatedAt),
          body: { orderIds: [...orderIds] },
        }),
      ),
    onSuccess: async () => {
      onMoved?.();
      await refreshTrips(client);
    },
    onError: async (error) => {
      notifyError(error);
      await refreshTrips(client);
    },
  });
  const setStops = (trip: Trip, orderIds: readonly string[]) => move.mutate({ trip, orderIds });
  return {
    isMoving: move.isPending,
    setStops,
    put: (trip, orderIds, before) => setStops(trip, withOrders(trip, orderIds, before)),
  };
}

/** The stops of a trip after orders were put before one of them, or at the end. */
export function withOrders(
  { stops }: Pick<Trip, 'stops'>,
  orderIds: readonly string[],
  before?: string,
): string[] {
  if (before !== undefined && orderIds.includes(before)) return stops.map(({ orderId }) => orderId);
  const rest = stops.map(({ orderId }) => orderId).filter((id) => !orderIds.includes(id));
  const at = before === undefined ? rest.length : rest.indexOf(before);
  return rest.toSpliced(at < 0 ? rest.length : at, 0, ...orderIds);
}
