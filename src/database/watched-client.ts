import { Client, type ClientConfig, type PoolConfig } from 'pg';
import { DatabaseSilence, type Deadline, deadlines } from './deadlines.ts';

/** A server that is asked politely to end a session, and does not, is not asked twice. */
const endMs = 1_000;

interface Limits {
  readonly connectMs: number;
  /** Of each `query`; pipelines have limits of their own. */
  readonly queryMs: number;
  /** Failures to connect come without their code: the job queue waits longer and longer for some codes. */
  readonly hidesCodes?: boolean;
  /** Told when a query has passed its deadline. */
  readonly onSilence?: () => void;
}

/** Any function that takes results. */
type Callback = (...results: never[]) => void;

/** What of `pg` its types do not show. */
interface Internals {
  readonly connection: { readonly stream: { destroy(error?: Error): void } };
}

/** A client of `pg` that waits for nothing without end: connecting, each query and ending have a deadline. */
export class WatchedClient extends Client {
  /** Monotonic. */
  readonly madeAtMs = performance.now();
  readonly #limits: Limits;

  constructor(config: ClientConfig, limits: Limits) {
    super(config);
    this.#limits = limits;
  }

  /** Destroys the socket. What runs on the connection fails with the reason; the server finds out by itself. */
  cut(reason?: Error): void {
    (this as unknown as Internals).connection.stream.destroy(reason);
  }

  override connect(): Promise<Client>;
  override connect(callback: Callback): void;
  override connect(callback?: Callback): Promise<Client> | undefined {
    const deadline = this.#begin(this.#limits.connectMs, 'did not accept a connection');
    const connecting = super.connect as (callback?: Callback) => Promise<Client> | undefined;
    const told: Callback | undefined = this.#limits.hidesCodes && callback ? withoutCode(callback) : callback;
    return settling(deadline, (settled) => connecting.call(this, settled), told);
  }

  /** As in `pg`, in all its forms: `never` stands for the result of each. */
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
    // Without a reason: a socket that fails while it is ended would be a failure of the pool's.
    const deadline = deadlines.begin(endMs, () => this.cut());
    const ending = super.end as (callback?: Callback) => Promise<void> | undefined;
    return settling(deadline, (settled) => ending.call(this, settled), callback);
  }

  #begin(limitMs: number, what: string): Deadline {
    return deadlines.begin(limitMs, () => {
      this.#limits.onSilence?.();
      this.cut(new DatabaseSilence(`The database ${what} within ${limitMs} ms.`));
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

/** The clients of a pool, as its option `Client`. */
export function watchedClients(limits: Limits): PoolConfig['Client'] {
  return class extends WatchedClient {
    constructor(config: ClientConfig) {
      super(config, limits);
    }
  } as unknown as PoolConfig['Client'];
}
