import { afterAll, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startOwnTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys } = shop;
const staff = await service.staff(shop, 'manager');

const details = {
  strain: 'Harbor Fog',
  sku: 'HF-35',
  terpenes: [
    { name: 'Myrcene', percent: '0.8250' },
    { name: 'Limonene', percent: null },
  ],
  effects: ['Calm', 'Sleepy'],
  flavours: ['Pine'],
  labResults: [
    { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/hf 35.pdf' },
    { lab: 'Second Look Labs' },
  ],
};
const shown = {
  ...details,
  terpenes: [
    { name: 'Myrcene', percent: '0.825' },
    { name: 'Limonene', percent: null },
  ],
  labResults: [
    { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/hf%2035.pdf' },
    { lab: 'Second Look Labs', date: null, certificateUrl: null },
  ],
};
const nothing = { strain: null, sku: null, terpenes: [], effects: [], flavours: [], labResults: [] };
const create = (changes: object) =>
  service.call('POST', '/api/v1/products', { keys, body: productBody({ ...changes }) });
const update = (id: number, body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys, body });

test('strain, terpenes, effects, flavours, SKU and lab results are shown everywhere as they were sent (D71)', async () => {
  const { data, error } = await create(details);
  expect(error).toBeUndefined();
  expect(data).toMatchObject(shown);
  await staff.call('PATCH', `/staff/v1/products/${data.id}`, { isActive: true });
  expect((await staff.call('GET', `/staff/v1/products/${data.id}`)).data).toMatchObject(shown);
  for (const [path, query] of [
    ['/api/v1/menu', {}],
    ['/api/v1/products/all', {}],
    ['/api/v1/records/products', { ids: String(data.id) }],
  ] as const) {
    const reply = await service.call('GET', path, { keys, query });
    expect([path, reply.data.find(({ id }: { id: number }) => id === data.id)]).toEqual([
      path,
      expect.objectContaining(shown),
    ]);
  }
  expect((await create({})).data).toMatchObject(nothing);
});

test('an update changes the sent ones only; equal ones write nothing, and the menu gets a new version', async () => {
  const { data } = await create(details);
  const before = await witness.contents(shop.organizationId);
  expect((await update(data.id, details)).data).toEqual(data);
  expect(await witness.contents(shop.organizationId)).toEqual(before);

  await staff.call('PATCH', `/staff/v1/products/${data.id}`, { isActive: true });
  const menu = await service.call('GET', '/api/v1/menu', { keys });
  const changed = await update(data.id, { effects: ['Awake'], sku: '', terpenes: [] });
  expect(changed.data).toMatchObject({ ...shown, effects: ['Awake'], sku: null, terpenes: [] });
  const headers = { 'if-none-match': String(menu.headers.etag) };
  const again = await service.call('GET', '/api/v1/menu', { keys, headers });
  expect([again.status, again.headers.etag === menu.headers.etag]).toEqual([200, false]);
  const [entry] = await witness.query(
    `select details from audit_entries where subject_id = $1 and action = 'product.updated' and details ? 'sku'`,
    [String(data.id)],
    shop.organizationId,
  );
  expect(entry.details).toMatchObject({
    sku: { from: 'HF-35', to: null },
    effects: { from: ['Calm', 'Sleepy'], to: ['Awake'] },
  });
});

test('an integrator that sends the whole product clears what it leaves out', async () => {
  const path = '/api/v1/products/by-external-id/details-1';
  const first = await service.call('PUT', path, { keys, body: productBody(details) });
  expect(first.data).toMatchObject(shown);
  expect((await service.call('PUT', path, { keys, body: productBody() })).data).toMatchObject(nothing);
});

test.each([
  [{ terpenes: [{ name: 'Myrcene', percent: '100.1' }] }, 'terpenes[0].percent must be at most 100.'],
  [{ terpenes: [{ name: 'Myrcene' }, { name: 'myrcene' }] }, 'terpenes[1] must be listed once.'],
  [{ effects: ['Calm', ' CALM'] }, 'effects[1] must be listed once.'],
  [{ flavours: [' '] }, 'flavours[0] must be text that is not blank.'],
  [
    { labResults: [{ lab: 'A', certificateUrl: 'javascript:alert(1)' }] },
    'labResults[0].certificateUrl must be an http or https address of at most 2,000 characters, or null.',
  ],
  [
    { labResults: [{ lab: 'A', date: '2026-02-30' }] },
    'labResults[0].date must be a date YYYY-MM-DD that exists, or null.',
  ],
])('%j is refused', async (wrong, message) => {
  expect((await create(wrong)).error).toMatchObject({ code: 'INVALID_PARAMS', message });
});
