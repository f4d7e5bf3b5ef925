import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Attributes,
  Context,
  Span as OtelSpan,
  Tracer as OtelTracer,
  SpanContext,
} from '@opentelemetry/api';
import type { Registry } from 'prom-client';
import { installTracer, type Span, type SpanAttributes, type Tracer } from '../../kernel/tracing.ts';
import type { Context as ServiceContext } from '../../platform/database/context.ts';
import type { Metrics } from '../../platform/http/metrics.ts';
import type { Config } from './config.ts';

/** What is sent to a collector (D59). */
interface Telemetry {
  /** Sends what is left. */
  stop(): Promise<void>;
}

interface Options {
  readonly context: Pick<ServiceContext, 'randomBytes'>;
  readonly metrics: Pick<Metrics, 'registry' | 'requestDurations'>;
  readonly logger: { warn(message: string): void };
}

/** A collector that is away is reported once in this time. */
const reportEveryMs = 60_000;
/** OpenTelemetry's own default. */
const exportEveryMs = 60_000;
const service = 'dispensary-commerce';

/**
 * Sends traces and metrics by OTLP over HTTP (JSON) to the collector that the standard variables name. Without them nothing is
 * loaded and nothing is sent. A collector that does not answer delays no request: what it misses is dropped.
 */
export async function startTelemetry(
  { otel }: Pick<Config, 'otel'>,
  { context, metrics, logger }: Options,
): Promise<Telemetry> {
  if (otel === undefined) return { stop: async () => {} };
  // The packages read the variables themselves; some may come from the file of settings.
  Object.assign(process.env, otel);
  const [api, traces, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  reportProblems(api.diag, logger);
  const own = resources.resourceFromAttributes({
    'service.name': service,
    'service.instance.id': Buffer.from(context.randomBytes(8)).toString('hex'),
    'process.pid': process.pid,
  });
  const resource = own.merge(resources.detectResources({ detectors: [resources.envDetector] }));
  const provider = new traces.BasicTracerProvider({
    resource,
    spanProcessors: [new traces.BatchSpanProcessor(new OTLPTraceExporter())],
  });
  installTracer(tracerOf(api, provider.getTracer(service)));
  const stopMetrics = await startMetrics(otel, metrics, resource);
  return {
    stop: async () => {
      installTracer(null);
      // A collector that is away must not keep the process.
      await Promise.allSettled([provider.shutdown(), stopMetrics()]);
    },
  };
}

function reportProblems(diag: typeof import('@opentelemetry/api').diag, logger: Options['logger']): void {
  let reportedAtMs = Number.NEGATIVE_INFINITY;
  const report = () => {
    if (performance.now() - reportedAtMs < reportEveryMs) return;
    reportedAtMs = performance.now();
    // Its own words may contain the headers of the setting.
    logger.warn('traces or metrics could not be sent to the collector of OTEL_EXPORTER_OTLP_ENDPOINT');
  };
  diag.setLogger({ error: report, warn: () => {}, info: () => {}, debug: () => {}, verbose: () => {} });
}

const traceparentText = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function tracerOf(api: typeof import('@opentelemetry/api'), otel: OtelTracer): Tracer {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } = api;
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const spans = new AsyncLocalStorage<OpenSpan>();
  const contextOf = (parent: string | null | undefined): Context => {
    if (parent !== undefined && parent !== null) {
      const context = spanContextOf(parent);
      return context === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, context);
    }
    const current = spans.getStore();
    return current === undefined ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, current.otel);
  };
  return {
    start: (name, kind, attributes, parent) =>
      new OpenSpan(
        otel.startSpan(name, { kind: kinds[kind], attributes: attributes as Attributes }, contextOf(parent)),
        SpanStatusCode.ERROR,
      ),
    within: (span, work) => spans.run(span as OpenSpan, work),
    get current() {
      return spans.getStore();
    },
  };
}

function spanContextOf(traceparent: string): SpanContext | null {
  const [, traceId, spanId, flags] = traceparentText.exec(traceparent) ?? [];
  if (flags === undefined || /^0+$/.test(traceId!) || /^0+$/.test(spanId!)) return null;
  return { traceId: traceId!, spanId: spanId!, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

class OpenSpan implements Span {
  readonly otel: OtelSpan;
  readonly traceparent: string | undefined;
  readonly #errorStatus: number;

  constructor(otel: OtelSpan, errorStatus: number) {
    this.otel = otel;
    this.#errorStatus = errorStatus;
    const { traceId, spanId } = otel.spanContext();
    this.traceparent = otel.isRecording() ? `00-${traceId}-${spanId}-01` : undefined;
  }

  set(attributes: SpanAttributes): void {
    this.otel.setAttributes(attributes as Attributes);
  }

  end(problem?: string): void {
    if (problem !== undefined) {
      this.otel.setAttribute('error.type', problem);
      this.otel.setStatus({ code: this.#errorStatus });
    }
    this.otel.end();
  }
}

/** The metrics of `METRICS_PORT`, and the durations of requests. */
async function startMetrics(
  otel: NonNullable<Config['otel']>,
  { registry, requestDurations }: Options['metrics'],
  resource: import('@opentelemetry/resources').Resource,
): Promise<() => Promise<void>> {
  const [{ MeterProvider, PeriodicExportingMetricReader }, { OTLPMetricExporter }] = await Promise.all([
    import('@opentelemetry/sdk-metrics'),
    import('@opentelemetry/exporter-metrics-otlp-http'),
  ]);
  const exportIntervalMillis = Number(otel.OTEL_METRIC_EXPORT_INTERVAL ?? exportEveryMs);
  const exportTimeoutMillis = Math.min(exportIntervalMillis, 10_000);
  const exporter = new OTLPMetricExporter();
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis, exportTimeoutMillis });
  const provider = new MeterProvider({ resource, readers: [reader] });
  const meter = provider.getMeter(service);
  const durations = meter.createHistogram('http.server.request.duration', { unit: 's' });
  requestDurations.onObserved = (route, status, seconds) =>
    durations.record(seconds, { 'http.route': route, 'http.response.status_code': status });
  await offerRegistry(meter, registry);
  return () => provider.shutdown();
}

/** Counters and gauges of the registry, read when they are sent. */
async function offerRegistry(meter: import('@opentelemetry/api').Meter, registry: Registry): Promise<void> {
  for (const { name, help, type } of await registry.getMetricsAsJSON()) {
    const kind = String(type);
    if (kind !== 'counter' && kind !== 'gauge') continue;
    const options = { description: help };
    const instrument =
      kind === 'counter'
        ? meter.createObservableCounter(name, options)
        : meter.createObservableGauge(name, options);
    instrument.addCallback(async (result) => {
      const { values } = await registry.getSingleMetric(name)!.get();
      for (const { value, labels } of values) result.observe(value, labels as Attributes);
    });
  }
}
