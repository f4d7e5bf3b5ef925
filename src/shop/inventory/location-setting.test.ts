import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { stepOrder } from '../orders/orders.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/inventory-locations';
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const create = (body: object) => staff.call('POST', path, body);
const archive = (id: number) => staff.call('DELETE', `${path}/${id}`);
const shownToIntegrators = async () =>
  (await service.call('GET', '/api/v1/inventory-locations', { keys: shop.keys })).data;

/** Adds stock to a location or removes it. */
const bring = (locationId: number, delta: string) =>
  staff.call('POST', '/staff/v1/inventory-adjustments', {
    productId: shop.productId('Moonlit Grove'),
    productOptionId: shop.optionId('sold out'),
    inventoryLocationId: locationId,
    delta,
    reason: 'Test',
  });

/** Adds a location to those that an order type uses. */
const drawFrom = (locationId: number) =>
  sql(`insert into order_type_locations (organization_id, order_type, position, inventory_location_id)
    values (${shop.organizationId}, 'pickup', 7, ${locationId})`);

describe('a location', () => {
  test('is created, changed and listed; staff see its dates, integrators the same fields as before', async () => {
    const van = await create({ name: ' Van 2 ', description: 'The blue one', type: 'vehicle' });
    expect(van).toMatchObject({
      status: 201,
      data: {
        name: 'Van 2',
        description: 'The blue one',
        type: 'vehicle',
        createdAt: '2026-03-10T18:00:00.000Z',
        updatedAt: '2026-03-10T18:00:00.000Z',
        archivedAt: null,
      },
    });
    const { id } = van.data;
    expect((await staff.call('PATCH', `${path}/${id}`, { name: 'Van II' })).data).toMatchObject({
      name: 'Van II',
      description: 'The blue one',
      type: 'vehicle',
    });
    expect((await staff.call('PATCH', `${path}/${id}`, { description: null })).data.description).toBeNull();
    expect((await staff.call('PUT', `${path}/${id}`, { name: 'Annex' })).data).toMatchObject({
      id,
      name: 'Annex',
      description: null,
      type: 'standard',
    });
    const listed = (await staff.call('GET', path)).data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['Storefront', 'Vault', 'Annex']);
    expect((await shownToIntegrators())[2]).toEqual({
      id,
      name: 'Annex',
      description: null,
      type: 'standard',
    });
    const audit =
      await sql(`select action, details from audit_entries where subject_type = 'inventory_location'
      order by id`);
    expect(audit.map(({ action }) => action)).toEqual([
      'inventory_location.created',
      ...Array.from({ length: 3 }, () => 'inventory_location.updated'),
    ]);
    expect(audit[1]!.details).toEqual({ inventoryLocationId: id, name: { from: 'Van 2', to: 'Van II' } });
  });

  test('receives stock and is used once it is named', async () => {
    const { id } = (await create({ name: 'Annex' })).data;
    await bring(id, '5');
    const body = () =>
      pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }] });
    const order = () => service.call('POST', '/api/v1/orders', { keys: shop.keys, body: body() });
    expect((await order()).error).toMatchObject({ code: 'OUT_OF_STOCK' });
    await drawFrom(id);
    expect((await order()).status).toBe(201);
  });

  test.each([
    [{ name: '' }, /^name must be text of 1 to 200/],
    [{ name: '   ' }, /^name must be text of 1 to 200/],
    [{ name: 'x'.repeat(201) }, /^name must be text of 1 to 200/],
    [{ name: 'Van', type: 'boat' }, /^type must be one of standard, vehicle/],
    [{ name: 'Van', description: 7 }, /^description must be text/],
  ])('is not created from %j', async (body, message) => {
    const reply = await create(body);
    expect(reply).toMatchObject({ status: 400, error: { code: 'INVALID_PARAMS' } });
    expect(reply.error!.message).toMatch(message);
  });
});

describe('archiving a location', () => {
  test('removes it from all choices, once, and keeps it in the lists of staff', async () => {
    const { id } = (await create({ name: 'Annex' })).data;
    await bring(id, '5');
    await bring(id, '-5');
    service.clock.advance(60_000);
    const archived = await archive(id);
    expect(archived).toMatchObject({ status: 200, data: { id, archivedAt: '2026-03-10T18:01:00.000Z' } });
    service.clock.advance(60_000);
    expect((await archive(id)).text).toBe(archived.text);
    expect(await sql(`select from audit_entries where action = 'inventory_location.archived'`)).toHaveLength(
      1,
    );

    expect((await shownToIntegrators()).map((row: { id: number }) => row.id)).not.toContain(id);
    expect((await staff.call('GET', path)).data.at(-1)).toEqual(archived.data);
    expect((await bring(id, '1')).error).toMatchObject({ code: 'INVENTORY_LOCATION_NOT_FOUND' });
    expect((await staff.call('PATCH', `${path}/${id}`, { name: 'Back' })).status).toBe(404);
    const ledger = await staff.call('GET', '/staff/v1/inventory-ledger', undefined, {
      query: { inventoryLocationId: id },
    });
    expect(ledger.data).toMatchObject([{ locationName: 'Annex' }, { locationName: 'Annex' }]);
    const levels = await staff.call('GET', '/staff/v1/inventory', undefined, { query: { locationId: id } });
    expect(levels.data).toEqual([]);
  });

  test('is refused while it has stock', async () => {
    const { id } = (await create({ name: 'Annex' })).data;
    await bring(id, '0.000001');
    expect(await archive(id)).toMatchObject({
      status: 409,
      error: { code: 'NON_ZERO_INVENTORY', message: expect.stringMatching('Moonlit Grove') },
    });
  });

  test('is refused while an order type or a delivery zone uses it', async () => {
    const { id } = (await create({ name: 'Annex' })).data;
    await drawFrom(id);
    expect(await archive(id)).toMatchObject({
      status: 409,
      error: { code: 'INVENTORY_LOCATION_IN_USE', message: expect.stringMatching('pickup') },
    });
    await sql(`delete from order_type_locations where inventory_location_id = ${id}`);
    await sql(`update delivery_zones set inventory_location_ids = '{${id}}' where name = 'East Bay'`);
    expect(await archive(id)).toMatchObject({
      status: 409,
      error: { code: 'INVENTORY_LOCATION_IN_USE', message: expect.stringMatching('East Bay') },
    });
    await sql(`update delivery_zones set inventory_location_ids = '{}'`);
    expect((await archive(id)).status).toBe(200);
  });

  test('is refused while an order holds the last of its stock and would return it there', async () => {
    const { id } = (await create({ name: 'Annex' })).data;
    await bring(id, '1');
    await drawFrom(id);
    const body = pickupBody(shop, {
      lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }],
    });
    const order = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(order.status).toBe(201);
    await sql(`delete from order_type_locations where inventory_location_id = ${id}`);
    expect(await archive(id)).toMatchObject({
      status: 409,
      error: { code: 'INVENTORY_LOCATION_IN_USE', message: expect.stringMatching(order.data.id) },
    });
    await stepOrder(
      service.context,
      { actor: 'job:test', requestId: null },
      shop.organizationId,
      order.data.id,
      'cancel',
      { staff: null },
    );
    expect((await archive(id)).error).toMatchObject({ code: 'NON_ZERO_INVENTORY' });
    await bring(id, '-1');
    expect((await archive(id)).status).toBe(200);
  });

  test('concurrent with incoming stock leaves no stock at an archived location', async () => {
    for (let round = 0; round < 8; round++) {
      const { id } = (await create({ name: `Annex ${round}` })).data;
      const [archived, ...brought] = await Promise.all([
        archive(id),
        ...Array.from({ length: 4 }, () => bring(id, '1')),
      ]);
      const came = brought.filter(({ status }) => status === 201).length;
      if (archived.status === 200) expect(came).toBe(0);
      else expect(archived.error).toMatchObject({ code: 'NON_ZERO_INVENTORY' });
      const rows = await sql(`select b.on_hand from stock_balances b
        join inventory_locations l on l.id = b.inventory_location_id
        where l.archived_at is not null and b.on_hand > 0`);
      expect(rows).toEqual([]);
    }
  });
});

test('concurrent with a zone or an order type that names it, one of both is refused', async () => {
  const owner = await service.staff(shop);
  const drawn = [shop.locationId('Storefront'), shop.locationId('Vault')];
  for (let round = 0; round < 6; round++) {
    const { id } = (await create({ name: `Annex ${round}` })).data;
    const naming =
      round % 2 === 0
        ? () =>
            owner.call('PATCH', '/staff/v1/organization', {
              locationsByOrderType: { pickup: [...drawn, id] },
            })
        : () =>
            owner.call('POST', '/staff/v1/delivery-zones', {
              name: `Zone ${round}`,
              postalCodes: [`9700${round}`],
              inventoryLocationIds: [id],
            });
    const replies = await Promise.all([archive(id), naming()]);
    expect(replies.map(({ error }) => error?.code ?? 'done').sort()).toContain('done');
    expect(replies.filter(({ error }) => error !== undefined).map(({ error }) => error!.code)).toEqual([
      expect.stringMatching(/^(INVENTORY_LOCATION_IN_USE|INVALID_PARAMS)$/),
    ]);
  }
});

test('orders are unaffected while locations are added and archived', async () => {
  const { id } = (await create({ name: 'Annex' })).data;
  await archive(id);
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: deliveryBody(shop) });
  expect(reply.status).toBe(201);
});
