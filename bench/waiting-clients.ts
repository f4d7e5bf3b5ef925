import { answerParent } from './child-worker.ts';
import { HttpConnection } from './http-connection.ts';

/** Opens connections; or sends the same request on each of them, and one that changes something when all have arrived. */
export type WaitingRequest =
  | { readonly port: number; readonly open: number }
  | {
      readonly wait: string;
      /** Null: another process changes something. */
      readonly change: string | null;
      /** How long the service may take to have read all of the requests. */
      readonly readMs: number;
    };

/** Times of the clock in milliseconds, in order. */
export interface WaitingReply {
  readonly repliedAtMs: readonly number[];
  /** When the change was sent, and when its own reply came; null: another process changed something. */
  readonly changed: { readonly sentAtMs: number; readonly repliedAtMs: number } | null;
}

/** One a millisecond. */
const sentAtOnce = 100;
/** Fewer than the service allows one address. */
const perAddress = 400;
const connections: HttpConnection[] = [];
const clockMs = (): number => performance.timeOrigin + performance.now();
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function answer(request: WaitingRequest): Promise<WaitingReply> {
  if ('open' in request) {
    for (const connection of connections.splice(0)) connection.close();
    while (connections.length < request.open + 1) {
      const address = `127.0.0.${1 + Math.floor(connections.length / perAddress)}`;
      connections.push(await HttpConnection.open(request.port, address));
    }
    return { repliedAtMs: [], changed: null };
  }
  const { wait, change, readMs } = request;
  const [writer, ...waiting] = connections;
  const bytes = Buffer.from(wait);
  const repliedAtMs: number[] = [];
  const all: Promise<void>[] = [];
  for (const connection of waiting) {
    all.push(
      connection.exchange(bytes).then(({ status, body }) => {
        repliedAtMs.push(clockMs());
        const text = Buffer.concat(body as Buffer[]).toString();
        if (status !== 200 || text.startsWith('{"data":[]'))
          throw new Error(`${status} without a change: ${text}`);
      }),
    );
    // More at once than the service takes would be refused.
    if (all.length % sentAtOnce === 0) await sleep(sentAtOnce);
  }
  await Promise.race([Promise.all(all), sleep(readMs)]);
  if (repliedAtMs.length > 0) throw new Error('a request was answered before the change');
  const changed = change === null ? null : await send(writer!, change);
  await Promise.all(all);
  return { repliedAtMs, changed };
}

async function send(writer: HttpConnection, change: string): Promise<WaitingReply['changed']> {
  const sentAtMs = clockMs();
  const { status, body } = await writer.exchange(Buffer.from(change));
  if (status !== 201) throw new Error(`the change was refused: ${Buffer.concat(body as Buffer[])}`);
  return { sentAtMs, repliedAtMs: clockMs() };
}

if (process.send) answerParent(answer);
