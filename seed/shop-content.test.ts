import parsePhone from 'libphonenumber-js/max';
import { describe, expect, it } from 'vitest';
import { californiaShop } from './california-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import { upcCheckDigit } from './shelf.ts';
import type { ShopContent } from './shop-content.ts';
import { isSellable } from './stocking.ts';

const shops = [californiaShop, michiganShop];

const optionsOf = (shop: ShopContent) => shop.products.flatMap(({ options }) => options);
const duplicates = (values: readonly string[]) =>
  values.filter((value, index) => values.indexOf(value) < index);

describe('the Californian shop', () => {
  it('has at least 240 products and 600 options in 12 categories of some 30 brands', () => {
    expect(californiaShop.products.length).toBeGreaterThanOrEqual(240);
    expect(optionsOf(californiaShop).length).toBeGreaterThanOrEqual(600);
    expect(californiaShop.categories).toHaveLength(12);
    expect(californiaShop.brands.length).toBeGreaterThanOrEqual(28);
  });

  it('sells every cannabis type of its state and none of another', () => {
    const types = new Set(californiaShop.categories.map(({ cannabisType }) => cannabisType));
    expect(types).toEqual(new Set(['non-concentrated', 'concentrated', 'immature-plant', 'none']));
  });

  it('taxes in three tiers, each except the first on the lower ones', () => {
    expect(californiaShop.taxes.map(({ rate, tier, encompass }) => [rate, tier, encompass])).toEqual([
      ['5', '1', false],
      ['15', '2', true],
      ['9.25', '3', true],
    ]);
  });
});

describe('the Michigan shop', () => {
  it('has about 60 products', () => {
    expect(michiganShop.products.length).toBeGreaterThanOrEqual(58);
  });

  it('sells every cannabis type of its state and none of another', () => {
    const types = new Set(michiganShop.categories.map(({ cannabisType }) => cannabisType));
    expect(types).toEqual(
      new Set([
        'non-concentrated',
        'concentrated',
        'mi-infused-solids',
        'mi-infused-fluids',
        'immature-plant',
        'none',
      ]),
    );
  });

  it('sells most of its flower by weight in five sizes from the gram to the ounce', () => {
    const counter = michiganShop.products.filter(({ inventoryType }) => inventoryType === 'product');
    expect(counter.length).toBeGreaterThanOrEqual(12);
    for (const { unit, options } of counter) {
      expect(unit).toBe('gram');
      expect(options.map(({ amount }) => amount)).toEqual([1, 3.5, 7, 14, 28]);
    }
  });
});

it('gives every package of both shops a label of its own of 24 characters', () => {
  const labels = shops.flatMap(({ packages }) => packages.map(({ label }) => label));
  expect(duplicates(labels)).toEqual([]);
  for (const label of labels) expect(label).toMatch(/^[0-9A-Z]{24}$/);
});

it('computes the check digit as the standard does', () => {
  // Published examples of the standard.
  expect(upcCheckDigit('03600029145')).toBe('2');
  expect(upcCheckDigit('61414100003')).toBe('6');
});

describe.each(shops.map((shop) => [shop.slug, shop] as const))('the %s shop', (_slug, shop) => {
  it('has promotions for categories, brands and groups that it has', () => {
    const { discounts, rewards, welcomeCode, courtesyName } = shop.promotions;
    const named = (rows: readonly { readonly name: string }[]) => new Set(rows.map(({ name }) => name));
    const [categories, brands, groups] = [
      named(shop.categories),
      named(shop.brands),
      named(shop.customerGroups),
    ];
    for (const { categoryNames = [], brandNames = [], groupNames = [] } of discounts) {
      for (const name of categoryNames) expect(categories).toContain(name);
      for (const name of brandNames) expect(brands).toContain(name);
      for (const name of groupNames) expect(groups).toContain(name);
    }
    for (const { categoryName } of rewards)
      if (categoryName !== null) expect(categories).toContain(categoryName);
    expect(duplicates(discounts.map(({ name }) => name))).toEqual([]);
    expect(discounts.flatMap(({ codes }) => codes ?? [])).toContain(welcomeCode);
    expect(discounts.find(({ name }) => name === courtesyName)?.trigger).toBe('manual');
  });

  it('states a content above zero if the category has cannabis, and none otherwise', () => {
    const typeByCategory = new Map(shop.categories.map(({ name, cannabisType }) => [name, cannabisType]));
    for (const { categoryName, options } of shop.products) {
      for (const { content } of options) {
        if (typeByCategory.get(categoryName) === 'none') {
          expect(content).toBeNull();
        } else {
          expect(content).toMatch(/^\d+(\.\d+)?$/);
          expect(Number(content)).toBeGreaterThan(0);
        }
      }
    }
  });

  it('points only at names and keys that exist', () => {
    const names = (rows: readonly { readonly name: string }[]) => rows.map(({ name }) => name);
    for (const product of shop.products) {
      expect(names(shop.categories)).toContain(product.categoryName);
      if (product.brandName !== null) expect(names(shop.brands)).toContain(product.brandName);
      expect(names(shop.tags)).toEqual(expect.arrayContaining([...product.tagNames]));
      expect(shop.subCategoryNames).toEqual(expect.arrayContaining([...product.subCategoryNames]));
    }
    const productKeys = new Set(shop.products.map(({ key }) => key));
    const optionKeys = new Set(optionsOf(shop).map(({ key }) => key));
    const locationNames = new Set(names(shop.locations));
    for (const { productKey, optionKey, locationName } of [...shop.packages, ...shop.looseStock]) {
      expect(productKeys).toContain(productKey);
      if (optionKey !== null) expect(optionKeys).toContain(optionKey);
      expect(locationNames).toContain(locationName);
    }
    for (const tax of shop.taxes) {
      const touched = [...tax.excludedCategoryNames, ...tax.nonExemptableCategoryNames];
      expect(names(shop.categories)).toEqual(expect.arrayContaining(touched));
    }
    for (const list of Object.values(shop.organization.locationNames)) {
      expect(names(shop.locations)).toEqual(expect.arrayContaining([...list]));
    }
  });

  it('uses every category, brand and sub-category, and leaves one tag empty', () => {
    const used = (pick: (product: ShopContent['products'][number]) => readonly string[]) =>
      new Set(shop.products.flatMap(pick));
    expect(used(({ categoryName }) => [categoryName]).size).toBe(shop.categories.length);
    expect(used(({ brandName }) => (brandName === null ? [] : [brandName])).size).toBe(shop.brands.length);
    expect(used(({ subCategoryNames }) => subCategoryNames).size).toBe(shop.subCategoryNames.length);
    expect(used(({ tagNames }) => tagNames).size).toBe(shop.tags.length - 1);
  });

  it('never uses a key, a code or a description twice', () => {
    expect(duplicates(shop.products.map(({ key }) => key))).toEqual([]);
    expect(duplicates(optionsOf(shop).map(({ key }) => key))).toEqual([]);
    expect(duplicates(optionsOf(shop).flatMap(({ upc }) => upc ?? []))).toEqual([]);
    expect(duplicates(shop.products.map(({ description }) => description))).toEqual([]);
  });

  it('prints in-store codes with a valid check digit', () => {
    for (const { upc } of optionsOf(shop)) {
      if (upc === null) continue;
      expect(upc).toMatch(/^4\d{11}$/);
      expect(upc.at(-1)).toBe(upcCheckDigit(upc.slice(0, 11)));
    }
  });

  it('keeps amounts above zero, prices too except of free items, and sale prices below prices', () => {
    expect(optionsOf(shop).filter(({ priceCents }) => priceCents === 0)).toHaveLength(1);
    for (const { amount, priceCents, salesPriceCents } of optionsOf(shop)) {
      expect(amount).toBeGreaterThan(0);
      expect(Number.isSafeInteger(priceCents) && priceCents >= 0).toBe(true);
      if (salesPriceCents === null) continue;
      expect(Number.isSafeInteger(salesPriceCents) && salesPriceCents > 0).toBe(true);
      expect(salesPriceCents).toBeLessThan(priceCents);
    }
  });

  it('describes every product in two sentences or list items or more', () => {
    const tooShort = shop.products.filter(
      ({ description }) => (description.match(/[.!?](\s|$)|\n-|\n\d/g) ?? []).length < 2,
    );
    expect(tooShort.map(({ name, description }) => `${name}: ${description}`)).toEqual([]);
  });

  it('shows every case of a menu: featured, off the menu, on sale, sold out, counted in each way', () => {
    const options = optionsOf(shop);
    expect(shop.products.filter(({ isFeatured }) => isFeatured).length).toBeGreaterThanOrEqual(6);
    expect(shop.products.filter(({ isActive }) => !isActive).length).toBeGreaterThanOrEqual(3);
    expect(shop.products.filter((product) => product.isFeatured && !product.isActive)).toEqual([]);
    expect(options.filter(({ salesPriceCents }) => salesPriceCents !== null).length).toBeGreaterThan(6);
    expect(options.some(({ name }) => name === null)).toBe(true);
    expect(new Set(shop.products.map(({ inventoryType }) => inventoryType))).toEqual(
      new Set(['option', 'product', 'none']),
    );
    const stocked = new Set(
      [...shop.packages.filter(isSellable), ...shop.looseStock].map(({ productKey }) => productKey),
    );
    const soldOut = shop.products.filter(
      ({ key, inventoryType }) => inventoryType !== 'none' && !stocked.has(key),
    );
    expect(soldOut.length).toBeGreaterThanOrEqual(3);
  });

  it('has packages on hold, trade samples and expired ones beside the sellable ones', () => {
    const { packages } = shop;
    expect(packages.filter(({ onHold }) => onHold).length).toBeGreaterThanOrEqual(4);
    expect(packages.filter(({ tradeSample }) => tradeSample).length).toBeGreaterThanOrEqual(4);
    expect(packages.filter(({ expiresInDays }) => expiresInDays! < 0).length).toBeGreaterThanOrEqual(3);
  });

  it('delivers from a vehicle, takes all four methods, and lets no two zones overlap', () => {
    expect(shop.locations).toHaveLength(3);
    expect(shop.locations.filter(({ type }) => type === 'vehicle')).toHaveLength(1);
    expect(new Set(shop.paymentTypes.map(({ method }) => method)).size).toBe(4);
    const codes = shop.deliveryZones.flatMap(({ postalCodes }) => postalCodes);
    const prefixes = shop.deliveryZones.flatMap(({ postalCodePrefixes }) => postalCodePrefixes);
    expect(prefixes.length).toBeGreaterThanOrEqual(1);
    expect(duplicates(codes)).toEqual([]);
    for (const prefix of prefixes) {
      expect([...codes, ...prefixes].filter((code) => code.startsWith(prefix))).toEqual([prefix]);
    }
  });

  it('uses only addresses and numbers that no real person has', () => {
    expect(parsePhone(shop.organization.customerPhone)?.isValid()).toBe(true);
    for (const { email } of [...shop.staff, { email: shop.organization.customerEmail }]) {
      expect(email).toMatch(/^[a-z.]+@[a-z]+\.example\.com$/);
    }
  });
});
