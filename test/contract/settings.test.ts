import { afterAll, describe, expect, test } from 'vitest';
import { startTestService } from '../harness/test-service.ts';
import { createTestShop } from '../harness/test-shop.ts';

/* What all settings promise alike. Roles, stale edits and other organizations: staff-endpoints.test.ts, stale-edits.test.ts. */

const service = await startTestService();
const shop = await createTestShop(service.context, { deliveryZones: [] });
const owner = await service.staff(shop);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

interface Setting {
  /** Under `/staff/v1`. */
  readonly path: string;
  readonly noun: string;
  /** What creates one beside its name. */
  readonly fields: object;
  /** PATCH, unless it is only replaced. */
  readonly isOnlyReplaced?: true;
  readonly isNameUnique?: true;
  /** Whether an archived one can be restored, or counts as not found. */
  readonly end?: 'restores' | 'stays';
}

const settings: readonly Setting[] = [
  { path: 'brands', noun: 'brand', fields: { description: 'x' }, isNameUnique: true },
  {
    path: 'product-categories',
    noun: 'category',
    fields: { cannabisType: 'none', order: 7 },
    isNameUnique: true,
  },
  { path: 'product-sub-categories', noun: 'sub-category', fields: {}, isNameUnique: true },
  {
    path: 'tags',
    noun: 'tag',
    fields: { description: null, productIds: [shop.productId('Moonlit Grove')] },
    isNameUnique: true,
  },
  { path: 'customer-groups', noun: 'customer group', fields: { description: 'x' }, isNameUnique: true },
  {
    path: 'inventory-vendors',
    noun: 'vendor',
    fields: { email: 'a@vendors.example.com', city: 'Oakland' },
    isOnlyReplaced: true,
    isNameUnique: true,
    end: 'stays',
  },
  { path: 'inventory-locations', noun: 'inventory location', fields: { type: 'vehicle' }, end: 'stays' },
  {
    path: 'loyalty-rewards',
    noun: 'loyalty reward',
    fields: { type: 'flat', pointsRequirement: 100, discountAmount: 500 },
    end: 'stays',
  },
  { path: 'payment-types', noun: 'payment type', fields: { method: 'cash', fee: 100 }, end: 'restores' },
  {
    path: 'delivery-zones',
    noun: 'delivery zone',
    fields: { postalCodes: ['94607', '946*'], inventoryLocationIds: [shop.locationId('Vault')] },
  },
  {
    path: 'purchase-limit-rules',
    noun: 'purchase limit rule',
    fields: {
      ...{ customerType: 'all', cannabisType: 'edibles', limit: '800', unit: 'mg' },
      ...{ window: 'rolling-days', windowDays: 7 },
    },
  },
];

async function create({ path, fields }: Setting, name: string) {
  const reply = await owner.call('POST', `/staff/v1/${path}`, { ...fields, name });
  expect([path, reply.status, reply.error]).toEqual([path, 201, undefined]);
  return reply.data;
}

const rows = (settings: readonly Setting[]) => settings.map((setting) => [setting.path, setting] as const);

describe.each(rows(settings))('%s', (_, setting) => {
  const path = `/staff/v1/${setting.path}`;

  test('that is sent again as it was read, or in no part, is not changed', async () => {
    const made = await create(setting, 'Unchanged');
    service.clock.advance(1000);
    const { id: _id, createdAt: _at, updatedAt: _changed, archivedAt: _end, endedAt: _too, ...sent } = made;
    const { organizationId: _whose, ...whole } = sent;
    expect((await owner.call('PUT', `${path}/${made.id}`, whole)).data).toEqual(made);
    if (!setting.isOnlyReplaced)
      expect((await owner.call('PATCH', `${path}/${made.id}`, {})).data).toEqual(made);
    const renamed = await owner.call('PUT', `${path}/${made.id}`, { ...whole, name: 'Renamed' });
    const updatedAt = new Date(service.clock.now()).toISOString();
    expect(renamed.data).toEqual({ ...made, name: 'Renamed', updatedAt });
    expect((await owner.call('DELETE', `${path}/${made.id}`)).status).toBe(200);
  });
});

describe.each(rows(settings.filter((it) => it.isNameUnique)))('the names of %s', (_, setting) => {
  const { noun } = setting;
  const path = `/staff/v1/${setting.path}`;
  const taken = { code: 'INVALID_PARAMS', message: `name must not be that of another ${noun}.` };
  const rename = (id: number, name: string) =>
    owner.call(setting.isOnlyReplaced ? 'PUT' : 'PATCH', `${path}/${id}`, {
      ...(setting.isOnlyReplaced && setting.fields),
      name,
    });

  test('are unique, ignoring case, outer spaces and the way letters are composed; of deleted ones they are free', async () => {
    const first = await create(setting, ' Seniors ');
    expect(first.name).toBe('Seniors');
    const other = await create(setting, 'Fru\u0308haufsteher');
    for (const name of [' SENIORS', 'Fr\u00fchaufsteher']) {
      const reply = await owner.call('POST', path, { ...setting.fields, name });
      expect([reply.status, reply.error]).toEqual([400, taken]);
    }
    expect((await rename(other.id, 'seniors')).error).toEqual(taken);
    expect((await rename(first.id, 'SENIORS')).data.name).toBe('SENIORS');
    expect((await owner.call('POST', path, { ...setting.fields, name: '   ' })).error?.code).toBe(
      'INVALID_PARAMS',
    );
    await owner.call('DELETE', `${path}/${first.id}`);
    await create(setting, 'Seniors');
  });

  test('are unique when they are created at once', async () => {
    const replies = await Promise.all(
      ['Rush', ' rush', 'RUSH', 'Rush '].map((name) => owner.call('POST', path, { ...setting.fields, name })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400]);
    expect(replies.find(({ status }) => status === 400)?.error).toEqual(taken);
  });
});

test.each(rows(settings.filter((it) => it.end !== undefined)))(
  '%s end once, stay listed, and are restored or not found',
  async (_, setting) => {
    const made = await create(setting, 'Ended');
    const list = `/staff/v1/${setting.path}`;
    const path = `${list}/${made.id}`;
    service.clock.advance(1000);
    const at = new Date(service.clock.now()).toISOString();
    const isArchived = 'archivedAt' in made;
    const ended = { ...made, [isArchived ? 'archivedAt' : 'endedAt']: at, updatedAt: at };
    expect((await owner.call('DELETE', path)).data).toEqual(ended);
    service.clock.advance(1000);
    expect((await owner.call('DELETE', path)).data).toEqual(ended);
    const all = await owner.call('GET', isArchived ? list : `${list}?ended=true`);
    expect(all.data).toContainEqual(ended);
    const change = { ...(setting.isOnlyReplaced && setting.fields), name: 'Back' };
    const changed = await owner.call(setting.isOnlyReplaced ? 'PUT' : 'PATCH', path, change);
    if (setting.end === 'stays') {
      expect([changed.status, changed.error?.message]).toEqual([404, `There is no such ${setting.noun}.`]);
      return;
    }
    expect(changed.data).toMatchObject({ name: 'Back', archivedAt: at });
    expect((await owner.call('PATCH', path, { archived: false })).data.archivedAt).toBeNull();
    expect((await owner.call('PATCH', path, { archived: true })).data.archivedAt).not.toBeNull();
    expect((await owner.call('PATCH', path, { archived: true, archivedAt: null })).error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^archivedAt/),
    });
    expect((await owner.call('PATCH', path, { archivedAt: null })).data.archivedAt).toBeNull();
  },
);
