import { AsyncLocalStorage } from 'node:async_hooks';
import { Batcher } from '../connections/batcher.ts';
import { CircuitBreaker, ConnectionPool, type PooledClient } from '../connections/connection-pool.ts';
import { type DatabaseDeadlines, DatabaseUnresponsive, servingDeadlines } from '../connections/deadlines.ts';
import type { PipelineRow, PipelineStatement } from '../connections/pipeline.ts';
import { RoundTrips } from '../connections/round-trips.ts';
import { serverChoiceOf } from '../connections/server-choice.ts';
import { assertCannotBypassSecurity } from '../connections/serving-role.ts';
import { batchesAreReads, type ConnectionConfig, sessionConfig } from '../connections/session-settings.ts';
import {
  type PrimaryPosition,
  selectPrimaryIdentity,
  selectPrimaryPosition,
  selectReplayPosition,
  selectStandbyIdentity,
  selectStandbyRole,
} from './standby-queries.ts';

/** Why the standby is not read from; null while it is. */
type StandbyTrouble =
  | 'the primary has not said where its log ends'
  | 'it does not answer'
  | 'it is no standby'
  | 'it is a standby of another database'
  | 'it follows another primary'
  | 'it is too far behind'
  | 'its login may bypass row-level security';

/** The state of the standby, for metrics, health checks and the log. */
export interface StandbyState {
  readonly isInUse: boolean;
  readonly trouble: StandbyTrouble | null;
  /** How far it was behind when it was last looked at; null: never. */
  readonly lagBytes: number | null;
}

/** Counters since the start. */
interface StandbyStatistics {
  /** Reads that the standby answered. */
  standby: number;
  /** Reads that the primary answered because the standby was not in use. */
  unused: number;
  /** Reads that the primary answered because the standby was behind what was committed when they began. */
  behind: number;
  /** Reads that the standby failed, and the primary repeated. */
  repeated: number;
}

export interface StandbySettings {
  readonly connection: ConnectionConfig;
  /** A standby that is farther behind is not used, and not waited for. */
  readonly lagBytesMax: number;
  /** Called when the state changes, and no more often than every ten seconds. */
  readonly onChange?: (state: StandbyState) => void;
}

/** Sends statements to the primary. */
type AskPrimary = (statement: PipelineStatement) => Promise<PipelineRow[]>;

/** Reads on the standby at the same time, for each process. */
const poolSizeMax = 12;
const looksApartMs = 250;
/** A standby that takes longer for a word is not used; reads under way are then repeated on the primary. */
const answerMsMax = 750;
/** How long a read waits until the standby shows what was committed when it began. */
const catchUpMsMax = 100;
const catchUpPauseMs = 2;
/** After a loss so many looks in a row must be good. */
const goodLooksMin = 3;
const toldApartMs = 10_000;

const times: DatabaseDeadlines = { ...servingDeadlines, connectMs: 1_000 };

/**
 * A streaming standby that answers reads instead of the primary. What it answers shows everything that was committed when
 * the read began: the read asks the primary where its log ends, and waits a moment until the standby shows the log up to
 * there. So a caller always sees its own writes, whichever process made them, and never an earlier state than before. Where
 * the standby does not get there in time, or fails, `read` returns null and the primary is asked.
 */
export class Standby {
  readonly statistics: StandbyStatistics = { standby: 0, unused: 0, behind: 0, repeated: 0 };
  readonly #settings: StandbySettings;
  readonly #askPrimary: AskPrimary;
  readonly #breaker = new CircuitBreaker(async () => ({ reached: 'commit', error: null }));
  readonly #trips = new RoundTrips(times, this.#breaker);
  readonly #pool: ConnectionPool;
  /** Never waits for a long read. */
  readonly #askingPool: ConnectionPool;
  readonly #positions: Batcher<'primary', null, PrimaryPosition>;
  readonly #replays: Batcher<'standby', null, void>;
  readonly #preference = new AsyncLocalStorage<true>();
  readonly #reading = new Set<PooledClient>();
  #preferring = 0;
  #trouble: StandbyTrouble | null = 'the primary has not said where its log ends';
  #timeline = 0;
  #lagBytes: number | null = null;
  #replayed = 0;
  /** A read has waited in vain at this position. */
  #stuckAt = -1;
  #goodLooks = goodLooksMin - 1;
  #told: StandbyTrouble | null = 'the primary has not said where its log ends';
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #look: Promise<void> | undefined;
  #isClosed = false;

  constructor(settings: StandbySettings, askPrimary: AskPrimary) {
    this.#settings = settings;
    this.#askPrimary = askPrimary;
    const connection = { ...settings.connection, wants: 'standby' } as const;
    const config = sessionConfig(connection, times, batchesAreReads);
    this.#pool = new ConnectionPool({ ...config, max: poolSizeMax }, times, this.#breaker);
    this.#askingPool = new ConnectionPool({ ...config, max: 1 }, times, this.#breaker);
    const always = { newBatch: () => null, isFull: () => false, runningMax: 1 };
    this.#positions = new Batcher({
      ...always,
      run: async () => (await askPrimary(selectPrimaryPosition))[0] as unknown as PrimaryPosition,
    });
    this.#replays = new Batcher({ ...always, run: () => this.#askReplay() });
  }

  get isInUse(): boolean {
    return this.#trouble === null;
  }

  get state(): StandbyState {
    return { isInUse: this.isInUse, trouble: this.#trouble, lagBytes: this.#lagBytes };
  }

  /** Looks at primary and standby from now on. Resolves after the first look; a standby that is away is no error. */
  start(): Promise<void> {
    this.#look ??= this.#lookOnce();
    return this.#look;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#breaker.close();
    await this.#look;
    await Promise.all([this.#pool.end(), this.#askingPool.end()]);
  }

  /**
   * Runs `work`, whose reads may go to the standby. Finding out costs every promise of the process a little
   * (`AmbientTransactions`), and only while such work runs.
   */
  prefer<Result>(work: () => Result): Result {
    if (!this.isInUse) {
      this.statistics.unused++;
      return work();
    }
    this.#preferring++;
    let result: Result;
    try {
      result = this.#preference.run(true, work);
    } catch (error) {
      this.#endPreferring();
      throw error;
    }
    if (result instanceof Promise) {
      const end = () => this.#endPreferring();
      result.then(end, end);
    } else this.#endPreferring();
    return result;
  }

  #endPreferring(): void {
    this.#preferring--;
    if (this.#preferring === 0) this.#preference.disable();
  }

  /** Whether the running function may read here. */
  get isPreferred(): boolean {
    return this.#preferring > 0 && this.#preference.getStore() === true;
  }

  /**
   * The rows of each statement, on one snapshot that shows every commit from before the call; null: the primary is
   * to be asked. Fails only if the primary does not say where its log ends.
   */
  async read(statements: readonly PipelineStatement[], isLong: boolean): Promise<PipelineRow[][] | null> {
    if (!this.isInUse) {
      this.statistics.unused++;
      return null;
    }
    const { position, timeline } = await this.#positions.join('primary').result;
    if (timeline !== this.#timeline) this.#lose('it follows another primary');
    try {
      if (!(await this.#isReplayed(position))) {
        this.statistics.behind++;
        return null;
      }
      const rows = await this.#pool.use('read', (client) => this.#send(client, statements, isLong));
      this.statistics.standby++;
      return rows;
    } catch {
      // Gone, silent, or the read stood in the way of what the standby has to replay: the look finds out which.
      this.statistics.repeated++;
      return null;
    }
  }

  async #send(
    client: PooledClient,
    statements: readonly PipelineStatement[],
    isLong: boolean,
  ): Promise<PipelineRow[][]> {
    if (!this.isInUse) throw new DatabaseUnresponsive('The standby is lost.');
    this.#reading.add(client);
    try {
      return await this.#trips.send(client, statements, this.#trips.limitMs(isLong));
    } finally {
      this.#reading.delete(client);
    }
  }

  /** Whether the standby shows the log up to there, now or in a moment. */
  async #isReplayed(position: number): Promise<boolean> {
    if (!this.isInUse) return false;
    const untilMs = performance.now() + catchUpMsMax;
    while (this.#replayed < position) {
      // It stands still: reads do not wait for it until it goes on.
      if (this.#stuckAt === this.#replayed) return false;
      await this.#replays.join('standby').result;
      if (this.#replayed >= position) break;
      if (!this.isInUse || position - this.#replayed > this.#settings.lagBytesMax) return false;
      if (performance.now() > untilMs) {
        this.#stuckAt = this.#replayed;
        return false;
      }
      await new Promise<void>((resolve) => setTimeout(resolve, catchUpPauseMs));
    }
    return this.isInUse;
  }

  async #askReplay(): Promise<void> {
    try {
      const [row] = await this.#ask(selectReplayPosition);
      this.#note(row!.position as number | null);
    } catch (error) {
      this.#lose('it does not answer');
      throw error;
    }
  }

  async #ask(statement: PipelineStatement): Promise<PipelineRow[]> {
    const [rows] = await this.#askingPool.use('read', (client) =>
      this.#trips.send(client, [statement], answerMsMax),
    );
    return rows!;
  }

  #note(position: number | null): void {
    if (position === null) this.#lose('it is no standby');
    else if (position > this.#replayed) this.#replayed = position;
  }

  async #lookOnce(): Promise<void> {
    let trouble: StandbyTrouble | null | 'primary silent';
    try {
      trouble = await this.#findTrouble();
    } catch {
      trouble = 'it does not answer';
    }
    // While the primary is silent nothing is read from the standby either: each read asks it first.
    if (trouble === null) this.#goodLooks++;
    else if (trouble !== 'primary silent') this.#lose(trouble);
    if (trouble === null && this.#goodLooks >= goodLooksMin) this.#trouble = null;
    this.#tell();
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#look = this.#lookOnce();
    }, looksApartMs).unref();
  }

  async #findTrouble(): Promise<StandbyTrouble | null | 'primary silent'> {
    const [primary, [standby]] = await Promise.all([
      this.#askPrimary(selectPrimaryIdentity).then(
        ([row]) => row,
        () => undefined,
      ),
      this.#ask(selectStandbyIdentity),
    ]);
    const { position, timeline, system } = standby as unknown as {
      readonly position: number | null;
      readonly timeline: number;
      readonly system: string;
    };
    if (position === null) return 'it is no standby';
    if (primary === undefined) return 'primary silent';
    if (system !== primary.system) return 'it is a standby of another database';
    if (timeline !== primary.timeline) return 'it follows another primary';
    this.#lagBytes = Math.max(0, (primary.position as number) - position);
    // Of a standby that was lost, positions may be those of another one, or of a former timeline.
    if (!this.isInUse) this.#replayed = position;
    this.#timeline = timeline;
    this.#note(position);
    if (this.#lagBytes > this.#settings.lagBytesMax) return 'it is too far behind';
    if (!this.isInUse && !(await this.#isSecure())) return 'its login may bypass row-level security';
    return null;
  }

  async #isSecure(): Promise<boolean> {
    const [row] = await this.#ask(selectStandbyRole);
    try {
      assertCannotBypassSecurity(row!);
      return true;
    } catch {
      return false;
    }
  }

  /** Reads under way end at once, and are repeated on the primary. */
  #lose(trouble: StandbyTrouble): void {
    this.#goodLooks = 0;
    this.#trouble = trouble;
    if (trouble === 'it is too far behind') return;
    this.#breaker.trip();
    serverChoiceOf({ ...this.#settings.connection, wants: 'standby' })?.forget();
    for (const client of this.#reading) client.cut(new DatabaseUnresponsive('The standby is lost.'));
  }

  #tell(): void {
    const nowMs = performance.now();
    if (this.#trouble === this.#told || nowMs - this.#toldAtMs < toldApartMs) return;
    this.#told = this.#trouble;
    this.#toldAtMs = nowMs;
    this.#settings.onChange?.(this.state);
  }
}
