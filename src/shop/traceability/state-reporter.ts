import { type OrganizationId, organizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { RunningJob } from '../../platform/upkeep/each-organization.ts';
import { delayLane, selectConnections, setProblem } from './connection-queries.ts';
import type { TripPeopleOf } from './lane-parts.ts';
import { runLane } from './report-lane.ts';
import { comparedDays } from './run-comparison.ts';
import type { StateClients } from './state-clients.ts';

interface ReporterOptions {
  readonly context: Context;
  readonly clients: StateClients;
  /** The organizations with something to do before that time. */
  readonly withWork: (before: string) => Promise<readonly { readonly id: number }[]>;
  /** The people of trips; absent: the shops have no trips. */
  readonly tripPeople?: TripPeopleOf;
  readonly logger: { error(fields: object, message: string): void };
  readonly beat?: (name: string) => void;
  /** How many reports of a license are sent at once; by default twenty-four. */
  readonly callsAtOnce?: number;
  /** How many days of changes a comparison reads; by default a year. */
  readonly horizonDays?: number;
}

const lookEveryMs = 1_000;
/** Their transactions are shared, and their calls go through the slots of the license. */
const callsAtOnce = 24;
const unreachableMs = 60_000;
/** The state takes thirty calls of a key at once; a process makes so many. */
const lanesAtOnce = 10;

/**
 * Reports to the states' systems for all organizations: a lane of work for each license. Several processes may run one each; a
 * license is leased by one of them.
 */
export class StateReporter {
  readonly #options: ReporterOptions;
  readonly #worker: string;
  readonly #busy = new Set<OrganizationId>();
  readonly #caughtUp = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #isStopping = false;

  constructor(options: ReporterOptions) {
    this.#options = options;
    this.#worker = Buffer.from(options.context.randomBytes(12)).toString('hex');
  }

  start(): this {
    const look = () => {
      this.#look ??= this.#lookAround().finally(() => {
        this.#look = undefined;
      });
    };
    look();
    this.#timer = setInterval(look, lookEveryMs);
    return this;
  }

  /** Ends calls that are under way; what may be at the state by then is looked for by the next worker. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#timer);
    this.#options.clients.close();
    await this.#look;
  }

  async #lookAround(): Promise<void> {
    const { context, logger, withWork } = this.#options;
    try {
      const due = (await withWork(isoTimestamp(context.clock.now()))).map(({ id }) => organizationId(id));
      const queue = due.filter((organization) => !this.#busy.has(organization));
      const runQueue = async () => {
        for (let next = queue.shift(); next !== undefined && !this.#isStopping; next = queue.shift()) {
          const organization = next;
          this.#busy.add(organization);
          await this.pass(organization)
            .catch((error: unknown) => {
              const about = { err: error, organizationId: organization };
              if (!this.#isStopping) logger.error(about, 'reports to the state could not be sent');
            })
            .finally(() => this.#busy.delete(organization));
        }
      };
      await Promise.all(Array.from({ length: lanesAtOnce }, runQueue));
    } catch (error) {
      logger.error({ err: error }, 'organizations with reports to the state could not be listed');
    }
  }

  /** One turn of work for each license of an organization. */
  async pass(organization: OrganizationId): Promise<void> {
    const { context, clients } = this.#options;
    const [connections] = await context.database.read(organization, selectConnections({}));
    for (const connection of connections) {
      if (!connection.is_on || connection.system !== 'metrc' || this.#isStopping) continue;
      const client = await clients.clientOf(organization, connection);
      if (typeof client === 'string') {
        await this.#noteProblem(organization, connection, client);
        continue;
      }
      await runLane({
        ...{ context, organization, connection, client, worker: this.#worker },
        tripPeople: this.#options.tripPeople ?? (async () => null),
        beat: this.#options.beat ?? (() => {}),
        // A sandbox is emptied every night, and what its lists do not show is read by label.
        horizonDays: this.#options.horizonDays ?? (connection.is_sandbox ? 1 : comparedDays),
        callsAtOnce: this.#options.callsAtOnce ?? callsAtOnce,
        lease: { renewedAtMs: 0 },
        caughtUp: this.#caughtUp,
      });
    }
  }

  /** There is nothing to call with; it is looked at again later. */
  async #noteProblem(
    organization: OrganizationId,
    { id, problem: known }: { readonly id: number; readonly problem: string | null },
    problem: string,
  ): Promise<void> {
    const { database, clock } = this.#options.context;
    const nextAt = isoTimestamp(clock.now() + unreachableMs);
    await database.write(
      organization,
      async (tx) => {
        if (problem !== known) tx.queue(setProblem({ id, problem }));
        tx.queue(delayLane({ connectionId: id, nextAt }));
      },
      { countsAsChange: false },
    );
  }
}

/** Starts the work for all organizations; stopping ends it. */
export function startReporting(options: ReporterOptions): RunningJob {
  return new StateReporter(options).start();
}
