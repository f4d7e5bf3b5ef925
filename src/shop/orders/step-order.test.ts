import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import {
  createTestShop,
  deliveryBody,
  pickupBody,
  type TestShop,
  testOrigin,
} from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { createStaff } from '../../access/staff/staff.ts';
import type { OrderActionId } from './actions/order-actions.ts';
import type { StaffName } from './order-record.ts';
import { stepOrder } from './orders.ts';

const service = await startTestService();
let shop: TestShop;
let clerk: StaffName;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  const person = { email: 'clerk@shop.example.com', firstName: 'Cle', lastName: 'Rk' };
  const members = [{ ...person, role: 'budtender' as const, password: null }];
  const [id] = await createStaff(service.context, testOrigin, shop.organizationId, members);
  clerk = { id: id!, ...person };
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

/** A delivery (a draft) with payment in cash on arrival. */
async function draft(changes: object = {}): Promise<string> {
  const payments = [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }];
  const body = deliveryBody(shop, { payments, ...changes });
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

function step(orderId: string, action: OrderActionId, at: TestShop = shop) {
  service.clock.advance(1000);
  return stepOrder(service.context, testOrigin, at.organizationId, orderId, action, {
    staff: clerk,
    cancelationReason: 'No answer at the door',
  });
}

async function detail(id: string): Promise<TestReply['data']> {
  return (await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys })).data;
}

/** The amount of every balance. */
const shelves = () =>
  sql(
    'select package_id, product_option_id, trim_scale(on_hand) as on_hand from stock_balances order by 1, 2',
  );

test('an order that is accepted, packed and fulfilled shows each step, and keeps its stock', async () => {
  const id = await draft();
  const before = await shelves();
  const placed = await detail(id);
  await step(id, 'accept');
  const accepted = await detail(id);
  expect(accepted).toMatchObject({ status: 'new', lineItems: [{ optionMovingAverageCostPerUnit: 10 }] });
  expect(accepted.lineItems[0].fulfillAs).toMatchObject([{ optionSum: -2, quantityFulfilled: '2' }]);
  await step(id, 'pack');
  const packedAt = new Date(service.clock.now()).toISOString();
  expect(await detail(id)).toEqual({ ...accepted, status: 'packed', packedAt, updatedAt: packedAt });
  await step(id, 'unpack');
  expect(await detail(id)).toEqual({ ...accepted, updatedAt: expect.any(String) });
  await step(id, 'fulfill');
  expect(await detail(id)).toEqual({
    ...accepted,
    status: 'fulfilled',
    fulfilledAt: new Date(service.clock.now()).toISOString(),
    fulfilledBy: clerk,
    updatedAt: new Date(service.clock.now()).toISOString(),
  });
  const list = await service.call('GET', '/api/v1/orders', {
    keys: shop.keys,
    query: { fulfilledOnly: true },
  });
  expect(list.data).toEqual([await detail(id)]);
  expect(await shelves()).not.toEqual(before);
  // The amounts stay the same through every step.
  const { status, fulfilledAt, fulfilledBy, updatedAt, lineItems, ...rest } = await detail(id);
  expect(placed).toMatchObject(rest);
});

test('an order that is unaccepted or canceled returns exactly what it held, once', async () => {
  const id = await draft({
    lineItems: [
      { productOptionId: shop.optionId('eighth'), quantity: 103 },
      { productOptionId: shop.optionId('half gram'), quantity: 3 },
      { productOptionId: shop.optionId('tray'), quantity: 1 },
    ],
  });
  const placed = await detail(id);
  const before = await shelves();
  await step(id, 'accept');
  expect(await shelves()).not.toEqual(before);
  await step(id, 'unaccept');
  expect(await shelves()).toEqual(before);
  expect(await detail(id)).toEqual({ ...placed, updatedAt: expect.any(String) });
  await step(id, 'accept');
  await step(id, 'pack');
  await step(id, 'cancel');
  expect(await shelves()).toEqual(before);
  expect(await detail(id)).toMatchObject({
    status: 'canceled',
    canceledAt: new Date(service.clock.now()).toISOString(),
    cancelAdminId: clerk.id,
    cancelationReason: 'No answer at the door',
  });
  await expect(step(id, 'cancel')).rejects.toMatchObject({ code: 'INVALID_ORDER_TRANSITION' });
  expect(await shelves()).toEqual(before);
});

test('a canceled draft returns nothing: it took no stock', async () => {
  const before = await shelves();
  await step(await draft(), 'cancel');
  expect(await shelves()).toEqual(before);
});

test('an order that took stock when it was placed returns it', async () => {
  const before = await shelves();
  const { data } = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body: pickupBody(shop) });
  expect(await shelves()).not.toEqual(before);
  await step(data.id, 'cancel');
  expect(await shelves()).toEqual(before);
});

test('acceptance without enough stock is refused with OUT_OF_STOCK and changes nothing', async () => {
  const lineItems = [{ productOptionId: shop.optionId('gummies'), quantity: 10_000 }];
  const ids: string[] = [];
  for (let count = 0; count < 11; count++) ids.push(await draft({ lineItems }));
  for (const id of ids.slice(1)) await step(id, 'accept');
  const before = [await shelves(), await detail(ids[0]!)];
  await expect(step(ids[0]!, 'accept')).rejects.toMatchObject({
    code: 'OUT_OF_STOCK',
    meta: { lineItem: { productOptionId: shop.optionId('gummies'), quantity: 10_000 } },
  });
  expect([await shelves(), await detail(ids[0]!)]).toEqual(before);
  await step(ids[1]!, 'cancel');
  await step(ids[0]!, 'accept');
});

test('an order that is not paid is not fulfilled', async () => {
  const id = await draft({ payments: undefined });
  await step(id, 'accept');
  await expect(step(id, 'fulfill')).rejects.toMatchObject({ code: 'INVALID_ORDER' });
  expect((await detail(id)).status).toBe('new');
});

test.each([
  ['accept', 'accept'],
  ['accept', 'cancel'],
  ['cancel', 'cancel'],
] as const)(
  '%s and %s at once on one draft: each succeeds or is refused, and stock changes once',
  async (one, other) => {
    const before = await shelves();
    const id = await draft();
    const results = await Promise.allSettled([one, other, one, other].map((action) => step(id, action)));
    for (const result of results) {
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ code: 'INVALID_ORDER_TRANSITION' });
    }
    const steps = await sql(
      `select action from audit_entries where subject_id = '${id}' and action <> 'order.placed'`,
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(steps.length);
    for (const action of [one, other]) {
      expect(steps.filter((row) => row.action === action).length).toBeLessThanOrEqual(1);
    }
    if ((await detail(id)).status === 'canceled') expect(await shelves()).toEqual(before);
  },
);

test('many orders that are accepted, taken back and canceled at once leave the stock equal to the ledger', async () => {
  const options = ['eighth', 'gummies', 'gram', 'quarter'];
  const ids = await Promise.all(
    Array.from({ length: 24 }, (_, at) =>
      draft({
        lineItems: [...options.slice(at % 4), ...options.slice(0, at % 4)].slice(0, 3).map((option) => ({
          productOptionId: shop.optionId(option),
          quantity: 3,
        })),
      }),
    ),
  );
  const walks: OrderActionId[][] = [
    ['accept', 'unaccept', 'accept', 'cancel'],
    ['accept', 'pack', 'fulfill'],
    ['accept', 'pack', 'cancel'],
    ['cancel'],
  ];
  await Promise.all(
    ids.map(async (id, at) => {
      for (const action of walks[at % walks.length]!) await step(id, action);
    }),
  );
  const counts = await sql('select status, count(*) as count from orders group by status order by status');
  expect(counts).toEqual([
    { status: 'canceled', count: 18 },
    { status: 'fulfilled', count: 6 },
  ]);
});

test('a step neither writes nor locks what lists show of an order if it stays the same', async () => {
  const id = await draft();
  const shown = async () =>
    (
      await sql('select ctid::text as place, xmax::text as locked_by, shown_rows from order_explanations')
    )[0]!;
  const placed = await shown();
  await step(id, 'accept');
  const accepted = await shown();
  expect(accepted.shown_rows).not.toBe(placed.shown_rows);
  expect(accepted.place).not.toBe(placed.place);
  await step(id, 'pack');
  expect(await shown()).toEqual(accepted);
  await step(id, 'fulfill');
  expect((await shown()).shown_rows).toContain(clerk.lastName);
});

test('the costs of all lines are kept when their order is accepted, and go with its stock', async () => {
  await sql('update product_options set moving_average_cost_per_unit = 7.25');
  const lineItems = ['eighth', 'gummies', 'quarter'].map((option) => ({
    productOptionId: shop.optionId(option),
    quantity: 2,
  }));
  const id = await draft({ lineItems });
  const costs = () =>
    sql(
      'select trim_scale(option_moving_average_cost)::text as cost from order_line_items order by position',
    );
  expect(await costs()).toEqual(Array(3).fill({ cost: null }));
  await step(id, 'accept');
  expect(await costs()).toEqual(Array(3).fill({ cost: '7.25' }));
  const rows = () => sql('select ctid::text as place, updated_at from order_line_items order by position');
  const accepted = await rows();
  await step(id, 'pack');
  expect(await rows()).toEqual(accepted);
  await step(id, 'cancel');
  expect(await costs()).toEqual(Array(3).fill({ cost: null }));
});
