import type { DemoOrganization } from '../seed/load-shop.ts';
import type { BenchDatabase } from './bench-shop.ts';
import { ChildWorker } from './child-worker.ts';
import { median } from './closed-loop.ts';
import type { ServerProcess } from './server-process.ts';
import type { PostLoad } from './webhook-baseline.ts';
import type { ReceiverReply, ReceiverRequest } from './webhook-receivers.ts';

const endpointCount = 20;
const healthyCount = endpointCount - 2;
const eventCounts = [200, 1_000];

/** So many events to 20 endpoints, one silent, one failing, against a bare loop of the same signed POSTs. */
interface MeasuredWebhooks {
  readonly eventCount: number;
  readonly baselinePerSecond: number;
  readonly oursPerSecond: number;
  readonly ratio: number;
  /** From the commit of the events until every healthy endpoint had all of them. */
  readonly allAfterMs: number;
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
}

export async function measureWebhooks(
  server: ServerProcess,
  shop: BenchDatabase,
  { consumerKey, clientKey }: DemoOrganization,
  rounds: number,
): Promise<MeasuredWebhooks[]> {
  const receivers = new ChildWorker<ReceiverRequest, ReceiverReply>('webhook-receivers.ts');
  const baseline = new ChildWorker<PostLoad, number>('webhook-baseline.ts');
  try {
    const { ports } = (await receivers.ask({ open: endpointCount })) as { ports: readonly number[] };
    for (const port of ports) {
      const made = await fetch(`http://127.0.0.1:${server.basePort}/api/v1/webhook-endpoints`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-consumer-key': consumerKey,
          'x-client-key': clientKey,
        },
        body: JSON.stringify({ url: `http://127.0.0.1:${port}/hooks`, types: ['product.updated'] }),
      });
      if (made.status !== 201) throw new Error(`an endpoint was refused: ${await made.text()}`);
    }
    const measured: MeasuredWebhooks[] = [];
    for (const eventCount of eventCounts) {
      const ofRounds: MeasuredWebhooks[] = [];
      // The first round warms up.
      for (let round = 0; round <= rounds; round += 1) {
        const bodies = Array.from({ length: eventCount }, (_, at) => bodyOf(at));
        const baselineMs = await baseline.ask({ ports: ports.slice(2), bodies });
        const before = await server.usage();
        const oursMs = await deliver(receivers, shop, eventCount);
        const after = await server.usage();
        const count = healthyCount * eventCount;
        ofRounds.push({
          eventCount,
          baselinePerSecond: (count * 1_000) / baselineMs,
          oursPerSecond: (count * 1_000) / oursMs,
          ratio: baselineMs / oursMs,
          allAfterMs: oursMs,
          serverCpuMs: ((after.serverCpuSeconds - before.serverCpuSeconds) * 1_000) / count,
          databaseCpuMs: ((after.databaseCpuSeconds - before.databaseCpuSeconds) * 1_000) / count,
        });
      }
      measured.push(medianRound(ofRounds.slice(1)));
    }
    return measured;
  } finally {
    receivers.stop();
    baseline.stop();
  }
}

function medianRound(rounds: readonly MeasuredWebhooks[]): MeasuredWebhooks {
  const medianOf = (name: keyof MeasuredWebhooks) => median(rounds.map((it) => it[name]));
  return {
    eventCount: medianOf('eventCount'),
    baselinePerSecond: medianOf('baselinePerSecond'),
    oursPerSecond: medianOf('oursPerSecond'),
    ratio: medianOf('ratio'),
    allAfterMs: medianOf('allAfterMs'),
    serverCpuMs: medianOf('serverCpuMs'),
    databaseCpuMs: medianOf('databaseCpuMs'),
  };
}

/** The milliseconds from before the commit until each healthy endpoint has all events. */
async function deliver(
  receivers: ChildWorker<ReceiverRequest, ReceiverReply>,
  shop: BenchDatabase,
  eventCount: number,
): Promise<number> {
  const startedMs = Date.now();
  const all = receivers.ask({ count: eventCount });
  await shop.announceProducts(eventCount);
  const { lastAtMs } = (await all) as { lastAtMs: number };
  return lastAtMs - startedMs;
}

/** As long as a real one. */
function bodyOf(at: number): string {
  const facts = { productId: 1_000 + (at % 50), at };
  const resource = { type: 'product', id: String(facts.productId) };
  const id = `${(10_000 + at).toString(36)}-${(2_000_000_000 + at).toString(36)}`;
  const time = '2026-03-01T17:05:09.123Z';
  const data = { id, type: 'product.updated', at: time, resource, facts };
  return JSON.stringify({ type: 'product.updated', timestamp: time, data });
}

/** The result, as Markdown. */
export function webhookTable(measured: readonly MeasuredWebhooks[]): string {
  const rows = measured.map((it) => {
    const rates = [it.baselinePerSecond, it.oursPerSecond].map((rate) => Math.round(rate));
    const cpu = [it.serverCpuMs, it.databaseCpuMs].map((ms) => ms.toFixed(3));
    const [count, ratio] = [it.eventCount.toLocaleString('en-US'), it.ratio.toFixed(2)];
    return `| ${[count, ...rates, ratio, Math.round(it.allAfterMs), ...cpu].join(' | ')} |`;
  });
  return [
    '| events to 20 webhook endpoints, one silent, one failing | baseline/s | ours/s | ratio | the 18 others had all after, ms | server CPU ms a delivery | database CPU ms |',
    '| ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows,
  ].join('\n');
}
