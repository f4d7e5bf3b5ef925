import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { ApiFailure } from '../api.ts';
import { sendInOrder } from '../offline/kept-queue.ts';
import { isAble, keepConsole } from '../offline/offline-keeper.ts';
import { onReconnected, presentConnection } from '../parts/connection.ts';
import { freshKey } from '../parts/fresh-key.ts';
import { refusalInWords } from '../parts/refusal-words.ts';
import { shopNow } from '../parts/shop-now.ts';
import { isUnanswered, isUnsent } from '../parts/unanswered.ts';
import { useLive } from '../parts/use-live.ts';
import { openCodeReader } from '../scanner/code-reader.ts';
import { type Session, useSession } from '../session/session.tsx';
import { type QueuedAct, type Trip, type TripAct, tripAfter } from './trip-acts.ts';
import { readMyTrip, sendAct, tellDispatcher } from './trip-api.ts';
import { actQueue, keepTrip, keptTrip } from './trip-store.ts';

/* The trip of the signed-in driver: kept on this phone, with what they did since. */

const refreshMs = 60_000;
/** Events of trips read it again. */
const tripKey = ['trips', 'mine'] as const;
const actsKey = ['trip-acts'] as const;

/** The trip as the service knows it; without a line, as it was kept. */
async function readTrip({ organization, staff }: Session): Promise<Trip | null> {
  try {
    const trip = await readMyTrip();
    await keepTrip(organization.id, staff.id, trip);
    return trip;
  } catch (error) {
    const kept = isUnanswered(error) || isUnsent(error) ? await keptTrip(organization.id, staff.id) : null;
    if (kept === null) throw error;
    return kept;
  }
}

/** Sends the acts that wait, in their order. What the service took counts as known from then on. */
async function sendActs(queryClient: QueryClient, session: Session): Promise<void> {
  const { organization, staff } = session;
  if (!isAble() || presentConnection().status !== 'online') return;
  let isChanged = false;
  await sendInOrder<QueuedAct>({
    ...{ name: 'driver-trip', queue: actQueue, organizationId: organization.id },
    again: () => void sendActs(queryClient, session),
    // One that was refused waits until the dispatcher knows of it.
    send: async (queued) => {
      if (queued.refusal !== null) return tellDispatcher(queued);
      await sendAct(queued);
      isChanged = true;
      const trip = await keptTrip(organization.id, staff.id);
      if (trip) await keepTrip(organization.id, staff.id, tripAfter(trip, [queued]));
      queryClient.setQueryData<Trip | null>(tripKey, (known) => known && tripAfter(known, [queued]));
    },
    onRefused: async (key, queued, failure) => {
      isChanged = true;
      try {
        await tellDispatcher({ ...queued, refusal: refusalInWords(failure) });
        await actQueue.drop(key);
      } catch (error) {
        // It stays, with its reason, and is told with the next round.
        if (!(error instanceof ApiFailure)) throw error;
      }
    },
    onDone: async () => {
      await queryClient.invalidateQueries({ queryKey: actsKey });
      if (isChanged) await queryClient.invalidateQueries({ queryKey: tripKey });
    },
  });
}

/** What loads with the first ID only must be on the phone before there is no line. */
const loadForTheDoor = () =>
  Promise.all([
    import('../scanner/driver-license.ts'),
    import('../scanner/camera-panel.tsx'),
    openCodeReader(),
  ]);

interface MyTrip {
  /** With the acts of this phone; undefined: not read yet. */
  readonly trip: Trip | null | undefined;
  readonly error: Error | null;
  readonly retry: () => void;
  /** What the service does not have yet. */
  readonly waiting: readonly QueuedAct[];
  /** What it refused, and no dispatcher knows of yet. */
  readonly refused: readonly QueuedAct[];
  /** Resolves once the act is on the disk of this phone: then it is done. It is sent as soon as there is a line. */
  readonly act: (act: TripAct) => Promise<void>;
}

/** The trip of this session. While its page is open it is read each minute, and what waits is sent whenever the service answers. */
export function useTrip(): MyTrip {
  const session = useSession();
  const queryClient = useQueryClient();
  const known = useQuery({
    queryKey: tripKey,
    queryFn: () => readTrip(session),
    refetchInterval: refreshMs,
  });
  const queued = useQuery({
    queryKey: actsKey,
    queryFn: async () => (await actQueue.all()).map(({ queued }) => queued),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useLive(['trips']);
  const tripId = known.data?.id;
  useEffect(() => {
    const send = () => void sendActs(queryClient, session);
    send();
    const timer = setInterval(send, refreshMs);
    const stop = onReconnected(send);
    return () => {
      clearInterval(timer);
      stop();
    };
  }, [queryClient, session]);
  useEffect(() => {
    if (tripId === undefined || !isAble() || presentConnection().status !== 'online') return;
    void keepConsole(loadForTheDoor).catch(() => {});
  }, [tripId]);
  const acts = (queued.data ?? []).filter(
    ({ organizationId, staffId }) =>
      organizationId === session.organization.id && staffId === session.staff.id,
  );
  const act = async (done: TripAct) => {
    if (tripId === undefined) return;
    await actQueue.add({
      ...{ organizationId: session.organization.id, staffId: session.staff.id, tripId, refusal: null },
      ...{
        actKey: freshKey(),
        tellKey: freshKey(),
        occurredAt: new Date(shopNow()).toISOString(),
        act: done,
      },
    });
    await queryClient.invalidateQueries({ queryKey: actsKey });
    void sendActs(queryClient, session);
  };
  return {
    trip: queued.data === undefined ? undefined : known.data && tripAfter(known.data, acts),
    error: known.error,
    retry: () => void known.refetch(),
    waiting: acts.filter(({ refusal }) => refusal === null),
    refused: acts.filter(({ refusal }) => refusal !== null),
    act,
  };
}
