import { createAuthenticate, type Environment } from '../../src/access/organizations.ts';
import { allEndpoints, createContext, describeInterface } from '../../src/app.ts';
import type { Context } from '../../src/database/context.ts';
import type { Address, Endpoint } from '../../src/http/endpoint.ts';
import { createLogger } from '../../src/http/logging.ts';
import { createMetrics } from '../../src/http/metrics.ts';
import { createServer } from '../../src/http/server.ts';
import { type Clock, ManualClock } from '../../src/kernel/clock.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import type { TestKeys } from './test-shop.ts';

/** Where the clock of a test service stands unless it is given another. */
export const testNowMs = Date.parse('2026-03-10T18:00:00.000Z');

export interface TestServiceOptions<ServiceClock extends Clock> {
  readonly clock?: ServiceClock;
  /** By default one of its own, dropped by `close`. */
  readonly database?: TestDatabase;
  readonly environment?: Environment;
  /** By default off. */
  readonly rateLimits?: 'on' | 'off';
  /** By default those of the program. */
  readonly endpoints?: (context: Context) => readonly Endpoint[];
}

export interface TestRequest {
  /** None: no keys are sent. */
  readonly keys?: TestKeys | undefined;
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** An object is sent as JSON; text and bytes as they are, as application/json unless the headers say else. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** By default the address that has the path. */
  readonly address?: Address;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
  readonly data: any;
  // biome-ignore lint/suspicious/noExplicitAny: the same
  readonly meta: any;
  readonly error: { readonly code: string; readonly message: string; readonly meta?: unknown } | undefined;
}

export interface TestService<ServiceClock extends Clock = ManualClock> {
  readonly context: Context;
  readonly clock: ServiceClock;
  readonly database: TestDatabase;
  readonly endpoints: readonly Endpoint[];
  /** What was logged as a fault: empty, if all is well. */
  readonly faults: readonly string[];
  /** Answers without a network. */
  call(method: string, path: string, request?: TestRequest): Promise<TestReply>;
  /** Opens real sockets on the loopback. */
  listen(): Promise<{ readonly baseUrl: string; readonly menuUrl: string }>;
  close(): Promise<void>;
}

/** Starts both listeners of the program on the serving connection of a test database. */
export async function startTestService<ServiceClock extends Clock = ManualClock>(
  options: TestServiceOptions<ServiceClock> = {},
): Promise<TestService<ServiceClock>> {
  const clock = options.clock ?? (new ManualClock(testNowMs) as Clock as ServiceClock);
  const database = options.database ?? (await createTestDatabase());
  const context = createContext(database.serving, clock);
  const endpoints = options.endpoints?.(context) ?? allEndpoints(context, (location) => location);
  const faults: string[] = [];
  const shared = {
    endpoints,
    authenticate: createAuthenticate(context, options.environment ?? 'production'),
    clock,
    logger: createLogger({ level: 'error', destination: { write: (line: string) => faults.push(line) } }),
    metrics: createMetrics(),
    rateLimits: options.rateLimits ?? ('off' as const),
    readiness: async () => true,
  };
  const servers = {
    base: await createServer({ ...shared, address: 'base', openApi: describeInterface(endpoints) }),
    menu: await createServer({ ...shared, address: 'menu' }),
  };
  const menuPaths = new Set(endpoints.filter(({ address }) => address === 'menu').map(({ path }) => path));

  return {
    context,
    clock,
    database,
    endpoints,
    faults,
    call: async (method, path, request = {}) => {
      const address = request.address ?? (menuPaths.has(path.split('?', 1)[0]!) ? 'menu' : 'base');
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries(request.query ?? {})) {
        if (value !== undefined) query.append(name, String(value));
      }
      const reply = await servers[address].inject({
        method: method as 'GET',
        url: query.size > 0 ? `${path}?${query}` : path,
        headers: {
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...keyHeaders(request.keys),
          ...request.headers,
        },
        ...(request.body !== undefined && { payload: payloadOf(request.body) }),
      });
      const isJson = String(reply.headers['content-type']).startsWith('application/json');
      const json = isJson && reply.payload !== '' ? JSON.parse(reply.payload) : {};
      return {
        status: reply.statusCode,
        headers: reply.headers as Record<string, string | undefined>,
        text: reply.payload,
        data: json.data,
        meta: json.meta,
        error: json.error,
      };
    },
    listen: async () => {
      const [base, menu] = await Promise.all(
        [servers.base, servers.menu].map((server) => server.listen({ port: 0, host: '127.0.0.1' })),
      );
      return { baseUrl: `http://127.0.0.1:${base!.port}`, menuUrl: `http://127.0.0.1:${menu!.port}` };
    },
    close: async () => {
      await Promise.all([servers.base.close(), servers.menu.close()]);
      await context.database.close();
      if (options.database === undefined) await database.drop();
    },
  };
}

/** The headers that carry keys. */
export function keyHeaders({ consumerKey, clientKey }: TestKeys = {}): Record<string, string> {
  return {
    ...(consumerKey !== undefined && { 'x-consumer-key': consumerKey }),
    ...(clientKey !== undefined && { 'x-client-key': clientKey }),
  };
}

function payloadOf(body: unknown): string | Buffer {
  return typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
}
