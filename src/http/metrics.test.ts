import { expect, it } from 'vitest';
import { createMetrics, createMetricsServer } from './metrics.ts';
import { ask, createToyServer } from './toy-server.test-support.ts';

it('requests are measured by route and status, never by path, and served on a listener of their own', async () => {
  const metrics = createMetrics();
  const server = await createToyServer({ metrics });
  await ask(server, { url: '/api/v1/toys/7' });
  await ask(server, { url: '/api/v1/toys/8' });
  await ask(server, { url: '/api/v1/toys/x' });
  await server.close();

  const metricsServer = createMetricsServer(metrics);
  const { port } = await metricsServer.listen({ port: 0, host: '127.0.0.1' });
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404);
  await metricsServer.close();

  expect(text).toContain('http_request_duration_seconds_count{route="getToy",status="200"} 2');
  expect(text).toContain('http_request_duration_seconds_count{route="getToy",status="404"} 1');
  expect(text).toContain('process_cpu_user_seconds_total');
  expect(text).not.toContain('/api/v1');
});
