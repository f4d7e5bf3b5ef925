import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  pickupBody,
  type ShopSettings,
  type TestShop,
} from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { jurisdictions } from '../../engines/jurisdictions/jurisdictions.ts';

const service = await startTestService();
afterEach(() => expect(service.faults).toEqual([]));
afterAll(() => service.close());

async function newShop(settings: ShopSettings = {}) {
  const shop = await createTestShop(service.context, { state: 'CA', taxes: [], ...settings });
  return { shop, staff: await service.staff(shop, 'manager') };
}

function apply(staff: TestStaff, body: object = {}) {
  return staff.call('POST', '/staff/v1/taxes/apply-preset', body);
}

async function list(staff: TestStaff) {
  return (await staff.call('GET', '/staff/v1/taxes')).data;
}

async function amounts(shop: TestShop, option: string): Promise<number[]> {
  const body = { type: 'pickup', lineItems: [{ productOptionId: shop.optionId(option), quantity: 2 }] };
  const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
  return data.taxes.map(({ amount }: { amount: number }) => amount);
}

test("Michigan's taxes equal its published example, and leave accessories to the sales tax", async () => {
  const { shop, staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  const applied = await apply(staff);
  expect(applied.status).toBe(200);
  expect(applied.data).toMatchObject([
    {
      description: 'Michigan marihuana excise tax',
      rate: '10',
      tier: '1',
      type: 'excise',
      exemptable: true,
      excludedProductCategoryIds: [shop.categoryId('Accessories')],
      startsAt: new Date(service.clock.now()).toISOString(),
      endsAt: null,
    },
    {
      description: 'Michigan sales tax',
      rate: '6',
      tier: '2',
      encompass: true,
      excludedProductCategoryIds: [],
    },
  ]);
  expect(applied.meta).toMatchObject({ state: 'MI', endedTaxIds: [] });
  expect(applied.meta.notCovered.length).toBeGreaterThan(0);
  // 70.00 of flower; 25.00 of accessories.
  expect(await amounts(shop, 'eighth')).toEqual([700, 462]);
  expect(await amounts(shop, 'tray')).toEqual([0, 150]);
});

test('applying twice changes nothing, also concurrently and later', async () => {
  const { staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  const replies = await Promise.all([apply(staff), apply(staff), apply(staff)]);
  for (const reply of replies) expect(reply.data).toEqual(replies[0]!.data);
  const taxes = await list(staff);
  expect(taxes).toHaveLength(2);
  service.clock.advance(3_600_000);
  expect((await apply(staff)).data).toEqual(taxes);
  expect(await list(staff)).toEqual(taxes);
});

test('the end in the law is the end of the tax, at the end of the local day', async () => {
  const { staff } = await newShop();
  const { data } = await apply(staff, { state: 'CA' });
  expect(data).toMatchObject([{ rate: '15', type: 'california-excise', endsAt: '2028-07-01T07:00:00.000Z' }]);
});

test("a tax that the law has dated ahead begins at the shop's midnight, where its predecessor ends", async () => {
  const before = service.clock.now();
  service.clock.set(Date.parse('2025-09-15T12:00:00Z'));
  const { shop, staff } = await newShop();
  const { data } = await apply(staff);
  const change = '2025-10-01T07:00:00.000Z';
  expect(data).toMatchObject([
    { rate: '19', startsAt: '2025-09-15T12:00:00.000Z', endsAt: change },
    { rate: '15', startsAt: change },
  ]);
  expect(await amounts(shop, 'eighth')).toEqual([1330]);
  service.clock.set(Date.parse(change) - 1);
  expect(await amounts(shop, 'eighth')).toEqual([1330]);
  service.clock.set(Date.parse(change));
  expect(await amounts(shop, 'eighth')).toEqual([1050]);
  const again = await apply(await service.staff(shop));
  expect(again.data.map(({ id }: { id: number }) => id)).toEqual([data[1].id]);
  service.clock.set(before);
});

test('a preview equals what setting up does, to the rate and the instant, and writes nothing', async () => {
  const before = service.clock.now();
  service.clock.set(Date.parse('2025-09-15T12:00:00Z'));
  const { staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  await apply(staff);
  for (const tax of [
    { description: 'California cannabis excise tax', rate: '12', tier: '1', type: 'california-excise' },
    { description: 'City', rate: '1' },
  ]) {
    expect((await staff.call('POST', '/staff/v1/taxes', tax)).status).toBe(201);
  }
  service.clock.advance(1000);
  const preview = async (query: object) => {
    const present = await list(staff);
    const reply = await staff.call('GET', '/staff/v1/taxes/preset', undefined, { query: { ...query } });
    expect([reply.status, await list(staff)]).toEqual([200, present]);
    return { present, ...reply.data };
  };
  for (const state of ['MI', 'CA']) {
    const { present, begins, ends, keeps, ...facts } = await preview({ state });
    const applied = await apply(staff, { state });
    expect(facts).toEqual({
      state,
      asOf: applied.meta.asOf,
      notCovered: applied.meta.notCovered,
      sources: applied.meta.sources,
      warnings: applied.meta.warnings,
    });
    expect(ends.map(({ id }: { id: number }) => id)).toEqual(applied.meta.endedTaxIds);
    const now: { id: number }[] = await list(staff);
    const isOld = ({ id }: { id: number }) => present.some((tax: { id: number }) => tax.id === id);
    expect(now.filter((tax) => [...ends, ...keeps].some(({ id }) => id === tax.id))).toEqual(
      [...ends, ...keeps].toSorted(
        (a, b) => now.findIndex(({ id }) => id === a.id) - now.findIndex(({ id }) => id === b.id),
      ),
    );
    expect(now.filter((tax) => !isOld(tax))).toEqual(
      begins.map((tax: object) => expect.objectContaining(tax)),
    );
  }
  expect((await preview({ state: 'MI' })).begins).toEqual([]);
  const owned = await preview({});
  expect([owned.state, owned.keeps.length]).toEqual(['MI', 2]);
  service.clock.set(before);
});

test('a preview of a state without known taxes is refused like setting up', async () => {
  const { staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  for (const state of ['TX', 'ca']) {
    const { status, error } = await staff.call('GET', '/staff/v1/taxes/preset', undefined, {
      query: { state },
    });
    const { error: refused } = await apply(staff, { state });
    expect([status, error]).toEqual([400, refused]);
  }
});

test('a tax with the same name and another rate ends where the new one begins, also in its zones', async () => {
  const { staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  const { data: old } = await staff.call('POST', '/staff/v1/taxes', {
    description: 'Michigan sales tax',
    rate: '4',
    tier: '2',
  });
  const { data: own } = await staff.call('POST', '/staff/v1/taxes', { description: 'City', rate: '1' });
  const { data: zone } = await staff.call('POST', '/staff/v1/delivery-zones', {
    name: 'Harbor',
    postalCodes: ['48201'],
    taxIds: [old.id],
  });
  service.clock.advance(1000);
  const at = new Date(service.clock.now()).toISOString();
  const { data, meta } = await apply(staff);
  expect(meta.endedTaxIds).toEqual([old.id]);
  const taxes = await list(staff);
  expect(taxes.find(({ id }: { id: number }) => id === old.id)).toMatchObject({ endsAt: at });
  expect(taxes.find(({ id }: { id: number }) => id === own.id)).toEqual(own);
  const sales = data.find(({ description }: { description: string }) => description === 'Michigan sales tax');
  expect(sales).toMatchObject({ rate: '6', startsAt: at });
  const zones = (await staff.call('GET', '/staff/v1/delivery-zones')).data;
  expect(zones.find(({ id }: { id: number }) => id === zone.id).taxIds).toEqual([old.id, sales.id]);
});

test('every state with known taxes can be set up, and prices a cart', async () => {
  for (const { state, taxes } of jurisdictions) {
    if (taxes.length === 0) continue;
    const { shop, staff } = await newShop();
    const applied = await apply(staff, { state });
    expect([state, applied.status, applied.error]).toEqual([state, 200, undefined]);
    const priced = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    expect([state, priced.status]).toEqual([state, 201]);
  }
});

test('a state without known taxes is refused, with a list of the others', async () => {
  const { staff } = await newShop({ state: 'TX' });
  for (const body of [{}, { state: 'TX' }, { state: 'ca' }, { state: 'ZZ' }]) {
    const { status, error } = await apply(staff, body);
    expect([status, error?.code]).toEqual([400, 'INVALID_PARAMS']);
    expect(error?.message).toMatch(/^state must be one whose taxes are known: .*CA, .*MI, .*WA\.$/);
  }
  const { error } = await apply(staff, { state: 'CAL' });
  expect(error?.message).toBe('state must be text of 2 characters.');
  expect(await list(staff)).toEqual([]);
});

test('a preset that contradicts an own tax writes nothing', async () => {
  const { staff } = await newShop();
  const { data: own } = await staff.call('POST', '/staff/v1/taxes', {
    description: 'All in',
    rate: '3',
    tier: '5',
    included: true,
    encompass: true,
  });
  const { status, error } = await apply(staff, { state: 'CA' });
  expect([status, error?.code]).toEqual([400, 'INVALID_PARAMS']);
  expect(error?.message).toMatch(
    /"All in" is included in prices and encompasses "California cannabis excise tax"/,
  );
  expect(await list(staff)).toEqual([own]);
});

test('a preset that is applied again covers the categories that were added since', async () => {
  const { shop, staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  const { data: first } = await apply(staff);
  const added = await staff.call('POST', '/staff/v1/product-categories', {
    name: 'Apparel',
    cannabisType: 'none',
  });
  expect(added.status).toBe(201);
  service.clock.advance(1000);
  const { data, meta } = await apply(staff);
  expect(meta.endedTaxIds).toEqual([first[0].id]);
  expect(data).toMatchObject([
    { excludedProductCategoryIds: [shop.categoryId('Accessories'), added.data.id] },
    { id: first[1].id },
  ]);
});

const newCategory = async (staff: TestStaff, name: string, cannabisType: string) => {
  const { status, data } = await staff.call('POST', '/staff/v1/product-categories', { name, cannabisType });
  expect(status).toBe(201);
  return data;
};
/** The organization's warnings on its taxes and the preset, without those about taxes that presets leave to the owner. */
const presetWarnings = async (staff: TestStaff): Promise<string[]> =>
  (await staff.call('GET', '/staff/v1/organization')).data.warnings.filter(
    (it: string) => it.includes('preset') && !it.includes('leaves a tax to you'),
  );

test('a category that is added or changed after the preset was applied is reported until it is applied again', async () => {
  const { shop, staff } = await newShop({ state: 'CO', tz: 'US/Mountain' });
  await apply(staff);
  service.clock.advance(60_000);
  expect(await presetWarnings(staff)).toEqual([]);
  await newCategory(staff, 'Books', 'none');
  expect(await presetWarnings(staff)).toEqual([
    'Since the taxes of Colorado were set up, categories were added or changed that they treat differently from its preset ("Books"): applying the preset again would change "Colorado retail marijuana sales tax", "Colorado sales tax on medical marijuana".',
  ]);
  service.clock.advance(60_000);
  await apply(staff);
  expect(await presetWarnings(staff)).toEqual([]);

  service.clock.advance(60_000);
  const edibles = `/staff/v1/product-categories/${shop.categoryId('Edibles')}`;
  await staff.call('PATCH', edibles, { name: 'Sweets' });
  expect(await presetWarnings(staff)).toEqual([]);
  await staff.call('PATCH', edibles, { cannabisType: 'none' });
  expect(await presetWarnings(staff)).toEqual([
    expect.stringMatching(
      /\("Sweets"\): .* change "Colorado retail marijuana sales tax", "Colorado sales tax", "Colorado sales tax on medical marijuana"\.$/,
    ),
  ]);
  await staff.call('PATCH', edibles, { cannabisType: 'edibles' });
  expect(await presetWarnings(staff)).toEqual([]);
});

test('a category that taxes treat as the preset would, or that is deleted, is not reported', async () => {
  const { staff } = await newShop({ state: 'MI', tz: 'US/Eastern' });
  await apply(staff);
  service.clock.advance(60_000);
  await newCategory(staff, 'Pre-rolls', 'non-concentrated');
  expect(await presetWarnings(staff)).toEqual([]);
  const { id } = await newCategory(staff, 'Books', 'none');
  expect(await presetWarnings(staff)).toEqual([expect.stringMatching(/"Michigan marihuana excise tax"\.$/)]);
  await staff.call('DELETE', `/staff/v1/product-categories/${id}`);
  expect(await presetWarnings(staff)).toEqual([]);
});

test('a shop that keeps its own taxes, or has changed those of the preset, gets no warning', async () => {
  const own = await newShop({ state: 'MI', taxes: [{ description: 'Michigan sales tax', rate: '6' }] });
  await newCategory(own.staff, 'Books', 'none');
  expect(await presetWarnings(own.staff)).toEqual([]);

  const { staff } = await newShop({ state: 'OR' });
  const { data } = await apply(staff);
  service.clock.advance(60_000);
  const books = await newCategory(staff, 'Books', 'none');
  const { id, excludedProductCategoryIds: excluded } = data[0];
  const { data: widened } = await staff.call('PATCH', `/staff/v1/taxes/${id}`, {
    excludedProductCategoryIds: [...excluded, books.id],
  });
  expect(await presetWarnings(staff)).toEqual([]);
  service.clock.advance(60_000);
  // By choice, for existing categories.
  const { data: chosen } = await staff.call('PATCH', `/staff/v1/taxes/${widened.id}`, {
    excludedProductCategoryIds: excluded,
  });
  expect(await presetWarnings(staff)).toEqual([]);
  service.clock.advance(60_000);
  // Two own taxes replace the one.
  await staff.call('DELETE', `/staff/v1/taxes/${chosen.id}`);
  await staff.call('POST', '/staff/v1/taxes', { description: 'Oregon marijuana retail tax', rate: '4' });
  await staff.call('POST', '/staff/v1/taxes', { description: 'Oregon tax', rate: '16', exemptable: true });
  await newCategory(staff, 'Maps', 'none');
  expect(await presetWarnings(staff)).toEqual([]);
});

test('taxes of the preset are reported when other ones are known today', async () => {
  const before = service.clock.now();
  service.clock.set(Date.parse('2025-09-15T12:00:00Z'));
  const { staff } = await newShop();
  const { data } = await apply(staff);
  expect(await presetWarnings(staff)).toEqual([]);
  // As if the law had not dated the next rate yet.
  await staff.call('DELETE', `/staff/v1/taxes/${data[1].id}`);
  expect(await presetWarnings(staff)).toEqual([
    'The taxes of California that are set up differ from those that are known here today: applying the preset again would change "California cannabis excise tax".',
  ]);
  service.clock.set(before);
});

/** What each tax charges on two eighths (70.00), for a patient and for an adult-use customer. */
async function chargedTo(shop: TestShop, staff: TestStaff) {
  const person = { firstName: 'Ada', lastName: 'Moss', medicalExpiration: '2030-01-01' };
  // The second time it already exists.
  const email = `ada.${shop.organizationId}@example.com`;
  const created = await staff.call('POST', '/staff/v1/customers', { ...person, email });
  expect([201, 400]).toContain(created.status);
  const charged = async (of: string) => {
    const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 2 }];
    const body = { type: 'pickup', lineItems, customer: { firstName: 'Ada', lastName: 'Moss', email: of } };
    const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
    warnings.push(...data.warnings.filter((warning: unknown) => typeof warning === 'string'));
    return data.taxes.map(({ amount }: { amount: number }) => amount);
  };
  const warnings: string[] = [];
  return { patient: await charged(email), adult: await charged('robin@example.com'), warnings };
}

test('a state with another rate for patients charges each customer their own, rounded once', async () => {
  const { shop, staff } = await newShop({ state: 'MT', tz: 'US/Mountain' });
  expect((await apply(staff)).data).toMatchObject([
    { rate: '20', customerType: 'adult-use', patients: { rule: 'other-tax' } },
    { rate: '4', customerType: 'medical', patients: { rule: 'owe' } },
  ]);
  expect(await chargedTo(shop, staff)).toEqual({ patient: [280], adult: [1400], warnings: [] });
});

test('a tax that patients may owe is not charged to them until the owner decides, and the decision is kept', async () => {
  const { shop, staff } = await newShop({ state: 'VT' });
  const owner = await service.staff(shop);
  const preview = await staff.call('GET', '/staff/v1/taxes/preset');
  const warning = expect.stringMatching(
    /^Patients are not charged "Vermont sales tax": .* Decide whether they owe it\.$/,
  );
  expect(preview.data.warnings).toContainEqual(warning);
  const { data } = await apply(staff);
  const warnings = async () => (await owner.call('GET', '/staff/v1/organization')).data.warnings;
  expect(await warnings()).toContainEqual(warning);
  // 14 % of excise and 6 % of sales tax on 70.00.
  expect(await chargedTo(shop, staff)).toEqual({
    patient: [0, 0],
    adult: [980, 420],
    warnings: ['Not charged: "Vermont sales tax". The organization has not decided whether patients owe it.'],
  });

  const decision = { owe: true, note: 'The department told our accountant so on 2026-11-20.' };
  const path = `/staff/v1/taxes/${data[1].id}/patients`;
  expect((await staff.call('POST', path, decision)).status).toBe(403);
  service.clock.advance(60_000);
  const decided = await owner.call('POST', path, decision);
  expect(decided.data).toMatchObject({
    exemptable: false,
    patients: { rule: 'not-known', decision: { ...decision, decidedBy: expect.any(Number) } },
  });
  expect(await chargedTo(shop, staff)).toEqual({ patient: [0, 420], adult: [980, 420], warnings: [] });
  expect(await warnings()).not.toContainEqual(warning);

  service.clock.advance(60_000);
  const again = await apply(staff);
  expect(again.data[1]).toEqual(decided.data);
  expect(await presetWarnings(staff)).not.toContainEqual(expect.stringContaining('Decide'));
  // The opposite decision ends that tax and begins another.
  const taken = await owner.call('POST', `/staff/v1/taxes/${decided.data.id}/patients`, {
    owe: false,
    note: 'The department has corrected itself.',
  });
  expect(taken.data.id).not.toBe(decided.data.id);
  expect(await chargedTo(shop, staff)).toEqual({ patient: [0, 0], adult: [980, 420], warnings: [] });
});

test('a decision without change of the charge is stored in place; a tax of one customer type needs none', async () => {
  const { shop, staff } = await newShop({ state: 'VT' });
  const owner = await service.staff(shop);
  const { data } = await apply(staff);
  const kept = await owner.call('POST', `/staff/v1/taxes/${data[1].id}/patients`, {
    owe: false,
    note: 'Read in the statute.',
  });
  expect(kept.data).toMatchObject({
    id: data[1].id,
    exemptable: true,
    patients: { decision: { owe: false } },
  });
  const montana = await newShop({ state: 'MT', tz: 'US/Mountain' });
  const [adultTax] = (await apply(montana.staff)).data;
  const refused = await (await service.staff(montana.shop)).call(
    'POST',
    `/staff/v1/taxes/${adultTax.id}/patients`,
    { owe: true, note: 'x' },
  );
  expect([refused.status, refused.error?.message]).toEqual([400, expect.stringContaining('adult-use')]);
});
