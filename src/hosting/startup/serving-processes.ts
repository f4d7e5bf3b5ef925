import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { type Concerns, concerns } from '../../kernel/concerns.ts';

/** The addresses that a process serves. */
export interface ServedUrls {
  baseUrl: string;
  menuUrl: string;
}

/** What a serving process tells when it accepts requests. */
interface ServingMessage {
  readonly serving: ServedUrls;
}

/** What the process that starts them tells its serving processes: its concerns, which the console and `/readyz` show. */
interface ConcernsMessage {
  readonly concerns: Concerns['all'];
}

interface Options {
  readonly count: number;
  readonly logger: { error(fields: object, message: string): void };
}

/** The first wait before a process that ended is replaced; it doubles up to the last. */
const firstWaitMs = 1_000;
const lastWaitMs = 30_000;
/** After this time a process counts as having worked. */
const workedMs = 60_000;

const numberVariable = 'DISPENSARY_SERVING_PROCESS';

/** The number of this serving process, from 1; null in the process that starts them, and where there is only one. */
export function servingNumber(env: NodeJS.ProcessEnv): number | null {
  const number = cluster.isWorker ? env[numberVariable] : undefined;
  return number === undefined ? null : Number(number);
}

/** Tells the process that started this one that requests are accepted. This process ends with it. */
export function tellServing(serving: ServedUrls): void {
  process.on('disconnect', () => process.exit(1));
  process.on('message', ({ concerns: all }: Partial<ConcernsMessage>) => all && concerns.replaceAll(all));
  process.send!({ serving } satisfies ServingMessage);
}

/**
 * Starts processes that accept requests on the same ports. A process that ends is replaced. Resolves when all of them accept
 * requests; fails when one ends before. `announceEnd` asks them to stop; each serves on for its own drain time before. `close`
 * resolves when they have stopped.
 */
export async function startServingProcesses({
  count,
  logger,
}: Options): Promise<{ readonly urls: ServedUrls; announceEnd(): void; close(): Promise<void> }> {
  // Processes accept by themselves. Handed out by the start, a connection on its way to a process that dies is never answered.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  let isStopping = false;
  const workers = new Map<number, Worker>();
  const replacements = new Set<NodeJS.Timeout>();

  const start = async (number: number, waitMs: number): Promise<ServedUrls> => {
    const worker = cluster.fork({ [numberVariable]: String(number) });
    workers.set(number, worker);
    const startedAtMs = performance.now();
    const serving = untilServing(worker);
    worker.once('exit', (code, signal) => {
      workers.delete(number);
      if (isStopping) return;
      serving.then(
        () =>
          replace(number, code, signal, performance.now() - startedAtMs > workedMs ? firstWaitMs : waitMs),
        // The first start fails as a whole; `replace` goes on by itself.
        () => {},
      );
    });
    void serving.then(() => tellConcerns(worker)).catch(() => {});
    return serving;
  };
  const tellConcerns = (worker: Worker): void => {
    if (worker.isConnected()) worker.send({ concerns: concerns.all } satisfies ConcernsMessage);
  };
  const endTelling = concerns.onChange(() => {
    for (const worker of workers.values()) tellConcerns(worker);
  });
  const replace = (number: number, code: number | null, signal: string | null, waitMs: number): void => {
    logger.error({ code, signal, process: number }, 'a serving process ended and is replaced');
    const timer = setTimeout(() => {
      replacements.delete(timer);
      const nextWaitMs = Math.min(waitMs * 2, lastWaitMs);
      start(number, nextWaitMs).catch(() => replace(number, null, null, nextWaitMs));
    }, waitMs);
    replacements.add(timer);
  };
  let ends: readonly Promise<unknown>[] = [];
  const announceEnd = (): void => {
    if (isStopping) return;
    isStopping = true;
    endTelling();
    for (const timer of replacements) clearTimeout(timer);
    ends = [...workers.values()].map((worker) => {
      const ended = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      return ended;
    });
  };
  const close = async (): Promise<void> => {
    announceEnd();
    await Promise.all(ends);
  };
  try {
    const numbers = Array.from({ length: count }, (_, at) => at + 1);
    const [urls] = await Promise.all(numbers.map((number) => start(number, firstWaitMs)));
    return { urls: urls!, announceEnd, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function untilServing(worker: Worker): Promise<ServedUrls> {
  return new Promise((resolve, reject) => {
    worker.on('message', ({ serving }: Partial<ServingMessage>) => serving && resolve(serving));
    worker.once('exit', () => reject(new Error('A serving process could not start: its message is above.')));
  });
}
