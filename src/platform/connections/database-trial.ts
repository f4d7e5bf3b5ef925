import { type Client, type ClientConfig, Connection } from 'pg';
import { DatabaseUnresponsive, deadlines } from './deadlines.ts';
import { type PipelineStatement, runPipeline } from './pipeline.ts';
import { WatchedClient } from './watched-client.ts';

/** The result of a trial on its own connection. */
export interface DatabaseTrial {
  readonly reached: 'nothing' | 'connection' | 'commit';
  /** The error; null when the commit succeeded. */
  readonly error: unknown;
}

const sql = (text: string): PipelineStatement => ({ name: '', text, values: [] });

/**
 * Exercises what a write needs, without a table: disk space for a file, space in the write-ahead log, and a durable
 * commit (also on a standby, where the server waits for one).
 */
const write: readonly PipelineStatement[] = [
  sql('begin read write'),
  sql(`select set_config('work_mem', '64kB', true)`),
  // Three times work_mem, which spills to a temporary file; any free inode and block is enough.
  sql(`select count(*) from string_to_table(repeat(repeat('x', 999) || ',', 200), ',')`),
  sql(`select pg_logical_emit_message(true, 'dispensary-commerce', 'trial')`),
  sql('commit'),
];

/**
 * Checks on a new connection whether the database accepts connections and commits, by default a write that leaves no durable
 * data. Answers within `limitMs` in every case, and leaves no waiting session behind.
 */
export async function tryDatabase(
  config: ClientConfig,
  limitMs: number,
  statements: readonly PipelineStatement[] = write,
): Promise<DatabaseTrial> {
  const client = new WatchedClient(config, { connectMs: limitMs, queryMs: limitMs });
  client.on('error', () => {});
  let reached: DatabaseTrial['reached'] = 'nothing';
  const deadline = deadlines.begin(limitMs, () => {
    // A commit that waits for a standby outlives its connection unless it is canceled.
    if (reached === 'connection') cancel(client, config, limitMs);
    client.cut(new DatabaseUnresponsive(`The database did not commit within ${limitMs} ms.`));
  });
  try {
    await client.connect();
    reached = 'connection';
    await runPipeline(client as Client, statements);
    reached = 'commit';
    return { reached, error: null };
  } catch (error) {
    return { reached, error };
  } finally {
    deadlines.end(deadline);
    client.end(() => {});
  }
}

/** Parts of `pg` that its types omit. */
interface Canceler {
  readonly stream: { destroy(): void };
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  on(event: 'connect' | 'sslconnect' | 'error' | 'end', listener: () => void): void;
}

/** Asks the server, on another connection, to cancel the client's query. The outcome is unknown. */
function cancel(client: Client, config: ClientConfig, limitMs: number): void {
  const { host, port, ssl, processID, secretKey } = client as Client & {
    readonly processID: number;
    readonly secretKey: number;
  };
  const canceler = new Connection({ ...config, ssl }) as unknown as Canceler;
  const deadline = deadlines.begin(limitMs, () => canceler.stream.destroy());
  const ask = () => canceler.cancel(processID, secretKey);
  canceler.on('connect', () => (ssl ? canceler.requestSsl() : ask()));
  canceler.on('sslconnect', ask);
  canceler.on('error', () => {});
  canceler.on('end', () => deadlines.end(deadline));
  if (host.startsWith('/')) canceler.connect(`${host}/.s.PGSQL.${port}`);
  else canceler.connect(port, host);
}
