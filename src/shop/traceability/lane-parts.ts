import type { TripPeople } from '../../engines/state-reports/trip-report.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type ConnectionRow, type LaneRow, leaseLane } from './connection-queries.ts';
import type { StateClient } from './state-client.ts';

/** Looks up the people of a trip, who stand in no report; without an order, there is no recipient. */
export type TripPeopleOf = (
  organization: OrganizationId,
  tripId: number,
  orderId: string | null,
) => Promise<TripPeople | null>;

/** What a lane works with. */
export interface LaneParts {
  readonly context: Context;
  readonly organization: OrganizationId;
  readonly connection: ConnectionRow;
  readonly client: StateClient;
  /** Names the process in leases. */
  readonly worker: string;
  /** Called between any two effects; a test lets the worker die there. */
  readonly beat: (name: string) => void;
  /** How many reports are sent at once. */
  readonly callsAtOnce: number;
  /** Who drives a trip, and to whom an order of it goes; null: there is no such trip. */
  readonly tripPeople: TripPeopleOf;
  /** How many days of changes a comparison reads. */
  readonly horizonDays: number;
  /**
   * The connections of which this process has read what the state has. Its database may be restored from a backup, and know less: nothing
   * is sent before that.
   */
  readonly caughtUp: Set<string>;
  /** When the lease was taken or renewed. */
  readonly lease: { renewedAtMs: number };
}

/** The work of a worker that died is taken over after that. */
export const leaseMs = 60_000;
const renewedAfterMs = 15_000;

/** Takes the work of a license, or renews the lease; undefined: another worker has it. */
export async function holdLane(parts: LaneParts): Promise<LaneRow | undefined> {
  const { context, organization, connection, worker, lease } = parts;
  const wallMs = context.wallClock.now();
  lease.renewedAtMs = wallMs;
  const taken = leaseLane({
    ...{ connectionId: connection.id, worker, at: isoTimestamp(wallMs) },
    until: isoTimestamp(wallMs + leaseMs),
  });
  return context.database.write(organization, async (tx) => (await tx.run(taken))[0][0], {
    countsAsChange: false,
  });
}

/** Renews the lease in good time. False: another worker has the work by now. */
export async function keepLane(parts: LaneParts): Promise<boolean> {
  if (parts.context.wallClock.now() - parts.lease.renewedAtMs < renewedAfterMs) return true;
  return (await holdLane(parts)) !== undefined;
}

/** Holds the work of a license as long as something takes: calls that are answered late would outlast a lease. */
export async function whileHeld<Result>(parts: LaneParts, work: () => Promise<Result>): Promise<Result> {
  // What cannot be renewed runs out, and another worker looks for what was sent.
  const renewal = setInterval(() => void holdLane(parts).catch(() => {}), renewedAfterMs);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
  }
}
