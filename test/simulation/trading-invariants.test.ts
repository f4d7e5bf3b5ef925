import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OrganizationId } from '../../src/kernel/ids.ts';
import { startOwnTestService, type TestService } from '../harness/test-service.ts';
import { createTestShop, pickupBody } from '../harness/test-shop.ts';
import { openWitness, type Witness } from '../harness/witness.ts';
import { brokenRules } from './trading-invariants.ts';

let service: TestService;
/** May change history, which the serving role may not. */
let owner: Witness;

beforeAll(async () => {
  service = await startOwnTestService();
  owner = await openWitness(service.database);
});
afterAll(async () => {
  await owner.end();
  await service.close();
});

/** A violation of each rule, applied to an order that took stock and is paid by card. */
const damages: readonly [rule: string, damage: string][] = [
  ['the lines add up to the total', 'update orders set total_price_cents = total_price_cents + 1'],
  ['the lines add up to the total', 'update order_line_items set gross_cents = gross_cents - 1'],
  [
    'goods, adjustments and charged taxes add up to the net price',
    `update orders set net_price_cents = net_price_cents - 1,
       customer_grand_total_cents = customer_grand_total_cents - 1`,
  ],
  [
    'each tax is the sum of what it charged on lines and fee',
    `update order_taxes set fee_allocation_cents = 1 where tier = '1'`,
  ],
  [
    'payments, where intended, cover the order and carry its fees',
    `update order_payments set amount_cents = amount_cents - 1, final_amount_cents = final_amount_cents - 1`,
  ],
  ['its steps lead from one creation to its status', `update orders set status = 'packed'`],
  [
    'its steps lead from one creation to its status',
    `update audit_entries set action = 'order.accepted' where action = 'order.placed'`,
  ],
  ['every step left an event and an audit entry', `delete from outbox_events where type = 'order.placed'`],
  ['every step left an event and an audit entry', `delete from audit_entries where subject_type = 'order'`],
  ['a key stands for the order that carries it', 'delete from order_idempotency_keys'],
  ['a key stands for the order that carries it', 'update orders set idempotency_key = null'],
  [
    'an accepted order holds exactly what its lines need, any other nothing',
    'delete from order_line_fulfillments where amount = 2',
  ],
  [
    'the ledger took for a line what the line holds',
    `delete from stock_ledger_entries where cause = 'taken' and delta = -2`,
  ],
  [
    'what an order took or gave back names a step of it',
    `update stock_ledger_entries set cause_id = 1 where cause = 'taken'`,
  ],
  [
    'a picture is stored once, and announced',
    `update product_photos set source = 'https://pictures.example/a.jpg'`,
  ],
  [
    'the document shows the rows',
    `update order_explanations set shown_rows = jsonb_set(shown_rows::jsonb, '{lineItems,0,finalPrice}', '1')::text`,
  ],
];

/** Damages the rows of an organization; answers how many. */
async function damaged(damage: string, organization: OrganizationId): Promise<number> {
  const held = `${damage} ${damage.includes(' where ') ? 'and' : 'where'} organization_id = $1 returning 1`;
  return (await owner.query(held, [organization], organization)).length;
}

test.each(damages)('the check finds a violation of "%s": %s', async (rule, damage) => {
  const shop = await createTestShop(service.context);
  const body = pickupBody(shop, {
    lineItems: ['eighth', 'half gram'].map((option, at) => ({
      productOptionId: shop.optionId(option),
      quantity: 2 + at,
    })),
    payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
  });
  const { status } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(status).toBe(201);
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(await damaged(damage, shop.organizationId)).toBeGreaterThan(0);
  const broken = await brokenRules(service.context.database, shop.organizationId);
  expect(broken).toContainEqual(expect.objectContaining({ rule }));
});

test('the check finds a difference of stock and ledger from either side', async () => {
  for (const damage of [
    'update stock_balances set on_hand = on_hand + 0.001 where product_option_id > 0',
    'delete from stock_balances where product_option_id > 0',
    'delete from stock_ledger_entries where product_option_id > 0',
  ]) {
    const shop = await createTestShop(service.context);
    expect(await damaged(damage, shop.organizationId)).toBe(4);
    expect(await brokenRules(service.context.database, shop.organizationId)).toHaveLength(4);
  }
});
