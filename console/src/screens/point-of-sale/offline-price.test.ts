import { expect, test } from 'vitest';
import type { OfflineOption, OfflineTerms } from '../../../../src/engines/offline-pricing/offline-terms.ts';
import { keptMenu } from '../../offline/kept-menu.ts';
import type { SaleOption } from '../../parts/sale-options.ts';
import { type Cart, type CartChange, changedCart, emptyCart } from './cart.ts';
import { refusedByLicense } from './offline-license.ts';
import { obstacleOffline, offlineParts, priceHere, shownOffline } from './offline-price.ts';
import { readSaved, savedText } from './saved-sale.ts';

const nowMs = Date.parse('2026-03-10T18:00:00.000Z');
const sizes = [
  { amount: '1', priceCents: 800, salesPriceCents: null },
  { amount: '7', priceCents: 4500, salesPriceCents: null },
];
const jar = (id: number, amount: string): OfflineOption => ({
  ...{ id, productId: 10, productName: 'Velvet Tide', optionName: `${amount} g`, brandName: 'Fernweh Farms' },
  ...{ brandId: 1, categoryId: 3, tagIds: [], cannabisType: 'non-concentrated', content: amount, upc: null },
  ...{ priceCents: 800, salesPriceCents: null, amount, unit: 'gram', inventoryType: 'product', inStock: 20 },
  ...{
    strainType: 'indica',
    thc: { thcAmount: '24.1', thcAmountRangeLow: null, thcAmountRangeHigh: null, thcUnit: '%' },
  },
  loose: {
    ...{ tolerance: '0.05', sizes },
    stated: {
      ...{ cannabisType: 'non-concentrated', unit: 'gram', amount, content: amount },
      ...{ thcPercent: null, thcMg: null },
    },
  },
});
const { loose: _, ...piece } = jar(12, '1');
const tray: OfflineOption = {
  ...piece,
  ...{
    id: 12,
    productId: 11,
    productName: 'Rolling Tray',
    optionName: 'Each',
    brandName: null,
    unit: 'item',
  },
  ...{ categoryId: 4, cannabisType: 'none', content: null, inventoryType: 'option', inStock: 3 },
  upc: '850000000017',
};
const audience = { minimumAge: 21, taxExempt: false, taxes: [], purchaseLimits: [] };
const terms: OfflineTerms = {
  ...{ format: 5, timeZone: 'America/Los_Angeles', freeProductFloorCents: 0, taxBase: 'after-discounts' },
  discountLimits: { budtenderPercent: null, managerPercent: null, maximumPercent: null },
  audiences: { 'adult-use': audience, medical: audience, 'medical-under-21': audience },
  categories: [
    { id: 3, name: 'Flower' },
    { id: 4, name: 'Accessories' },
  ],
  options: [jar(1, '1'), jar(7, '7'), tray],
  ...{ discounts: [], paymentTypes: [], asksForId: true },
};
const menu = keptMenu(terms, 'v1');
const ask = () => Promise.reject(new Error('nothing is asked of the service'));
const find = (text: string) => menu.find(ask, text);
const signal = new AbortController().signal;
const after = (...changes: readonly CartChange[]): Cart => changes.reduce(changedCart, emptyCart);
const priceOf = (cart: Cart) => {
  const { lines, refusals } = offlineParts(terms, cart);
  const price = priceHere(terms, lines, cart.birthday ?? null, [], nowMs);
  return { lines, refusals, price, shown: shownOffline(price, refusals) };
};
const kept = { validUntil: '2026-03-10T20:00:00.000Z', saleMax: 10_000, outageMax: 12_000 };

test('the kept menu is searched, browsed and scanned as the usual one', async () => {
  const names = (options: readonly SaleOption[]) => options.map(({ optionName }) => optionName);
  const page = await menu.menu('velvet 7', null).queryFn({ signal });
  expect([names(page.options), page.products[0]!.brand?.name]).toEqual([['7 g', '1 g'], 'Fernweh Farms']);
  expect((await menu.menu('', 4).queryFn({ signal })).products.map(({ name }) => name)).toEqual([
    'Rolling Tray',
  ]);
  expect(names(await find('0850000000017'))).toEqual(['Each']);
  expect(names(await find('velvet 7'))).toEqual(['7 g']);
  const { stock } = await menu.stock('10,11', 'in-store').queryFn({ signal });
  expect(stock).toMatchObject([
    { productId: 10, productOptionId: null, sellable: '140' },
    { productId: 10 },
    { productId: 11, productOptionId: 12, sellable: '3' },
  ]);
  expect(page.options[0]).toMatchObject({ loose: { tolerance: '0.05', optionId: 1 }, thc: 'THC 24.1%' });
});

test('a weight has its break, and what needs the service is refused as a part of the cart', async () => {
  const [velvet] = await find('velvet 7');
  const weigh = { type: 'weigh-more', option: velvet!, jar: null } as const;
  const cart = after({ ...weigh, weight: '3.5' }, { ...weigh, weight: '3.5' });
  expect(priceOf(cart).shown.pricing).toMatchObject({
    lineItems: [{ productOptionId: 1, quantity: 1, unitPrice: 4500, finalPrice: 4500 }],
    customerGrandTotal: 4500,
  });
  const reduced = { ...cart, discountIds: [9], discountCodes: ['WELCOME'] };
  expect(priceOf(reduced).refusals.map(({ part }) => part.kind)).toEqual(['discount', 'code']);
  const strange = { ...velvet!, productOptionId: 99, loose: undefined };
  const { refusals, shown } = priceOf(changedCart(cart, { type: 'add', option: strange }));
  expect(refusals).toMatchObject([{ part: { kind: 'line', productOptionIds: [99] } }]);
  expect(shown.pricing?.customerGrandTotal).toBe(4500);
});

test('pay waits for what is required', async () => {
  const [each] = await find('tray');
  const cart = after({ type: 'add', option: each! });
  const obstacle = (changes: Partial<Cart>, waitingCents = 0, atMs = nowMs) => {
    const { price, refusals } = priceOf({ ...cart, ...changes });
    return obstacleOffline(kept, { ...cart, ...changes }, price, refusals, waitingCents, atMs);
  };
  expect(obstacle({})).toBeNull();
  expect(obstacle({ birthday: '2010-01-01' })).toMatch(/underage/);
  expect(obstacle({ refusedId: 'expired' })).toMatch(/expired/);
  expect(obstacle({ discountIds: [9] })).toMatch(/not included/);
  expect(obstacle({}, 11_500)).toMatch(/over the limit/);
  expect(obstacle({}, 0, nowMs + 3 * 3_600_000)).toMatch(/timed out/);
  const license = (birthday: string, expiry: string | null) =>
    refusedByLicense({ birthday, expiry }, terms, nowMs);
  expect([license('2005-03-11', null), license('2005-03-10', '2026-03-09')]).toEqual(['underage', 'expired']);
  expect(license('2005-03-10', '2026-03-10')).toBeUndefined();
});

test('a cart of an outage is kept with its weight, its birthday and the number of its sale', async () => {
  const [velvet] = await find('velvet 7');
  const cart = after(
    { type: 'weigh-more', option: velvet!, weight: '2.75', jar: { packageId: 5, label: 'JAR5' } },
    { type: 'set', values: { birthday: '1990-01-01', offlineNumber: 4, idScanned: true } },
  );
  const saved = readSaved(savedText(cart, null))!.cart;
  expect(saved).toMatchObject({ birthday: '1990-01-01', offlineNumber: 4 });
  expect(saved).not.toHaveProperty('idScanned');
  expect(saved.lines).toMatchObject([{ weight: '2.75', parts: [{ packageId: 5, weight: '2.75' }] }]);
});
