import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, deliveryBody, pickupBody, type TestShop } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';
import { orderActions } from './orders.ts';

const service = await startTestService();
let shop: TestShop;
let clerk: TestStaff;

beforeEach(async () => {
  shop = await createTestShop(service.context);
  clerk = await service.staff(shop, 'manager');
});
afterEach(async () => {
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

const cash = () => ({ payments: [{ paymentTypeId: shop.paymentTypeId('Cash'), remaining: true }] });

async function place(body: object = deliveryBody(shop, cash())): Promise<string> {
  const reply = await service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
  expect(reply.status).toBe(201);
  return reply.data.id;
}

const bodies: Readonly<Record<string, object>> = {
  ...{ accept: {}, fulfill: {}, void: { reason: 'Rung up twice' } },
  cancel: { reason: 'No answer at the door' },
  dispatch: { status: 'active', driverName: 'Tomas Reyes' },
};

function act(orderId: string, action: string, body = bodies[action], by = clerk): Promise<TestReply> {
  service.clock.advance(1000);
  return by.call('POST', `/staff/v1/orders/${orderId}/${action}`, body);
}

const stateOf = async (orderId: string) => (await clerk.call('GET', `/staff/v1/orders/${orderId}`)).data;

const sql = (text: string, ...values: string[]) =>
  tenantSql(service.context.database, shop.organizationId, text, ...values);

const shelves = () =>
  sql(
    'select package_id, product_option_id, trim_scale(on_hand) as on_hand from stock_balances order by 1, 2',
  );

/** The steps from a draft to each status. */
const ways = {
  draft: [],
  new: ['accept'],
  packed: ['accept', 'pack'],
  fulfilled: ['accept', 'fulfill'],
  canceled: ['cancel'],
} as const;
const statuses = Object.keys(ways) as (keyof typeof ways)[];

async function orderIn(status: keyof typeof ways): Promise<string> {
  const id = await place();
  for (const action of ways[status]) expect((await act(id, action)).status).toBe(200);
  return id;
}

describe.each(statuses)('an order that is %s', (status) => {
  test('takes the steps of the table (D24) and no other, as allowedActions says', async () => {
    const nextOf: Readonly<Record<string, { from: readonly string[]; to: string }>> = {
      ...Object.fromEntries(orderActions.map(({ id, from, to }) => [id, { from, to }])),
      dispatch: { from: ['new', 'packed'], to: status },
    };
    for (const [action, { from, to }] of Object.entries(nextOf)) {
      const id = await orderIn(status);
      const before = await stateOf(id);
      expect([action, before.allowedActions.includes(action)]).toEqual([action, from.includes(status)]);
      const reply = await act(id, action);
      if (from.includes(status)) {
        expect([action, reply.status, reply.data?.status]).toEqual([action, 200, to]);
        const after = await stateOf(id);
        const { change: _change, ...shown } = reply.data;
        expect(shown).toEqual(after);
      } else {
        expect([action, reply.status, reply.error]).toEqual([
          action,
          409,
          { code: 'INVALID_ORDER_TRANSITION', message: expect.any(String), meta: { status, action } },
        ]);
        expect(await stateOf(id)).toEqual(before);
      }
    }
  });
});

test('of two staff who act on one order at once, one succeeds and the other gets the new status', async () => {
  for (const [first, second] of [
    ['pack', 'unaccept'],
    ['cancel', 'fulfill'],
    ['cancel', 'cancel'],
    ['fulfill', 'unaccept'],
  ] as const) {
    const id = await orderIn('new');
    const other = await service.staff(shop, 'manager');
    const replies = await Promise.all([act(id, first), act(id, second, bodies[second], other)]);
    const { status } = await stateOf(id);
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
    const loser = replies.find((reply) => reply.status === 409);
    expect(loser?.error).toMatchObject({ code: 'INVALID_ORDER_TRANSITION', meta: { status } });
    expect(replies.find((reply) => reply.status === 200)?.data.status).toBe(status);
  }
});

test('two acceptances of the same draft take its stock once', async () => {
  const id = await place();
  const before = await shelves();
  const replies = await Promise.all([act(id, 'accept'), act(id, 'accept')]);
  expect(replies.map((reply) => reply.status).sort()).toEqual([200, 409]);
  await act(id, 'cancel');
  expect(await shelves()).toEqual(before);
});

test('shows who packed, fulfilled and canceled it', async () => {
  const packed = await act(await orderIn('new'), 'pack');
  const name = { id: clerk.staffId, email: clerk.email, firstName: 'Robin', lastName: 'Castellan' };
  expect(packed.data).toMatchObject({ packedBy: name, canceledBy: {}, fulfilledBy: {} });
  expect((await act(packed.data.id, 'fulfill')).data).toMatchObject({ fulfilledBy: name });
  const canceled = await act(await place(), 'cancel');
  expect(canceled.data).toMatchObject({
    canceledBy: name,
    cancelAdminId: clerk.staffId,
    cancelationReason: 'No answer at the door',
    packedBy: {},
  });
});

describe('accepting', () => {
  test('from a location takes stock from there only', async () => {
    const id = await place(
      deliveryBody(shop, {
        lineItems: [{ productOptionId: shop.optionId('quarter'), quantity: 1 }],
      }),
    );
    const before = await stateOf(id);
    const short = await act(id, 'accept', { inventoryLocationId: shop.locationId('Storefront') });
    expect([short.status, short.error?.code]).toEqual([409, 'OUT_OF_STOCK']);
    const nowhere = await act(id, 'accept', { inventoryLocationId: 999 });
    expect([nowhere.status, nowhere.error?.code]).toEqual([404, 'INVENTORY_LOCATION_NOT_FOUND']);
    expect(await stateOf(id)).toEqual(before);
    const served = await act(id, 'accept', { inventoryLocationId: shop.locationId('Vault') });
    expect(served.data.status).toBe('new');
  });

  test('serves a line from several packages, oldest first, with the costs at that time', async () => {
    const lineItems = [{ productOptionId: shop.optionId('eighth'), quantity: 103 }];
    const { data } = await act(await place(deliveryBody(shop, { lineItems })), 'accept');
    const [line] = data.lineItems;
    expect(line.fulfillAs).toEqual([
      {
        pkg: { unit: 'Each', label: '1A4FF0000000000000000001', costPerUnit: '10' },
        optionSum: -100,
        productOptionId: shop.optionId('eighth'),
        quantityFulfilled: '100',
      },
      {
        pkg: { unit: 'Each', label: '1A4FF0000000000000000002', costPerUnit: '10' },
        optionSum: -3,
        productOptionId: shop.optionId('eighth'),
        quantityFulfilled: '3',
      },
    ]);
    expect(line).toMatchObject({ packageLineCost: 1030, optionMovingAverageCostPerUnit: 10 });
  });
});

describe('handing over', () => {
  test('needs payments', async () => {
    const id = await place(pickupBody(shop));
    const refused = await act(id, 'fulfill');
    expect([refused.status, refused.error?.code]).toEqual([422, 'INVALID_ORDER']);
    expect(refused.error?.message).toContain('payments');
    expect((await stateOf(id)).status).toBe('new');
  });

  test('takes several payments with their fees, and gives change for cash', async () => {
    const id = await place();
    const { netPrice, deliveryFee } = await stateOf(id);
    await act(id, 'accept');
    const due = netPrice + deliveryFee;
    const { data } = await act(id, 'fulfill', {
      payments: [
        { paymentTypeId: shop.paymentTypeId('Debit'), amount: 1000 },
        { paymentTypeId: shop.paymentTypeId('Bank'), amount: 2001 },
        { paymentTypeId: shop.paymentTypeId('Cash'), amount: due - 3001, tendered: 20_000 },
      ],
    });
    expect(data.payments).toMatchObject([
      { name: 'Debit', amount: 1000, fee: 350, feeAmount: 350, finalAmount: 1350, tendered: null },
      { name: 'Bank', amount: 2001, feePercent: '1.25', feeAmount: 25, finalAmount: 2026 },
      { name: 'Cash', amount: due - 3001, feeAmount: 0, finalAmount: due - 3001, tendered: 20_000 },
    ]);
    expect(data).toMatchObject({
      status: 'fulfilled',
      netPrice,
      customerGrandTotal: due + 375,
      change: 20_000 - (due - 3001),
    });
  });

  test('refuses too little, too much and unknown payment types, and changes nothing', async () => {
    const id = await place();
    await act(id, 'accept');
    const before = await stateOf(id);
    const due = before.netPrice + before.deliveryFee;
    const pay = (...payments: readonly object[]) => act(id, 'fulfill', { payments });
    const [paymentTypeId, bank] = [shop.paymentTypeId('Cash'), shop.paymentTypeId('Bank')];
    for (const [reply, code, said] of [
      [await pay({ paymentTypeId, amount: due - 1 }), 'INVALID_ORDER', `${due}`],
      [await pay({ paymentTypeId, amount: due + 1 }), 'INVALID_ORDER', `${due}`],
      [await pay(), 'INVALID_ORDER', 'payments'],
      [await pay({ paymentTypeId, amount: due, tendered: due - 1 }), 'INVALID_ORDER', 'tendered'],
      [await pay({ paymentTypeId: bank, amount: due, tendered: due }), 'INVALID_ORDER', 'tendered'],
      [await pay({ paymentTypeId: 999, amount: due }), 'PAYMENT_TYPE_NOT_FOUND', 'payments[0]'],
      [
        await pay({ paymentTypeId: shop.paymentTypeId('Gift card'), amount: due }),
        'INVALID_ORDER',
        'delivery',
      ],
    ] as const) {
      expect([reply.error?.code, reply.error?.message]).toEqual([code, expect.stringContaining(said)]);
    }
    expect(await stateOf(id)).toEqual(before);
  });
});

describe('an unknown reference is reported before a status that does not allow the action (D13)', () => {
  const unknownId = 999_999_999;
  const refusalOf = ({ status, error }: TestReply) => [status, error?.code, error?.message];
  const said = (name: string) => expect.stringContaining(name);

  test('of a step', async () => {
    const id = await orderIn('canceled');
    expect(refusalOf(await act(id, 'accept', { inventoryLocationId: unknownId }))).toEqual([
      404,
      'INVENTORY_LOCATION_NOT_FOUND',
      said('inventoryLocationId'),
    ]);
    const cash = { paymentTypeId: shop.paymentTypeId('Cash'), amount: 1 };
    const unknown = { paymentTypeId: unknownId, amount: 1 };
    expect(refusalOf(await act(id, 'fulfill', { payments: [cash, unknown] }))).toEqual([
      404,
      'PAYMENT_TYPE_NOT_FOUND',
      said('payments[1].paymentTypeId'),
    ]);
    expect(refusalOf(await act(id, 'fulfill', { payments: [cash] }))).toEqual([
      422,
      'INVALID_ORDER',
      said('payments'),
    ]);
    for (const [action, body] of [
      ['accept', { inventoryLocationId: shop.locationId('Storefront') }],
      ['fulfill', {}],
    ] as const) {
      expect(refusalOf(await act(id, action, body)).slice(0, 2)).toEqual([409, 'INVALID_ORDER_TRANSITION']);
    }
  });

  test('of an edit', async () => {
    const id = await orderIn('canceled');
    const edit = async (change: object) =>
      refusalOf(await clerk.call('PATCH', `/staff/v1/orders/${id}`, change));
    const line = (productOptionId: number) => ({ lineItems: [{ productOptionId, quantity: 1 }] });
    const payments = [{ paymentTypeId: unknownId, remaining: true }];
    expect(await edit({ ...line(unknownId), payments })).toEqual([
      404,
      'PRODUCT_OPTION_NOT_FOUND',
      said('lineItems[0].productOptionId'),
    ]);
    expect(await edit({ payments })).toEqual([
      404,
      'PAYMENT_TYPE_NOT_FOUND',
      said('payments[0].paymentTypeId'),
    ]);
    expect(await edit({ discountIds: [unknownId] })).toEqual([
      404,
      'DISCOUNT_NOT_FOUND',
      said('discountIds[0]'),
    ]);
    for (const change of [
      line(shop.optionId('eighth')),
      { discountIds: [] },
      { internalNotes: 'Call' },
      {},
    ]) {
      expect((await edit(change)).slice(0, 2)).toEqual([409, 'INVALID_ORDER_TRANSITION']);
    }
  });

  test('of a return', async () => {
    const id = await orderIn('new');
    const { lineItems } = await stateOf(id);
    const take = async (changes: object, line: object = {}) =>
      refusalOf(
        await clerk.call('POST', `/staff/v1/orders/${id}/returns`, {
          refundType: 'payment-method',
          paymentTypeId: shop.paymentTypeId('Cash'),
          lineItems: [
            {
              orderLineItemId: lineItems[0].id,
              quantity: 1,
              type: 'return',
              inventoryAction: 'inventory',
              reason: 'Torn',
              ...line,
            },
          ],
          ...changes,
        }),
      );
    const strange = { orderLineItemId: unknownId };
    expect(await take({ paymentTypeId: unknownId }, strange)).toEqual([
      400,
      'INVALID_PARAMS',
      said('lineItems[0].orderLineItemId'),
    ]);
    expect(await take({ refundType: 'none' })).toEqual([400, 'INVALID_PARAMS', said('paymentTypeId')]);
    expect(
      await take({
        refundType: 'none',
        paymentTypeId: null,
        adjustmentAmount: -5,
        adjustmentDescription: 'Fees',
      }),
    ).toEqual([400, 'INVALID_PARAMS', said('adjustmentAmount')]);
    expect(await take({ paymentTypeId: unknownId })).toEqual([
      404,
      'PAYMENT_TYPE_NOT_FOUND',
      'There is no such payment type.',
    ]);
    expect((await take({})).slice(0, 2)).toEqual([409, 'INVALID_ORDER_TRANSITION']);
  });
});

describe('dispatching', () => {
  test('keeps absent fields, and shows when it was completed', async () => {
    const id = await orderIn('packed');
    const first = await act(id, 'dispatch', {
      status: 'assigned',
      driverName: 'Tomas Reyes',
      trackingUrl: 'https://track.example.com/t/81',
      estimatedArrivalAt: '2026-03-10T19:30:00.000Z',
    });
    expect(first.data).toMatchObject({
      status: 'packed',
      dispatchTask: {
        status: 'assigned',
        driverName: 'Tomas Reyes',
        trackingUrl: 'https://track.example.com/t/81',
        estimatedArrivalAt: '2026-03-10T19:30:00.000Z',
        completedAt: null,
      },
    });
    const { data } = await act(id, 'dispatch', { status: 'completed', estimatedArrivalAt: null });
    expect(data.dispatchTask).toEqual({
      ...first.data.dispatchTask,
      status: 'completed',
      estimatedArrivalAt: null,
      completedAt: new Date(service.clock.now()).toISOString(),
    });
    expect(data.allowedActions).toContain('fulfill');
    const handedOver = await act(id, 'fulfill');
    expect(handedOver.data).toMatchObject({ status: 'fulfilled', dispatchTask: data.dispatchTask });
    const shown = await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys });
    expect(shown.data.dispatchTask).toEqual(data.dispatchTask);
  });

  test.each([
    ['fulfill', 'completed'],
    ['cancel', 'failed'],
  ] as const)('ends with its order: %s leaves an open task %s', async (action, status) => {
    for (const open of ['unassigned', 'assigned', 'active']) {
      const id = await orderIn('packed');
      const { data } = await act(id, 'dispatch', { status: open, driverName: 'Tomas Reyes' });
      service.clock.advance(1000);
      const ended = await act(id, action);
      const completedAt = status === 'completed' ? new Date(service.clock.now()).toISOString() : null;
      expect(ended.data.dispatchTask).toEqual({ ...data.dispatchTask, status, completedAt });
      const { data: shown } = await service.call('GET', `/api/v1/orders/${id}/detail`, { keys: shop.keys });
      expect(shown.dispatchTask).toEqual(ended.data.dispatchTask);
      expect(await sql('select status from order_dispatch_tasks where order_id = $1', id)).toEqual([
        { status },
      ]);
      const told = await sql(
        'select type, payload from outbox_events where subject_id = $1 order by id desc limit 2',
        id,
      );
      expect(told).toEqual([
        {
          type: `order.${ended.data.status}`,
          payload: expect.objectContaining({ orderId: id, status: ended.data.status }),
        },
        { type: 'order.dispatched', payload: { orderId: id, status: 'packed', dispatchStatus: status } },
      ]);
    }
  });

  test('stays as it ended, also when a failed delivery is fulfilled later', async () => {
    const id = await orderIn('packed');
    const { data } = await act(id, 'dispatch', { status: 'failed' });
    expect((await act(id, 'fulfill')).data.dispatchTask).toEqual(data.dispatchTask);
  });

  test('is for deliveries, and accepts only https addresses', async () => {
    const pickup = await act(await place(pickupBody(shop)), 'dispatch');
    expect([pickup.status, pickup.error?.code]).toEqual([422, 'INVALID_ORDER']);
    const id = await orderIn('new');
    for (const trackingUrl of ['http://track.example.com', 'javascript:alert(1)', 'track me']) {
      const reply = await act(id, 'dispatch', { status: 'active', trackingUrl });
      expect([reply.status, reply.error?.code]).toEqual([400, 'INVALID_PARAMS']);
    }
    expect((await stateOf(id)).dispatchTask).toBeNull();
  });
});

describe('the list', () => {
  const list = async (query: Record<string, string>) => {
    const reply = await clerk.call('GET', '/staff/v1/orders', undefined, { query });
    expect(reply.status).toBe(200);
    return reply.data.map(({ id }: { id: string }) => id);
  };

  test('is newest first, by status and type, page by page', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 52; count++) {
      ids.unshift(await place(count % 2 === 0 ? pickupBody(shop) : deliveryBody(shop)));
      // Most share their time with others; the two oldest do not.
      if (count % 3 === 0 || count === 1) service.clock.advance(1000);
    }
    const pages = [await list({}), await list({ startingAfter: (await list({})).at(-1) })];
    expect(pages.map((page) => page.length)).toEqual([50, 2]);
    expect([...pages.flat()].sort()).toEqual([...ids].sort());
    const drafts = await list({ status: 'draft' });
    expect(drafts).toHaveLength(26);
    expect(await list({ type: 'delivery' })).toEqual(drafts);
    expect(await list({ type: 'pickup', status: 'draft' })).toEqual([]);
    expect(await list({ status: 'new', startingAfter: drafts.at(-1) })).toHaveLength(1);
    const lost = await clerk.call('GET', '/staff/v1/orders', undefined, {
      query: { startingAfter: '019a0000-0000-7000-8000-000000000000' },
    });
    expect([lost.status, lost.error?.code]).toEqual([400, 'INVALID_CURSOR']);
  });

  test('finds an order by number, id, email, phone and names of the customer', async () => {
    const customer = { firstName: 'Ana', lastName: 'de la Cruz', phone: '(510) 555-0177' };
    const id = await place(
      pickupBody(shop, { customer: { ...customer, email: 'Ana.DLC@mail.example.com' } }),
    );
    await place();
    const { number } = await stateOf(id);
    for (const search of [
      String(number),
      id,
      'ana.dlc@',
      '510 555 0177',
      '+15105550177',
      'Ana',
      'de la',
      'ana de la cr',
      // Names are compared by their letters alone.
      'an_',
    ]) {
      expect([search, await list({ search })]).toEqual([search, [id]]);
    }
    for (const search of ['unknown', '%%', 'a%a', 'a_a', '999', 'ana okafor']) {
      expect([search, await list({ search })]).toEqual([search, []]);
    }
    expect(await list({ search: 'ana', status: 'draft' })).toEqual([]);
    expect(await list({ search: 'ana', status: 'new', type: 'pickup' })).toEqual([id]);
    const walkIn = await clerk.call('POST', '/staff/v1/orders', {
      type: 'in-store',
      lineItems: [{ productOptionId: shop.optionId('tray'), quantity: 1 }],
      customerName: 'Zoë Lund',
      idempotencyKey: randomUUID(),
    });
    for (const search of ['zoe', 'Zoë L', `#${walkIn.data.number}`]) {
      expect([search, await list({ search })]).toEqual([search, [walkIn.data.id]]);
    }
    expect(await list({ search: 'Lund' })).toEqual([]);
    const short = await clerk.call('GET', '/staff/v1/orders', undefined, { query: { search: ' a' } });
    expect([short.status, short.error?.code]).toEqual([400, 'INVALID_PARAMS']);
  });
});

test('inventory staff see no orders', async () => {
  const stocker = await service.staff(shop, 'inventory');
  const reply = await stocker.call('GET', '/staff/v1/orders');
  expect([reply.status, reply.error?.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS']);
});
