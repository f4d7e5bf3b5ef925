import { Gauge } from 'prom-client';
import { expect, it } from 'vitest';
import { createMetrics, createMetricsServer } from './metrics.ts';
import { RequestDurations } from './request-durations.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

it('requests are measured by route and status, never by path, and served on a separate listener', async () => {
  const metrics = createMetrics();
  const server = createToyServer({ metrics });
  await ask(server, { url: '/api/v1/toys/7' });
  await ask(server, { url: '/api/v1/toys/8' });
  await ask(server, { url: '/api/v1/toys/x' });
  await server.close();

  const metricsServer = createMetricsServer(metrics, async () => true);
  const { port } = await metricsServer.listen({ port: 0, host: '127.0.0.1' });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await metricsServer.close();

  expect(text).toContain('http_request_duration_seconds_count{route="getToy",status="200"} 2');
  expect(text).toContain('http_request_duration_seconds_count{route="getToy",status="404"} 1');
  expect(text).toContain('process_cpu_user_seconds_total');
  expect(text).not.toContain('/api/v1');
});

it('the metrics listener answers the probes too, for a process without the base address', async () => {
  let isReady = true;
  const metricsServer = createMetricsServer(createMetrics(), async () => isReady);
  const { port } = await metricsServer.listen({ port: 0, host: '127.0.0.1' });
  const probe = async (path: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`);
    return [reply.status, await reply.json()];
  };
  expect(await probe('/healthz')).toEqual([200, { data: { status: 'alive' } }]);
  expect(await probe('/readyz')).toEqual([200, { data: { status: 'ready' } }]);
  isReady = false;
  expect(await probe('/healthz')).toEqual([200, { data: { status: 'alive' } }]);
  expect(await probe('/readyz')).toMatchObject([503, { error: { code: 'SERVICE_UNAVAILABLE' } }]);
  await metricsServer.close();
});

it('a figure that cannot be measured is told, and the process serves on', async () => {
  const metrics = createMetrics();
  new Gauge({
    ...{ name: 'broken', help: 'Broken.', registers: [metrics.registry] },
    collect() {
      throw new Error('no such figure');
    },
  });
  const metricsServer = createMetricsServer(metrics, async () => true);
  const { port } = await metricsServer.listen({ port: 0, host: '127.0.0.1' });
  const reply = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect([reply.status, await reply.text()]).toEqual([500, 'no such figure']);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  await metricsServer.close();
});

it('a duration counts in every bucket at or above it, and in the sum', () => {
  const durations = new RequestDurations();
  for (const seconds of [0.001, 0.002, 0.75, 60]) durations.observe('getToy', 200, seconds);
  durations.observe('getToy', 404, 0.004);

  const lines = durations.toText().split('\n');
  expect(lines.slice(0, 2)).toEqual([
    expect.stringMatching(/^# HELP http_request_duration_seconds \S/),
    '# TYPE http_request_duration_seconds histogram',
  ]);
  const counts = (status: number) =>
    lines.flatMap((line) => {
      const [, le, count] =
        new RegExp(`_bucket{le="(.*?)",route="getToy",status="${status}"} (.*)`).exec(line) ?? [];
      return le === undefined ? [] : [`${le} ${count}`];
    });
  expect(counts(200)).toEqual([
    '0.001 1',
    '0.0025 2',
    '0.005 2',
    '0.01 2',
    '0.025 2',
    '0.05 2',
    '0.1 2',
    '0.25 2',
    '0.5 2',
    '1 3',
    '2.5 3',
    '5 3',
    '10 3',
    '+Inf 4',
  ]);
  expect(counts(404).at(2)).toBe('0.005 1');
  expect(lines).toContain('http_request_duration_seconds_sum{route="getToy",status="200"} 60.753');
  expect(lines).toContain('http_request_duration_seconds_count{route="getToy",status="200"} 4');
});
