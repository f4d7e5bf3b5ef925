import { Client } from 'pg';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
let shop: TestShop;
let staff: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  staff = await service.staff(shop, 'inventory');
});
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

interface ShownPackage {
  readonly id: number;
  readonly label: string;
  readonly updatedAt: string;
}

const label = (end: string | number) => `1A4FF${String(end).padStart(19, '0')}`;
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const get = (path: string, query = {}) => service.call('GET', `/api/v1/${path}`, { keys: shop.keys, query });
const page = (after?: ShownPackage) =>
  get('packages', after && { startingAfterUpdatedAt: after.updatedAt, startingAfterId: after.id });
const create = (end: string | number, changes: object = {}) =>
  staff.call('POST', '/staff/v1/packages', {
    label: label(end),
    unit: 'Each',
    initialAmount: '48',
    ...changes,
  });
const patch = (id: number, body: object) => staff.call('PATCH', `/staff/v1/packages/${id}`, body);
const act = (id: number, action: string, body?: object) =>
  staff.call('POST', `/staff/v1/packages/${id}/${action}`, body);
const eighth = (changes: object = {}) => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('sold out'),
  inventoryLocationId: shop.locationId('Storefront'),
  amount: '10',
  costPerUnit: '11.25',
  ...changes,
});
const buy = (option = 'sold out', quantity = 1) =>
  service.call('POST', '/api/v1/orders', {
    keys: shop.keys,
    body: pickupBody(shop, { lineItems: [{ productOptionId: shop.optionId(option), quantity }] }),
  });

describe('a package', () => {
  test('is added, described, received, used up and finished, and is always found by its label', async () => {
    const made = await create(77, { externalProductName: 'Moonlit Grove 3.5 g', labDate: '2026-02-12' });
    expect(made).toMatchObject({
      status: 201,
      data: {
        organizationId: shop.organizationId,
        type: 'metrc',
        label: label(77),
        status: 'ready',
        initialAmount: '48',
        multiplier: '1',
        productOptionId: null,
        product: null,
        costPerUnit: null,
        receivedAt: null,
        labDate: '2026-02-12',
        onHold: false,
        locationInventory: [],
      },
    });
    const { id } = made.data;
    expect((await patch(id, { thcPercent: '21.50', producerName: 'Fernweh Farms' })).data).toMatchObject({
      thcPercent: '21.5',
      producerName: 'Fernweh Farms',
      labDate: '2026-02-12',
    });
    for (const field of ['thcPercent', 'cbdPercent']) {
      for (const value of ['100.1', '2150', '1000', '-1', 'much']) {
        const { status, error } = await patch(id, { [field]: value });
        expect([field, value, status, error?.message]).toEqual([
          ...[field, value, 400],
          expect.stringMatching(`^${field} must be a percentage from 0 to 100`),
        ]);
      }
    }
    const received = await act(id, 'receive', eighth({ amount: '2.5', multiplier: '2' }));
    expect(received).toMatchObject({
      status: 200,
      data: {
        status: 'received',
        receivedAt: '2026-03-10T18:00:00.000Z',
        productOptionId: shop.optionId('sold out'),
        product: { name: 'Moonlit Grove' },
        multiplier: '2',
        costPerUnit: '11.25',
        initialAmount: '48',
        locationInventory: [{ inventoryLocationId: shop.locationId('Storefront'), amount: '5' }],
      },
    });
    expect((await get(`packages/${label(77)}`)).data).toEqual(received.data);
    expect((await act(id, 'finish')).error).toMatchObject({ code: 'NON_ZERO_INVENTORY' });
    expect((await buy('sold out', 5)).status).toBe(201);
    const finished = await act(id, 'finish');
    expect(finished).toMatchObject({
      status: 200,
      data: { status: 'finished', finishedAt: '2026-03-10T18:00:00.000Z', locationInventory: [] },
    });
    expect((await act(id, 'finish')).data).toEqual(finished.data);
    expect((await act(id, 'receive', eighth())).error).toMatchObject({
      code: 'INVALID_PACKAGE_TRANSITION',
      meta: { status: 'finished', action: 'receive' },
    });
  });

  test('is added and received with one request, with tag, cost, expiry and certificate; the receipt can be undone while nothing of it is used', async () => {
    const { amount: _, ...where } = eighth();
    const sent = {
      ...{ expirationDate: '2027-01-31', thcPercent: '21.5', labName: 'Cedar Ridge Labs' },
      certificateUrl: 'https://labs.example/coa/77.pdf',
    };
    const refused = await create(77, { ...sent, reception: { ...where, inventoryLocationId: 1 } });
    expect([refused.error?.code, refused.error?.message]).toEqual([
      'INVENTORY_LOCATION_NOT_FOUND',
      'reception.inventoryLocationId must be the id of an inventory location.',
    ]);
    const made = await create(77, { ...sent, reception: where });
    expect(made).toMatchObject({
      status: 201,
      data: {
        ...{ status: 'received', ...sent, costPerUnit: '11.25' },
        locationInventory: [{ inventoryLocationId: shop.locationId('Storefront'), amount: '48' }],
      },
    });
    const { id } = made.data;
    expect(await act(id, 'undo-receipt')).toMatchObject({
      status: 200,
      data: { status: 'ready', receivedAt: null, product: null, costPerUnit: null, locationInventory: [] },
    });
    expect((await buy()).error?.code).toBe('OUT_OF_STOCK');
    expect((await act(id, 'undo-receipt')).error?.code).toBe('INVALID_PACKAGE_TRANSITION');
    expect((await act(id, 'receive', eighth())).data).toMatchObject({ costPerUnit: '11.25' });
    expect((await buy()).status).toBe(201);
    expect((await act(id, 'undo-receipt')).error?.code).toBe('RECEPTION_USED');
  });

  test('on hold says why, is neither sold nor handed over, and is sold again when it is released', async () => {
    const { id } = (await create(77)).data;
    await act(id, 'receive', eighth());
    const placed = await buy();
    const held = await patch(id, { onHold: true, holdReason: ' The seal looks broken ' });
    expect(held.data).toMatchObject({ onHold: true, holdReason: 'The seal looks broken' });
    const refused = await buy();
    expect([refused.error?.code, refused.error?.message]).toEqual([
      'OUT_OF_STOCK',
      expect.stringMatching(`package ${label(77)} cannot be sold, it is on hold in the shop[.]$`),
    ]);
    const budtender = await service.staff(shop, 'budtender');
    const handOver = () =>
      budtender.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {
        payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }],
      });
    expect((await handOver()).error).toMatchObject({
      code: 'PACKAGE_BLOCKED',
      message: expect.stringContaining('on hold in the shop: The seal looks broken.'),
      meta: { package: { id, label: label(77) }, reason: 'shop-hold' },
    });
    const [told] = await sql(
      `select details from audit_entries where action = 'package.updated' and subject_id = '${id}'`,
    );
    expect(told?.details).toMatchObject({
      onHold: { from: false, to: true },
      holdReason: { from: null, to: 'The seal looks broken' },
    });
    expect((await patch(id, { onHold: false })).data).toMatchObject({ onHold: false, holdReason: null });
    expect((await handOver()).status).toBe(200);
  });

  test('that is void frees its label', async () => {
    const { id } = (await create(77)).data;
    const { status, data } = await act(id, 'void', { reason: ' Entered twice ' });
    expect([status, data.status, data.voidReason]).toEqual([200, 'finished', 'Entered twice']);
    expect(data.label).toMatch(new RegExp(`^void-${label(77)}-[0-9a-f]{8}$`));
    expect((await get(`packages/${label(77)}`)).error?.code).toBe('PACKAGE_NOT_FOUND');
    expect((await get(`packages/${data.label}`)).data).toEqual(data);
    expect((await act(id, 'void', { reason: 'Again' })).error?.code).toBe('INVALID_PACKAGE_TRANSITION');
    expect((await create(77)).status).toBe(201);
    const stocked = (await get(`packages/${label(1)}`)).data;
    expect((await act(stocked.id, 'void', { reason: 'No' })).error?.code).toBe('NON_ZERO_INVENTORY');
    await sql(`update packages set status = 'shipped' where label = '${label(77)}'`);
    const shipped = (await get(`packages/${label(77)}`)).data;
    for (const [action, body] of [['finish'], ['void', { reason: 'x' }], ['receive', eighth()]] as const) {
      expect((await act(shipped.id, action, body)).error).toMatchObject({
        code: 'INVALID_PACKAGE_TRANSITION',
        meta: { status: 'shipped', action },
      });
    }
  });

  test('is refused if invalid, and nothing is written', async () => {
    const { id } = (await create(77)).data;
    const before = await sql('select * from packages order by id');
    for (const wrong of [label(77), label(1)]) {
      expect((await create(0, { label: wrong })).error).toMatchObject({
        code: 'INVALID_PARAMS',
        message: expect.stringContaining('label'),
      });
    }
    expect((await create(0, { label: 'abc' })).error?.message).toContain('label');
    expect((await patch(id, { labDate: '2026-02-30' })).error?.message).toContain('labDate');
    const cases: [object, string, string][] = [
      [{ productId: 5 }, 'PRODUCT_NOT_FOUND', 'productId'],
      [{ productOptionId: 5 }, 'PRODUCT_OPTION_NOT_FOUND', 'productOptionId'],
      [{ productOptionId: shop.optionId('gummies') }, 'INVALID_CHILD_RESOURCE', 'productOptionId'],
      [{ productOptionId: null }, 'INVALID_INVENTORY_TYPE', 'productOptionId'],
      [
        { productId: shop.productId('Rolling Tray'), productOptionId: null },
        'INVALID_INVENTORY_TYPE',
        'productId',
      ],
      [{ inventoryLocationId: 5 }, 'INVENTORY_LOCATION_NOT_FOUND', 'inventoryLocationId'],
      [{ amount: '0' }, 'INVALID_PARAMS', 'amount'],
      [{ amount: '0.000001', multiplier: '0.5' }, 'INVALID_PARAMS', 'multiplier'],
    ];
    for (const [changes, code, message] of cases) {
      const { error } = await act(id, 'receive', eighth(changes));
      expect([error?.code, error?.message]).toEqual([code, expect.stringContaining(message)]);
    }
    expect(await sql('select * from packages order by id')).toEqual(before);
    const { id: other } = (await get(`packages/${label(1)}`)).data;
    expect((await act(other, 'receive', eighth())).error?.code).toBe('INVALID_CHILD_RESOURCE');
    for (const action of ['receive', 'finish', 'void']) {
      const body = { receive: eighth(), void: { reason: 'x' } }[action as 'void'];
      expect((await act(5, action, body)).error?.code).toBe('PACKAGE_NOT_FOUND');
    }
    expect((await patch(5, {})).error?.code).toBe('PACKAGE_NOT_FOUND');
  });

  test('is not sold while it is on hold, a trade sample, expired or not received', async () => {
    const { id } = (await create(77)).data;
    await act(id, 'receive', eighth());
    for (const [blocked, free] of [
      [{ onHold: true }, { onHold: false }],
      [{ tradeSample: true }, { tradeSample: false }],
      [{ expirationDate: '2026-03-09' }, { expirationDate: '2026-03-10' }],
    ]) {
      expect((await patch(id, blocked!)).status).toBe(200);
      expect((await buy()).error?.code).toBe('OUT_OF_STOCK');
      await patch(id, free!);
      expect((await buy()).status).toBe(201);
    }
  });
});

describe('the list of packages', () => {
  /** Reads all pages after a package. */
  async function readOn(after?: ShownPackage): Promise<ShownPackage[]> {
    const all: ShownPackage[] = [];
    for (let cursor = after; ; ) {
      const { status, data } = await page(cursor);
      expect(status).toBe(200);
      if (data.length === 0) return all;
      all.push(...data);
      cursor = data.at(-1);
    }
  }

  test('has every package once, by its last change, 50 a page, to the microsecond', async () => {
    const rows = Array.from({ length: 60 }, (_, index) => ({
      manifestNumber: '1',
      shipperName: 'Tidewater',
      shipperLicenseNumber: 'C11',
      label: label(500 + index),
      initialAmount: '1',
      unit: 'Each',
    }));
    // One transaction, so one instant.
    expect((await staff.call('POST', '/staff/v1/compliance-transfers', { rows })).status).toBe(201);
    expect((await page()).data).toHaveLength(50);
    const all = await readOn();
    expect(all).toHaveLength(63);
    expect(new Set(all.map(({ id }) => id)).size).toBe(63);
    expect(all.map(({ updatedAt }) => updatedAt)).toEqual([...all.map(({ updatedAt }) => updatedAt)].sort());
    for (const { updatedAt } of all) expect(updatedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    expect(await readOn(all.at(-1))).toEqual([]);
  });

  test('shows a package again when a field or its stock changes: sold, returned, adjusted, moved', async () => {
    const last = (await readOn()).at(-1)!;
    const first = (await get(`packages/${label(1)}`)).data;
    const order = (await buy('eighth')).data;
    const item = { productId: first.product.id, productOptionId: first.productOptionId, packageId: first.id };
    const changes = [
      async () => {},
      () => patch(first.id, { onHold: true }),
      () => sql(`update stock_balances set on_hand = on_hand + 1 where package_id = ${first.id}`),
      () =>
        staff.call('POST', '/staff/v1/inventory-adjustments', {
          ...item,
          inventoryLocationId: shop.locationId('Storefront'),
          delta: '-1',
          reason: 'Broken',
        }),
      () =>
        staff.call('POST', '/staff/v1/inventory-transfers', {
          ...item,
          fromInventoryLocationId: shop.locationId('Storefront'),
          toInventoryLocationId: shop.locationId('Vault'),
          amount: '1',
        }),
    ];
    expect(order.status).toBe('new');
    let cursor = last;
    for (const change of changes) {
      await change();
      const turned = await readOn(cursor);
      expect(turned.map(({ label }) => label)).toEqual([label(1)]);
      cursor = turned[0]!;
    }
    await patch(first.id, { onHold: true });
    expect(await readOn(cursor)).toEqual([]);
  });

  test('never skips a change that was made early and committed late', async () => {
    const [first, second] = [(await create(71)).data, (await create(72)).data];
    const cursor = (await readOn()).at(-1)!;
    const slow = new Client(service.database.owner);
    await slow.connect();
    try {
      await slow.query('begin');
      await slow.query(`set local app.organization_id = '${shop.organizationId}'`);
      await slow.query('update packages set on_hold = true where id = $1', [first.id]);
      await patch(second.id, { onHold: true });
      // This change is newer than the uncommitted one, so it must wait: otherwise a reader would continue after it.
      expect(await readOn(cursor)).toEqual([]);
      await slow.query('commit');
    } finally {
      await slow.end();
    }
    expect((await readOn(cursor)).map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test('read repeatedly while packages change, misses no change', async () => {
    const packages: ShownPackage[] = [];
    for (let count = 0; count < 6; count++) packages.push((await create(900 + count)).data);
    const seen = new Map<number, string>();
    let cursor = (await readOn()).at(-1)!;
    let isDone = false;
    const reader = async () => {
      while (!isDone) {
        const { data } = await page(cursor);
        for (const shown of data) seen.set(shown.id, shown.thcPercent);
        cursor = data.at(-1) ?? cursor;
      }
    };
    const writer = async (offset: number) => {
      for (let count = 0; count < 15; count++) {
        const target = packages[(count * 5 + offset) % packages.length]!;
        expect((await patch(target.id, { thcPercent: `${offset * 20 + count + 1}` })).status).toBe(200);
        await buy('eighth');
      }
    };
    const reading = reader();
    await Promise.all([0, 1, 2].map(writer));
    isDone = true;
    await reading;
    for (const shown of await readOn(cursor)) {
      seen.set(shown.id, (shown as ShownPackage & { thcPercent: string }).thcPercent);
    }
    const rows = await sql(
      `select id, thc_percent::text as thc from packages where label >= '${label(900)}' and label < '${label(906)}'`,
    );
    expect(rows).toHaveLength(6);
    for (const { id, thc } of rows) expect([id, seen.get(id)]).toEqual([id, thc]);
  });

  test('requires both parts of its cursor, and accepts only packages of the organization', async () => {
    const [first] = (await page()).data;
    const { updatedAt: startingAfterUpdatedAt, id: startingAfterId } = first;
    expect((await get('packages', { startingAfterId })).error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['startingAfterUpdatedAt'] },
    });
    expect((await get('packages', { startingAfterUpdatedAt })).error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['startingAfterId'] },
    });
    const stranger = await createTestShop(service.context);
    const theirs = await service.call('GET', `/api/v1/packages/${label(1)}`, { keys: stranger.keys });
    for (const id of [5, theirs.data.id]) {
      const { error } = await get('packages', { startingAfterUpdatedAt, startingAfterId: id });
      expect(error?.code).toBe('INVALID_CURSOR');
    }
    const rest = await readOn(first);
    const written = startingAfterUpdatedAt.slice(0, -1);
    for (const text of [`${written}999Z`, `${written}+00:00`]) {
      expect((await readOn({ ...first, updatedAt: text })).slice(0, 1)).toEqual(rest.slice(0, 1));
    }
    const wrong = await get('packages', { startingAfterUpdatedAt: 'yesterday', startingAfterId });
    expect(wrong.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining('startingAfterUpdatedAt'),
    });
  });
});
