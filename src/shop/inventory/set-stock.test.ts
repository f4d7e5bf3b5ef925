import { afterAll, beforeEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import {
  createTestIntegrator,
  createTestKeys,
  createTestShop,
  pickupBody,
} from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { productBody } from '../catalog/product-bodies.test-support.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const products = [
  {
    key: 'Harbor Mist',
    options: [{ key: 'eighth', priceCents: 3500 }],
    stock: [{ option: 'eighth', amount: '10' }],
  },
];
const shop = await createTestShop(service.context, { products });
const owner = await service.staff(shop);
const { keys, organizationId } = shop;
const inventoryLocationId = shop.locationId('Storefront');
const productOptionId = shop.optionId('eighth');
const isoNow = () => new Date(service.clock.now()).toISOString();

const allow = (integratorsSetStock: boolean) =>
  owner.call('PATCH', '/staff/v1/organization', { integratorsSetStock });
const send = (lines: readonly object[], countedAt = isoNow(), of = keys) =>
  service.call('PUT', '/api/v1/products/stock', { keys: of, body: { countedAt, lines } });
const lineOf = (counted: string, changes: object = {}) => ({
  ...{ productOptionId, inventoryLocationId, counted },
  ...changes,
});
async function onHand(): Promise<string> {
  const [row] = await witness.query(
    'select sum(on_hand)::text as on_hand from stock_balances where product_option_id = $1',
    [productOptionId],
    organizationId,
  );
  return String(Number(row!.on_hand));
}
const contents = () => witness.contents(organizationId);

beforeEach(async () => {
  service.clock.advance(60_000);
  expect((await allow(true)).data.integratorsSetStock).toBe(true);
});

test('is refused until the owner lets integrators set stock, and again when the owner takes that back', async () => {
  const fresh = await createTestShop(service.context, { products });
  const line = {
    productOptionId: fresh.optionId('eighth'),
    inventoryLocationId: fresh.locationId('Storefront'),
    counted: '3',
  };
  const refused = await send([line], isoNow(), fresh.keys);
  expect([refused.status, refused.error?.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
  await allow(false);
  expect((await send([lineOf('3')])).status).toBe(403);
  const manager = await service.staff(shop, 'manager');
  const path = '/staff/v1/organization';
  expect((await manager.call('PATCH', path, { integratorsSetStock: true })).status).toBe(403);
});

test('sets the stock through the ledger, with its reason, an audit entry and an event; again changes nothing', async () => {
  const countedAt = isoNow();
  const reply = await send([lineOf('12')], countedAt);
  expect(reply.data.results).toEqual([{ productOptionId, onHand: '12', isChanged: true }]);
  expect(await onHand()).toBe('12');
  const { data: ledger } = await owner.call('GET', '/staff/v1/inventory-ledger', undefined, {
    query: { productOptionId },
  });
  expect(ledger[0]).toMatchObject({ delta: '2', cause: 'counted', reason: 'Counted by an integrator' });
  expect(ledger[0].actor.kind).toBe('key');
  const { data: audit } = await owner.call('GET', '/staff/v1/audit-log', undefined, {
    query: { subjectType: 'stock_operation' },
  });
  expect(audit[0]).toMatchObject({ action: 'stock.counted', details: { inventoryLocationId } });
  const before = await contents();
  service.clock.advance(60_000);
  expect((await send([lineOf('12')], countedAt)).data.results[0]).toMatchObject({ isChanged: false });
  expect(await contents()).toEqual(before);
});

test('a sale since the count is not lost, and what open orders took is not given back', async () => {
  const countedAt = isoNow();
  service.clock.advance(1_000);
  const body = pickupBody(shop, { lineItems: [{ productOptionId, quantity: 2 }] });
  expect((await service.call('POST', '/api/v1/orders', { keys, body })).error).toBeUndefined();
  service.clock.advance(1_000);
  const reply = await send([lineOf('20')], countedAt);
  expect(reply.data.results[0]).toMatchObject({ onHand: '18', isChanged: true });
  // A retry after another sale changes nothing.
  const later = pickupBody(shop, { lineItems: [{ productOptionId, quantity: 3 }] });
  expect((await service.call('POST', '/api/v1/orders', { keys, body: later })).error).toBeUndefined();
  expect((await send([lineOf('20')], countedAt)).data.results[0]).toMatchObject({
    onHand: '15',
    isChanged: false,
  });
  expect(await onHand()).toBe('15');
  // Fewer were counted than have been sold since: nothing is left.
  service.clock.advance(1_000);
  const short = isoNow();
  service.clock.advance(1_000);
  expect(
    (
      await service.call('POST', '/api/v1/orders', {
        keys,
        body: pickupBody(shop, { lineItems: [{ productOptionId, quantity: 5 }] }),
      })
    ).error,
  ).toBeUndefined();
  expect((await send([lineOf('4')], short)).data.results[0]).toMatchObject({ onHand: '0' });
});

test('a count that comes after a later one is refused, and the stock stays', async () => {
  const early = isoNow();
  service.clock.advance(1_000);
  expect((await send([lineOf('30')])).data.results[0]).toMatchObject({ onHand: '30' });
  const [late] = (await send([lineOf('7')], early)).data.results;
  expect(late.error).toMatchObject({ code: 'STALE_EDIT', meta: { line: 0, onHand: '30' } });
  expect(await onHand()).toBe('30');
  const future = new Date(service.clock.now() + 1_000).toISOString();
  expect((await send([lineOf('7')], future)).error?.code).toBe('INVALID_PARAMS');
});

test('a line that is refused stops no other, and each says why', async () => {
  const externalId = 'jar of the counter';
  const saved = await service.call('PUT', '/api/v1/products/by-external-id/jar', {
    keys,
    body: productBody({ options: [{ externalId, amount: 1, price: 1000, content: '1' }] }),
  });
  expect(saved.error).toBeUndefined();
  const stranger = await createTestShop(service.context, { products });
  const reply = await send([
    lineOf('1', { productOptionId: stranger.optionId('eighth') }),
    lineOf('-1'),
    lineOf('1', { inventoryLocationId: stranger.locationId('Storefront') }),
    lineOf('1', { externalId }),
    { inventoryLocationId, counted: '1', externalId: 'unknown' },
    { inventoryLocationId, counted: '6', externalId },
    lineOf('40'),
  ]);
  expect(reply.status).toBe(200);
  expect(reply.data.results.map((it: { error?: { code: string } }) => it.error?.code)).toEqual([
    ...['PRODUCT_OPTION_NOT_FOUND', 'INVALID_PARAMS', 'INVENTORY_LOCATION_NOT_FOUND', 'INVALID_PARAMS'],
    ...['PRODUCT_OPTION_NOT_FOUND', undefined, undefined],
  ]);
  expect(reply.data.results[5]).toEqual({
    productOptionId: saved.data.options[0].id,
    externalId,
    onHand: '6',
    isChanged: true,
  });
  expect(await onHand()).toBe('40');
  // The ids of another integrator are its own.
  const { keys: rival } = await createTestKeys(
    service.context,
    organizationId,
    await createTestIntegrator(service.context),
  );
  const [theirs] = (await send([{ inventoryLocationId, counted: '9', externalId }], isoNow(), rival)).data
    .results;
  expect(theirs.error.code).toBe('PRODUCT_OPTION_NOT_FOUND');
});
