import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import type { TestShop } from '../../../test/harness/test-shop.ts';
import { placeTrade } from '../../../test/harness/test-trade.ts';
import { type Data, returnedGoods } from './returned-goods.test-support.ts';

const service = await startTestService();
const { openShop, rulesBroken, sql, sell, body, takeBack, preview, voidReturn } = returnedGoods(service);
afterEach(async () => {
  expect(await rulesBroken()).toEqual([]);
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
});
afterAll(() => service.close());

const asDefault = { inventoryAction: undefined };
/** The ledger of a return: where, how much. */
const entries = (shop: TestShop, orderReturnId: number) =>
  sql(
    shop,
    `select l.name, l.is_quarantine, e.delta::text, e.cause from stock_ledger_entries e
       join inventory_locations l on l.organization_id = e.organization_id and l.id = e.inventory_location_id
      where e.cause = 'returned' and e.cause_id >= $1 order by e.id`,
    orderReturnId,
  );
const levels = async (shop: TestShop): Promise<Data[]> => {
  const staff = await service.staff(shop, 'inventory');
  const { data } = await staff.call('GET', '/staff/v1/inventory?search=Moonlit');
  return data.filter(({ locationName }: Data) => locationName === 'Quarantine');
};
const menuMax = async (shop: TestShop, option: string): Promise<number> => {
  const { data } = await service.call('GET', '/api/v1/menu', { keys: shop.keys });
  const options = data.flatMap((product: Data) => product.options);
  return options.find(({ id }: Data) => id === shop.optionId(option))?.maxQuantity ?? 0;
};

test('returned cannabis is in quarantine by default, and is not sold until staff move it', async () => {
  const { shop, owner } = await openShop();
  const before = await menuMax(shop, 'eighth');
  const order = await sell(shop, [['eighth', 3]]);
  expect(await menuMax(shop, 'eighth')).toBe(before - 3);
  const { status, data } = await takeBack(owner, order.id, body(shop, order, [[0, 2, asDefault]]));
  expect([status, data.lineItems[0].inventoryAction, data.lineItems[0].fulfillAs[0].optionSum]).toEqual([
    ...[201, 'quarantine'],
    2,
  ]);
  expect(await entries(shop, data.id)).toEqual([
    { name: 'Quarantine', is_quarantine: true, delta: '2', cause: 'returned' },
  ]);
  expect(await menuMax(shop, 'eighth')).toBe(before - 3);
  const [level] = await levels(shop);
  expect(level).toMatchObject({ onHand: '2', sellable: '0', notSellable: 'quarantine' });

  // A second return goes to the same place.
  await takeBack(owner, order.id, body(shop, order, [[0, 1, asDefault]]));
  expect(await levels(shop)).toMatchObject([{ onHand: '3' }]);

  // Released by a transfer, with its rows in the ledger.
  const moved = await owner.call('POST', '/staff/v1/inventory-transfers', {
    productId: level!.productId,
    productOptionId: level!.productOptionId,
    packageId: level!.packageId,
    fromInventoryLocationId: level!.inventoryLocationId,
    toInventoryLocationId: shop.locationId('Storefront'),
    amount: '3',
  });
  expect(moved.status).toBe(201);
  expect(await menuMax(shop, 'eighth')).toBe(before);
  expect(await levels(shop)).toMatchObject([{ onHand: '0' }]);
});

test('stock in quarantine is not sold even if an order type draws from that place', async () => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [['eighth', 1]]);
  await takeBack(owner, order.id, body(shop, order, [[0, 1, asDefault]]));
  const [{ inventoryLocationId }] = (await levels(shop)) as [Data];
  await sql(shop, 'delete from order_type_locations');
  for (const type of ['pickup', 'delivery', 'in-store']) {
    await sql(
      shop,
      `insert into order_type_locations (organization_id, order_type, position, inventory_location_id)
       values ($1, $2, 0, $3)`,
      ...[shop.organizationId, type, inventoryLocationId],
    );
  }
  expect((await placeTrade(service, shop, [['eighth', 1]])).error?.code).toBe('OUT_OF_STOCK');
});

test.each([
  ['inventory', [{ name: 'Storefront', is_quarantine: false, delta: '1', cause: 'returned' }]],
  ['waste', []],
  ['vendor', []],
] as const)('%s stays what it was for cannabis that staff say it of', async (inventoryAction, moved) => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [['eighth', 1]]);
  const { data } = await takeBack(owner, order.id, body(shop, order, [[0, 1, { inventoryAction }]]));
  expect(data.lineItems[0].inventoryAction).toBe(inventoryAction);
  expect(await entries(shop, data.id)).toEqual(moved);
});

test('goods without cannabis go back to stock by default', async () => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [
    ['tray', 1],
    ['eighth', 1],
  ]);
  const request = body(shop, order, [
    [0, 1, asDefault],
    [1, 1, asDefault],
  ]);
  expect((await preview(owner, order.id, { ...request, idempotencyKey: undefined })).status).toBe(200);
  const { data } = await takeBack(owner, order.id, request);
  const actions = data.lineItems.map(({ inventoryAction }: Data) => inventoryAction).sort();
  expect(actions).toEqual(['inventory', 'quarantine']);
});

test('a void takes the goods out of quarantine again, and is refused once they were moved', async () => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [['eighth', 2]]);
  const back = async () =>
    (await takeBack(owner, order.id, body(shop, order, [[0, 1, asDefault]]))).data.id as number;
  const first = await back();
  expect((await voidReturn(owner, first)).status).toBe(200);
  expect((await entries(shop, first)).map(({ name, delta }) => [name, delta])).toEqual([
    ['Quarantine', '1'],
    ['Quarantine', '-1'],
  ]);
  const second = await back();
  const [level] = (await levels(shop)) as [Data];
  await owner.call('POST', '/staff/v1/inventory-adjustments', {
    productId: level.productId,
    productOptionId: level.productOptionId,
    packageId: level.packageId,
    inventoryLocationId: level.inventoryLocationId,
    ...{ delta: '-1', reason: 'Destroyed' },
  });
  expect((await voidReturn(owner, second)).error?.code).toBe('OUT_OF_STOCK');
});

test('two returns at once, and one line in two ways, make one place for quarantine', async () => {
  const { shop, owner } = await openShop();
  const orders = [await sell(shop, [['eighth', 2]]), await sell(shop, [['eighth', 2]])];
  const replies = await Promise.all(
    orders.map((order) =>
      takeBack(
        owner,
        order.id,
        body(shop, order, [
          [0, 1, asDefault],
          [0, 1, { inventoryAction: 'inventory' }],
        ]),
      ),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual([201, 201]);
  expect(await sql(shop, 'select name from inventory_locations where is_quarantine')).toHaveLength(1);
  expect(await levels(shop)).toMatchObject([{ onHand: '2' }]);
});
