import { afterAll, describe, expect, test } from 'vitest';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { productBody } from './product-bodies.test-support.ts';

const service = await startTestService();
const witness = await openWitness(service.database);
afterAll(async () => {
  await witness.end();
  await service.close();
});
const shop = await createTestShop(service.context);
const { keys } = shop;
const staff = await service.staff(shop, 'inventory');
const stranger = await createTestShop(service.context);
const strangersStaff = await service.staff(stranger);

const codeOf = ({ status, error }: TestReply) => error?.code ?? status;
const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);
const menu = async () => (await service.call('GET', '/api/v1/menu', { keys })).data;
const nowhere = 9_007_199_254_740_000;

describe('products', () => {
  test('are created, changed and given options like integrators do it, with the staff member in the audit', async () => {
    const made = await staff.call('POST', '/staff/v1/products', productBody({ name: 'By hand' }));
    expect([made.status, made.data.isActive]).toEqual([201, false]);
    const path = `/staff/v1/products/${made.data.id}`;
    const changed = await staff.call('PUT', path, { name: 'By two hands' });
    expect([changed.status, changed.data.name]).toEqual([200, 'By two hands']);
    const [option] = made.data.options;
    const options = await staff.call('PUT', `${path}/options`, { options: [{ id: option.id, price: 1 }] });
    expect([options.status, options.data.options[0].price]).toEqual([200, 1]);
    const upcs = await staff.call('PUT', `${path}/options/upc`, { options: [{ id: option.id, upc: '7' }] });
    expect([upcs.status, upcs.data.options[0].upc]).toEqual([200, '7']);
    expect((await staff.call('GET', path)).data).toEqual(upcs.data);
    expect(codeOf(await staff.call('PUT', path, { isActive: true }))).toBe('INVALID_PARAMS');
    const actors = await witness.query(
      "select distinct actor from audit_entries where subject_type = 'product' and subject_id = $1",
      [String(made.data.id)],
      shop.organizationId,
    );
    expect(actors).toEqual([{ actor: `staff:${staff.staffId}` }]);
  });

  test('are activated and deactivated with the next request, and featured', async () => {
    const { data } = await staff.call('POST', '/staff/v1/products', productBody({ name: 'Switched' }));
    const cart = pickupBody(shop, { lineItems: [{ productOptionId: data.options[0].id, quantity: 1 }] });
    const price = async () =>
      codeOf(await service.call('POST', '/api/v1/orders/pricing', { keys, body: cart }));
    const set = (body: object) => staff.call('PATCH', `/staff/v1/products/${data.id}`, body);
    const shown = async () => (await menu()).find(({ id }: { id: number }) => id === data.id);
    expect([await shown(), await price()]).toEqual([undefined, 'PRODUCT_IS_INACTIVE']);
    expect((await set({ isActive: true })).data).toMatchObject({ isActive: true, isFeatured: false });
    expect(await shown()).toMatchObject({ name: 'Switched', isFeatured: false });
    expect(await price()).toBe(200);
    expect((await set({ isFeatured: true, isCompliant: false })).data).toMatchObject({
      isActive: true,
      isFeatured: true,
      isCompliant: false,
    });
    expect(await shown()).toMatchObject({ isFeatured: true, isCompliant: false });
    await set({ isActive: false });
    expect([await shown(), await price()]).toEqual([undefined, 'PRODUCT_IS_INACTIVE']);
  });

  test('without an option cannot be activated', async () => {
    const id = shop.productId('Retired Strain');
    await witness.query(
      'update product_options set deleted_at = created_at where organization_id = $2 and product_id = $1',
      [id, shop.organizationId],
      shop.organizationId,
    );
    const refused = await staff.call('PATCH', `/staff/v1/products/${id}`, { isActive: true });
    expect(refused.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringMatching(/^isActive must be false/),
    });
    expect((await staff.call('PATCH', `/staff/v1/products/${id}`, { isFeatured: true })).status).toBe(200);
  });

  test('are listed newest first, 50 a page, none twice and none missing, also when one is deleted meanwhile', async () => {
    const own = await createTestShop(service.context, { products: [] });
    const manager = await service.staff(own, 'manager');
    const created: number[] = [];
    for (let index = 0; index < 120; index++) {
      const { data } = await manager.call(
        'POST',
        '/staff/v1/products',
        productBody({ name: `Item ${index}` }),
      );
      created.push(data.id);
      // Some have the same time.
      if (index % 7 === 0) service.clock.advance(1000);
    }
    const listed: number[] = [];
    for (let page = 0; page < 3; page++) {
      const startingAfter = listed.at(-1);
      const { data } = await manager.call('GET', '/staff/v1/products', undefined, {
        query: { startingAfter },
      });
      listed.push(...ids(data));
      if (page === 0) {
        expect(data).toHaveLength(50);
        const deletedAt = isoTimestamp(service.clock.now());
        await manager.call('PUT', `/staff/v1/products/${listed.at(-1)}`, { deletedAt });
      }
    }
    expect(listed).toHaveLength(120);
    expect([...listed].sort((a, b) => a - b)).toEqual(created);
    const last = await manager.call('GET', '/staff/v1/products', undefined, {
      query: { startingAfter: listed.at(-1) },
    });
    expect(last.data).toEqual([]);
    for (const startingAfter of [nowhere, shop.productId('Moonlit Grove')]) {
      const reply = await manager.call('GET', '/staff/v1/products', undefined, {
        query: { startingAfter },
      });
      expect([reply.status, codeOf(reply)]).toEqual([400, 'INVALID_CURSOR']);
    }
  });

  test('are found by part of any name or code, ignoring case, and without wildcards', async () => {
    const { data } = await staff.call(
      'POST',
      '/staff/v1/products',
      productBody({
        name: 'Sought 100%_pure',
        brandName: 'Élan Vital',
        options: [{ amount: 1, price: 1, content: '1', upc: '998877665544', name: 'Käsekuchen' }],
      }),
    );
    const find = async (search: string, active?: boolean) =>
      ids((await staff.call('GET', '/staff/v1/products', undefined, { query: { search, active } })).data);
    for (const search of ['sought', '0%_P', 'ÉLAN', 'élan vi', '776655', 'KÄSE']) {
      expect([search, await find(search)]).toEqual([search, [data.id]]);
    }
    for (const search of ['%%sought', 'so__ht', '\\', 'nowhere at all'])
      expect(await find(search)).toEqual([]);
    expect(await find('sought', true)).toEqual([]);
    expect(await find('sought', false)).toEqual([data.id]);
    expect(await find('moonlit', true)).toEqual([shop.productId('Moonlit Grove')]);
  });

  test('are filtered by category and sub-category, combined with all other filters', async () => {
    const { data: sub } = await staff.call('POST', '/staff/v1/product-sub-categories', { name: 'Narrowed' });
    const { data: whole } = await staff.call('GET', '/staff/v1/product-categories');
    const [flower, accessories] = ['Flower', 'Accessories'].map(
      (name) => whole.find((it: { name: string }) => it.name === name).id as number,
    );
    const made: number[] = [];
    for (const [name, category] of [
      ['Narrow one', 'Flower'],
      ['Narrow two', 'Accessories'],
    ]) {
      const { data, error } = await staff.call(
        'POST',
        '/staff/v1/products',
        productBody({ name, category, subCategories: ['Narrowed'] }),
      );
      expect(error).toBeUndefined();
      made.push(data.id);
    }
    const list = async (query: object) =>
      ids((await staff.call('GET', '/staff/v1/products', undefined, { query: { ...query } })).data);
    expect((await list({ productSubCategoryId: sub.id })).toSorted((a, b) => a - b)).toEqual(made);
    expect(await list({ productSubCategoryId: sub.id, productCategoryId: accessories })).toEqual([made[1]]);
    expect(await list({ productCategoryId: flower, search: 'narrow' })).toEqual([made[0]]);
    expect(await list({ productCategoryId: flower, startingAfter: made[0] })).not.toContain(made[1]);
    expect(await list({ productCategoryId: nowhere })).toEqual([]);
  });
});

describe('categories', () => {
  const path = '/staff/v1/product-categories';

  test('are created at the end, renamed and reordered; products show it at once', async () => {
    const made = await staff.call('POST', path, { name: ' Pre-rolls ', cannabisType: 'non-concentrated' });
    expect([made.status, made.data]).toEqual([
      201,
      expect.objectContaining({ name: 'Pre-rolls', order: 3, cannabisType: 'non-concentrated' }),
    ]);
    const one = `${path}/${made.data.id}`;
    expect((await staff.call('PATCH', one, { order: 0 })).data).toMatchObject({
      name: 'Pre-rolls',
      order: 0,
    });
    const { data } = await staff.call('PUT', one, { name: 'Joints', cannabisType: 'non-concentrated' });
    expect(data).toMatchObject({ name: 'Joints', order: 0 });
    const listed = (await service.call('GET', '/api/v1/product-categories', { keys })).data;
    expect(listed.map(({ name }: { name: string }) => name)).toEqual([
      'Flower',
      'Joints',
      'Edibles',
      'Accessories',
    ]);
    const { meta } = await service.call('GET', '/api/v1/menu', { keys });
    expect(meta.categories[1]).toMatchObject({ name: 'Joints', order: 0 });
    expect((await staff.call('DELETE', one)).data.name).toBe('Joints');
    expect(codeOf(await staff.call('DELETE', one))).toBe('CATEGORY_NOT_FOUND');
    expect((await staff.call('GET', path)).data).toHaveLength(3);
  });

  test('cannot be deleted while products have them, and can once those are deleted', async () => {
    const { data: category } = await staff.call('POST', path, { name: 'Used', cannabisType: 'none' });
    const body = productBody({ category: 'used', options: [{ amount: 1, price: 1 }] });
    const { data: product } = await staff.call('POST', '/staff/v1/products', body);
    const refused = await staff.call('DELETE', `${path}/${category.id}`);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'CATALOG_ENTRY_IN_USE']);
    await staff.call('PUT', `/staff/v1/products/${product.id}`, {
      deletedAt: isoTimestamp(service.clock.now()),
    });
    expect((await staff.call('DELETE', `${path}/${category.id}`)).status).toBe(200);
    const again = await service.call('POST', '/api/v1/products', { keys, body });
    expect(codeOf(again)).toBe('PRODUCT_CATEGORY_NOT_FOUND');
  });

  test('change their cannabis type only when every option has content', async () => {
    const { data: category } = await staff.call('POST', path, { name: 'Teas', cannabisType: 'none' });
    const body = productBody({ category: 'Teas', options: [{ amount: 1, price: 1 }] });
    const { data: product } = await staff.call('POST', '/staff/v1/products', body);
    const change = (cannabisType: string) => staff.call('PATCH', `${path}/${category.id}`, { cannabisType });
    const refused = await change('edibles');
    expect(refused.error).toMatchObject({
      code: 'INVALID_PARAMS',
      message: expect.stringContaining(`option ${product.options[0].id} has none`),
    });
    await staff.call('PUT', `/staff/v1/products/${product.id}/options`, {
      options: [{ id: product.options[0].id, content: '10' }],
    });
    expect((await change('edibles')).data.cannabisType).toBe('edibles');
    expect((await change('none')).data.cannabisType).toBe('none');
  });
});

test('sub-categories are created, renamed, and deleted when no product has them', async () => {
  const path = '/staff/v1/product-sub-categories';
  const { data: made, status } = await staff.call('POST', path, { name: ' Small batch ' });
  expect([status, made.name]).toEqual([201, 'Small batch']);
  expect(codeOf(await staff.call('POST', path, { name: 'SMALL BATCH' }))).toBe('INVALID_PARAMS');
  const renamed = await staff.call('PATCH', `${path}/${made.id}`, { name: 'Tiny batch' });
  expect(renamed.data.name).toBe('Tiny batch');
  const { data: product } = await staff.call(
    'POST',
    '/staff/v1/products',
    productBody({ subCategories: ['tiny batch', 'Indoor'] }),
  );
  expect(product.subCategories[0].id).toBe(made.id);
  await staff.call('PATCH', `/staff/v1/products/${product.id}`, { isActive: true });
  await staff.call('PUT', `${path}/${made.id}`, { name: 'Hand-trimmed' });
  const shown = (await menu()).find(({ id }: { id: number }) => id === product.id);
  expect(shown.subCategories[0]).toMatchObject({ id: made.id, name: 'Hand-trimmed' });
  expect(codeOf(await staff.call('DELETE', `${path}/${made.id}`))).toBe('CATALOG_ENTRY_IN_USE');
  await staff.call('PUT', `/staff/v1/products/${product.id}`, { subCategories: ['Indoor'] });
  expect((await staff.call('DELETE', `${path}/${made.id}`)).data.name).toBe('Hand-trimmed');
  expect(codeOf(await staff.call('PATCH', `${path}/${made.id}`, { name: 'x' }))).toBe(
    'SUB_CATEGORY_NOT_FOUND',
  );
});

test('sub-categories are listed by name, ignoring case, for integrators and staff', async () => {
  for (const name of ['zest', 'Yarrow', 'aaa', 'Zebra']) {
    await staff.call('POST', '/staff/v1/product-sub-categories', { name });
  }
  const lists = [
    await service.call('GET', '/api/v1/product-sub-categories', { keys }),
    await staff.call('GET', '/staff/v1/product-sub-categories'),
  ];
  for (const { data } of lists) {
    const names = data.map(({ name }: { name: string }) => name);
    expect(names.slice(0, 1).concat(names.slice(-3))).toEqual(['aaa', 'Yarrow', 'Zebra', 'zest']);
  }
});

test('brands are created, changed, merged, and deleted when no product has them', async () => {
  const path = '/staff/v1/brands';
  const { data: made, status } = await staff.call('POST', path, {
    name: 'Halden Row',
    description: 'Three sisters',
  });
  expect([status, made]).toEqual([
    201,
    expect.objectContaining({ name: 'Halden Row', description: 'Three sisters' }),
  ]);
  expect(codeOf(await staff.call('POST', path, { name: 'halden row ' }))).toBe('INVALID_PARAMS');
  expect((await staff.call('PATCH', `${path}/${made.id}`, { name: 'Halden' })).data.description).toBe(
    'Three sisters',
  );
  expect((await staff.call('PUT', `${path}/${made.id}`, { name: 'Halden' })).data.description).toBeNull();
  const { data: product } = await staff.call(
    'POST',
    '/staff/v1/products',
    productBody({ brandName: 'HALDEN' }),
  );
  await staff.call('PATCH', `/staff/v1/products/${product.id}`, { isActive: true });
  expect(codeOf(await staff.call('DELETE', `${path}/${made.id}`))).toBe('CATALOG_ENTRY_IN_USE');

  const { data: other } = await staff.call('POST', path, { name: 'Halden & Row' });
  const merge = (intoBrandId: number) => staff.call('POST', `${path}/${made.id}/merge`, { intoBrandId });
  expect(codeOf(await merge(made.id))).toBe('INVALID_PARAMS');
  const { data: foreign } = await strangersStaff.call('POST', path, { name: 'Foreign' });
  expect([codeOf(await merge(foreign.id)), codeOf(await merge(nowhere))]).toEqual([
    'BRAND_NOT_FOUND',
    'BRAND_NOT_FOUND',
  ]);
  const merged = await merge(other.id);
  expect([merged.status, merged.data]).toEqual([200, other]);
  const shown = (await menu()).find(({ id }: { id: number }) => id === product.id);
  expect(shown.brand).toEqual(other);
  expect(codeOf(await merge(other.id))).toBe('BRAND_NOT_FOUND');
  expect(ids((await staff.call('GET', path)).data)).not.toContain(made.id);
  // Its name is free again.
  expect((await staff.call('POST', path, { name: 'Halden' })).status).toBe(201);
});

test('tags are created, added to products, removed and deleted; menus list them', async () => {
  const path = '/staff/v1/tags';
  const [moonlit, jar] = [shop.productId('Moonlit Grove'), shop.productId('Counter Jar')];
  const listed = async (id: number) =>
    (await service.call('GET', '/api/v1/products/tags', { keys })).data.find(
      (tag: { id: number }) => tag.id === id,
    );
  const { data: made, status } = await staff.call('POST', path, {
    name: 'Evening',
    productIds: [jar, moonlit, jar],
  });
  const both = [moonlit, jar].sort((a, b) => a - b);
  expect([status, made]).toEqual([
    201,
    expect.objectContaining({ name: 'Evening', description: null, productIds: both }),
  ]);
  expect(await listed(made.id)).toMatchObject({ name: 'Evening', productIds: both });
  const one = `${path}/${made.id}`;
  expect((await staff.call('PATCH', one, { description: 'Slow' })).data).toMatchObject({ productIds: both });
  expect((await staff.call('PATCH', one, { productIds: [jar] })).data).toMatchObject({
    description: 'Slow',
    productIds: [jar],
  });
  for (const id of [nowhere, stranger.productId('Counter Jar')]) {
    const refused = await staff.call('PATCH', one, { productIds: [jar, id] });
    expect(refused.error).toEqual({ code: 'PRODUCT_NOT_FOUND', message: 'productIds[1] names no product.' });
  }
  expect((await staff.call('PUT', one, { name: 'Night' })).data).toMatchObject({
    description: null,
    productIds: [],
  });
  expect(await listed(made.id)).toMatchObject({ name: 'Night', productIds: null });
  expect(ids((await staff.call('GET', path)).data)).toContain(made.id);
  expect((await staff.call('DELETE', one)).status).toBe(200);
  expect(await listed(made.id)).toBeUndefined();
  expect(codeOf(await staff.call('DELETE', one))).toBe('TAG_NOT_FOUND');
});

test('no request failed with a server error', () => {
  expect(service.faults).toEqual([]);
});
