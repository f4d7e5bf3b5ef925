import { Registry } from 'prom-client';
import { afterAll, afterEach, expect, test } from 'vitest';
import { keyHeaders, startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { currentTracer, installTracer } from '../../kernel/tracing.ts';
import { createLogger } from '../../platform/http/logging.ts';
import { createMetrics } from '../../platform/http/metrics.ts';
import { startJobs } from '../../platform/jobs/job-runner.ts';
import { photoTask } from '../../shop/catalog/product-photos.ts';
import { Receiver, testWorker } from '../../shop/webhooks/webhooks.test-support.ts';
import { Collector } from './collector.test-support.ts';
import { startTelemetry } from './telemetry.ts';

/* What a collector gets, from a request to its webhook. */

const collector = await Collector.start();
const service = await startOwnTestService({ trustedProxies: ['127.0.0.1'] });
const { baseUrl } = await service.listen();
const receiver = await Receiver.start();
const worker = testWorker(service);
const warnings: string[] = [];
const logger = { warn: (message: string) => void warnings.push(message) };
afterEach(() => installTracer(null));
afterAll(async () => {
  await worker.stop();
  await Promise.all([receiver.close(), collector.close()]);
  await service.close();
});

const otel = (url: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shops',
});

test('one trace goes from a request to its statements, its job and its webhook, and has no personal data and no secrets', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const types = ['product.created', 'order.placed'];
  const body = { url: receiver.url, types };
  const endpoint = await service.call('POST', '/api/v1/webhook-endpoints', { keys: shop.keys, body });
  expect(endpoint.status).toBe(201);
  const metrics = createMetrics();
  const telemetry = await startTelemetry(
    { otel: otel(collector.url) },
    { context: service.context, metrics, logger },
  );

  const parent = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
  const product = {
    ...{
      name: 'Planted Haze',
      description: 'Planted words',
      unit: 'item',
      strainType: 'hybrid',
      category: 'Flower',
    },
    ...{ subCategories: [], photos: ['http://pictures.example.com/planted.png'] },
    options: [{ name: 'planted', amount: 1, price: 2_000, content: '1' }],
  };
  const made = await fetch(`${baseUrl}/staff/v1/products`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${owner.token}`,
      traceparent: `00-${parent.traceId}-${parent.spanId}-01`,
    },
    body: JSON.stringify(product),
  });
  expect(made.status).toBe(201);
  const order = pickupBody(shop, {
    lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }],
    customer: { firstName: 'Planted', lastName: 'Person', email: 'planted@customers.example.com' },
  });
  const headers = { 'content-type': 'application/json', ...keyHeaders(shop.keys) };
  const placed = await fetch(`${baseUrl}/api/v1/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify(order),
  });
  expect(placed.status).toBe(201);
  const missing = '/api/v1/orders/planted-path?status=planted-query';
  expect((await fetch(`${baseUrl}${missing}`, { headers })).status).toBe(404);

  let fetched = () => {};
  const photo = new Promise<void>((resolve) => {
    fetched = resolve;
  });
  const jobs = startJobs({
    connection: service.database.serving,
    database: service.context.database,
    tasks: [{ name: photoTask, run: async () => fetched() } as never],
    logger: createLogger({ level: 'silent' }),
    metrics: { registry: new Registry() },
    pollEveryMs: 20,
  });
  await photo;
  await jobs.stop();
  await worker.pass(shop.organizationId);
  await receiver.count(2);
  await worker.stop();
  metrics.requestDurations.observe('placeOrder', 201, 0.02);
  await telemetry.stop();
  expect(currentTracer()).toBeNull();

  const { spans } = collector;
  const ofTrace = spans.filter(({ traceId }) => traceId === parent.traceId);
  const named = (name: string) => ofTrace.filter((span) => span.name === name);
  const [request] = named('staffCreateProduct');
  expect(request).toMatchObject({ parentSpanId: parent.spanId, isError: false });
  expect(request!.attributes).toMatchObject({
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'dispensary.organization_id': shop.organizationId,
  });
  const statements = named('database').filter(({ parentSpanId }) => parentSpanId === request!.spanId);
  expect(statements.map(({ attributes }) => attributes['db.query.summary']).join(' ')).toContain('add_jobs');
  const isBelowRequest = ({ parentSpanId }: { parentSpanId?: string }) =>
    [request!, ...statements].some(({ spanId }) => spanId === parentSpanId);
  expect(named(`job ${photoTask}`).filter(isBelowRequest)).toHaveLength(1);
  const [webhook] = named('webhook').filter(isBelowRequest);
  expect(webhook!.attributes).toMatchObject({
    'dispensary.event': 'product.created',
    'http.response.status_code': 204,
  });
  const sent = receiver.received.find(({ body }) => body.type === 'product.created');
  expect(sent!.headers.traceparent).toBe(`00-${parent.traceId}-${webhook!.spanId}-01`);

  const placing = spans.find(({ name }) => name === 'placeOrder')!;
  expect(spans.filter(({ name, traceId }) => name === 'webhook' && traceId === placing.traceId)).toHaveLength(
    1,
  );
  expect(collector.metrics.get('http.server.request.duration')).toBe(1);
  expect(collector.metrics.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  expect(collector.texts.every((one) => one.headers['x-tenant'] === 'shops')).toBe(true);
  const all = collector.texts.map(({ text }) => text).join('\n');
  const secrets = [shop.keys.consumerKey, shop.keys.clientKey, owner.token, owner.email, '127.0.0.1'];
  for (const text of [...secrets, 'lanted', 'customers.example.com']) expect(all).not.toContain(text);
  expect(warnings).toEqual([]);
  expect(service.faults).toEqual([]);
});

test('without a collector nothing is traced; one that is away is reported once and delays no request', async () => {
  const silent = await startTelemetry(
    { otel: undefined },
    { context: service.context, metrics: createMetrics(), logger },
  );
  expect(currentTracer()).toBeNull();
  await silent.stop();
  // Nothing listens there.
  const away = await startTelemetry(
    { otel: otel('http://127.0.0.1:1') },
    { context: service.context, metrics: createMetrics(), logger },
  );
  for (let count = 0; count < 3; count += 1) {
    expect((await service.call('GET', '/healthz')).status).toBe(200);
  }
  await away.stop();
  expect(warnings).toEqual([
    'traces or metrics could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT',
  ]);
});
