import { afterAll, afterEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { addDiscount } from '../../../test/harness/test-promotions.ts';
import { startOwnTestService, type TestService } from '../../../test/harness/test-service.ts';
import type { TestShop } from '../../../test/harness/test-shop.ts';
import { openPlainShop, placeTrade, priceTrade } from '../../../test/harness/test-trade.ts';
import type { Database } from '../../platform/database/database.ts';
import { termsLease } from '../settings/terms-of-sale.ts';

const database = await createTestDatabase();
/** Two processes as in a deployment, and a third whose lease lasts for the whole test. */
const [ours, theirs] = await Promise.all([
  startOwnTestService({ database, lease: termsLease }),
  startOwnTestService({ database, lease: termsLease }),
]);
const patient = await startOwnTestService({ database, lease: { ms: 600_000, tables: new Set() } });
const services = [ours, theirs, patient];
afterEach(() => expect(services.flatMap(({ faults }) => faults)).toEqual([]));
afterAll(async () => {
  for (const service of services) await service.close();
  await database.drop();
});

function setPrice(writer: Database, shop: TestShop, cents: number): Promise<unknown> {
  return tenantSql(
    writer,
    shop.organizationId,
    'update product_options set price_cents = $1 where id = $2',
    cents,
    shop.optionId('tray'),
  );
}

/** Sends an anonymous preview by default. */
async function priceAt(service: TestService, shop: TestShop, changes: object = {}): Promise<number> {
  return (await priceTrade(service, shop, [['tray', 1]], { customer: null, ...changes })).data.totalPrice;
}

/** The number of statements that a preview sends once its inputs are cached. */
async function statementsOf(shop: TestShop, changes: object = {}): Promise<number> {
  await priceAt(patient, shop, changes);
  const before = patient.context.database.statistics.statements;
  await priceAt(patient, shop, changes);
  return patient.context.database.statistics.statements - before;
}

test('after a price change is answered, every process shows the new price, however often the old one is requested', async () => {
  const shop = await openPlainShop(ours);
  let asking = true;
  const crowd = Array.from({ length: 8 }, async () => {
    while (asking) await priceAt(ours, shop);
  });
  for (let cents = 1000; cents < 1040; cents++) {
    await setPrice(theirs.context.database, shop, cents);
    expect(await priceAt(ours, shop)).toBe(cents);
  }
  asking = false;
  await Promise.all(crowd);
});

test('the process that changes a price shows it before it answers', async () => {
  const shop = await openPlainShop(patient);
  await priceAt(patient, shop);
  await setPrice(patient.context.database, shop, 1234);
  expect(await priceAt(patient, shop)).toBe(1234);
});

test('while the lease lasts, an anonymous preview sends no statement', async () => {
  const shop = await openPlainShop(patient);
  expect(await statementsOf(shop)).toBe(0);
});

test('customer data and uses of limited discounts are read for every preview', async () => {
  const shop = await openPlainShop(patient);
  const customer = { firstName: 'Ada', lastName: 'Quill', email: 'ada@customers.example.com' };
  expect(await statementsOf(shop, { customer })).toBeGreaterThan(0);
  await addDiscount(patient.context, shop.organizationId, {
    kind: 'order',
    type: 'percent',
    amount: '10',
    usesTotal: 5,
  });
  expect(await statementsOf(shop)).toBeGreaterThan(0);
});

test('an order with an outdated price is refused, and the next preview shows the new price', async () => {
  const shop = await openPlainShop(patient);
  const shown = await priceAt(patient, shop);
  // This process does not wait for the lease.
  await setPrice(theirs.context.database, shop, 9900);
  expect(await priceAt(patient, shop)).toBe(shown);
  const refused = await placeTrade(patient, shop, [['tray', 1]], { expectedCustomerGrandTotal: shown });
  expect(refused.error?.code).toBe('PRICE_CHANGED');
  expect(await priceAt(patient, shop)).toBe(9900);
});
