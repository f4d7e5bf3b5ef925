import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { commands } from '../../../cli/commands.ts';
import type { Deployment } from '../../../cli/deployment.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop, pickupBody, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import { Database } from '../../platform/database/database.ts';
import { findStockDrift, repairStock } from './stock.ts';

const service = await startOwnTestService();
const { context } = service;
/** Writes as the login that owns the schema, bypassing the service. */
const owner = new Database(service.database.owner);
let shop: TestShop;

beforeEach(async () => {
  shop = await createTestShop(context);
});
afterAll(async () => {
  expect(service.faults).toEqual([]);
  await owner.close();
  await service.close();
});

const asOwner = (text: string) => tenantSql(owner, shop.organizationId, text);
const find = () => findStockDrift(context, shop.organizationId);
const repair = () => repairStock(context, testOrigin, shop.organizationId);

/** Loose in the vault: 100,000. */
const quarter = () => ({
  productId: shop.productId('Moonlit Grove'),
  productOptionId: shop.optionId('quarter'),
  inventoryLocationId: shop.locationId('Vault'),
  packageId: null,
});
const ofQuarter = () => `product_option_id = ${shop.optionId('quarter')}`;
const onHand = async () =>
  (await asOwner(`select on_hand from stock_balances where ${ofQuarter()}`)).map((row) => row.on_hand);

describe('reconciling', () => {
  test('finds nothing if all writes came from the service', async () => {
    await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    expect(await find()).toEqual([]);
    expect(await repair()).toEqual([]);
    expect(await asOwner(`select from audit_entries where action = 'stock.repaired'`)).toEqual([]);
  });

  test("finds a changed balance and sets it to the ledger's sum, keeping both values in the audit", async () => {
    await asOwner(`update stock_balances set on_hand = 99.5 where ${ofQuarter()}`);
    const drift = { ...quarter(), balance: '99.5', ledger: '100000', repaired: false };
    expect(await find()).toEqual([drift]);
    expect(await onHand()).toEqual(['99.5']);
    const entriesBefore = await asOwner('select count(*) from stock_ledger_entries');
    expect(await repair()).toEqual([{ ...drift, repaired: true }]);
    expect(await onHand()).toEqual(['100000']);
    expect(await find()).toEqual([]);
    expect(await asOwner('select count(*) from stock_ledger_entries')).toEqual(entriesBefore);
    expect(await asOwner(`select actor, details from audit_entries where action = 'stock.repaired'`)).toEqual(
      [{ actor: testOrigin.actor, details: { ...quarter(), balance: '99.5', ledger: '100000' } }],
    );
    expect(await asOwner(`select payload from outbox_events where type = 'stock.repaired'`)).toEqual([
      { payload: quarter() },
    ]);
  });

  test('finds a missing balance and restores it', async () => {
    await asOwner(`delete from stock_balances where ${ofQuarter()}`);
    expect(await find()).toEqual([{ ...quarter(), balance: '0', ledger: '100000', repaired: false }]);
    await repair();
    expect(await onHand()).toEqual(['100000']);
    expect(await find()).toEqual([]);
  });

  test('finds a balance without ledger entries and sets it to 0', async () => {
    await asOwner(`insert into stock_balances (organization_id, product_id, product_option_id, inventory_location_id,
      package_id, on_hand) values (${shop.organizationId}, ${shop.productId('Moonlit Grove')},
      ${shop.optionId('sold out')}, ${shop.locationId('Vault')}, 0, 12)`);
    const sellable = { ...quarter(), productOptionId: shop.optionId('sold out') };
    expect(await find()).toEqual([{ ...sellable, balance: '12', ledger: '0', repaired: false }]);
    await repair();
    expect(await find()).toEqual([]);
    const body = pickupBody(shop, {
      lineItems: [{ productOptionId: shop.optionId('sold out'), quantity: 1 }],
    });
    const order = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
    expect(order.error).toMatchObject({ code: 'OUT_OF_STOCK' });
  });

  test('leaves a balance unchanged whose ledger sum is negative, and reports it', async () => {
    await asOwner(`insert into stock_ledger_entries (organization_id, id, product_id, product_option_id,
      inventory_location_id, package_id, delta, cause, cause_id, actor, created_at)
      select organization_id, id + 1000000000, product_id, product_option_id, inventory_location_id, package_id,
        -2 * delta, 'adjusted', cause_id, actor, created_at from stock_ledger_entries where ${ofQuarter()}`);
    await asOwner(
      `update stock_balances set on_hand = 1 where product_option_id = ${shop.optionId('gummies')}`,
    );
    const drifts = await repair();
    expect(drifts.map(({ ledger, repaired }) => [ledger, repaired])).toEqual([
      ['-100000', false],
      ['100000', true],
    ]);
    expect(await onHand()).toEqual(['100000']);
    await asOwner('delete from stock_ledger_entries where id > 1000000000');
  });

  test('repairs while the shop keeps selling', async () => {
    const place = () => service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
    await asOwner(
      `update stock_balances set on_hand = on_hand + 7 where product_option_id = ${shop.optionId('eighth')}`,
    );
    const [first, , ...replies] = await Promise.all([
      repair(),
      repair(),
      ...Array.from({ length: 20 }, place),
    ]);
    expect(first.length).toBeLessThanOrEqual(2);
    expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(await find()).toEqual([]);
    const [left] = await asOwner(
      `select sum(on_hand) as left from stock_balances where product_option_id = ${shop.optionId('eighth')}`,
    );
    expect(left).toEqual({ left: String(100_100 - 40) });
  });
});

describe('the command', () => {
  const run = (options: Record<string, string>) =>
    commands.reconcile!.run!({ context, operator: owner } as Deployment, options);

  test('exits with 1 while there is drift, reports it to people and programs, and exits with 0 once it is repaired', async () => {
    const other = await createTestShop(context);
    await asOwner(`update stock_balances set on_hand = 5 where ${ofQuarter()}`);
    const organizationId = shop.organizationId;
    const drift = { organizationId, ...quarter(), balance: '5', ledger: '100000' };
    const found = await run({});
    expect(found).toMatchObject({ exitCode: 1, data: { drifts: [{ ...drift, repaired: false }] } });
    expect(found.lines).toEqual([
      `Organization ${organizationId}, product ${drift.productId}, option ${drift.productOptionId}, ` +
        `location ${drift.inventoryLocationId}, package none: balance 5, ledger 100000`,
    ]);
    expect(await run({ organization: String(other.organizationId), repair: 'true' })).toMatchObject({
      exitCode: 0,
      data: { organizations: 1, drifts: [] },
    });
    expect(await run({ repair: 'true' })).toMatchObject({
      exitCode: 0,
      lines: [expect.stringMatching(/: balance 5, ledger 100000; set to 100000$/)],
      data: { drifts: [{ ...drift, repaired: true }] },
    });
    expect(await run({})).toMatchObject({ exitCode: 0, data: { drifts: [] } });
  });
});
