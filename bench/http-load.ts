import { randomUUID } from 'node:crypto';
import { answerParent } from './child-worker.ts';
import { closedLoop, type LoopResult } from './closed-loop.ts';
import { HttpConnection } from './http-connection.ts';

/** A placeholder in a request: each sending replaces it with a fresh UUID. */
export const freshUuidMark = '00000000-0000-4000-8000-000000000000';

export interface LoadRequest {
  readonly port: number;
  /** Whole requests as sent; used in turn. */
  readonly requests: readonly string[];
  readonly expectedStatus: number;
  readonly concurrency: number;
  readonly durationMs: number;
}

/** Puts load on a server for a while; rejects at the first reply that is not the expected one. */
async function load({
  port,
  requests,
  expectedStatus,
  concurrency,
  durationMs,
}: LoadRequest): Promise<LoopResult> {
  const connections = await Promise.all(Array.from({ length: concurrency }, () => HttpConnection.open(port)));
  const prepared = requests.map((text) => ({ bytes: Buffer.from(text), mark: text.indexOf(freshUuidMark) }));
  let turn = 0;
  try {
    return await closedLoop(concurrency, durationMs, async (worker) => {
      const { bytes, mark } = prepared[turn++ % prepared.length]!;
      // A worker's request is completely sent when its reply arrives, but another worker may send the same bytes.
      const sent = mark < 0 ? bytes : Buffer.from(bytes);
      if (mark >= 0) sent.write(randomUUID(), mark, 'latin1');
      const reply = await connections[worker]!.exchange(sent);
      if (reply.status !== expectedStatus) {
        throw new Error(
          `${reply.status} instead of ${expectedStatus}: ${Buffer.concat(reply.body).toString()}`,
        );
      }
    });
  } finally {
    for (const connection of connections) connection.close();
  }
}

if (process.send) answerParent(load);
