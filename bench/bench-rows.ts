import { randomUUID } from 'node:crypto';
import type { DemoOrganization } from '../seed/load-shop.ts';
import type { ConnectionConfig } from '../src/platform/database/database.ts';
import type { BenchRow, Load } from './bench-row.ts';
import type { BenchCart, BenchDatabase } from './bench-shop.ts';
import { ChildWorker } from './child-worker.ts';
import type { LoopResult } from './closed-loop.ts';
import type { DurableLoad } from './durable-baseline.ts';
import type { BaselineReply } from './http-baseline.ts';
import { HttpConnection, type RawReply } from './http-connection.ts';
import { freshUuidMark, type LoadRequest } from './http-load.ts';
import type { RecordedProgram } from './recorded-program.ts';
import type { RecordedBatch } from './recorded-statements.ts';
import type { ServerProcess } from './server-process.ts';
import type { StatementLoad } from './statement-baseline.ts';

/** A row is set up right before its measurement: rows share the workers. */
type Prepare = () => Promise<BenchRow>;

/** Orders whose status is read in turn. */
const statusOrderCount = 1000;

const uuids = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Sets up the measured side. */
export class BenchRows {
  readonly #server: ServerProcess;
  readonly #shop: BenchDatabase;
  readonly #program: RecordedProgram;
  readonly #serving: ConnectionConfig;
  readonly #admin: ConnectionConfig;
  readonly #keys: string;
  readonly #load = new ChildWorker<LoadRequest, LoopResult>('http-load.ts');
  readonly #httpBaseline = new ChildWorker<BaselineReply, number>('http-baseline.ts');
  readonly #statementBaseline = new ChildWorker<StatementLoad, LoopResult>('statement-baseline.ts');
  readonly #durableBaseline = new ChildWorker<DurableLoad, LoopResult>('durable-baseline.ts');

  constructor(
    server: ServerProcess,
    shop: BenchDatabase,
    program: RecordedProgram,
    serving: ConnectionConfig,
    admin: ConnectionConfig,
    organization: DemoOrganization,
  ) {
    this.#server = server;
    this.#shop = shop;
    this.#program = program;
    this.#serving = serving;
    this.#admin = admin;
    this.#keys = keysOf(organization);
  }

  price =
    (customers: 'no' | 'known', liveDiscounts: number): Prepare =>
    async () => {
      await this.#shop.setLiveDiscounts(liveDiscounts);
      const bodies = (await this.#shop.carts()).map(({ lineItems, customer }) => ({
        type: 'pickup',
        lineItems,
        ...(customers === 'known' && { customer }),
      }));
      return this.#overBytes({
        work: `price 5 lines, ${customers} customer${liveDiscounts > 0 ? `, ${liveDiscounts} live discounts` : ''}`,
        target: customers === 'no' ? 1 / 4 : 1 / 8,
        goal: customers === 'no' ? 1 / 2 : 1 / 3,
        port: this.#server.basePort,
        requests: bodies.map((body) => this.#post('/api/v1/orders/pricing', body)),
        status: 200,
        batches: await this.#recordAgain('priceCart', { body: bodies[0]! }),
      });
    };

  /** Against the least that must be durable. */
  place =
    (status: 'draft' | 'new'): Prepare =>
    async () => {
      await this.#shop.setStatusOnCreation(status);
      const carts = await this.#shop.cartsOfManyBuyers();
      const batches = await this.#recordAgain('placeOrder', {
        body: () => orderBody(carts[0]!, randomUUID()),
      });
      return {
        work: `place it, ${status}`,
        target: 1 / 4,
        goal: 1 / 2,
        ...countsOf(batches),
        baselineBeside: true,
        baseline: (concurrency, durationMs) =>
          this.#durableBaseline.ask({
            connection: this.#admin,
            takesStock: status === 'new',
            concurrency,
            durationMs,
          }),
        ours: this.#loadOn(this.#server.basePort, this.#orders(carts), 201),
      };
    };

  /** 64 buyers of five products, against buyers of many. */
  placeOneProduct: Prepare = async () => {
    await this.#shop.setStatusOnCreation('new');
    const carts = await this.#shop.carts();
    const wanted = carts[0]!.lineItems;
    return this.#crowd('place it, new, 64 buyers of the same products', carts, [
      this.#orders(carts),
      this.#orders(carts.map(({ customer }) => ({ customer, lineItems: wanted }))),
    ]);
  };

  /** 64 buyers in one organization, against buyers in several. */
  placeOneOrganization =
    (others: readonly { readonly shop: BenchDatabase; readonly keys: DemoOrganization }[]): Prepare =>
    async () => {
      await this.#shop.setStatusOnCreation('new');
      const carts = await this.#shop.carts();
      const spread = [this.#orders(carts)];
      for (const { shop, keys } of others) {
        await shop.setStatusOnCreation('new');
        spread.push(this.#orders(await shop.carts(), keysOf(keys)));
      }
      const longest = Math.max(...spread.map(({ length }) => length));
      const inTurn = Array.from({ length: longest }, (_, at) =>
        spread.map((requests) => requests[at % requests.length]!),
      );
      return this.#crowd(`place it, new, 64 buyers in one of ${spread.length} organizations`, carts, [
        inTurn.flat(),
        spread[0]!,
      ]);
    };

  async #crowd(
    work: string,
    carts: readonly BenchCart[],
    [spread, crowded]: readonly [readonly string[], readonly string[]],
  ): Promise<BenchRow> {
    const batches = await this.#recordAgain('placeOrder', { body: () => orderBody(carts[0]!, randomUUID()) });
    return {
      work,
      target: 1 / 2,
      goal: 1,
      concurrency: 64,
      ...countsOf(batches),
      baseline: this.#loadOn(this.#server.basePort, spread, 201),
      ours: this.#loadOn(this.#server.basePort, crowded, 201),
    };
  }

  /** Against the statements that one order alone takes. */
  placeOverStatements =
    (status: 'draft' | 'new'): Prepare =>
    async () => {
      await this.#shop.setStatusOnCreation(status);
      const carts = await this.#shop.carts();
      const operations: RecordedBatch[][] = [];
      for (const cart of carts) {
        operations.push(await this.#program.record('placeOrder', { body: orderBody(cart, randomUUID()) }));
      }
      const values = operations.flat(2).flatMap((statement) => statement.values);
      return this.#overStatements({
        work: `place it, ${status}, against its own statements`,
        target: 1 / 4,
        goal: 1 / 2,
        requests: this.#orders(carts),
        status: 201,
        connection: this.#serving,
        operations,
        freshUuids: [
          ...new Set(values.flatMap((value) => [value].flat().flatMap((text) => text?.match(uuids) ?? []))),
        ],
      });
    };

  status: Prepare = async () => {
    const ids = await this.#shop.orderIds(statusOrderCount, 0);
    const batches = await this.#program.record('getOrderStatus', { params: { orderId: ids[0] } });
    const text = 'select id, status from orders where organization_id = $1 and id = $2';
    return {
      ...this.#overStatements({
        work: 'order status',
        target: 1 / 4,
        goal: 1 / 2,
        requests: ids.map((id) => this.#get(`/api/v1/orders/${id}`)),
        status: 200,
        // The select by key alone, without row-level security.
        connection: this.#admin,
        operations: ids.map((id) => [
          [{ name: 'select_by_key', text, values: [String(this.#shop.organizationId), id] }],
        ]),
        freshUuids: [],
      }),
      ...countsOf(batches),
    };
  };

  /** @param page from 1 */
  orders =
    (page: number, orderCount: string): Prepare =>
    async () => {
      const cursor = page === 1 ? undefined : (await this.#shop.orderIds(1, (page - 1) * 50 - 1))[0]!;
      const query = cursor === undefined ? {} : { startingAfter: cursor };
      return this.#overBytes({
        work: `page ${page} of ${orderCount} orders`,
        target: 1 / 4,
        goal: 1 / 2,
        port: this.#server.basePort,
        requests: [this.#get(`/api/v1/orders?${new URLSearchParams(query)}`)],
        status: 200,
        batches: await this.#recordAgain('listOrders', { query }),
      });
    };

  menu =
    (copy: 'warm' | 'revalidated'): Prepare =>
    async () => {
      const path = '/api/v1/menu?type=pickup';
      const { head } = await this.#send(this.#server.menuPort, this.#get(path));
      const etag = /\netag: (.*)\r/.exec(head)![1]!;
      return this.#overBytes({
        work: copy === 'warm' ? 'menu, warm' : 'menu, 304',
        target: copy === 'warm' ? 1 / 2 : 3 / 5,
        goal: copy === 'warm' ? 3 / 4 : 9 / 10,
        port: this.#server.menuPort,
        requests: [this.#get(path, copy === 'warm' ? '' : `If-None-Match: ${etag}\r\n`)],
        status: copy === 'warm' ? 200 : 304,
        batches: [],
      });
    };

  /** A full page of changes from the middle of the feed. */
  changes: Prepare = async () => {
    const oldest = await this.#send(this.#server.basePort, this.#get('/api/v1/changes?limit=500'));
    const { meta } = JSON.parse(Buffer.concat(oldest.body).toString()) as { meta: { cursor: string } };
    const query = { after: meta.cursor, limit: '500' };
    return this.#overBytes({
      work: 'page of 500 changes',
      target: 1 / 4,
      goal: 1 / 2,
      port: this.#server.basePort,
      requests: [this.#get(`/api/v1/changes?${new URLSearchParams(query)}`)],
      status: 200,
      batches: await this.#recordAgain('listChanges', { query: { ...query, limit: 500 } }),
    });
  };

  /** The times of a menu request after a write has dropped the cached menu, one for each write. */
  async coldMenuMs(count: number): Promise<number[]> {
    const [cart] = await this.#shop.carts();
    const base = await HttpConnection.open(this.#server.basePort);
    const menu = await HttpConnection.open(this.#server.menuPort);
    const tookMs: number[] = [];
    for (let round = 0; round < count; round++) {
      await base.exchange(Buffer.from(this.#post('/api/v1/orders', orderBody(cart!, randomUUID()))));
      const beganAtMs = performance.now();
      await menu.exchange(Buffer.from(this.#get('/api/v1/menu?type=pickup')));
      tookMs.push(performance.now() - beganAtMs);
    }
    base.close();
    menu.close();
    return tookMs;
  }

  stop(): void {
    this.#load.stop();
    this.#httpBaseline.stop();
    this.#statementBaseline.stop();
    this.#durableBaseline.stop();
  }

  /** Against the same bytes from memory, sent by plain `node:http`. */
  async #overBytes(row: {
    readonly work: string;
    readonly target: number;
    readonly goal: number;
    readonly port: number;
    readonly requests: readonly string[];
    readonly status: number;
    readonly batches: readonly RecordedBatch[];
  }): Promise<BenchRow> {
    const reply = await this.#send(row.port, row.requests[0]!);
    if (reply.status !== row.status) throw new Error(`${row.work}: ${Buffer.concat(reply.body)}`);
    const baselinePort = await this.#httpBaseline.ask({
      status: reply.status,
      headers: headersOf(reply.head),
      body: Buffer.concat(reply.body),
    });
    return {
      ...row,
      ...countsOf(row.batches),
      baseline: this.#loadOn(baselinePort, row.requests, row.status),
      ours: this.#loadOn(row.port, row.requests, row.status),
    };
  }

  /** Against the statements alone. */
  #overStatements(row: {
    readonly work: string;
    readonly target: number;
    readonly goal: number;
    readonly requests: readonly string[];
    readonly status: number;
    readonly connection: ConnectionConfig;
    readonly operations: readonly (readonly RecordedBatch[])[];
    readonly freshUuids: readonly string[];
  }): BenchRow {
    const { connection, operations, freshUuids } = row;
    return {
      ...row,
      ...countsOf(operations[0]!),
      baseline: (concurrency, durationMs) =>
        this.#statementBaseline.ask({
          connection,
          operations,
          freshUuids,
          concurrency,
          durationMs,
        }),
      ours: this.#loadOn(this.#server.basePort, row.requests, row.status),
    };
  }

  #loadOn(port: number, requests: readonly string[], expectedStatus: number): Load {
    return (concurrency, durationMs) =>
      this.#load.ask({ port, requests, expectedStatus, concurrency, durationMs });
  }

  #orders(carts: readonly BenchCart[], keys = this.#keys): string[] {
    return carts.map((cart) => this.#post('/api/v1/orders', orderBody(cart, freshUuidMark), keys));
  }

  /** The statements with warm caches. */
  async #recordAgain(
    operation: string,
    { body, ...request }: { readonly query?: object; readonly body?: object | (() => object) },
  ): Promise<RecordedBatch[]> {
    const record = () =>
      this.#program.record(operation, { ...request, body: typeof body === 'function' ? body() : body });
    await record();
    return record();
  }

  async #send(port: number, request: string): Promise<RawReply> {
    const connection = await HttpConnection.open(port);
    const reply = await connection.exchange(Buffer.from(request));
    connection.close();
    return reply;
  }

  #get(path: string, headers = ''): string {
    return `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${this.#keys}${headers}\r\n`;
  }

  #post(path: string, body: object, keys = this.#keys): string {
    const text = JSON.stringify(body);
    return `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${keys}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
  }
}

function keysOf({ consumerKey, clientKey }: DemoOrganization): string {
  return `X-Consumer-Key: ${consumerKey}\r\nX-Client-Key: ${clientKey}\r\n`;
}

function orderBody({ lineItems, customer }: BenchCart, idempotencyKey: string) {
  return { type: 'pickup', lineItems, customer, idempotencyKey };
}

function countsOf(batches: readonly RecordedBatch[]) {
  return { statements: batches.flat().length, roundTrips: batches.length };
}

/** All headers except those that `node:http` adds by itself. */
function headersOf(head: string): Record<string, string> {
  const lines = head.trim().split('\r\n').slice(1);
  const pairs = lines.map(
    (line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)] as const,
  );
  return Object.fromEntries(pairs.filter(([name]) => !/^(date|connection|keep-alive)$/i.test(name)));
}
