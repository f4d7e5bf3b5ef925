import { randomUUID } from 'node:crypto';
import type { DemoOrganization } from '../seed/load-shop.ts';
import { paymentAccounts, startPaymentServer } from '../src/hosting/payment-servers/payment-server.ts';
import type { BenchCart, BenchDatabase } from './bench-shop.ts';
import { allOf, median } from './closed-loop.ts';
import { table } from './result-tables.ts';
import type { ServerProcess } from './server-process.ts';
import { openStaffSession } from './staff-token.ts';

const countMeasured = 1_500;
/** Not counted: the runtime compiles hot code, and connections prepare their statements. With 200, a placing took three times as long. */
const warmUpCount = 3_000;
const concurrency = 8;
/** No step of an order's life may cost more than this many placings. */
const placingsMax = 2;

/** A write of an order's life, and what it costs. */
interface MeasuredStep {
  readonly name: string;
  readonly opsPerSecond: number;
  readonly p50Ms: number;
  readonly serverCpuMs: number;
  readonly databaseCpuMs: number;
  readonly statements: number;
  readonly roundTrips: number;
}

// biome-ignore lint/suspicious/noExplicitAny: what the service answers
type Data = any;

/** Requests of one shop, and what they cost. */
class MeasuredShop {
  readonly steps: MeasuredStep[] = [];
  readonly #server: ServerProcess;
  readonly #staff: Record<string, string>;
  readonly #integrator: Record<string, string>;
  readonly #database: BenchDatabase;

  constructor(
    server: ServerProcess,
    database: BenchDatabase,
    { consumerKey, clientKey }: DemoOrganization,
    token: string,
  ) {
    this.#server = server;
    this.#database = database;
    this.#staff = { authorization: `Bearer ${token}` };
    this.#integrator = { 'x-consumer-key': consumerKey, 'x-client-key': clientKey };
  }

  place(body: object): Promise<Data> {
    return this.#ask('POST', '/api/v1/orders', this.#integrator, body);
  }

  post(path: string, body: object): Promise<Data> {
    return this.#ask('POST', `/staff/v1/${path}`, this.#staff, body);
  }

  askForPayment(orderPaymentId: number): Promise<Data> {
    return this.#ask('POST', '/api/v1/payment-intents', this.#integrator, {
      ...{ orderPaymentId, source: 'e-commerce' },
    });
  }

  get(path: string): Promise<Data> {
    return this.#ask('GET', `/staff/v1/${path}`, this.#staff);
  }

  /** Adds a step to the table. Resolves to the replies. */
  async measure(name: string, work: (at: number) => Promise<Data>): Promise<Data[]> {
    const results = await allOf(warmUpCount, concurrency, work);
    // As autovacuum does within a minute: plans of tables that were empty read them whole.
    await this.#database.analyze();
    const before = await this.#server.usage();
    const startedAtMs = performance.now();
    const tookMs: number[] = [];
    const measured = await allOf(countMeasured, concurrency, async (at) => {
      const beganAtMs = performance.now();
      const result = await work(warmUpCount + at);
      tookMs.push(performance.now() - beganAtMs);
      return result;
    });
    const seconds = (performance.now() - startedAtMs) / 1000;
    const after = await this.#server.usage();
    const each = (of: (usage: typeof after) => number): number => (of(after) - of(before)) / countMeasured;
    this.steps.push({
      name,
      opsPerSecond: countMeasured / seconds,
      p50Ms: median(tookMs),
      serverCpuMs: each((it) => it.serverCpuSeconds) * 1000,
      databaseCpuMs: each((it) => it.databaseCpuSeconds) * 1000,
      statements: each((it) => it.statements),
      roundTrips: each((it) => it.roundTrips),
    });
    return [...results, ...measured];
  }

  async #ask(method: string, path: string, headers: Record<string, string>, body?: object): Promise<Data> {
    const response = await fetch(`http://127.0.0.1:${this.#server.basePort}${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (response.status >= 300) throw new Error(`${method} ${path} answers ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Data }).data;
  }
}

/**
 * Takes orders of five lines through their whole life over HTTP, eight at a time: placed by integrators; accepted, packed,
 * fulfilled and taken back by staff. Then receives goods of five lines, and counts five items.
 */
export async function measureLife(
  server: ServerProcess,
  shop: BenchDatabase,
  organization: DemoOrganization,
): Promise<MeasuredStep[]> {
  const token = await openStaffSession(`http://127.0.0.1:${server.basePort}`, organization.staff);
  const measured = new MeasuredShop(server, shop, organization, token);
  const [paymentTypeId, carts] = [await shop.paymentTypeId(), await shop.carts()];
  await shop.setStatusOnCreation('new');
  await measurePlacing(measured, 'new', paymentTypeId, carts);
  await shop.setStatusOnCreation('draft');
  const placed = await measurePlacing(measured, 'draft', paymentTypeId, carts);
  await measureSteps(measured, paymentTypeId, placed);
  await measureGoods(measured, placed);
  await shop.setStatusOnCreation('new');
  // Last: a worker looks at what is asked for, beside all that follows.
  await measureAsking(measured, carts);
  return measured.steps;
}

/** The same placing for a type at a bank, and then the bank is asked for the money. Without the second, an order costs what it did. */
async function measureAsking(shop: MeasuredShop, carts: readonly BenchCart[]): Promise<void> {
  const bank = await startPaymentServer();
  try {
    const { id: paymentTypeId } = await shop.post('payment-types', {
      name: 'Bench bank',
      method: 'processor',
    });
    const { apiKey, apiSecret, merchantId } = paymentAccounts.bank;
    await shop.post('payment-connections', {
      ...{ name: 'Bench bank', provider: 'bank', paymentTypeId, baseUrl: bank.url },
      account: { merchant: String(merchantId) },
      secrets: { apiKey, apiSecret, signingKey: bank.bank.signingKey },
    });
    const placed = await measurePlacing(shop, 'new', paymentTypeId, carts, ', for a bank');
    const payments = await allOf(placed.length, concurrency, async (at) => {
      const { payments: intended } = await shop.get(`orders/${placed[at].id}`);
      return intended[0].id as number;
    });
    await shop.measure('ask the bank for the payment', (at) => shop.askForPayment(payments[at]!));
  } finally {
    await bank.close();
  }
}

function measurePlacing(
  shop: MeasuredShop,
  status: 'draft' | 'new',
  paymentTypeId: number,
  carts: readonly BenchCart[],
  how = '',
): Promise<Data[]> {
  return shop.measure(`place, ${status}${how}`, (at) =>
    shop.place({
      type: 'pickup',
      ...carts[at % carts.length]!,
      payments: [{ paymentTypeId, remaining: true }],
      idempotencyKey: randomUUID(),
    }),
  );
}

async function measureSteps(
  shop: MeasuredShop,
  paymentTypeId: number,
  placed: readonly Data[],
): Promise<void> {
  for (const action of ['accept', 'pack', 'fulfill']) {
    await shop.measure(action, (at) => shop.post(`orders/${placed[at].id}/${action}`, {}));
  }
  const returned = await shop.measure('return two lines', (at) =>
    shop.post(`orders/${placed[at].id}/returns`, {
      ...{ refundType: 'payment-method', paymentTypeId, idempotencyKey: randomUUID() },
      lineItems: placed[at].lineItems.slice(0, 2).map(({ id }: Data) => ({
        orderLineItemId: id,
        ...{ quantity: 1, type: 'return', inventoryAction: 'inventory', reason: 'Damaged' },
      })),
    }),
  );
  await shop.measure('void the return', (at) =>
    shop.post(`order-returns/${returned[at].id}/void`, { reason: 'Wrong order' }),
  );
}

/** Receives what the orders sold, in turn: a shop does not receive the same few goods all the time, in hundreds of packages. */
async function measureGoods(shop: MeasuredShop, placed: readonly Data[]): Promise<void> {
  const levels: Data[] = (await shop.get('inventory')).filter(
    ({ packageId, productOptionId }: Data) => packageId !== null && productOptionId !== null,
  );
  const location = levels[0].inventoryLocationId;
  const counted = levels
    .filter(({ inventoryLocationId }) => inventoryLocationId === location)
    .map(({ productId, productOptionId, packageId }) => ({ productId, productOptionId, packageId }));
  const lines: Data[] = placed.flatMap(({ lineItems }) => lineItems);
  const sold = [...new Map(lines.map((line) => [line.productOptionId, line])).values()];
  const fiveOf = (goods: readonly Data[], at: number): Data[] =>
    Array.from({ length: 5 }, (_, line) => goods[(at * 5 + line) % goods.length]!);
  const ordered = await allOf(warmUpCount + countMeasured, concurrency, (at) =>
    shop.post('purchase-orders', {
      inventoryVendor: { name: 'Bench Farms' },
      lineItems: fiveOf(sold, at).map(({ productId, productOptionId }) => ({
        ...{ productId, productOptionId, amount: '12', costPerUnit: '20' },
      })),
    }),
  );
  await shop.measure('receive five lines', (at) =>
    shop.post(
      `purchase-orders/${ordered[at].id}/receptions`,
      ordered[at].lineItems.map(({ id }: Data, line: number) => ({
        ...{ lineItemId: id, inventoryLocationId: location, amount: '12' },
        package: { label: `1A4FF01${String(at * 5 + line).padStart(17, '0')}` },
      })),
    ),
  );
  await shop.measure('count five items', (at) =>
    shop.post('inventory-counts', {
      inventoryLocationId: location,
      lines: fiveOf(counted, at).map((item) => ({ ...item, counted: String(1_000_000_000 + at) })),
      reason: 'Monthly count',
      idempotencyKey: randomUUID(),
    }),
  );
}

/** The result, as Markdown; − marks a step that costs more than two placings of a new order. */
export function lifeTable(steps: readonly MeasuredStep[]): string {
  const [placing] = steps;
  const cpuMs = ({ serverCpuMs, databaseCpuMs }: MeasuredStep): number => serverCpuMs + databaseCpuMs;
  return table(
    [
      'of one order',
      'ours/s',
      'p50 ms',
      'server CPU ms',
      'database CPU ms',
      'CPU in placings',
      'statements',
      'round trips',
    ],
    steps.map((step) => {
      const placings = cpuMs(step) / cpuMs(placing!);
      return [
        step.name,
        step.opsPerSecond.toFixed(0),
        step.p50Ms.toFixed(1),
        step.serverCpuMs.toFixed(2),
        step.databaseCpuMs.toFixed(2),
        `${placings.toFixed(2)}${placings > placingsMax ? ' −' : ' +'}`,
        step.statements.toFixed(1),
        step.roundTrips.toFixed(1),
      ];
    }),
  );
}
