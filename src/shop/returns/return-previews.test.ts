import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, expect, test } from 'vitest';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { placeTrade } from '../../../test/harness/test-trade.ts';
import { openWitness } from '../../../test/harness/witness.ts';
import { returnedGoods } from './returned-goods.test-support.ts';

/* Every step of return-sequences.test.ts proves that a preview equals the return, to the cent. */

const service = await startOwnTestService();
const witness = await openWitness(service.database);
const { openShop, sql, sell, body, preview, takeBack } = returnedGoods(service);
afterEach(() => expect(service.faults).toEqual([]));
afterAll(async () => {
  await witness.end();
  await service.close();
});

test("a preview shows each line's refund and the adjustment's effect, needs no reason and writes nothing", async () => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [
    ['eighth', 2],
    ['tray', 1],
  ]);
  const request = body(
    shop,
    order,
    [
      [0, 1, { reason: undefined, type: undefined }],
      [1, 1],
    ],
    { adjustmentAmount: 100 },
  );
  const before = await witness.contents(shop.organizationId);
  const { status, data } = await preview(owner, order.id, request);
  expect([status, data]).toEqual([
    200,
    {
      refundType: 'payment-method',
      refundInitial: -4750,
      refundTotal: -4650,
      creditsTotal: 0,
      discountsTotal: 0,
      loyaltyTotal: 0,
      adjustmentAmount: 100,
      lineItems: [
        { orderLineItemId: order.lineItems[0].id, quantity: 1, refund: -3500 },
        { orderLineItemId: order.lineItems[1].id, quantity: 1, refund: -1250 },
      ],
      taxes: [],
      storeCredit: 0,
      pointsTakenBack: '0',
      pointsGivenBack: '0',
      ...{ pointsCharged: 0, brokenRewards: [], rewardTakenBack: 0, cashRounding: 0 },
    },
  ]);
  expect(await witness.contents(shop.organizationId)).toEqual(before);
});

test('a preview is refused with the same message as the return', async () => {
  const { shop, owner } = await openShop();
  const { shop: other } = await openShop();
  const order = await sell(shop, [['eighth', 2]]);
  const vaulted = await sell(shop, [['quarter', 1]]);
  await sql(shop, `update inventory_locations set archived_at = now() where name = 'Vault'`);
  const { data: draft } = await placeTrade(service, shop, [['eighth', 1]]);
  const one = [[0, 1]] as const;
  const none = { refundType: 'none', paymentTypeId: null };
  const asked = [
    [order.id, body(shop, order, one, { paymentTypeId: undefined }), 'MISSING_PARAMS'],
    [
      order.id,
      body(shop, order, one, { paymentTypeId: other.paymentTypeId('Cash') }),
      'PAYMENT_TYPE_NOT_FOUND',
    ],
    [
      order.id,
      body(shop, order, one, { ...none, adjustmentAmount: -1, adjustmentDescription: 'Fees' }),
      'INVALID_PARAMS',
    ],
    [
      order.id,
      body(shop, order, one, { adjustmentAmount: 3501, adjustmentDescription: 'Fees' }),
      'INVALID_PARAMS',
    ],
    [
      order.id,
      body(shop, order, one, { adjustmentAmount: -3501, adjustmentDescription: 'Fees' }),
      'INVALID_PARAMS',
    ],
    [order.id, body(shop, order, [[0, 1, { orderLineItemId: 1 }]]), 'INVALID_PARAMS'],
    [order.id, body(shop, order, [[0, 3]]), 'RETURN_QUANTITY_EXCEEDED'],
    [order.id, body(shop, order, [[0, 0]]), 'INVALID_ORDER_QUANTITY'],
    [vaulted.id, body(shop, vaulted, one), 'INVALID_PARAMS'],
    [draft.id, body(shop, draft, one), 'INVALID_ORDER_TRANSITION'],
    [randomUUID(), body(shop, order, one), 'ORDER_NOT_FOUND'],
  ] as const;
  for (const [orderId, request, code] of asked) {
    const previewed = await preview(owner, orderId, request);
    const refused = await takeBack(owner, orderId, request);
    expect([refused.error?.code, previewed.status, previewed.error]).toEqual([
      code,
      refused.status,
      refused.error,
    ]);
  }
});
