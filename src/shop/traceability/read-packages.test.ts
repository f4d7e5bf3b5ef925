import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService, testNowMs } from '../../../test/harness/test-service.ts';
import { supplierLicense } from '../../hosting/state-server/seed-world.ts';
import { labels, license, openReportingShop, type ReportingShop } from './reporting-shop.test-support.ts';

const service = await startTestService();
const shops: ReportingShop[] = [];
const open = async () => {
  const shop = await openReportingShop(service);
  shops.push(shop);
  return shop;
};
/** The next reading is five minutes later. */
const readAgain = async (shop: ReportingShop) => {
  service.clock.advance(6 * 60_000);
  await shop.pass();
};
afterEach(async () => {
  expect(service.faults).toEqual([]);
  service.clock.set(testNowMs);
  for (const shop of shops.splice(0)) await shop.close();
});
afterAll(() => service.close());

test('what the state holds, recalls or failed is not sold from minutes later on, and is sold again when it lets go', async () => {
  const shop = await open();
  await shop.pass();
  const roll = shop.shop.optionId('gram');
  const line = { type: 'in-store', lineItems: [{ productOptionId: roll, quantity: 1 }] };
  const customer = { firstName: 'Marisol', lastName: 'Okafor', birthday: '1980-01-01' };
  const payments = [{ paymentTypeId: shop.shop.paymentTypeId('Cash'), remaining: true }];
  const place = () =>
    shop.owner.call('POST', '/staff/v1/orders', {
      ...{ ...line, customer: { ...customer, email: 'm@customers.example.com' }, payments },
      idempotencyKey: crypto.randomUUID(),
    });
  const placed = await place();
  expect(placed.status).toBe(201);
  for (const [edit, words] of [
    ['hold-package', 'the state has put it on hold'],
    ['recall-package', 'the state has recalled it'],
  ] as const) {
    shop.state.people(edit, { label: labels.jar });
    await readAgain(shop);
    const { data: preview } = await shop.owner.call('POST', '/staff/v1/orders/pricing', line);
    expect(preview.warnings).toContainEqual(
      expect.objectContaining({
        code: 'OUT_OF_STOCK',
        maxQuantity: 0,
        message: expect.stringContaining(words),
      }),
    );
    const refused = await place();
    expect([refused.status, refused.error?.code]).toEqual([409, 'OUT_OF_STOCK']);
    expect(refused.error?.message).toContain(words);
    const handed = await shop.owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
    expect([handed.status, handed.error?.code]).toEqual([409, 'PACKAGE_BLOCKED']);
    expect(handed.error?.message).toContain(words);
    shop.state.people('release-package', { label: labels.jar });
    await readAgain(shop);
  }
  const state = { LabTestingState: 'TestFailed' };
  shop.state.people('edit-package', { label: labels.jar, members: state });
  await readAgain(shop);
  expect((await place()).error?.message).toContain('it failed its lab test');
  shop.state.people('edit-package', { label: labels.jar, members: { LabTestingState: 'TestPassed' } });
  await readAgain(shop);
  const handed = await shop.owner.call('POST', `/staff/v1/orders/${placed.data.id}/fulfill`, {});
  expect(handed.status).toBe(200);
});

test('a transfer that the state shows comes with amounts and prices, and is not sold before it is accepted there', async () => {
  const shop = await open();
  await shop.pass();
  const goods = { license: supplierLicense, item: 'Fern Valley Flower' };
  for (const quantity of [120, 80]) shop.state.people('add-package', { ...goods, quantity });
  const shipped = shop.state.world.packages.all(supplierLicense).slice(-2);
  const [first, second] = shipped;
  const id = shop.state.people('ship-transfer', {
    ...{ license, labels: shipped.map(({ label }) => label), price: 240 },
  });
  await readAgain(shop);
  const listed = async () =>
    (await shop.owner.call('GET', '/staff/v1/compliance-transfers')).data.find(
      (it: { externalId: string }) => it.externalId === String(id),
    );
  const { packages, shipperLicenseNumber } = await listed();
  expect(shipperLicenseNumber).toBe(supplierLicense);
  expect(
    packages.map((it: { label: string; initialAmount: string }) => [it.label, it.initialAmount]),
  ).toEqual(shipped.map(({ label, quantity }) => [label, String(quantity)]));
  const rows = () =>
    shop.sql(
      `select label, wholesale_cents, state_block from packages where label = any('{${shipped.map((it) => it.label).join()}}') order by label`,
    );
  expect(await rows()).toEqual(
    shipped
      .map(({ label }) => ({ label, wholesale_cents: 24_000, state_block: 'not-accepted' }))
      .toSorted((a, b) => (a.label < b.label ? -1 : 1)),
  );
  // The goods are not known by their name yet: a person says what they are.
  const jar = shop.shop.productId('Counter Jar');
  const ordered = await shop.owner.call('POST', '/staff/v1/purchase-orders/from-transfer', {
    complianceTransferId: (await listed()).id,
    lineItems: packages.map((it: { id: number }) => ({ packageId: it.id, productId: jar })),
  });
  expect([ordered.status, ordered.data.inventoryVendor.name]).toEqual([201, 'Fern Valley Supply LLC']);
  expect(ordered.data.lineItems).toMatchObject([
    { amount: '120', costPerUnit: '2', subtotal: 24_000 },
    { amount: '80', costPerUnit: '3', subtotal: 24_000 },
  ]);
  const again = await shop.owner.call('POST', '/staff/v1/purchase-orders/from-transfer', {
    complianceTransferId: (await listed()).id,
  });
  expect([again.status, again.data.id]).toEqual([201, ordered.data.id]);
  shop.state.people('accept-transfer', { id, received: { [second!.label]: null } });
  await readAgain(shop);
  const blocks = Object.fromEntries((await rows()).map((it) => [it.label, it.state_block]));
  expect(blocks).toEqual({ [first!.label]: null, [second!.label]: 'sent-back' });
});

test('the tests of a package are read once it is known here', async () => {
  const shop = await open();
  shop.state.people('record-lab-result', {
    label: labels.jar,
    testType: 'THC (%)',
    passed: true,
    level: 21.5,
  });
  for (const { id } of shop.state.world.labResults.all().slice(-1)) {
    shop.state.people('release-lab-result', { id });
  }
  await readAgain(shop);
  expect(await shop.sql(`select lab_name, thc_percent from packages where label = '${labels.jar}'`)).toEqual([
    { lab_name: 'Clear Water Lab', thc_percent: '21.5' },
  ]);
});

test('goods whose manifest was voided and made anew within minutes come by the new one', async () => {
  const shop = await open();
  await shop.pass();
  shop.state.people('add-package', { license: supplierLicense, item: 'Fern Valley Flower', quantity: 50 });
  const { label } = shop.state.world.packages.all(supplierLicense).at(-1)!;
  const ship = () => shop.state.people('ship-transfer', { license, labels: [label], price: 240 });
  shop.state.people('void-transfer', { id: ship() });
  ship();
  await readAgain(shop);
  const read = await shop.sql(`select place, block from state_packages where label = '${label}'`);
  expect(read).toEqual([{ place: 'coming', block: 'not-accepted' }]);
});
