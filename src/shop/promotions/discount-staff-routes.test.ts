import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';

const service = await startTestService();
const shop = await createTestShop(service.context);
const owner = await service.staff(shop);
const stranger = await createTestShop(service.context);
const strangerOwner = await service.staff(stranger);
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await service.close();
});

const path = '/staff/v1/discounts';
const plain = { name: 'Ten off', kind: 'order', type: 'percent', amount: 10 };
const bogo = { name: 'Two for one', kind: 'buy-x-get-y', type: 'percent', amount: 100 };

async function create(body: object, staff: TestStaff = owner) {
  const reply = await staff.call('POST', path, body);
  expect(reply.error).toBeUndefined();
  expect(reply.status).toBe(201);
  return reply.data;
}

async function price(changes: object = {}) {
  const reply = await service.call('POST', '/api/v1/orders/pricing', {
    keys: shop.keys,
    body: pickupBody(shop, { ...changes }),
  });
  return reply.data ?? reply.error;
}

// Each test begins without active discounts.
beforeEach(async () => {
  const { data } = await owner.call('GET', path);
  for (const { id } of data) await owner.call('DELETE', `${path}/${id}`);
});

describe('a discount', () => {
  test('has defaults; every field can be set and is returned as sent', async () => {
    expect(await create(plain)).toMatchObject({
      ...plain,
      perUnit: false,
      maximumAmount: null,
      targets: { productIds: [], optionIds: [], categoryIds: [], brandIds: [], tagIds: [] },
      conditions: {
        orderTypes: [],
        customerGroupIds: [],
        minimumSubtotal: null,
        firstOrder: false,
        birthdayMonth: false,
        schedule: [],
        startsAt: null,
        endsAt: null,
      },
      trigger: 'automatic',
      codes: [],
      stackable: true,
      priority: 0,
      usesPerOrder: null,
      usesPerCustomer: null,
      usesTotal: null,
      buyTargets: null,
      uses: { total: 0 },
      createdAt: '2026-03-10T18:00:00.000Z',
      updatedAt: '2026-03-10T18:00:00.000Z',
    });
    const group = await owner.call('POST', '/staff/v1/customer-groups', { name: 'Neighbours' });
    const targets = {
      productIds: [shop.productId('Moonlit Grove')],
      optionIds: [shop.optionId('gummies')],
      categoryIds: [shop.categoryId('Edibles')],
      brandIds: [],
      tagIds: [],
    };
    const full = {
      ...bogo,
      amount: 37.5,
      maximumAmount: 5000,
      targets,
      buyTargets: { ...targets, productIds: [] },
      conditions: {
        orderTypes: ['pickup', 'delivery'],
        customerGroupIds: [group.data.id],
        minimumSubtotal: 2500,
        firstOrder: true,
        birthdayMonth: true,
        schedule: [
          { days: [1, 5], from: '16:00', to: '18:00' },
          { days: [6, 7], from: '22:30', to: '02:00' },
          { days: [3], from: '00:00', to: '24:00' },
        ],
        startsAt: '2026-03-11T08:00:00.000Z',
        endsAt: '2026-04-11T08:00:00.000Z',
      },
      startsAt: '2026-03-11T08:00:00.000Z',
      endsAt: '2026-04-11T08:00:00.000Z',
      trigger: 'code',
      codes: ['Again', 'SPRING'],
      stackable: false,
      priority: -5,
      usesPerOrder: 2,
      usesPerCustomer: 3,
      usesTotal: 100,
      buyQuantity: 2,
      getQuantity: 1,
    };
    const created = await create(full);
    expect(created).toMatchObject(full);
    expect((await owner.call('GET', `${path}/${created.id}`)).data).toEqual(created);

    const again = await owner.call('PUT', `${path}/${created.id}`, created);
    expect(again.data).toEqual(created);
  });

  test('takes an amount as number or text, with up to 6 decimals, without changing a digit', async () => {
    const amounts = [
      [12.5, 12.5],
      ['12.5', 12.5],
      ['7.100000', 7.1],
      [0.0000001, undefined],
      ['0.000001', 0.000001],
    ];
    for (const [amount, expected] of amounts) {
      const reply = await owner.call('POST', path, { ...plain, amount });
      expect([amount, reply.data?.amount]).toEqual([amount, expected]);
    }
    expect((await create({ ...plain, type: 'flat', amount: 300 })).amount).toBe(300);
    expect((await create({ ...plain, type: 'flat', amount: '300.00' })).amount).toBe(300);
    expect((await create({ ...plain, type: 'flat', amount: '1000000000.0' })).amount).toBe(1_000_000_000);
  });

  test('can be per unit and for a maximum of lines, for either kind of discount on lines', async () => {
    for (const kind of ['line', 'product']) {
      const perUnit = { ...plain, kind, type: 'flat', amount: 300, perUnit: true, usesPerOrder: 2 };
      expect(await create(perUnit)).toMatchObject(perUnit);
    }
  });

  test('reads conditions inside `conditions` and on the top level', async () => {
    const conditions = {
      orderTypes: ['delivery'],
      minimumSubtotal: 1000,
      firstOrder: true,
      birthdayMonth: true,
      schedule: [{ days: [2], from: '10:00', to: '11:00' }],
      endsAt: '2026-05-01T00:00:00.000Z',
    };
    expect((await create({ ...plain, ...conditions })).conditions).toMatchObject(conditions);
    const twice = { ...plain, firstOrder: false, conditions: { firstOrder: true } };
    expect((await owner.call('POST', path, twice)).error?.message).toBe(
      'firstOrder must be equal to conditions.firstOrder, or absent.',
    );
  });

  test('keeps fields that a PATCH leaves out, also within targets and conditions, and resets fields that a PUT leaves out', async () => {
    const created = await create({
      ...plain,
      maximumAmount: 900,
      targets: { optionIds: [shop.optionId('eighth')] },
      conditions: { minimumSubtotal: 1000, orderTypes: ['pickup'] },
    });
    service.clock.advance(1000);
    const patched = await owner.call('PATCH', `${path}/${created.id}`, {
      amount: '12.25',
      targets: { tagIds: [] },
      conditions: { minimumSubtotal: null },
    });
    expect(patched.data).toEqual({
      ...created,
      amount: 12.25,
      conditions: { ...created.conditions, minimumSubtotal: null },
      updatedAt: '2026-03-10T18:00:01.000Z',
    });
    const put = await owner.call('PUT', `${path}/${created.id}`, plain);
    expect(put.data).toMatchObject({ ...plain, maximumAmount: null, conditions: { orderTypes: [] } });
    expect(put.data.targets.optionIds).toEqual([]);
  });

  test('is listed until it ends, also before its start, and with ended=true forever', async () => {
    const coming = await create({
      ...plain,
      name: 'Coming',
      priority: 2,
      startsAt: '2026-06-01T00:00:00.000Z',
    });
    const live = await create({ ...plain, name: 'Live', priority: 1 });
    const listed = async (query: object = {}) =>
      (await owner.call('GET', path, undefined, { query: { ...query } })).data.map(
        ({ id }: { id: number }) => id,
      );
    expect(await listed()).toEqual([live.id, coming.id]);

    const ended = await owner.call('DELETE', `${path}/${live.id}`);
    expect(ended.data.endsAt).toBe(new Date(service.clock.now()).toISOString());
    service.clock.advance(60_000);
    expect((await owner.call('DELETE', `${path}/${live.id}`)).data).toEqual(ended.data);
    expect((await owner.call('DELETE', `${path}/${coming.id}`)).data.startsAt).toBeNull();
    expect(await listed()).toEqual([]);
    expect(await listed({ ended: true })).toEqual(expect.arrayContaining([live.id, coming.id]));
    expect(await listed({ ended: false })).toEqual([]);

    const revived = await owner.call('PATCH', `${path}/${live.id}`, { endsAt: null });
    expect(await listed()).toEqual([live.id]);
    expect(revived.data.conditions.endsAt).toBeNull();
  });

  test('of another organization does not exist, and its codes are free', async () => {
    const { id } = await create({ ...plain, trigger: 'code', codes: ['ours'] });
    const nowhere = await strangerOwner.call('GET', `${path}/1`);
    for (const [method, body] of [['GET'], ['PATCH', {}], ['PUT', plain], ['DELETE']] as const) {
      const reply = await strangerOwner.call(method, `${path}/${id}`, body);
      expect([reply.status, reply.text]).toEqual([404, nowhere.text]);
    }
    await create({ ...plain, trigger: 'code', codes: ['ours'] }, strangerOwner);
  });
});

describe('a contradiction is refused, names its field, and writes nothing:', () => {
  const window = { days: [1], from: '10:00', to: '12:00' };
  const code = { trigger: 'code', codes: ['ONE'] };
  const cases: [string, object, string][] = [
    ['a blank name', { name: '  ' }, 'name must not be blank.'],
    ['more than 100 %', { amount: 100.5 }, 'amount must be at most 100 for type percent.'],
    [
      'an amount of 0',
      { amount: 0 },
      'amount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text.',
    ],
    [
      '0 as text',
      { amount: '0.0' },
      'amount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text.',
    ],
    [
      'a negative amount as text',
      { amount: '-1' },
      'amount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text.',
    ],
    [
      '10 million dollars and a cent',
      { type: 'flat', amount: '1000000001' },
      'amount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text.',
    ],
    [
      'a maximum of 0',
      { maximumAmount: 0 },
      'maximumAmount must be a whole number from 1 to 1,000,000,000, or null.',
    ],
    ['7 decimals', { amount: 0.1234567 }, 'amount must have at most 6 decimals.'],
    [
      '7 decimals as text',
      { amount: '0.1234567' },
      'amount must be a number above 0 and at most 1,000,000,000 with at most 6 decimals, or the same as text.',
    ],
    ['fractions of a cent', { type: 'flat', amount: 99.5 }, 'amount must be whole cents for type flat.'],
    [
      'a percent per unit',
      { kind: 'line', perUnit: true },
      'perUnit is for kinds line and product and type flat only.',
    ],
    [
      'an order per unit',
      { type: 'flat', perUnit: true },
      'perUnit is for kinds line and product and type flat only.',
    ],
    [
      'a group per unit',
      { ...bogo, type: 'flat', buyQuantity: 1, getQuantity: 1, perUnit: true },
      'perUnit is for kinds line and product and type flat only.',
    ],
    ['no quantity to buy', { ...bogo, getQuantity: 1 }, 'buyQuantity is required for kind buy-x-get-y.'],
    ['no quantity to get', { ...bogo, buyQuantity: 1 }, 'getQuantity is required for kind buy-x-get-y.'],
    ['a quantity to buy', { buyQuantity: 1 }, 'buyQuantity is for kind buy-x-get-y only.'],
    ['a quantity to get', { getQuantity: 1 }, 'getQuantity is for kind buy-x-get-y only.'],
    ['targets to buy', { buyTargets: {} }, 'buyTargets is for kind buy-x-get-y only.'],
    ['no code', { trigger: 'code' }, 'codes must have at least one code for trigger code.'],
    ['a code of an automatic discount', { codes: ['ONE'] }, 'codes are for trigger code only.'],
    ['a code of a manual discount', { ...code, trigger: 'manual' }, 'codes are for trigger code only.'],
    ['a code twice', { ...code, codes: ['ONE', ' one '] }, 'codes[1] is the same code as codes[0].'],
    ['a blank code', { ...code, codes: ['ONE', '  '] }, 'codes[1] must not be blank.'],
    [
      'an end before its start',
      { startsAt: '2026-05-01T00:00:00.000Z', endsAt: '2026-05-01T00:00:00.000Z' },
      'endsAt must be after startsAt.',
    ],
    [
      'a schedule without a day',
      { conditions: { schedule: [{ ...window, days: [] }] } },
      'conditions.schedule[0].days must be a list of 1 to 7 items.',
    ],
    [
      'an eighth day',
      { conditions: { schedule: [{ ...window, days: [8] }] } },
      'conditions.schedule[0].days[0] must be a whole number from 1 to 7.',
    ],
    [
      'a window of no length',
      { conditions: { schedule: [window, { ...window, to: '10:00' }] } },
      'conditions.schedule[1].to must not be the time of from.',
    ],
    [
      'a time that does not exist',
      { conditions: { schedule: [{ ...window, to: '24:01' }] } },
      'conditions.schedule[0].to must be a time from 00:00 to 24:00.',
    ],
    [
      'a limit per customer above the limit of all',
      { usesPerCustomer: 3, usesTotal: 2 },
      'usesPerCustomer must be at most usesTotal.',
    ],
    [
      'an unknown product',
      { targets: { productIds: [shop.productId('Rolling Tray'), 404_404] } },
      'targets.productIds[1] is unknown.',
    ],
    [
      "a stranger's product",
      { targets: { productIds: [stranger.productId('Rolling Tray')] } },
      'targets.productIds[0] is unknown.',
    ],
    [
      "a stranger's option",
      { targets: { optionIds: [stranger.optionId('tray')] } },
      'targets.optionIds[0] is unknown.',
    ],
    [
      "a stranger's category to buy from",
      {
        ...bogo,
        buyQuantity: 1,
        getQuantity: 1,
        buyTargets: { categoryIds: [stranger.categoryId('Flower')] },
      },
      'buyTargets.categoryIds[0] is unknown.',
    ],
    ['an unknown brand', { targets: { brandIds: [404] } }, 'targets.brandIds[0] is unknown.'],
    ['an unknown tag', { targets: { tagIds: [404] } }, 'targets.tagIds[0] is unknown.'],
    [
      'an unknown group',
      { conditions: { customerGroupIds: [404] } },
      'conditions.customerGroupIds[0] is unknown.',
    ],
  ];
  test.each(cases)('%s', async (_, changes, message) => {
    const before = (await owner.call('GET', path, undefined, { query: { ended: true } })).data;
    const reply = await owner.call('POST', path, { ...plain, ...changes });
    expect(reply.error).toMatchObject({ code: 'INVALID_PARAMS', message });
    const { id } = await create(plain);
    const put = await owner.call('PUT', `${path}/${id}`, { ...plain, ...changes });
    expect(put.error).toMatchObject({ code: 'INVALID_PARAMS', message });
    const patch = await owner.call('PATCH', `${path}/${id}`, changes);
    expect(patch.error).toMatchObject({ code: 'INVALID_PARAMS', message });
    const after = (await owner.call('GET', path, undefined, { query: { ended: true } })).data;
    expect(after).toHaveLength(before.length + 1);
  });

  test('an absent field, as MISSING_PARAMS', async () => {
    const reply = await owner.call('POST', path, { name: 'Ten off' });
    expect(reply.error).toMatchObject({
      code: 'MISSING_PARAMS',
      meta: { missing: ['kind', 'type', 'amount'] },
    });
  });

  test('a kind that does not fit the existing fields', async () => {
    const { id } = await create({ ...bogo, buyQuantity: 2, getQuantity: 1 });
    const reply = await owner.call('PATCH', `${path}/${id}`, { kind: 'line' });
    expect(reply.error?.message).toBe('buyQuantity is for kind buy-x-get-y only.');
    const cleared = { kind: 'line', buyQuantity: null, getQuantity: null };
    expect((await owner.call('PATCH', `${path}/${id}`, cleared)).status).toBe(200);
  });
});

describe('a code', () => {
  const withCode = (...codes: string[]) => ({ ...plain, trigger: 'code', codes });

  test('belongs to one discount that has not ended, whatever its case', async () => {
    const first = await create(withCode('Spring'));
    const refused = await owner.call('POST', path, withCode('FALL', ' SPRING'));
    expect(refused.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: 'codes[1] is a code of "Ten off", which has not ended.',
    });
    expect((await owner.call('PATCH', `${path}/${first.id}`, { codes: ['SPRING', 'MAY'] })).status).toBe(200);

    await owner.call('DELETE', `${path}/${first.id}`);
    const second = await create(withCode('spring'));
    const revived = await owner.call('PATCH', `${path}/${first.id}`, { endsAt: null });
    expect(revived.error?.message).toBe(
      'codes[0] is a code of "Ten off", which has not ended.'.replace('[0]', '[1]'),
    );
    expect((await owner.call('GET', `${path}/${second.id}`)).data.codes).toEqual(['spring']);
  });

  test('may have letters of any alphabet', async () => {
    await create(withCode('ÉTÉ', 'İstanbul', 'ΟΔΟΣ', 'ß'));
    const refused = await owner.call('POST', path, withCode('été'));
    expect(refused.error?.message).toBe('codes[0] is a code of "Ten off", which has not ended.');
    expect((await price({ discountCodes: ['i̇stanbul'] })).discounts).toHaveLength(1);
  });

  test('of two requests at once belongs to one of them', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => owner.call('POST', path, withCode('RUSH', `only ${index}`))),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(400)]);
    expect((await owner.call('GET', path)).data).toHaveLength(1);
  });
});

describe('the next cart', () => {
  const full = 2 * 3500;

  test('has a discount as soon as it is created or changed, and not after its end', async () => {
    expect(await price()).toMatchObject({ totalPrice: full, discounts: [] });
    const { id } = await create(plain);
    expect((await price()).discounts).toMatchObject([{ amount: 10, amountUsed: full / 10 }]);
    await owner.call('PATCH', `${path}/${id}`, { amount: 20 });
    expect((await price()).discounts).toMatchObject([{ amount: 20, amountUsed: full / 5 }]);
    await owner.call('DELETE', `${path}/${id}`);
    expect((await price()).discounts).toEqual([]);
  });

  test('takes a code in any case, and counts the orders that used it', async () => {
    const { id } = await create({ ...plain, trigger: 'code', codes: ['Spring'] });
    const body = pickupBody(shop, { discountCodes: ['SPRING'] });
    const placed = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(placed.error).toBeUndefined();
    expect((await owner.call('GET', `${path}/${id}`)).data.uses).toEqual({ total: 1 });
    expect((await owner.call('GET', path)).data[0].uses).toEqual({ total: 1 });
  });

  test('is counted with earlier orders for a limit that is set later', async () => {
    const { id } = await create({ ...plain, trigger: 'code', codes: ['LATE'] });
    const place = () =>
      service.call('POST', '/api/v1/orders', {
        keys: shop.keys,
        body: pickupBody(shop, { discountCodes: ['late'] }),
      });
    expect([(await place()).status, (await place()).status]).toEqual([201, 201]);
    await owner.call('PATCH', `${path}/${id}`, { usesTotal: 3 });
    expect((await place()).status).toBe(201);
    expect((await place()).error?.code).toBe('DISCOUNT_CODE_INVALID');
    await owner.call('PATCH', `${path}/${id}`, { usesTotal: null, usesPerCustomer: 4 });
    expect((await place()).status).toBe(201);
    expect((await place()).error?.code).toBe('DISCOUNT_CODE_INVALID');
    expect((await owner.call('GET', `${path}/${id}`)).data.uses).toEqual({ total: 4 });
  });

  test('is counted with concurrent orders for a limit that is set meanwhile', async () => {
    const { id } = await create({ ...plain, trigger: 'code', codes: ['RACE'] });
    let count = 0;
    const place = () => {
      const customer = {
        firstName: 'Ines',
        lastName: 'Abara',
        email: `race-${++count}@customers.example.com`,
      };
      const body = pickupBody(shop, { discountCodes: ['race'], customer });
      return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    };
    const limit = () => owner.call('PATCH', `${path}/${id}`, { usesTotal: 4 });
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index === 6 ? limit() : place())),
    );
    const placed = replies.filter(({ status }) => status === 201).length;
    const { uses } = (await owner.call('GET', `${path}/${id}`)).data;
    expect(uses.total).toBe(placed);
    const [counter] = await tenantSql(
      service.context.database,
      shop.organizationId,
      `select used from discount_uses where discount_id = ${id}`,
    );
    expect(counter?.used).toBe(placed);
    for (let left = placed; left < 4; left++) expect((await place()).status).toBe(201);
    expect((await place()).error?.code).toBe('DISCOUNT_CODE_INVALID');
  });
});
