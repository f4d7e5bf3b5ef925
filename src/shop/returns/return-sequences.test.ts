import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { addCredit, addDiscount, addReward } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { type ShopSettings, type TestShop, testOrigin } from '../../../test/harness/test-shop.ts';
import type { TestStaff } from '../../../test/harness/test-staff.ts';
import { placeTrade } from '../../../test/harness/test-trade.ts';
import { setLoyaltyProgram } from '../promotions/promotions.ts';
import { type Data, returnedGoods } from './returned-goods.test-support.ts';

/** `RETURN_SEQUENCES=300 npx vitest run src/shop/returns/return-sequences` is the longer run. */
const sequenceCount = Number(process.env.RETURN_SEQUENCES ?? casesOf({ everyRun: 4, long: 8 }));

const service = await startTestService();
const { context } = service;
const { openShop, rulesBroken, sql, body, preview, takeBack, voidReturn, detail, creditsOf, pointsOf } =
  returnedGoods(service);
afterAll(() => service.close());

const taxSettings: Readonly<Record<string, ShopSettings['taxes']>> = {
  'in the price': [
    { description: 'Excise', rate: '15', included: true },
    { description: 'Sales', rate: '9.25', tier: '2', included: true, encompass: true, exemptable: true },
  ],
  'on top': [
    { description: 'City', rate: '5', excludedCategories: ['Accessories'] },
    { description: 'Excise', rate: '15', tier: '2', encompass: true, appliesToFees: true },
    { description: 'Sales', rate: '9.25', tier: '3', encompass: true, exemptable: true, rounding: 'up' },
  ],
};

const options = ['eighth', 'half gram', 'gummies', 'tray'] as const;

const order = fc.record({
  quantities: fc
    .array(fc.integer({ min: 0, max: 7 }), { minLength: 4, maxLength: 4 })
    .filter((it) => it.some(Boolean)),
  taxes: fc.constantFrom('in the price', 'on top'),
  type: fc.constantFrom('pickup', 'delivery'),
  taxExempt: fc.boolean(),
  adjustmentCents: fc.constantFrom(0, 0, -333, 77),
  creditCents: fc.constantFrom(0, 1001),
  rewards: fc.subarray(['flat', 'free-product', 'cash-back'] as const),
});

const steps = fc.array(
  fc.record({
    voids: fc.integer({ min: 0, max: 3 }).map((it) => it === 0),
    at: fc.nat(),
    quantity: fc.nat(),
    refundType: fc.constantFrom('payment-method', 'payment-method', 'store-credit', 'none'),
    inventoryAction: fc.constantFrom('inventory', 'inventory', 'waste', 'vendor'),
  }),
  { maxLength: 12 },
);

type Wish = typeof order extends fc.Arbitrary<infer Drawn> ? Drawn : never;

/** Fulfills a generated order of a customer with points and credits; resolves to the order's detail. */
async function sell(shop: TestShop, owner: TestStaff, wish: Wish): Promise<Data> {
  const { organizationId } = shop;
  const { data: first } = await placeTrade(service, shop, [['tray', 1]]);
  const customerId = first.customer.id;
  await setLoyaltyProgram(context, testOrigin, organizationId, '1.5');
  await owner.call('POST', `/staff/v1/customers/${customerId}/loyalty-adjustments`, {
    pointsAmount: 500,
    reason: 'Opening balance',
  });
  await addDiscount(context, organizationId, { kind: 'line', type: 'percent', amount: '7' });
  await addDiscount(context, organizationId, { kind: 'order', type: 'flat', amount: '401' });
  if (wish.creditCents > 0) await addCredit(context, organizationId, customerId, { cents: wish.creditCents });
  await addCredit(context, organizationId, customerId, { percent: '3' });
  const rewardId = {
    flat: () =>
      addReward(context, organizationId, { type: 'flat', pointsRequirement: '33.33', discountAmount: '250' }),
    'cash-back': () =>
      addReward(context, organizationId, {
        type: 'cash-back',
        pointsRequirement: '10',
        discountAmount: '2.5',
      }),
    'free-product': () =>
      addReward(context, organizationId, {
        type: 'free-product',
        pointsRequirement: '50',
        productOptionId: shop.optionId('gummies'),
      }),
  };
  const loyaltyRewards: { rewardId: number }[] = [];
  for (const kind of wish.rewards) {
    if (kind === 'free-product' && wish.quantities[2] === 0) continue;
    loyaltyRewards.push({ rewardId: await rewardId[kind]() });
  }
  const placed = await owner.call('POST', '/staff/v1/orders', {
    type: wish.type,
    customerId,
    lineItems: options.flatMap((option, index) =>
      wish.quantities[index]
        ? [{ productOptionId: shop.optionId(option), quantity: wish.quantities[index] }]
        : [],
    ),
    ...(wish.type === 'delivery' && {
      address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
      deliveryFee: 650,
    }),
    loyaltyRewards,
    ...(wish.adjustmentCents !== 0 && {
      adjustments: [{ amount: wish.adjustmentCents, description: 'By hand' }],
    }),
    ...(wish.taxExempt && { taxExempt: { exempt: true, reason: 'Card seen' } }),
    payments: [{ paymentTypeId: shop.paymentTypeId('Debit'), remaining: true }],
    idempotencyKey: randomUUID(),
  });
  expect(placed.error).toBeUndefined();
  const { id, status } = placed.data;
  if (status === 'draft') await owner.call('POST', `/staff/v1/orders/${id}/accept`, {});
  expect((await owner.call('POST', `/staff/v1/orders/${id}/fulfill`, {})).error).toBeUndefined();
  return detail(shop, id);
}

const sum = (rows: readonly Data[], name: string): number => rows.reduce((all, row) => all + row[name], 0);

test('any returns and voids of an order end at what was paid, and after voiding all, at the initial state', async () => {
  await fc.assert(
    fc.asyncProperty(order, steps, async (wish, sequence) => {
      const { shop, owner } = await openShop({
        taxes: taxSettings[wish.taxes]!,
        deliveryZones: [
          { name: 'Bay', patterns: ['946*'], minimumCents: 0, feeCents: 0, feeDescription: null },
        ],
      });
      const sold = await sell(shop, owner, wish);
      const accounts = async () => [await creditsOf(shop), await pointsOf(shop), await stockOf(shop)];
      const before = await accounts();
      const returned = sold.lineItems.map(() => 0) as number[];
      const kept: { id: number; line: number; quantity: number; refundType: string }[] = [];
      const undo = async (index: number) => {
        const [undone] = kept.splice(index, 1);
        expect((await voidReturn(owner, undone!.id)).error).toBeUndefined();
        returned[undone!.line]! -= undone!.quantity;
      };
      const take = async (line: number, quantity: number, refundType: string, inventoryAction: string) => {
        const request = body(shop, sold, [[line, quantity, { inventoryAction }]], {
          refundType,
          ...(refundType !== 'payment-method' && { paymentTypeId: null }),
        });
        const previewed = await preview(owner, sold.id, request);
        const then = await accounts();
        const { data, error } = await takeBack(owner, sold.id, request);
        expect([previewed.error, error]).toEqual([undefined, undefined]);
        const { lineItems, storeCredit, pointsTakenBack, pointsGivenBack, ...others } = previewed.data;
        const { pointsCharged, brokenRewards, rewardTakenBack, ...amounts } = others;
        expect([pointsCharged, rewardTakenBack, Array.isArray(brokenRewards)]).toEqual([0, 0, true]);
        expect(data).toMatchObject(amounts);
        expect(lineItems).toEqual([
          { orderLineItemId: sold.lineItems[line].id, quantity, refund: data.refundTotal },
        ]);
        expect((await creditsOf(shop)).reduce((all, cents) => all + cents, -storeCredit)).toBe(
          (then[0] as number[]).reduce((all, cents) => all + cents, 0),
        );
        expect(await pointsOf(shop)).toBeCloseTo(
          (then[1] as number) + Number(pointsGivenBack) - Number(pointsTakenBack),
          6,
        );
        expect(data.refundTotal).toBe(
          data.refundInitial +
            data.discountsTotal +
            data.creditsTotal +
            data.loyaltyTotal +
            data.adjustmentAmount +
            sum(
              data.taxes.filter((tax: Data) => tax.refunded),
              'amount',
            ),
        );
        kept.push({ id: data.id, line, quantity, refundType });
        returned[line]! += quantity;
      };
      for (const { voids, at, quantity, refundType, inventoryAction } of sequence) {
        if (voids) {
          if (kept.length > 0) await undo(at % kept.length);
          continue;
        }
        const line = at % sold.lineItems.length;
        const left = sold.lineItems[line].quantity - returned[line]!;
        if (left > 0) await take(line, 1 + (quantity % left), refundType, inventoryAction);
      }
      for (let index = kept.length - 1; index >= 0; index--) {
        if (kept[index]!.refundType === 'none') await undo(index);
      }
      for (const [line, { quantity }] of sold.lineItems.entries()) {
        if (returned[line]! < quantity)
          await take(line, quantity - returned[line]!, 'payment-method', 'inventory');
      }

      const { returns, refundTotal } = await detail(shop, sold.id);
      const valid = returns.filter(({ voidedAt }: Data) => voidedAt === null);
      expect(refundTotal).toBe(0 - sold.netPrice);
      expect(sum(valid, 'refundInitial')).toBe(
        0 - sum(sold.lineItems, 'subtotalPrice') - sum(sold.adjustments, 'amount'),
      );
      expect(sum(valid, 'discountsTotal')).toBe(
        sum([...sold.discounts, ...sold.lineItems.flatMap((line: Data) => line.discounts)], 'amountUsed'),
      );
      expect(sum(valid, 'creditsTotal')).toBe(sum(sold.credits, 'amountUsed'));
      expect(sum(valid, 'loyaltyTotal')).toBe(sum(sold.loyaltyRedemptions, 'amountUsed'));
      for (const tax of sold.taxes) {
        const shares = valid.flatMap((it: Data) => it.taxes).filter((it: Data) => it.taxId === tax.taxId);
        expect(sum(shares, 'amount')).toBe(0 - tax.amount);
      }
      // The order's earned points are removed, its redeemed points are restored.
      expect(await pointsOf(shop)).toBe(500);
      const storeCredit = sold.credits.filter(({ type }: Data) => type === 'store-credit');
      const asCredit = valid.filter(({ refundType }: Data) => refundType === 'store-credit');
      const [now] = (await accounts()) as [number[]];
      const given = (credits: number[]) => credits.reduce((all, cents) => all + cents, 0);
      expect(given(now) - given(before[0] as number[])).toBe(
        sum(storeCredit, 'amountUsed') - sum(asCredit, 'refundTotal'),
      );

      while (kept.length > 0) await undo(kept.length - 1);
      expect(await accounts()).toEqual(before);
      expect((await detail(shop, sold.id)).refundTotal).toBe(0);
      expect(await rulesBroken()).toEqual([]);
      expect(service.faults).toEqual([]);
    }),
    { numRuns: sequenceCount },
  );
}, 300_000);

/** Stock of all packages and locations. */
function stockOf(shop: TestShop) {
  return sql(
    shop,
    `select product_id, product_option_id, inventory_location_id, package_id, trim_scale(on_hand) as on_hand
       from stock_balances
      order by 1, 2, 3, 4`,
  );
}
