import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addDiscount, type TestDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import type { UsedDiscount } from '../pricing/priced-cart.ts';
import type { OfflineTerms } from './offline-terms.ts';
import { type OfflinePrice, priceOffline } from './price-offline.ts';

const service = await startTestService();
afterAll(() => service.close());

// With limits, and with taxes of each sort.
const shop = await createTestShop(service.context, {
  state: 'CA',
  taxes: [
    { description: 'City', rate: '5', tier: '1' },
    { description: 'Local', rate: '8.875', tier: '1', included: true },
    {
      ...{
        description: 'Excise',
        rate: '15',
        tier: '2',
        type: 'excise',
        encompass: true,
        appliesToFees: true,
      },
      excludedCategories: ['Accessories'],
    },
    { description: 'Sales', rate: '9.25', tier: '3', encompass: true, exemptable: true, rounding: 'up' },
  ],
});
const owner = await service.staff(shop);
const { data: register } = await owner.call('POST', '/staff/v1/registers', {
  name: 'Counter',
  inventoryLocationId: shop.locationId('Storefront'),
});
await owner.call('PUT', '/staff/v1/offline-sale-settings', {
  shop: { isOn: true, hoursMax: 4, saleMax: 50_000, outageMax: 60_000 },
  locations: [],
});
await owner.call('PATCH', `/staff/v1/products/${shop.productId('Counter Jar')}`, { weightTolerance: '0.05' });
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);
const [tag] = await sql(`select id from tags where name = 'Staff pick'`);

const targets = [
  {},
  { categoryIds: [shop.categoryId('Flower')] },
  { optionIds: [shop.optionId('gummies'), shop.optionId('tray')] },
  { tagIds: [tag!.id] },
  { productIds: [shop.productId('Counter Jar')] },
];
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });
const amounts = fc.oneof(
  fc.integer({ min: 0, max: 4000 }).map((flat) => ({ type: 'flat' as const, amount: String(flat) })),
  fc
    .constantFrom('5', '10', '12.5', '33.333333', '99.5', '100')
    .map((amount) => ({ type: 'percent' as const, amount })),
);
/** Some ask for what a register does not know, so that the terms leave them out and a customer at the counter does not have them. */
const discount = fc
  .record({
    kind: fc.constantFrom<TestDiscount['kind']>('line', 'product', 'buy-x-get-y', 'bundle', 'order'),
    amount: amounts,
    perUnit: fc.boolean(),
    maximumAmountCents: maybe(fc.integer({ min: 0, max: 3000 })),
    targets: fc.constantFrom(...targets),
    minimumSubtotalCents: maybe(fc.integer({ min: 0, max: 20_000 })),
    minimumQuantity: maybe(fc.integer({ min: 1, max: 8 })),
    countsWholeCart: fc.boolean(),
    excludeSaleItems: fc.boolean(),
    customerType: maybe(fc.constantFrom('medical' as const, 'adult-use' as const)),
    orderTypes: fc.subarray(['delivery', 'in-store'] as const),
    firstOrder: fc.constantFrom(true, false, false, false),
    stackable: fc.boolean(),
    priority: fc.integer({ min: 0, max: 2 }),
    usesPerOrder: maybe(fc.integer({ min: 1, max: 3 })),
    trigger: fc.constantFrom<'automatic' | 'manual'>('automatic', 'automatic', 'manual'),
    schedule: fc.constantFrom(
      [],
      [],
      [{ days: [1, 2, 3, 4, 5, 6, 7], fromMinute: 0, toMinute: 720 }],
      [{ days: [1, 2, 3], fromMinute: 0, toMinute: 1440 }],
    ),
    groups: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 })),
  })
  .map(({ amount, groups, kind, ...rest }): TestDiscount => {
    const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    const counts = kind === 'buy-x-get-y' ? { buyQuantity: groups[0], getQuantity: groups[1] } : {};
    if (kind === 'bundle')
      return { ...settings, type: 'flat', amount: '2500', bundleQuantity: groups[0], kind };
    return { ...settings, ...amount, ...counts, kind };
  });
interface Cart {
  /** Jars of grams are weighed out: so many eighths of a gram. */
  readonly weighs: boolean;
  readonly lines: [option: string, quantity: number][];
  readonly payment: string;
  readonly givesAll: boolean;
}
const cart: fc.Arbitrary<Cart> = fc.record({
  weighs: fc.boolean(),
  lines: fc.uniqueArray(
    fc.tuple(
      fc.constantFrom('eighth', 'quarter', 'gram', 'half gram', 'gummies', 'tray'),
      fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 400 })),
    ),
    { minLength: 1, maxLength: 6, selector: ([option]) => option },
  ),
  payment: fc.constantFrom('Cash', 'Debit', 'Gift card'),
  givesAll: fc.boolean(),
});
const settings = fc.record({
  discounts: fc.array(discount, { maxLength: 4 }),
  maximumPercent: fc.constantFrom(null, null, '10', '50'),
  floorCents: fc.constantFrom(null, 1, 500),
  feeCents: fc.constantFrom(0, 350),
  /** From the start on: discounts have hours. */
  minutes: fc.nat({ max: 600 }),
  carts: fc.array(cart, { minLength: 4, maxLength: 4 }),
});
const start = service.clock.now();

/** A reduction, a fee, more than the limit, and a discount that is refused: random carts of a short run may miss one of them. */
const everyCase = {
  discounts: [
    { kind: 'line', type: 'percent', amount: '10' },
    { kind: 'order', type: 'flat', amount: '100', minimumSubtotalCents: 20_000, trigger: 'manual' },
  ] satisfies TestDiscount[],
  ...{ maximumPercent: null, floorCents: null, feeCents: 350 as const, minutes: 0 },
  carts: [
    { weighs: false, lines: [['gummies', 1]], payment: 'Debit', givesAll: true },
    { weighs: false, lines: [['eighth', 400]], payment: 'Cash', givesAll: false },
    { weighs: true, lines: [['gram', 29]], payment: 'Cash', givesAll: false },
  ] satisfies Cart[],
};

/** What both say of a cart, in the words of the preview. */
function amountsOf({ priced, purchaseLimits }: OfflinePrice) {
  const used = ({ id, amountUsedCents }: UsedDiscount) => ({ id, amountUsed: amountUsedCents });
  return {
    lineItems: priced.lines.map((line) => ({
      ...{ productOptionId: line.productOptionId, quantity: line.quantity, unitPrice: line.unitPriceCents },
      ...{ finalPrice: line.finalPriceCents, discounts: line.discounts.map(used) },
    })),
    discounts: priced.discounts.map(used),
    taxes: priced.taxes.map(({ id, amountCents }) => ({ id, amount: amountCents })),
    paymentFees: priced.payments.reduce((sum, { feeAmountCents }) => sum + feeAmountCents, 0),
    customerGrandTotal: priced.customerGrandTotalCents,
    purchaseLimits: purchaseLimits.limits.map(({ name, used, exceeded }) => ({ name, used, exceeded })),
  };
}

test('a register prices every cart as the service does, to the cent', async () => {
  const seen = { discounted: 0, withFee: 0, overLimit: 0, refused: 0, weighed: 0 };
  await fc.assert(
    fc.asyncProperty(
      settings,
      async ({ discounts, maximumPercent, floorCents, feeCents, minutes, carts }) => {
        await sql(`update organizations set maximum_discount_percent = ${maximumPercent},
                   free_product_floor_cents = ${floorCents}`);
        await sql(`update payment_types set fee_cents = ${feeCents} where name = 'Debit'`);
        await sql('delete from discounts');
        const manualIds: number[] = [];
        for (const terms of discounts) {
          const id = await addDiscount(service.context, shop.organizationId, terms);
          if (terms.trigger === 'manual' && !terms.firstOrder) manualIds.push(id);
        }
        service.clock.set(start + minutes * 60_000);
        const { data } = await owner.call('GET', `/staff/v1/registers/${register.id}/offline-terms`);
        const terms = JSON.parse(data.terms) as OfflineTerms;
        for (const { weighs, lines, payment, givesAll } of carts) {
          const lineItems = lines.map(([option, quantity]) => ({
            productOptionId: shop.optionId(option),
            ...(weighs && option === 'gram'
              ? { quantity: 1, weight: (Math.ceil(quantity * 12.5) / 100).toFixed(2) }
              : { quantity }),
          }));
          const discountIds = givesAll ? manualIds : [];
          const paymentTypeId = shop.paymentTypeId(payment);
          const preview = await owner.call('POST', '/staff/v1/orders/pricing', {
            ...{ type: 'in-store', lineItems, discountIds, payments: [{ paymentTypeId, remaining: true }] },
          });
          const offline = priceOffline(
            terms,
            {
              ...{ lines: lineItems, discountIds, audience: 'adult-use', birthday: null },
              payments: [{ paymentTypeId, amountCents: 'remaining' }],
            },
            service.clock.now(),
          );
          if (preview.error) {
            expect(offline.priced.discountRefusals.length, JSON.stringify(preview.error)).toBeGreaterThan(0);
            seen.refused += 1;
            continue;
          }
          expect(preview.data).toMatchObject(amountsOf(offline));
          if (lineItems.some((line) => 'weight' in line)) seen.weighed += 1;
          if (preview.data.discountsTotal > 0) seen.discounted += 1;
          if (preview.data.paymentFees > 0) seen.withFee += 1;
          if (offline.purchaseLimits.overages.length > 0) seen.overLimit += 1;
        }
      },
    ),
    { numRuns: casesOf({ everyRun: 15, long: 2_500 }), examples: [[everyCase]] },
  );
  for (const [what, count] of Object.entries(seen)) expect([what, count > 0]).toEqual([what, true]);
  expect(service.faults).toEqual([]);
}, 1_200_000);
