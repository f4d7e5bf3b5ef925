import { Pool, type PoolConfig } from 'pg';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { AwayServers } from './away-servers.ts';
import { isConnectionEnd, refusalOf, unavailable } from './database-refusals.ts';
import type { DatabaseTrial } from './database-trial.ts';
import { type DatabaseDeadlines, DatabaseUnresponsive, deadlines } from './deadlines.ts';
import { serverChoiceOf, WrongServer } from './server-choice.ts';
import { type WatchedClient, watchedClients } from './watched-client.ts';

const pauseMs = 250;

/** Which work a silent database does not get. */
type BlockedWork = 'nothing' | 'writes' | 'everything';

/**
 * Opens when the database is silent. After a round trip misses its deadline, a separate connection tries the
 * database until it answers. Until then callers are refused at once: they would only wait, and each write would leave a
 * session behind that the server can end only when it responds again.
 */
export class CircuitBreaker {
  readonly #attempt: () => Promise<DatabaseTrial>;
  /** Connections opened before this time may be dead. */
  #suspectUntilMs = Number.NEGATIVE_INFINITY;
  #unasked: BlockedWork = 'nothing';
  #isWatching = false;
  #isClosed = false;

  constructor(attempt: () => Promise<DatabaseTrial>) {
    this.#attempt = attempt;
  }

  /** Reports a round trip that missed its deadline. */
  trip(): void {
    this.#suspectUntilMs = performance.now();
    if (this.#isWatching || this.#isClosed) return;
    this.#isWatching = true;
    void this.#watch();
  }

  isSuspect({ madeAtMs }: { readonly madeAtMs: number }): boolean {
    return madeAtMs <= this.#suspectUntilMs;
  }

  refuses(kind: 'read' | 'write'): boolean {
    return this.#unasked === 'everything' || (this.#unasked === 'writes' && kind === 'write');
  }

  close(): void {
    this.#isClosed = true;
  }

  async #watch(): Promise<void> {
    for (;;) {
      this.#unasked = blockedWorkAfter(await this.#attempt());
      if (this.#unasked === 'nothing' || this.#isClosed) break;
      await new Promise<void>((resolve) => setTimeout(resolve, pauseMs).unref());
    }
    this.#isWatching = false;
  }
}

/** Any answer, a refusal too, ends the breaker. */
function blockedWorkAfter({ reached, error }: DatabaseTrial): BlockedWork {
  if (!(error instanceof DatabaseUnresponsive)) return 'nothing';
  return reached === 'nothing' ? 'everything' : 'writes';
}

/** Long enough to cost nothing, short enough to see a turn of the event loop that others feel. */
const sampleMs = 25;
/** A turn of the event loop that is longer makes others wait noticeably. */
const lateMs = 40;
/** For so long after a late turn: one that follows would be late again. */
const rememberedMs = 1_000;

/** Whether this process has more to compute than it gets done: its turns of the event loop have been long in the last second. */
export interface LoopLag {
  readonly isLate: boolean;
}

let lateUntilMs = 0;
let expectedAtMs = 0;
let timer: NodeJS.Timeout | undefined;

/** One for the process; it never keeps the process running. */
export function watchLoopLag(): LoopLag {
  if (timer === undefined) {
    expectedAtMs = performance.now() + sampleMs;
    timer = setInterval(() => {
      const nowMs = performance.now();
      if (nowMs - expectedAtMs > lateMs) lateUntilMs = nowMs + rememberedMs;
      expectedAtMs = nowMs + sampleMs;
    }, sampleMs);
    timer.unref();
  }
  return {
    get isLate() {
      return performance.now() < lateUntilMs;
    },
  };
}

interface ShareBounds {
  /** How many pieces of work run at once. */
  readonly capacity: number;
  /** How long a piece waits for its turn. */
  readonly waitMsMax: number;
  readonly lag: LoopLag;
}

type Kind = 'read' | 'write';

interface Turn {
  readonly kind: Kind;
  readonly begin: () => void;
  readonly isGivenUp: () => boolean;
}

/** While the process is late: what is read takes it time to show, and answers of one that come together make the others wait. */
const readsWhileLateMax = 2;
/** Another one that asked so long ago counts as present. */
const presentMs = 1_000;

/**
 * Shares a pool of connections fairly among organizations, in each process. One organization holds three quarters of them at
 * most, so a noisy shop never takes them all; requests that wait take turns by organization, so a long queue of one delays another
 * by one piece of work. The time of the process is shared as well: while it has more to compute than it gets done, and others
 * ask too, each organization runs two reads at a time, and its waiting writes go before its waiting reads.
 */
export class FairShare<Key> {
  readonly #bounds: ShareBounds;
  readonly #ofOneMax: number;
  readonly #held = new Map<Key, Record<Kind, number>>();
  /** In the order of their turns; none of the lists is empty. */
  readonly #waiting = new Map<Key, Turn[]>();
  #heldCount = 0;
  /** The one that asked last, and the last other one. */
  #last: { readonly key: Key; atMs: number } | undefined;
  #lastOther: { readonly key: Key; readonly atMs: number } | undefined;

  constructor(bounds: ShareBounds) {
    this.#bounds = bounds;
    this.#ofOneMax = Math.max(1, Math.ceil((bounds.capacity * 3) / 4));
  }

  /** Resolves or fails as `work` does; fails with SERVICE_UNAVAILABLE when its turn does not come in time. */
  async take<Result>(key: Key, kind: Kind, work: () => Promise<Result>): Promise<Result> {
    this.#note(key);
    const isFirst = !this.#waiting.get(key)?.some((turn) => turn.kind === kind);
    if (isFirst && this.#mayBegin(key, kind)) this.#hold(key, kind);
    else await this.#turnOf(key, kind);
    try {
      return await work();
    } finally {
      this.#release(key, kind);
      this.#handOn();
    }
  }

  #note(key: Key): void {
    const atMs = performance.now();
    if (this.#last?.key === key) {
      this.#last.atMs = atMs;
      return;
    }
    this.#lastOther = this.#last;
    this.#last = { key, atMs };
  }

  #hasOthers(key: Key): boolean {
    const other = this.#last?.key === key ? this.#lastOther : this.#last;
    return other !== undefined && performance.now() - other.atMs < presentMs;
  }

  #mayBegin(key: Key, kind: Kind): boolean {
    if (this.#heldCount >= this.#bounds.capacity) return false;
    const held = this.#held.get(key);
    if (held === undefined) return true;
    if (held.read + held.write >= this.#ofOneMax) return false;
    return (
      kind === 'write' || held.read < readsWhileLateMax || !(this.#bounds.lag.isLate && this.#hasOthers(key))
    );
  }

  #hold(key: Key, kind: Kind): void {
    this.#heldCount += 1;
    const held = this.#held.get(key);
    if (held === undefined) this.#held.set(key, { read: 0, write: 0, [kind]: 1 });
    else held[kind] += 1;
  }

  #release(key: Key, kind: Kind): void {
    this.#heldCount -= 1;
    const held = this.#held.get(key)!;
    held[kind] -= 1;
    if (held.read + held.write === 0) this.#held.delete(key);
  }

  /** Holds a place once it resolves. */
  #turnOf(key: Key, kind: Kind): Promise<void> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      const deadline = deadlines.begin(this.#bounds.waitMsMax, () => {
        isLate = true;
        reject(
          unavailable(
            new DatabaseUnresponsive(`No connection was free within ${this.#bounds.waitMsMax} ms.`),
          ),
        );
      });
      const begin = (): void => {
        deadlines.end(deadline);
        resolve();
      };
      const own = this.#waiting.get(key);
      const turn = { kind, begin, isGivenUp: () => isLate };
      if (own === undefined) this.#waiting.set(key, [turn]);
      else own.push(turn);
    });
  }

  /** Gives free places to those that wait: one for each organization, which then goes to the end, until none may begin. */
  #handOn(): void {
    let hasBegun = true;
    while (hasBegun && this.#waiting.size > 0) {
      hasBegun = false;
      for (const [key, own] of [...this.#waiting]) {
        while (own[0]?.isGivenUp()) own.shift();
        const at = own.findIndex((turn) => !turn.isGivenUp() && this.#mayBegin(key, turn.kind));
        if (own.length === 0) this.#waiting.delete(key);
        if (at < 0) continue;
        this.#waiting.delete(key);
        const [turn] = own.splice(at, 1);
        if (own.length > 0) this.#waiting.set(key, own);
        this.#hold(key, turn!.kind);
        turn!.begin();
        hasBegun = true;
      }
    }
  }
}

/** A client that is checked out of the pool. */
export type PooledClient = WatchedClient & { release(error?: Error): void };

/** The error that ended each connection. */
const endedBy = new WeakMap<object, Error>();

/** A pool of connections to one database. Each piece of work borrows one. */
export class ConnectionPool {
  readonly #pool: Pool;
  readonly #shares: FairShare<OrganizationId>;
  readonly #connectMs: number;
  readonly #breaker: CircuitBreaker;
  readonly #hasSeveralServers: boolean;
  readonly #servers: AwayServers | undefined;

  /** Idle connections stay open: a new connection would slow the next request down. */
  constructor(
    config: PoolConfig,
    { connectMs, roundTripMs }: DatabaseDeadlines,
    breaker: CircuitBreaker,
    servers?: AwayServers,
  ) {
    this.#connectMs = connectMs;
    this.#breaker = breaker;
    this.#servers = servers;
    this.#hasSeveralServers = serverChoiceOf(config) !== undefined;
    this.#shares = new FairShare({ capacity: config.max ?? 10, waitMsMax: connectMs, lag: watchLoopLag() });
    this.#pool = new Pool({
      ...config,
      idleTimeoutMillis: 0,
      Client: watchedClients({ connectMs, queryMs: roundTripMs }),
    });
    // The pool replaces an idle connection that breaks; the next query reports a lasting problem.
    this.#pool.on('error', () => {});
    // Listens from the start: a server can report its end together with ReadyForQuery, before other listeners exist.
    this.#pool.on('connect', (client) => client.on('error', (error) => endedBy.set(client, error)));
  }

  /** The same as `use`, when it is the organization's turn; for the program itself at once. */
  useFor<Result>(
    organizationId: OrganizationId | undefined,
    kind: 'read' | 'write',
    work: (client: PooledClient) => Promise<Result>,
  ): Promise<Result> {
    if (organizationId === undefined) return this.use(kind, work);
    const servers = this.#servers;
    if (servers === undefined) return this.#shares.take(organizationId, kind, () => this.use(kind, work));
    return servers.watch(organizationId, () =>
      this.#shares.take(organizationId, kind, async () => {
        // The server may have gone while the work waited for its turn.
        await servers.refuseIfAway(organizationId);
        return this.use(kind, (client) => servers.hold(organizationId, client, work));
      }),
    );
  }

  /**
   * Runs `work` with a connection. Fails with SERVICE_UNAVAILABLE when no connection is available in time, or when the
   * connection ends.
   */
  async use<Result>(
    kind: 'read' | 'write',
    work: (client: PooledClient) => Promise<Result>,
  ): Promise<Result> {
    if (this.#breaker.refuses(kind)) throw unavailable(new DatabaseUnresponsive('The database is silent.'));
    let client: PooledClient;
    try {
      client = await (this.#hasSeveralServers ? this.#connectToAny() : this.#connect());
      if (this.#breaker.isSuspect(client)) client = await this.#replaceSuspect(client);
    } catch (error) {
      throw refusalOf(error) ?? unavailable(error);
    }
    try {
      return await work(client);
    } catch (error) {
      // The server's last message arrives before the end of the connection is visible.
      if (isConnectionEnd(error) && !endedBy.has(client)) endedBy.set(client, error);
      const end = endedBy.get(client);
      throw end === undefined ? error : unavailable(end);
    } finally {
      client.release(endedBy.get(client));
    }
  }

  /**
   * Replaces a suspect connection with a new one. Other pooled connections may be dead, too; connecting is quicker than
   * testing them.
   */
  async #replaceSuspect(suspect: PooledClient): Promise<PooledClient> {
    let client = suspect;
    while (this.#breaker.isSuspect(client)) {
      client.cut();
      client.release(new DatabaseUnresponsive('Another connection received no answer.'));
      client = await this.#connect();
    }
    return client;
  }

  /** The server of before may have ended; then the next attempt finds the one that took over. */
  async #connectToAny(): Promise<PooledClient> {
    try {
      return await this.#connect();
    } catch (error) {
      if (error instanceof DatabaseUnresponsive || error instanceof WrongServer) throw error;
      return this.#connect();
    }
  }

  /** Waits for a free or a new connection. */
  #connect(): Promise<PooledClient> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      // The pool hands out a free connection within the current turn of the event loop.
      const isFree = this.#pool.idleCount > this.#pool.waitingCount;
      const deadline = isFree
        ? undefined
        : deadlines.begin(this.#connectMs, () => {
            isLate = true;
            reject(new DatabaseUnresponsive(`No connection was free within ${this.#connectMs} ms.`));
          });
      this.#pool.connect((error, client) => {
        if (isLate) {
          client?.release();
          return;
        }
        if (deadline !== undefined) deadlines.end(deadline);
        if (error) reject(error);
        else resolve(client as unknown as PooledClient);
      });
    });
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
