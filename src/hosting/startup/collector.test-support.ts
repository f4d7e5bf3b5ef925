import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as a collector has it. */
interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly isError: boolean;
}

interface OtlpValue {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

/** A receiver of OTLP over HTTP, in JSON, on the loopback. */
export class Collector {
  /** The bodies, as they came, by path. */
  readonly texts: { readonly path: string; readonly text: string; readonly headers: IncomingHttpHeaders }[] =
    [];
  readonly #server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers } = request;
      this.texts.push({ path, headers, text: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });

  static async start(): Promise<Collector> {
    const collector = new Collector();
    await new Promise<void>((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get spans(): readonly SentSpan[] {
    return this.#bodies('/v1/traces').flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }: Json) =>
        scopeSpans.flatMap(({ spans }: Json) =>
          spans.map((span: Json) => ({
            ...span,
            attributes: attributesOf(span.attributes),
            isError: span.status?.code === 2,
          })),
        ),
      ),
    );
  }

  /** The last value of each metric, by name; of a histogram its count. */
  get metrics(): ReadonlyMap<string, number> {
    const values = new Map<string, number>();
    for (const { resourceMetrics } of this.#bodies('/v1/metrics')) {
      for (const { scopeMetrics } of resourceMetrics) {
        for (const metric of scopeMetrics.flatMap(({ metrics }: Json) => metrics)) {
          const points = (metric.sum ?? metric.gauge ?? metric.histogram).dataPoints;
          for (const { asDouble, asInt, count } of points)
            values.set(metric.name, Number(asDouble ?? asInt ?? count));
        }
      }
    }
    return values;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #bodies(path: string): Json[] {
    return this.texts.filter((one) => one.path === path).map(({ text }) => JSON.parse(text));
  }
}

// biome-ignore lint/suspicious/noExplicitAny: what others send
type Json = any;

function attributesOf(values: readonly OtlpValue[]): Record<string, unknown> {
  return Object.fromEntries(values.map(({ key, value }) => [key, Object.values(value)[0]]));
}
