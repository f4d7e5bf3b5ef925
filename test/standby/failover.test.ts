import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createContext } from '../../src/app/app.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { serverAddresses } from '../../src/platform/connections/server-addresses.ts';
import { ServerChoice } from '../../src/platform/connections/server-choice.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { casesOf, isLongSuite } from '../harness/long-suite.ts';
import { type StandbyPair, startStandbyPair } from '../harness/standby-pair.ts';
import { tenantSql } from '../harness/tenant-sql.ts';
import { execute } from '../harness/test-connection.ts';
import { keyHeaders, startOwnTestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../harness/test-shop.ts';
import { fleetProcess } from '../rolling/fleet-process.ts';
import { type BuiltProgram, buildProgram } from '../simulation/built-program.ts';
import { clientPause } from '../simulation/client-pause.ts';

/*
 * Two processes whose addresses name both servers, under load, when the primary dies and the standby is promoted. Commits wait
 * for the standby (`synchronous_standby_names`), so that no answered order is lost.
 */

interface Reply {
  readonly status: number;
  readonly retryAfter: string | null | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not
  readonly json: any;
}

/** One of the processes: what its callers and its operator see. */
interface Process {
  call(method: 'GET' | 'POST', path: string, body?: object): Promise<Reply>;
  /** Whether its lists come from the standby. */
  readsFromStandby(): Promise<boolean>;
  faults(): readonly string[];
}

/** Runs the processes; `work` gets two of them. */
type Deployment = (pair: StandbyPair, shop: TestShop) => Promise<readonly Process[]>;

const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

let built: BuiltProgram;
beforeAll(async () => {
  if (!isLongSuite) return;
  built = await buildProgram();
  ends.push(() => built.remove());
}, 120_000);

const databaseOf = (pair: StandbyPair) => ({
  owner: { connectionString: pair.both('owner') },
  serving: { connectionString: pair.both('serving') },
  drop: async () => {},
});

async function servicesHere(pair: StandbyPair, shop: TestShop): Promise<readonly Process[]> {
  const service = async (): Promise<Process> => {
    const database = databaseOf(pair);
    const { context, call, faults, close } = await startOwnTestService({ database, clock: systemClock });
    ends.push(close);
    await context.database.useStandby({ connection: database.serving, lagBytesMax: 1_048_576 });
    return {
      call: async (method, path, body) => {
        const sent = { keys: shop.keys, ...(body && { body }) };
        const { status, headers, text } = await call(method, path, sent);
        return { status, retryAfter: headers['retry-after'], json: JSON.parse(text) };
      },
      readsFromStandby: async () => context.database.standbyState?.isInUse === true,
      faults: () => faults,
    };
  };
  return [await service(), await service()];
}

/** The built program, twice, as its environment sets it up. */
async function programs(pair: StandbyPair, shop: TestShop): Promise<readonly Process[]> {
  const program = async (name: string): Promise<Process> => {
    const settings = { ...built, database: databaseOf(pair) };
    const env = { ROLES: 'api,menu', DATABASE_READ_URL: pair.both('serving') };
    const { port, said, start, stop } = await fleetProcess(name, { ...settings, env });
    await start();
    ends.push(stop);
    const url = `http://127.0.0.1:${port}`;
    const headers = { 'content-type': 'application/json', ...keyHeaders(shop.keys) };
    return {
      call: async (method, path, body) => {
        const reply = await fetch(url + path, {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        return {
          status: reply.status,
          retryAfter: reply.headers.get('retry-after'),
          json: await reply.json(),
        };
      },
      readsFromStandby: async () =>
        (await (await fetch(`${url}/readyz`)).text()).includes('"standby":"in use"'),
      // Background work says that the database is away.
      faults: () => said.filter((line) => line.includes('"request failed"')),
    };
  };
  return [await program('one'), await program('two')];
}

/** Places one order after the other; one that gets no answer is repeated with its key until it does. */
function steadyBuyer({ call }: Process, shop: TestShop, stopping: AbortSignal) {
  const placed = new Map<string, string>();
  const refusals = new Set<string>();
  const note = ({ status, json, retryAfter }: Reply) => {
    if (status >= 300) refusals.add(`${status} ${json.error?.code}, retry after ${retryAfter}`);
  };
  const buy = async () => {
    while (!stopping.aborted) {
      const body = pickupBody(shop, { idempotencyKey: randomUUID() });
      for (;;) {
        const reply = await call('POST', '/api/v1/orders', body);
        note(reply);
        if (reply.status < 300) {
          placed.set(body.idempotencyKey, reply.json.data.id);
          break;
        }
        await clientPause();
      }
      const listed = await call('GET', '/api/v1/orders');
      note(listed);
      // An own order that was answered is in the list, before, during and after.
      if (listed.status === 200) {
        expect(listed.json.data.map(({ id }: { id: string }) => id)).toContain([...placed.values()].at(-1));
      }
    }
  };
  return { placed, refusals, done: buy() };
}

const deployments: readonly (readonly [string, Deployment])[] = [
  ['two services', servicesHere],
  ...(isLongSuite ? [['two programs', programs] as const] : []),
];

test.each(deployments)(
  'orders of %s go on by themselves when the standby is promoted: each answered one is there once, and callers see 503 at most',
  async (_, deploy) => {
    const pair = await startStandbyPair({ isSynchronous: true });
    ends.push(pair.stop);
    const context = createContext(databaseOf(pair).serving, systemClock);
    const shop = await createTestShop(context);
    const processes = await deploy(pair, shop);
    const stopping = new AbortController();
    const buyers = processes.flatMap((process) => [
      steadyBuyer(process, shop, stopping.signal),
      steadyBuyer(process, shop, stopping.signal),
    ]);
    const placedSoFar = () => buyers.reduce((sum, { placed }) => sum + placed.size, 0);
    const several = casesOf({ everyRun: 10, long: 200 });
    const patience = { timeout: 60_000 };
    await expect.poll(placedSoFar, patience).toBeGreaterThan(several);
    const inUse = () => Promise.all(processes.map((process) => process.readsFromStandby()));
    await expect.poll(inUse, patience).toEqual([true, true]);

    const diedAtMs = performance.now();
    await pair.primary.kill();
    await execute(pair.standby.connection('admin'), 'select pg_promote()');
    const promotedAtMs = performance.now();
    const before = placedSoFar();
    await expect.poll(placedSoFar, { ...patience, interval: 10 }).toBeGreaterThan(before);
    const secondsUntilOrders = (performance.now() - promotedAtMs) / 1_000;
    if (isLongSuite) {
      console.log(
        `Promoted after ${Math.round(promotedAtMs - diedAtMs)} ms; the next order ${Math.round(secondsUntilOrders * 1_000)} ms later.`,
      );
    }
    await expect.poll(placedSoFar, patience).toBeGreaterThan(before + several);
    stopping.abort();
    await Promise.all(buyers.map(({ done }) => done));

    expect(secondsUntilOrders).toBeLessThan(10);
    const refusals = new Set(buyers.flatMap((buyer) => [...buyer.refusals]));
    for (const refusal of refusals) expect(refusal).toBe('503 SERVICE_UNAVAILABLE, retry after 2');
    expect(processes.flatMap((process) => process.faults())).toEqual([]);
    // What was a standby is none any more.
    await expect.poll(inUse, patience).toEqual([false, false]);

    await expectOrders(context, shop, buyers);
    await context.database.close();

    // The former primary comes back as one, which its operator should prevent: no new session goes there.
    await pair.primary.start();
    const choice = new ServerChoice(serverAddresses(pair.both('serving')), 'primary');
    expect((await choice.current()).port).toBe(pair.standby.port);
  },
  300_000,
);

/** Each order that was answered is there once, and no other is. */
async function expectOrders(
  { database }: Context,
  { organizationId }: TestShop,
  buyers: readonly { readonly placed: ReadonlyMap<string, string> }[],
): Promise<void> {
  const rows = await tenantSql(
    database,
    organizationId,
    'select idempotency_key as key, id from orders order by id',
  );
  const stored = rows.map(({ key, id }) => `${key} ${id}`).sort();
  const answered = buyers.flatMap(({ placed }) => [...placed].map(([key, id]) => `${key} ${id}`)).sort();
  expect(stored).toEqual(answered);
}
