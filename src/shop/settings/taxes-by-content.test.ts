import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody } from '../../../test/harness/test-shop.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

// Flower and gummies state their THC; the extract does not.
const shop = await createTestShop(service.context, {
  ...{ state: 'IL', tz: 'US/Central', taxes: [] },
  categories: { Concentrates: 'concentrated' },
  products: [
    {
      ...{ key: 'Jar', unit: 'gram', options: [{ key: 'eighth', amount: '3.5', priceCents: 3333 }] },
      stock: [{ option: 'eighth', amount: '1000' }],
    },
    {
      ...{ key: 'Gummies', category: 'Edibles' },
      options: [{ key: 'gummies', content: '100', priceCents: 1999 }],
      stock: [{ option: 'gummies', amount: '1000' }],
    },
    {
      ...{
        key: 'Wax',
        category: 'Concentrates',
        options: [{ key: 'wax', content: '1000', priceCents: 4444 }],
      },
      stock: [{ option: 'wax', amount: '1000' }],
    },
  ],
});
const owner = await service.staff(shop);
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const state = async (option: string, facts: object) => {
  const [row] = await sql(`select product_id from product_options where id = ${shop.optionId(option)}`);
  const path = `/staff/v1/products/${row!.product_id}/options`;
  return owner.call('PUT', path, { options: [{ id: shop.optionId(option), ...facts }] });
};
const lines = (...cart: [option: string, quantity: number][]) =>
  cart.map(([option, quantity]) => ({ productOptionId: shop.optionId(option), quantity }));
const preview = (lineItems: object[]) =>
  owner.call('POST', '/staff/v1/orders/pricing?explain=true', { type: 'pickup', lineItems });
const place = (lineItems: object[]) =>
  service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop, { lineItems }) });

test("Illinois' preset charges by potency, says each line's rate, and keeps the facts of the sale", async () => {
  await sql(`update products set thc_amount = 35 where name <> 'Wax'`);
  await sql(`update products set thc_amount = null where name = 'Wax'`);
  await owner.call('POST', '/staff/v1/taxes/apply-preset', {});
  expect((await state('wax', { thcPercent: '81.50' })).data.options[0]).toMatchObject({
    ...{ thcPercent: '81.5', thcMg: null, content: '1000' },
  });
  const cart = lines(['eighth', 3], ['wax', 1], ['gummies', 1]);
  const { data } = await preview(cart);
  const excise = 'Illinois cannabis purchaser excise tax';
  // 10 % of 99.99 and 25 % of 44.44 are 21.109; 20 % of 19.99 are 3.998.
  const charged = data.taxes.map((tax: Record<string, unknown>) => [tax.description, tax.amount, tax.rate]);
  expect(charged.slice(0, 2)).toEqual([
    [excise, 2111, '0'],
    [`${excise} (infused)`, 400, '20'],
  ]);
  const told = data.explanation.filter(({ step }: { step: string }) => step === 'tax-line');
  expect(told).toMatchObject([
    { rate: '10', base: '9999', exact: '999.9', rule: 'rate of the base for THC of 35 % (up to 35 %)' },
    { rate: '25', base: '4444', exact: '1111', rule: 'rate of the base for THC of 81.5 % (above 35 %)' },
  ]);
  const placed = await place(cart);
  expect(placed.data.customerGrandTotal).toBe(data.customerGrandTotal);
  // An edit prices what was sold by what it held then.
  await state('wax', { thcPercent: '20' });
  const edited = await owner.call('PATCH', `/staff/v1/orders/${placed.data.id}`, {
    lineItems: lines(['eighth', 2], ['wax', 1], ['gummies', 1]),
  });
  expect(edited.data.taxes[0]).toMatchObject({ amount: 1778, rate: '0' });
  await state('wax', { thcPercent: '81.5' });
});

test('what lacks the fact is warned of, refused, listed and not sold by a register alone', async () => {
  await state('wax', { thcPercent: null });
  const { data } = await preview(lines(['wax', 1]));
  expect(data.warnings).toContainEqual({
    code: 'PRODUCT_FACT_MISSING',
    message: expect.stringMatching(/^Wax: its THC in percent is not stated, which “Illinois cannabis/),
  });
  expect((await place(lines(['wax', 1]))).error).toMatchObject({
    code: 'PRODUCT_FACT_MISSING',
    meta: { duty: 'productFacts', citation: null },
  });
  expect((await place(lines(['eighth', 1]))).status).toBe(201);
  const fact = { fact: 'thcPercent', neededBy: 'Illinois cannabis purchaser excise tax' };
  expect((await owner.call('GET', '/staff/v1/products/lacking-facts')).data).toEqual({
    count: 1,
    options: [
      {
        ...{ productId: shop.productId('Wax'), productName: 'Wax', productOptionId: shop.optionId('wax') },
        ...{ optionName: '1 item', facts: [fact] },
      },
    ],
  });
  const { data: register } = await owner.call('POST', '/staff/v1/registers', {
    ...{ name: 'Counter', inventoryLocationId: shop.locationId('Storefront') },
  });
  await owner.call('PUT', '/staff/v1/offline-sale-settings', {
    shop: { isOn: true, hoursMax: 4, saleMax: 50_000, outageMax: 60_000 },
    locations: [],
  });
  const { data: offline } = await owner.call('GET', `/staff/v1/registers/${register.id}/offline-terms`);
  const { options } = JSON.parse(offline.terms);
  expect(options.map(({ productName }: { productName: string }) => productName).sort()).toEqual([
    ...['Gummies', 'Jar'],
  ]);
  // A patient owes no excise: nothing is missing.
  await sql(`update taxes set customer_type = 'medical' where description like '%excise tax'`);
  expect((await place(lines(['wax', 1]))).status).toBe(201);
  await sql(`update taxes set customer_type = 'all' where description like '%excise tax'`);
});

describe('a tax with a basis', () => {
  const tax = { description: 'By THC', rate: '0' };
  const bracket = (aboveThcPercent: string | null, upToThcPercent: string | null, rate = '10') => ({
    ...{ aboveThcPercent, upToThcPercent, rate },
  });
  const potency = (...brackets: object[]) => ({ ...tax, basis: { kind: 'potency', brackets } });
  test.each<[what: string, body: object, message: RegExp]>([
    [
      'a gap',
      potency(bracket(null, '35'), bracket('40', null)),
      /^basis: brackets\[1\] leaves a gap between 35/,
    ],
    ['an overlap', potency(bracket(null, '35'), bracket('30.0', null)), /^basis: brackets\[1\] overlaps/],
    ['an end', potency(bracket(null, '35')), /^basis: brackets\[0\].upToThcPercent must be null/],
    ['a descent', potency(bracket(null, '35'), bracket('35', '20'), bracket('20', null)), /must be above 35/],
    ['no brackets', potency(), /^basis: brackets must not be empty/],
    ['a rate beside it', { ...potency(bracket(null, null)), rate: '5' }, /^rate must be 0 beside a basis/],
    ['fees', { ...potency(bracket(null, null)), appliesToFees: true }, /^appliesToFees must be false/],
    ['cents of nothing', { ...tax, basis: { kind: 'grams' } }, /^basis must have cents and no brackets/],
    [
      'cents in prices',
      { ...tax, included: true, basis: { kind: 'grams', cents: '1.5' } },
      /^included must be false for cents by content/,
    ],
  ])('is refused with %s', async (_, body, message) => {
    const { status, error } = await owner.call('POST', '/staff/v1/taxes', body);
    expect([status, error?.message]).toEqual([400, expect.stringMatching(message)]);
  });

  test('is charged by the milligram and by the gram, and a change of it begins another tax', async () => {
    const at = await createTestShop(service.context, { state: 'TX', taxes: [] });
    const staff = await service.staff(at);
    const made = await staff.call('POST', '/staff/v1/taxes', {
      ...{ ...tax, basis: { kind: 'thc-mg', cents: '0.6250' } },
      excludedProductCategoryIds: [at.categoryId('Accessories')],
    });
    expect(made.data.basis).toEqual({ kind: 'thc-mg', cents: '0.625' });
    const price = async () =>
      (
        await service.call('POST', '/api/v1/orders/pricing', {
          keys: at.keys,
          body: { type: 'pickup', lineItems: [{ productOptionId: at.optionId('eighth'), quantity: 3 }] },
        })
      ).data.taxes.map(({ amount }: { amount: number }) => amount);
    // 3 × 3.5 g with 21.5 % are 2,257.5 mg.
    expect(await price()).toEqual([1411]);
    const { data: next } = await staff.call('PATCH', `/staff/v1/taxes/${made.data.id}`, {
      basis: { kind: 'grams', cents: '33.333333' },
    });
    expect(next.id).not.toBe(made.data.id);
    expect(await price()).toEqual([350]);
  });
});
