import { afterAll, describe, expect, test } from 'vitest';
import { startOwnTestService, type TestReply } from '../../../test/harness/test-service.ts';
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

const create = (changes: object = {}) =>
  service.call('POST', '/api/v1/products', { keys, body: productBody({ ...changes }) });
const update = (id: number, body: object) => service.call('PUT', `/api/v1/products/${id}`, { keys, body });
const made = async (changes: object = {}) => (await create(changes)).data;
const codeOf = ({ error }: TestReply) => error?.code;

describe('the names in a product request (D43)', () => {
  test('match without case and outer spaces, create brands and sub-categories, but never a category', async () => {
    const first = await made({
      category: '  fLOWER ',
      brandName: ' fernweh FARMS',
      subCategories: [' INDOOR ', 'Élevage', 'indoor', 'élevage  '],
    });
    expect(first.primaryCategory.name).toBe('Flower');
    expect(first.brand.name).toBe('Fernweh Farms');
    expect(first.subCategories.map(({ name }: { name: string }) => name)).toEqual(['Indoor', 'Élevage']);
    const second = await made({ brandName: 'Neu & Söhne', subCategories: ['ÉLEVAGE'] });
    expect(second.subCategories[0].id).toBe(first.subCategories[1].id);
    const third = await made({ brandName: 'NEU & SÖHNE ' });
    expect(third.brand).toEqual(second.brand);
    const listed = await service.call('GET', '/api/v1/product-sub-categories', { keys });
    expect(listed.data.map(({ id }: { id: number }) => id)).toContain(first.subCategories[1].id);
    const before = await witness.contents();
    const refused = await create({
      category: 'Flowers',
      brandName: 'Another new one',
      subCategories: ['New'],
    });
    expect([refused.status, codeOf(refused)]).toEqual([422, 'PRODUCT_CATEGORY_NOT_FOUND']);
    expect(await witness.contents()).toEqual(before);
  });

  test('are stored without outer spaces and in composed form', async () => {
    const product = await made({ name: '  Bl\u0075\u0308ten ' });
    expect(product.name).toBe('Bl\u00fcten');
    expect((await update(product.id, { name: ' O\u0308l\t' })).data.name).toBe('\u00d6l');
    expect(codeOf(await update(product.id, { name: ' \t ' }))).toBe('INVALID_PARAMS');
  });

  test('match in composed and decomposed form', async () => {
    await staff.call('POST', '/staff/v1/product-categories', {
      name: 'Bl\u0075\u0308ten',
      cannabisType: 'non-concentrated',
    });
    const composed = { category: 'Bl\u00fcten', brandName: 'K\u00fcste', subCategories: ['H\u00fcgel'] };
    const decomposed = {
      category: 'BLU\u0308TEN',
      brandName: 'Ku\u0308ste',
      subCategories: ['Hu\u0308gel', 'H\u00fcgel'],
    };
    const [first, second] = [await made(composed), await made(decomposed)];
    expect(first.primaryCategory.name).toBe('Bl\u00fcten');
    for (const name of ['primaryCategory', 'brand', 'subCategories']) {
      expect([name, second[name]]).toEqual([name, first[name]]);
    }
  });

  test('that mean "no brand" give a product without a brand, and create none', async () => {
    for (const brandName of [undefined, null, '', '  ', 'Unbranded', ' UNBRANDED ']) {
      expect((await made({ brandName })).brand).toBeNull();
    }
    const owner = await service.staff(shop);
    const { error } = await owner.call('POST', '/staff/v1/brands', { name: 'unbranded' });
    expect(error).toMatchObject({ code: 'INVALID_PARAMS', message: expect.stringMatching(/^name must/) });
    const { data: brands } = await owner.call('GET', '/staff/v1/brands');
    expect(brands.map(({ name }: { name: string }) => name.toLowerCase())).not.toContain('unbranded');
  });

  test('can remove the brand in an update; an absent brand stays', async () => {
    const { id, brand } = await made({ brandName: 'Fernweh' });
    const change = async (body: object) =>
      (await service.call('PUT', `/api/v1/products/${id}`, { keys: shop.keys, body })).data.brand;
    expect(await change({ description: 'Other words' })).toEqual(brand);
    expect(await change({ brandName: '' })).toBeNull();
    expect(await change({ description: 'More words' })).toBeNull();
  });
});
