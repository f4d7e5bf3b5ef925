import { Client, type ClientConfig, type PoolConfig } from 'pg';
import { DatabaseUnresponsive, type Deadline, deadlines } from './deadlines.ts';
import { type ServerChoice, serverChoiceOf, type WantedServer, WrongServer } from './server-choice.ts';

/** How long to wait for a server to end a session before the socket is destroyed. */
const endMs = 1_000;

interface Limits {
  readonly connectMs: number;
  /** The limit of each `query`; pipelines have their own. */
  readonly queryMs: number;
  /** Drops the codes of connection errors: the job queue backs off longer for some codes. */
  readonly hidesCodes?: boolean;
  /** Called when a query misses its deadline. */
  readonly onSilence?: () => void;
}

/** Any function that takes results. */
type Callback = (...results: never[]) => void;

/** Parts of `pg` that its types omit. */
interface Internals {
  host: string;
  port: number;
  readonly connection: {
    readonly stream: { destroy(error?: Error): void };
    on(event: 'parameterStatus', told: (message: ServerParameter) => void): void;
  };
}

/** What a server tells of itself when a session begins. */
interface ServerParameter {
  readonly parameterName: string;
  readonly parameterValue: string;
}

/** Options of a session. */
export interface SessionConfig extends ClientConfig {
  /** By default the primary: a session on a standby is refused. */
  readonly wants?: WantedServer;
}

/**
 * A client of `pg` that never waits without a limit: connecting, each query and ending have a deadline. If its address names
 * several servers, it connects to the one that is what it wants.
 */
export class WatchedClient extends Client {
  /** Monotonic. */
  readonly madeAtMs = performance.now();
  readonly #limits: Limits;
  readonly #wants: WantedServer;
  readonly #choice: ServerChoice | undefined;
  #isOnStandby = false;

  constructor(config: SessionConfig, limits: Limits) {
    const choice = serverChoiceOf(config);
    super(choice === undefined ? config : { ...config, connectionString: choice.addresses[0]! });
    this.#limits = limits;
    this.#wants = config.wants ?? 'primary';
    this.#choice = choice;
    (this as unknown as Internals).connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
      if (parameterName === 'in_hot_standby') this.#isOnStandby = parameterValue === 'on';
    });
  }

  /** Destroys the socket. Running queries fail with the reason; the server notices by itself. */
  cut(reason?: Error): void {
    (this as unknown as Internals).connection.stream.destroy(reason);
  }

  override connect(): Promise<Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<Client> | undefined {
    if (callback === undefined) {
      return new Promise((resolve, reject) => {
        this.#connectToWanted((error) => (error ? reject(error) : resolve(this as Client)));
      });
    }
    const told = this.#limits.hidesCodes ? withoutCode(callback) : callback;
    this.#connectToWanted(told as (error: Error | null, client?: Client) => void);
    return undefined;
  }

  /** Calls back within the event that ends the attempt: a server can end the connection in the same one. */
  #connectToWanted(told: (error: Error | null, client?: Client) => void): void {
    const connect = () => {
      const deadline = this.#begin(this.#limits.connectMs, 'did not accept a connection');
      super.connect((error: Error | null) => {
        deadlines.end(deadline);
        const refusal = error ?? this.#refusal();
        if (refusal !== null) this.#choice?.forget();
        told(refusal, this as Client);
      });
    };
    if (this.#choice === undefined) {
      connect();
    } else {
      this.#choice.current().then((place) => {
        Object.assign(this, place);
        connect();
      }, told);
    }
  }

  /** A promoted server says so itself; what becomes of a standby is looked after by who reads there. */
  #refusal(): WrongServer | null {
    if (this.#wants === 'standby' || !this.#isOnStandby) return null;
    this.cut();
    return new WrongServer('the server there is a standby, which takes no writes');
  }

  /** All call signatures of `pg`; `never` stands for the result of each. */
  override query(...args: unknown[]): never {
    const ask = super.query as (...args: unknown[]) => Promise<unknown> | undefined;
    const isPipeline = typeof (args[0] as { submit?: unknown } | null)?.submit === 'function';
    if (isPipeline) return ask.apply(this, args) as never;
    const deadline = this.#begin(this.#limits.queryMs, 'did not answer');
    const callback = typeof args.at(-1) === 'function' ? (args.pop() as Callback) : undefined;
    return settling(
      deadline,
      (settled) => ask.apply(this, settled ? [...args, settled] : args),
      callback,
    ) as never;
  }

  override end(): Promise<void>;
  override end(callback: Callback): void;
  override end(callback?: Callback): Promise<void> | undefined {
    // Without a reason: a socket error while ending would count as a failure of the pool.
    const deadline = deadlines.begin(endMs, () => this.cut());
    const ending = super.end as (callback?: Callback) => Promise<void> | undefined;
    return settling(deadline, (settled) => ending.call(this, settled), callback);
  }

  #begin(limitMs: number, what: string): Deadline {
    return deadlines.begin(limitMs, () => {
      this.#limits.onSilence?.();
      this.cut(new DatabaseUnresponsive(`The database ${what} within ${limitMs} ms.`));
    });
  }
}

/** Ends a deadline when `work` calls back, or its promise settles. */
function settling<Result>(
  deadline: Deadline,
  work: (callback?: Callback) => Promise<Result> | undefined,
  callback: Callback | undefined,
): Promise<Result> | undefined {
  if (callback !== undefined) {
    return work((...results: never[]) => {
      deadlines.end(deadline);
      callback(...results);
    });
  }
  const result = work();
  const end = () => deadlines.end(deadline);
  result?.then(end, end);
  return result;
}

function withoutCode(callback: Callback): Callback {
  return (error: Error | null, ...rest: never[]) => {
    const shown = error && new Error(error.message, { cause: error });
    (callback as (...results: unknown[]) => void)(shown, ...rest);
  };
}

/** The class of a pool's clients, for its option `Client`. */
export function watchedClients(limits: Limits): PoolConfig['Client'] {
  return class extends WatchedClient {
    constructor(config: ClientConfig) {
      super(config, limits);
    }
  } as unknown as PoolConfig['Client'];
}
