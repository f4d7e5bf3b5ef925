import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { FleetProcess } from './fleet-process.ts';

type Ports = Pick<FleetProcess, 'port' | 'menuPort'>;

/** Sends connections to the processes that say that they are ready. */
export interface Balancer {
  readonly baseUrl: string;
  readonly menuUrl: string;
  /** Resolves when it sends requests to that process. */
  untilUsed(process: Ports): Promise<void>;
  close(): Promise<void>;
}

/** What the health check of a process said, each change once: a status, or `refused`. */
export type Health = number | 'refused' | 'unknown';

const checkEveryMs = 50;

/** A small balancer of connections: it knows no HTTP, and repeats nothing. */
export async function tcpBalancer(
  processes: readonly Ports[],
): Promise<Balancer & { seenOf(process: Ports): readonly Health[] }> {
  const seen = new Map(processes.map((process) => [process, ['unknown'] as Health[]]));
  const isUsed = (process: Ports) => seen.get(process)!.at(-1) === 200;
  const sockets = new Set<Socket>();
  let isClosed = false;
  let turn = 0;

  const check = async (process: Ports): Promise<void> => {
    while (!isClosed) {
      const health = await healthOf(process);
      const all = seen.get(process)!;
      if (all.at(-1) !== health) all.push(health);
      await delay(checkEveryMs);
    }
  };
  const checks = processes.map(check);
  const listen = async (kind: keyof Ports) => {
    const server = createServer((near) => {
      const used = processes.filter(isUsed);
      if (used.length === 0) return void near.destroy();
      const far = connect(used[turn++ % used.length]![kind], '127.0.0.1');
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(one);
        one.pipe(other);
        one.on('error', () => other.destroy());
        one.once('close', () => {
          sockets.delete(one);
          other.end();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, url: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
  };
  const [base, menu] = await Promise.all([listen('port'), listen('menuPort')]);
  return {
    baseUrl: base.url,
    menuUrl: menu.url,
    seenOf: (process) => seen.get(process)!,
    untilUsed: async (process) => {
      while (!isUsed(process)) await delay(checkEveryMs);
    },
    close: async () => {
      isClosed = true;
      base.server.close();
      menu.server.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all(checks);
    },
  };
}

/** Both addresses must be ready: they say so for themselves. */
async function healthOf({ port, menuPort }: Ports): Promise<Health> {
  const statuses = await Promise.all(
    [port, menuPort].map((at) =>
      fetch(`http://127.0.0.1:${at}/readyz`, { headers: { connection: 'close' } }).then(
        async (reply) => {
          await reply.arrayBuffer();
          return reply.status;
        },
        () => 'refused' as const,
      ),
    ),
  );
  return statuses.find((status) => status !== 200) ?? 200;
}
