import { api, dataOf } from '../api.ts';
import type { HandOver, QueuedAct, Trip } from './trip-acts.ts';

/* The operations of a driver's trip. Each act is sent with its own key and moment. */

export const readMyTrip = async (): Promise<Trip | null> => dataOf(api.GET('/staff/v1/my-trip'));

/** Rejects with `ApiFailure` when the service refuses the act, or does not answer. */
export async function sendAct({ tripId, actKey, occurredAt, act }: QueuedAct): Promise<unknown> {
  const headers = { 'Idempotency-Key': actKey };
  if (act.kind === 'depart' || act.kind === 'return') {
    const params = { path: { tripId } };
    const body = { occurredAt };
    return act.kind === 'depart'
      ? dataOf(api.POST('/staff/v1/trips/{tripId}/depart', { params, headers, body }))
      : dataOf(api.POST('/staff/v1/trips/{tripId}/return', { params, headers, body }));
  }
  const params = { path: { tripId, stopId: act.stopId } };
  switch (act.kind) {
    case 'arrive':
      return dataOf(
        api.POST('/staff/v1/trips/{tripId}/stops/{stopId}/arrive', { params, headers, body: { occurredAt } }),
      );
    case 'not-home':
      return dataOf(
        api.POST('/staff/v1/trips/{tripId}/stops/{stopId}/not-home', {
          params,
          headers,
          body: { occurredAt },
        }),
      );
    case 'refuse': {
      const body = { occurredAt, reason: act.reason };
      return dataOf(api.POST('/staff/v1/trips/{tripId}/stops/{stopId}/refuse', { params, headers, body }));
    }
    case 'deliver': {
      const body = { occurredAt, ...act.handOver };
      return dataOf(api.POST('/staff/v1/trips/{tripId}/stops/{stopId}/deliver', { params, headers, body }));
    }
  }
}

const withoutPerson = ({ idCheck, signature: _, ...handOver }: HandOver) => ({
  ...handOver,
  ...(idCheck && { idCheck: idCheck.how }),
});

/** Makes a refused act a task of the dispatcher. What an ID says and the signature stay out: some states let no shop keep them. */
export async function tellDispatcher({
  tripId,
  tellKey,
  occurredAt,
  act,
  refusal,
}: QueuedAct): Promise<void> {
  const told = 'handOver' in act ? { ...act, handOver: withoutPerson(act.handOver) } : act;
  await dataOf(
    api.POST('/staff/v1/trips/{tripId}/unsent-acts', {
      params: { path: { tripId } },
      headers: { 'Idempotency-Key': tellKey },
      body: {
        kind: act.kind,
        stopId: 'stopId' in act ? act.stopId : null,
        occurredAt,
        refusal: refusal ?? '',
        act: JSON.stringify(told).slice(0, 2000),
      },
    }),
  );
}

export const sendPosition = (
  tripId: number,
  { latitude, longitude }: GeolocationCoordinates,
): Promise<unknown> =>
  dataOf(
    api.POST('/staff/v1/trips/{tripId}/position', {
      params: { path: { tripId } },
      body: { latitude, longitude },
    }),
  );

/** The driver shows it no longer: what the service knows of it is deleted. */
export const endPosition = (tripId: number): Promise<unknown> =>
  dataOf(api.DELETE('/staff/v1/trips/{tripId}/position', { params: { path: { tripId } } }));
