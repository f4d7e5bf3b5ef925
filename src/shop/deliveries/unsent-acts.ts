import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announceTrip, lockedTrip } from './plan-trip.ts';
import { insertUnsentActs, selectStops, settleUnsentAct as settleRow, touchTrip } from './trip-queries.ts';

interface UnsentAct {
  readonly kind: string;
  readonly stopId: number | null;
  readonly occurredAt: string;
  readonly refusal: string;
  readonly act: string;
}

/** Keeps an act of the driver that the service did not take when it was sent later: a person has to look at it. */
export async function keepUnsentAct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { kind, stopId, occurredAt, refusal, act }: UnsentAct,
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const trip = await lockedTrip(tx, tripId);
    const [stops] = await tx.run(selectStops({ tripId }));
    if (stopId !== null && !stops.some(({ id }) => id === stopId)) {
      throw failure('TRIP_STOP_NOT_FOUND', 'The trip has no such stop.');
    }
    const [id, nowMs] = [await context.ids.takeOne(), context.clock.now()];
    const at = isoTimestamp(nowMs);
    tx.queue(
      ...insertUnsentActs([
        {
          ...{ id, tripId, stopId, kind, refusal, act, createdAt: at },
          occurredAt: isoTimestamp(Date.parse(occurredAt)),
        },
      ]),
      touchTrip({ id: tripId, at }),
    );
    await announceTrip(tx, context, origin, nowMs, trip, { unsentActId: id, kind, stopId });
  });
}

/** Says what became of such an act. Fails with UNSENT_ACT_NOT_FOUND, also for one that is settled. */
export async function settleUnsentAct(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  tripId: number,
  { id, note }: { readonly id: number; readonly note: string },
): Promise<void> {
  await context.database.write(organization, async (tx) => {
    const trip = await lockedTrip(tx, tripId);
    const nowMs = context.clock.now();
    const at = isoTimestamp(nowMs);
    const [[settled]] = await tx.run(settleRow({ id, tripId, note, at }));
    if (settled === undefined) {
      throw failure('UNSENT_ACT_NOT_FOUND', 'The trip has no such act that is to be settled.');
    }
    tx.queue(touchTrip({ id: tripId, at }));
    await announceTrip(tx, context, origin, nowMs, trip, { settledUnsentActId: id });
  });
}
