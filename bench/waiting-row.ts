import { randomUUID } from 'node:crypto';
import type { DemoOrganization } from '../seed/load-shop.ts';
import type { BenchDatabase } from './bench-shop.ts';
import { ChildWorker } from './child-worker.ts';
import { median } from './closed-loop.ts';
import type { ServerProcess } from './server-process.ts';
import type { WaitingReply, WaitingRequest } from './waiting-clients.ts';

const waiterCounts = [1, 1_000, 2_000, 3_000];

/** So many requests with `wait`, answered by one order. */
export interface MeasuredWaiting {
  readonly count: number;
  /** From sending the order to the middle reply, to the last one, and to the order's own; medians of the rounds. */
  readonly middleMs: number;
  readonly lastMs: number;
  readonly changeMs: number;
  /** The slowest of the rounds. */
  readonly slowestMs: number;
  /** The server's processor time for each reply, with its share of the order. */
  readonly serverCpuMs: number;
}

export async function measureWaiting(
  server: ServerProcess,
  shop: BenchDatabase,
  { consumerKey, clientKey }: DemoOrganization,
  rounds: number,
): Promise<MeasuredWaiting[]> {
  const clients = new ChildWorker<WaitingRequest, WaitingReply>('waiting-clients.ts');
  const port = server.basePort;
  const keys = `X-Consumer-Key: ${consumerKey}\r\nX-Client-Key: ${clientKey}\r\n`;
  const [cart] = await shop.carts();
  const change = (): string => {
    const body = JSON.stringify({ type: 'pickup', ...cart, idempotencyKey: randomUUID() });
    const length = Buffer.byteLength(body);
    return `POST /api/v1/orders HTTP/1.1\r\nHost: localhost\r\n${keys}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;
  };
  const latest = async (): Promise<string> => {
    const headers = { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/changes/latest`, { headers });
    return ((await response.json()) as { data: { cursor: string } }).data.cursor;
  };
  try {
    const measured: MeasuredWaiting[] = [];
    for (const count of waiterCounts) {
      await clients.ask({ port, open: count });
      const times: { readonly sorted: number[]; readonly changeMs: number; readonly cpuMs: number }[] = [];
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        const url = `/api/v1/changes?after=${await latest()}&wait=25`;
        const wait = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${keys}\r\n`;
        const asked = clients.ask({ wait, change: change(), readMs: 1_000 });
        // Nearly all of the time until the change: what the requests cost by themselves does not count.
        await new Promise((resolve) => setTimeout(resolve, 700 + count));
        const before = await server.usage();
        const { repliesMs, changeMs } = await asked;
        const after = await server.usage();
        const cpuMs = ((after.serverCpuSeconds - before.serverCpuSeconds) * 1_000) / count;
        times.push({ sorted: repliesMs.toSorted((a, b) => a - b), changeMs, cpuMs });
      }
      const counted = times.slice(1);
      measured.push({
        count,
        middleMs: median(counted.map(({ sorted }) => sorted[Math.floor(count / 2)]!)),
        lastMs: median(counted.map(({ sorted }) => sorted.at(-1)!)),
        changeMs: median(counted.map(({ changeMs }) => changeMs)),
        slowestMs: Math.max(...counted.map(({ sorted }) => sorted.at(-1)!)),
        serverCpuMs: median(counted.map(({ cpuMs }) => cpuMs)),
      });
    }
    return measured;
  } finally {
    clients.stop();
  }
}

/** The result, as Markdown. */
export function waitingTable(measured: readonly MeasuredWaiting[]): string {
  const rows = measured.map(({ count, middleMs, lastMs, slowestMs, changeMs, serverCpuMs }) => {
    const times = [middleMs, lastMs, slowestMs, changeMs].map((ms) => Math.round(ms));
    return `| ${count.toLocaleString('en-US')} | ${times.join(' | ')} | ${serverCpuMs.toFixed(3)} |`;
  });
  return [
    '| requests with `wait` | middle reply, ms | last, ms | slowest round, ms | the order itself, ms | server CPU ms a reply |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}
