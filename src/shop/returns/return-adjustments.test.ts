import { afterAll, afterEach, expect, test } from 'vitest';
import { startTestService } from '../../../test/harness/test-service.ts';
import { returnedGoods } from './returned-goods.test-support.ts';

const service = await startTestService();
const { openShop, rulesBroken, sell, body, takeBack, preview, detail } = returnedGoods(service);
afterEach(async () => {
  expect(await rulesBroken()).toEqual([]);
  expect(service.faults).toEqual([]);
});
afterAll(() => service.close());

test('a return can refund fees by adjustment, and no cent more', async () => {
  const { shop, owner } = await openShop();
  const payments = [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }];
  const order = await sell(shop, [['eighth', 2]], { payments });
  const first = await takeBack(
    owner,
    order.id,
    body(shop, order, [[0, 1]], { adjustmentAmount: -350, adjustmentDescription: 'Fees' }),
  );
  expect(first.data.refundTotal).toBe(-3850);
  const last = body(shop, order, [[0, 1]], { adjustmentAmount: -1, adjustmentDescription: 'Fees' });
  expect((await takeBack(owner, order.id, last)).error?.message).toContain(
    'adjustmentAmount must be at least 0',
  );
  await takeBack(owner, order.id, { ...last, adjustmentAmount: null });
  expect((await detail(shop, order.id)).refundTotal).toBe(-order.customerGrandTotal);
});

test('a budtender can refund each fee once beyond the goods, and gives no credit that way', async () => {
  const { shop, owner } = await openShop();
  const budtender = await service.staff(shop, 'budtender');
  const payments = [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }];
  const order = await sell(shop, [['eighth', 3]], { payments });
  const request = (cents: number) =>
    body(shop, order, [[0, 1]], { adjustmentAmount: cents, adjustmentDescription: 'Payment fee' });
  const outcome = async (cents: number) => {
    const { status, error } = await takeBack(budtender, order.id, request(cents));
    const previewed = await preview(budtender, order.id, request(cents));
    if (error !== undefined) expect(previewed.error).toEqual(error);
    return `${status} ${error?.code ?? ''}`;
  };
  expect(await outcome(-351)).toBe('403 INSUFFICIENT_PERMISSIONS');
  expect(await outcome(-200)).toBe('201 ');
  expect(await outcome(-151)).toBe('403 INSUFFICIENT_PERMISSIONS');
  expect((await takeBack(owner, order.id, request(-151))).status).toBe(201);
  expect(await outcome(-1)).toBe('403 INSUFFICIENT_PERMISSIONS');
  expect(await outcome(100)).toBe('201 ');
});

test("a return of more or less than the goods' share needs a reason", async () => {
  const { shop, owner } = await openShop();
  const order = await sell(shop, [['eighth', 1]]);
  for (const adjustmentDescription of [undefined, null, '', '  ']) {
    const request = body(shop, order, [[0, 1]], { adjustmentAmount: 100, adjustmentDescription });
    const { status, error } = await takeBack(owner, order.id, request);
    expect([status, error?.code]).toEqual([400, 'MISSING_PARAMS']);
    expect(error?.message).toContain('adjustmentDescription');
  }
  expect((await takeBack(owner, order.id, body(shop, order, [[0, 1]]))).status).toBe(201);
});
