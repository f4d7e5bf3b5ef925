import { randomUUID } from 'node:crypto';
import type { DemoOrganization } from '../seed/load-shop.ts';
import type { BenchDatabase } from './bench-shop.ts';
import { ChildWorker } from './child-worker.ts';
import { median } from './closed-loop.ts';
import type { ServerProcess } from './server-process.ts';
import type { WaitingReply, WaitingRequest } from './waiting-clients.ts';

const waiterCounts = [1, 1_000, 2_000, 3_000];
/** How long the service may take to have read all of the requests. */
const readMs = 1_000;

/** So many requests with `wait`, answered by one order, or by an event of another process. */
interface MeasuredWaiting {
  readonly count: number;
  readonly isOfAnotherProcess: boolean;
  /** From sending the order, or the event's commit, to the middle reply and to the last one; medians of the rounds. */
  readonly middleMs: number;
  readonly lastMs: number;
  /** To the order's own reply, or until the commit returns. */
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
      for (const isOfAnotherProcess of [false, true]) {
        const ofRounds: Round[] = [];
        // The first round warms up.
        for (let round = 0; round <= rounds; round += 1) {
          const url = `/api/v1/changes?after=${await latest()}&wait=25`;
          const wait = `GET ${url} HTTP/1.1\r\nHost: localhost\r\n${keys}\r\n`;
          const asked = clients.ask({ wait, change: isOfAnotherProcess ? null : change(), readMs });
          // Nearly all of the time until the change: what the requests cost by themselves does not count.
          await new Promise((resolve) => setTimeout(resolve, readMs + count - 300));
          const before = await server.usage();
          const changed = isOfAnotherProcess ? await announceLater(shop) : null;
          const reply = await asked;
          const after = await server.usage();
          const cpuMs = ((after.serverCpuSeconds - before.serverCpuSeconds) * 1_000) / count;
          ofRounds.push(roundOf(reply, (changed ?? reply.changed)!, cpuMs));
        }
        measured.push({ count, isOfAnotherProcess, ...medianRound(ofRounds.slice(1)) });
      }
    }
    return measured;
  } finally {
    clients.stop();
  }
}

type Round = Omit<MeasuredWaiting, 'count' | 'isOfAnotherProcess' | 'slowestMs'>;
type Changed = NonNullable<WaitingReply['changed']>;

/** When the service has read all of the requests. */
async function announceLater(shop: BenchDatabase): Promise<Changed> {
  await new Promise((resolve) => setTimeout(resolve, 600));
  const sentAtMs = performance.timeOrigin + performance.now();
  await shop.announceProducts(1);
  return { sentAtMs, repliedAtMs: performance.timeOrigin + performance.now() };
}

function roundOf(
  { repliedAtMs }: WaitingReply,
  { sentAtMs, repliedAtMs: changeRepliedAtMs }: Changed,
  serverCpuMs: number,
): Round {
  const repliesMs = repliedAtMs.map((atMs) => atMs - sentAtMs).toSorted((a, b) => a - b);
  if (repliesMs[0]! < 0) throw new Error('a request was answered before the change');
  const middleMs = repliesMs[Math.floor(repliesMs.length / 2)]!;
  return { middleMs, lastMs: repliesMs.at(-1)!, changeMs: changeRepliedAtMs - sentAtMs, serverCpuMs };
}

function medianRound(rounds: readonly Round[]): Round & { readonly slowestMs: number } {
  const medianOf = (name: keyof Round): number => median(rounds.map((round) => round[name]));
  return {
    middleMs: medianOf('middleMs'),
    lastMs: medianOf('lastMs'),
    slowestMs: Math.max(...rounds.map(({ lastMs }) => lastMs)),
    changeMs: medianOf('changeMs'),
    serverCpuMs: medianOf('serverCpuMs'),
  };
}

/** The result, as Markdown. */
export function waitingTable(measured: readonly MeasuredWaiting[]): string {
  const rows = measured.map((row) => {
    const times = [row.middleMs, row.lastMs, row.slowestMs, row.changeMs].map((ms) => Math.round(ms));
    const writer = row.isOfAnotherProcess ? 'another' : 'the same';
    const cells = [row.count.toLocaleString('en-US'), writer, ...times, row.serverCpuMs.toFixed(3)];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '| requests with `wait` | process that writes | middle reply, ms | last, ms | slowest round, ms | the write itself, ms | server CPU ms a reply |',
    '| ---: | --- | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}
