import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../src/app/app.ts';
import { failure } from '../../src/kernel/failure.ts';
import type { Context } from '../../src/platform/database/context.ts';
import { type Endpoint, endpoint, reply } from '../../src/platform/http/endpoint.ts';
import { List } from '../../src/platform/http/schemas.ts';
import { statement } from '../../src/platform/statements/statement.ts';
import { OrderId } from '../../src/shop/orders/order-schemas.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import { openWitness, type Witness } from '../harness/witness.ts';
import {
  type ContractRequest,
  createTenant,
  idOf,
  idPlaces,
  idsIn,
  idsOf,
  nowhereId,
  send,
  signature,
  type Tenant,
  validRequest,
  withIdAt,
} from './contract-world.ts';

/** The query of a mistake: it deliberately lacks its organization. */
const findOrderAnywhere = statement<{ id: string }, { id: string }>(
  'test_find_order',
  'select id from orders where id = :id',
);
const listOrdersAnywhere = statement<Record<never, never>, { id: string }>(
  'test_list_orders',
  'select id from orders order by id',
);

/** Two endpoints with that mistake: they look like the others, but their queries lack the organization. */
function plantedEndpoints({ database }: Context): Endpoint[] {
  const shared = {
    address: 'base',
    method: 'GET',
    permission: 'analytics',
    publishableKey: 'refused',
    kind: 'read',
    summary: 'Planted',
    description: 'Planted',
    tag: 'Orders',
  } as const;
  const Found = Type.Object({ id: OrderId() });
  return [
    endpoint({
      ...shared,
      id: 'getPlanted',
      path: '/api/v1/planted/{orderId}',
      params: Type.Object({ orderId: OrderId() }),
      success: { status: 200, data: Found, description: 'The order' },
      failures: ['ORDER_NOT_FOUND'],
      resourceParams: { orderId: 'ORDER_NOT_FOUND' },
      handle: async ({ caller, params }) => {
        const [[row]] = await database.read(
          caller.organizationId,
          findOrderAnywhere({ id: (params as { orderId: string }).orderId }),
        );
        if (row === undefined) throw failure('ORDER_NOT_FOUND', 'There is no such order.');
        return reply(row);
      },
    }),
    endpoint({
      ...shared,
      id: 'listPlanted',
      path: '/api/v1/planted',
      success: { status: 200, data: List(Found, { max: 1000 }), description: 'Orders' },
      failures: [],
      handle: async ({ caller }) => {
        const [rows] = await database.read(caller.organizationId, listOrdersAnywhere({}));
        return reply(rows);
      },
    }),
  ];
}

interface Scene {
  readonly service: TestService;
  readonly witness: Witness;
  readonly home: Tenant;
  readonly stranger: Tenant;
  /** Every id of the stranger's rows, as text. */
  readonly strangerIds: ReadonlySet<string>;
}

async function createScene(): Promise<Scene> {
  const service = await startOwnTestService({
    endpoints: (context, documentFiles) => [
      ...allEndpoints(context, (location) => location, documentFiles),
      ...plantedEndpoints(context),
    ],
  });
  const home = await createTenant(service);
  const stranger = await createTenant(service, { name: "The stranger's shop" });
  const witness = await openWitness(service.database);
  return { service, witness, home, stranger, strangerIds: await idsOf(witness, stranger) };
}

async function endScene({ service, witness }: Scene): Promise<void> {
  await witness.end();
  await service.close();
}

/**
 * Collects the stranger's data that a caller with the home's keys can see; the promise is none. A stranger's id in
 * any place gets the same answer as an unknown id, and no reply contains one.
 */
async function leaks(scene: Scene, endpoint: Endpoint): Promise<string[]> {
  const { service, home, stranger, strangerIds } = scene;
  const ask = (request: ContractRequest) => send(service, endpoint, request, { keys: home.shop.keys });
  const found: string[] = [];
  const plain = await ask(validRequest(endpoint, home));
  if (plain.status !== endpoint.success.status)
    found.push(`the home's own request is refused: ${plain.text}`);
  const carried = idsIn(plain.data).filter((id) => strangerIds.has(id));
  if (carried.length > 0) found.push(`the reply carries the stranger's ${carried.join(', ')}`);

  for (const place of idPlaces(endpoint)) {
    const where = `${place.part} ${place.path.join('.')}`;
    const own = idOf(endpoint, place.name, home);
    const foreign = idOf(endpoint, place.name, stranger);
    const nowhere = nowhereId(own);
    const request = (id: string | number) => withIdAt(validRequest(endpoint, home), place, id);
    const ownReply = await ask(request(own));
    if (ownReply.error !== undefined) found.push(`${where}: the home's own id is refused: ${ownReply.text}`);
    const foreignReply = signature(await ask(request(foreign)), foreign);
    const nowhereReply = signature(await ask(request(nowhere)), nowhere);
    if (foreignReply !== nowhereReply) {
      found.push(`${where}: a stranger's id gets ${foreignReply}, an unknown id ${nowhereReply}`);
    }
    const isFilter = place.part === 'query' && nowhereReply.endsWith('{"data":[]}');
    if (!isFilter && !/^4\d\d /.test(nowhereReply)) found.push(`${where}: a missing id gets ${nowhereReply}`);
  }
  return found;
}

describe('with row-level security', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await createScene();
  });
  afterAll(() => endScene(scene));

  test("every endpoint answers a stranger's ids like unknown ids, reveals none, and writes nothing for them", async () => {
    const before = await scene.witness.contents();
    for (const endpoint of scene.service.endpoints) {
      expect([endpoint.id, await leaks(scene, endpoint)]).toEqual([endpoint.id, []]);
    }
    // The home's own requests succeed; the stranger's rows are unchanged.
    const after = await scene.witness.contents();
    const ofStranger = (contents: Readonly<Record<string, string>>) =>
      Object.entries(contents).filter(([name]) => name.endsWith(` of ${scene.stranger.shop.organizationId}`));
    expect(ofStranger(after)).toEqual(ofStranger(before));
    expect(ofStranger(before).length).toBeGreaterThan(20);
    expect(scene.service.faults).toEqual([]);
  });

  test('every place of an id is tried', () => {
    const places = scene.service.endpoints.flatMap((endpoint) =>
      idPlaces(endpoint).map(({ part, path }) => `${endpoint.id} ${part} ${path.join('.')}`),
    );
    expect(places).toEqual(
      expect.arrayContaining([
        'getOrder params orderId',
        'listOrders query startingAfter',
        'listOrders query userId',
        'placeOrder body lineItems.0.productOptionId',
        'placeOrder body payments.0.paymentTypeId',
        'listCustomers query startingAfter',
        'addCustomerToGroup params customerGroupId',
        'addLoyaltyEvent body customerId',
      ]),
    );
    // A resource in the path declares its not-found answer.
    for (const endpoint of scene.service.endpoints) {
      const inPath = idPlaces(endpoint).filter(({ part }) => part === 'params');
      expect(Object.keys(endpoint.resourceParams)).toEqual(inPath.map(({ name }) => name));
    }
  });

  test('a query without its organization finds no rows of a stranger', async () => {
    const { service, home, stranger } = scene;
    const { keys } = home.shop;
    const foreign = await service.call('GET', `/api/v1/planted/${stranger.ids.orderId}`, { keys });
    expect(foreign.status).toBe(404);
    const list = await service.call('GET', '/api/v1/planted', { keys });
    const own = await service.call('GET', '/api/v1/orders', { keys });
    expect(list.data.length).toBe(own.data.length);
  });
});

test('the same check fails for a query without its organization once row-level security is off', async () => {
  const scene = await createScene();
  try {
    const walled = await scene.witness.query(
      `select relname as name from pg_class where relrowsecurity and relnamespace = 'public'::regnamespace`,
    );
    expect(walled.length).toBeGreaterThan(20);
    for (const { name } of walled)
      await scene.witness.query(`alter table ${name} disable row level security`);
    const found = new Map<string, string[]>();
    for (const endpoint of scene.service.endpoints) found.set(endpoint.id, await leaks(scene, endpoint));
    expect(found.get('getPlanted')).toEqual([
      expect.stringMatching(/^params orderId: a stranger's id gets 200 .* an unknown id 404 /),
    ]);
    expect(found.get('listPlanted')).toEqual([expect.stringContaining("the reply carries the stranger's ")]);
    // The queries alone separate tenants: every query of the program names its organization.
    const leaking = [...found].filter(([, leaks]) => leaks.length > 0).map(([id]) => id);
    expect(leaking.sort()).toEqual(['getPlanted', 'listPlanted']);
  } finally {
    await endScene(scene);
  }
});
