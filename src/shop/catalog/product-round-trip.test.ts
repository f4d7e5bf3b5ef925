import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';
import { nameText } from '../../kernel/name-text.ts';

const service = await startTestService();
afterAll(() => service.close());
const shop = await createTestShop(service.context);
const { keys } = shop;
const staff = await service.staff(shop, 'manager');

const onMenu = async (id: number) => {
  const { data } = await service.call('GET', '/api/v1/menu', { keys });
  return data.find((product: { id: number }) => product.id === id);
};

describe('any valid product', () => {
  const decimalText = (max: number) =>
    fc
      .tuple(fc.integer({ min: 1, max: max * 1000 }), fc.constantFrom(1, 10, 100, 1000))
      .map(([value, scale]) => String(Number((value / scale).toFixed(3))));
  const percentText = fc.integer({ min: 0, max: 1000 }).map((tenths) => String(tenths / 10));
  const words = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .filter((text) => text.trim() !== '' && !text.includes('\u0000'));
  // Alternative texts are one line without outer spaces, all other values unchanged.
  const altText = fc.option(
    words.map((text) => text.replace(/[\s\p{Cc}]+/gu, ' ').trim()).filter((text) => text !== ''),
    { nil: null },
  );
  const url = fc.webUrl({ validSchemes: ['http', 'https'] });
  const photo = fc.oneof(url, fc.record({ url, altText }));
  const price = fc.integer({ min: 0, max: 100_000 });
  const option = fc
    .record({
      amount: decimalText(100).map(Number),
      price,
      sale: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: undefined }),
      content: decimalText(1000),
      name: fc.option(words, { nil: undefined }),
      upc: fc.option(fc.stringMatching(/^[0-9]{12}$/), { nil: undefined }),
      photos: fc.array(photo, { maxLength: 3 }),
    })
    .map(({ sale, ...rest }) => ({
      ...rest,
      ...(sale !== undefined && { salesPrice: Math.floor(rest.price * sale) }),
    }));
  const body = fc.record({
    // Names are stored without outer spaces and composed; all other values unchanged.
    name: words.map(nameText),
    description: fc.string({ unit: 'grapheme', maxLength: 200 }).filter((text) => !text.includes('\u0000')),
    unit: fc.constantFrom('gram', 'item'),
    strainType: fc.constantFrom(
      'sativa',
      'indica',
      'hybrid',
      'hybrid-sativa',
      'hybrid-indica',
      'cbd',
      'mixed',
      'none',
    ),
    category: fc.constantFrom('Flower', 'Edibles', 'Accessories'),
    subCategories: fc.uniqueArray(fc.constantFrom('Alpha', 'Beta', 'Gamma', 'Delta'), { maxLength: 4 }),
    brandName: fc.constantFrom('Fernweh Farms', 'Quiet Brand', 'Loud Brand', null),
    photos: fc.array(photo, { maxLength: 4 }),
    options: fc.array(option, { minLength: 1, maxLength: 6 }),
    thcUnit: fc.constantFrom('%', 'mg'),
    // The maximum in %.
    thcAmount: fc.option(percentText, { nil: null }),
    thcAmountEach: fc.option(percentText, { nil: null }),
    cbdUnit: fc.constantFrom('%', 'mg', null),
  });

  type Photo = string | { readonly url: string; readonly altText: string | null };
  const shownPhotos = (photos: readonly Photo[]) =>
    photos.map((sent) => {
      const { url: fullPath, altText: text } = typeof sent === 'string' ? { url: sent, altText: null } : sent;
      return { fullPath, altText: text, sizes: [] };
    });

  test('is answered as it was sent, and shown the same once it is active: menu, prices and all products', async () => {
    await fc.assert(
      fc.asyncProperty(body, async (sent) => {
        const { data, status, text } = await service.call('POST', '/api/v1/products', { keys, body: sent });
        expect([status, status === 201 ? '' : text]).toEqual([201, '']);
        const { category, subCategories, brandName, photos, options, ...plain } = sent;
        const shownOptions = options.map(({ name, upc, photos: ofOption, ...rest }) => ({
          salesPrice: null,
          ...rest,
          upc: upc ?? null,
          photos: shownPhotos(ofOption),
          name: name ?? expect.stringMatching(/ (gram|item)s?$/),
        }));
        const shown = {
          ...plain,
          primaryCategory: { name: category },
          subCategories: subCategories.map((name) => ({ name })),
          brand: brandName && { name: brandName },
          options: shownOptions,
        };
        const pictures = shownPhotos(photos);
        expect(data).toMatchObject({
          ...shown,
          photos: pictures.map(({ fullPath }) => fullPath),
          photoAltTexts: pictures.map((it) => it.altText),
          isActive: false,
        });
        expect(await onMenu(data.id)).toBeUndefined();
        await staff.call('PATCH', `/staff/v1/products/${data.id}`, { isActive: true });
        const menu = await onMenu(data.id);
        expect(menu).toMatchObject({ ...shown, photos: pictures, isActive: true });
        const all = await service.call('GET', '/api/v1/products/all', { keys });
        const inAll = all.data.find(({ id }: { id: number }) => id === data.id);
        expect(inAll).toMatchObject({ ...shown, photos: menu.photos });
        const cart = pickupBody(shop, {
          lineItems: data.options.map(({ id }: { id: number }) => ({ productOptionId: id, quantity: 2 })),
        });
        const priced = await service.call('POST', '/api/v1/orders/pricing', { keys, body: cart });
        expect(priced.data.lineItems.map(({ unitPrice }: { unitPrice: number }) => unitPrice)).toEqual(
          options.map((each) => ('salesPrice' in each ? each.salesPrice : each.price)),
        );
      }),
      { numRuns: casesOf({ everyRun: 6, long: 50 }) },
    );
    expect(service.faults).toEqual([]);
  });
});
