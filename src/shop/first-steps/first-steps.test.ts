import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestIntegrator, createTestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { createOrganization } from '../../access/organizations/organizations.ts';
import { firstSteps } from './first-steps.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

const path = '/staff/v1/first-steps';

/** An organization as the operator's command makes it: a name, a state, a time zone, an owner. */
async function newOrganization(): Promise<TestStaff> {
  const organizationId = await createOrganization(service.context, testOrigin, {
    name: 'Alder Yard',
    state: 'MI',
    tz: 'US/Eastern',
  });
  return service.staff({ organizationId });
}

const openSteps = async (owner: TestStaff) => {
  const { status, data } = await owner.call('GET', path);
  expect(status).toBe(200);
  const open: string[] = data.steps.flatMap((it: { step: string; done: boolean }) =>
    it.done ? [] : [it.step],
  );
  expect(data.remaining).toBe(open.length);
  return { open, ...data };
};

test('each step is done once the shop has what it asks for, and open again when that is gone', async () => {
  const owner = await newOrganization();
  const make = async (resource: string, body: object, method = 'POST') => {
    const { status, data, error } = await owner.call(method, `/staff/v1/${resource}`, body);
    expect([status, error]).toEqual([expect.toSatisfy((it: number) => it < 300), undefined]);
    return data;
  };
  let locationId = 0;
  let product = { id: 0, options: [{ id: 0 }] };
  const { id: integratorId } = await createTestIntegrator(service.context);
  const ways: Readonly<Record<(typeof firstSteps)[number], () => Promise<unknown>>> = {
    license: () => make('organization', { licenseNumber: 'AU-R-000001' }, 'PATCH'),
    taxes: () => make('taxes/apply-preset', {}),
    locations: async () => {
      locationId = (await make('inventory-locations', { name: 'Storefront', type: 'standard' })).id;
    },
    'order-locations': async () => {
      const from = [locationId];
      await make(
        'organization',
        { locationsByOrderType: { delivery: from, pickup: from, 'in-store': from } },
        'PATCH',
      );
    },
    'payment-types': () => make('payment-types', { name: 'Cash', method: 'cash' }),
    categories: async () => {
      await make('product-categories', { name: 'Flower', cannabisType: 'non-concentrated' });
    },
    products: async () => {
      product = await make('products', {
        ...{ name: 'Copper Creek', unit: 'item', strainType: 'hybrid', inventoryType: 'option' },
        category: 'Flower',
        subCategories: [],
        photos: [],
        options: [{ amount: 1, price: 3500, content: '3.5' }],
      });
    },
    stock: () =>
      make('inventory-adjustments', {
        productId: product.id,
        productOptionId: product.options[0]!.id,
        inventoryLocationId: locationId,
        delta: '12',
        reason: 'First delivery',
      }),
    staff: () =>
      make('staff', {
        email: 'maya@shop.example.com',
        firstName: 'Maya',
        lastName: 'Ortiz',
        role: 'manager',
      }),
    register: () => make('registers', { name: 'Front counter', inventoryLocationId: locationId }),
    'client-key': () =>
      make('client-keys', { integratorId, name: 'Web shop', permissions: ['create-orders'] }),
  };
  const left: string[] = [...firstSteps];
  for (const step of firstSteps) {
    expect(await openSteps(owner)).toMatchObject({ open: left, canSell: left.indexOf('stock') < 0 });
    await ways[step]();
    left.shift();
  }
  expect(await openSteps(owner)).toMatchObject({ open: [], remaining: 0, canSell: true, hidden: false });

  const [{ id: registerId }] = (await owner.call('GET', '/staff/v1/registers')).data;
  await make(`registers/${registerId}`, { archived: true }, 'PATCH');
  const { firstStepsHidden } = await make('organization', { firstStepsHidden: true }, 'PATCH');
  expect(firstStepsHidden).toBe(true);
  expect(await openSteps(owner)).toMatchObject({ open: ['register'], canSell: true, hidden: true });
});

test('a shop that trades lacks nothing but what it lacks, and only its owner reads it', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const { open, canSell } = await openSteps(owner);
  expect({ open, canSell }).toEqual({ open: ['staff', 'register'], canSell: true });
  const manager = await service.staff(shop, 'manager');
  expect((await manager.call('GET', path)).status).toBe(403);
  expect((await openSteps(owner)).open).toEqual(['register']);
});

test('the readiness of a shop names what is missing, and keeps who did by hand what the service cannot', async () => {
  const shop = await createTestShop(service.context, { state: 'CA' });
  const [manager, budtender] = [await service.staff(shop, 'manager'), await service.staff(shop, 'budtender')];
  const lineOf = (data: { lines: { item: string }[] }, item: string) =>
    data.lines.find((line) => line.item === item);
  const { data: before } = await manager.call('GET', '/staff/v1/readiness');
  expect(before).toMatchObject({
    state: 'CA',
    reporting: {
      system: 'Metrc',
      isSetUp: false,
      words: expect.stringMatching(/^Reporting to Metrc is not set up/),
    },
  });
  expect(lineOf(before, 'receipts')).toMatchObject({
    standing: 'missing',
    canBeMarked: true,
    lastDone: null,
  });
  const mark = (duty: string, who = manager) => who.call('POST', '/staff/v1/readiness', { duty });
  const { data: after } = await mark('receipts');
  expect(lineOf(after, 'receipts')).toMatchObject({
    standing: 'by-hand',
    lastDone: { at: expect.any(String), by: expect.any(String) },
  });
  expect((await mark('saleHours')).error?.code).toBe('INVALID_PARAMS');
  expect(lineOf((await mark('loyalty')).data, 'loyalty')).toMatchObject({
    standing: 'unknown',
    lastDone: {},
  });
  expect((await mark('receipts', budtender)).status).toBe(403);
  // A connection to the real system of the state reports; one to its sandbox does not.
  const connect = (isSandbox: boolean) =>
    tenantSql(
      service.context.database,
      shop.organizationId,
      `insert into state_connections (organization_id, id, system, state, is_sandbox, license_number, is_on, sealed_key,
         sealed_key_master_key_id, created_at, updated_at)
       values (current_organization_id(), 1, 'metrc', 'CA', ${isSandbox}, 'C10-1', true, '', 'none', now(), now())
       on conflict (organization_id, id) do update set is_sandbox = ${isSandbox}`,
    );
  const reports = async () => (await manager.call('GET', '/staff/v1/readiness')).data.reporting;
  await connect(true);
  expect(await reports()).toMatchObject({ isSetUp: false });
  await connect(false);
  expect(await reports()).toMatchObject({ isSetUp: true, words: 'Sales are reported to Metrc.' });
  // What the owner sets besides keeps it.
  const owner = await service.staff(shop, 'owner');
  await owner.call('PUT', '/staff/v1/duties', {
    saleHours: null,
    overrides: [{ duty: 'buyer', reason: 'A log.' }],
  });
  const { data: kept } = await owner.call('GET', '/staff/v1/readiness');
  expect(lineOf(kept, 'receipts')).toMatchObject({ standing: 'by-hand' });
  expect(lineOf(kept, 'buyer')).toMatchObject({
    standing: 'by-hand',
    words: 'The owner answers for it: A log.',
  });
  const entries = (await owner.call('GET', '/staff/v1/audit-log')).data as { details: object }[];
  expect(entries.map(({ details }) => details)).toContainEqual(
    expect.objectContaining({ dutyDone: { from: null, to: { duty: 'receipts', at: expect.any(String) } } }),
  );
});
