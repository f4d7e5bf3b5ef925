import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { casesOf } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { addCredit, addDiscount, type TestDiscount } from '../../../test/harness/test-promotions.ts';
import { startTestService } from '../../../test/harness/test-service.ts';
import { openPlainShop, placeTrade, trade, tradeBody } from '../../../test/harness/test-trade.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
afterAll(() => service.close());

const shop = await openPlainShop(service, {
  medicalTaxExempt: true,
  deliveryZones: [],
  taxes: [
    { description: 'City', rate: '5', tier: '1' },
    {
      description: 'Excise',
      rate: '15',
      tier: '2',
      encompass: true,
      appliesToFees: true,
      excludedCategories: ['Accessories'],
    },
    { description: 'Sales', rate: '9.25', tier: '3', encompass: true, exemptable: true, rounding: 'up' },
  ],
});
const sql = (text: string) => tenantSql(service.context.database, shop.organizationId, text);

const [tag] = await sql(`select id from tags where name = 'Staff pick'`);
const known = { firstName: 'Kno', lastName: 'Wn', email: 'known@customers.example.com' };
const knownId: number = (await placeTrade(service, shop, [['tray', 1]], { customer: known })).data.customer
  .id;
await sql(`update customers set medical_expiration = '2030-01-01', birthday = '1980-03-05'`);

const targets = [
  {},
  { categoryIds: [shop.categoryId('Flower')] },
  { optionIds: [shop.optionId('gummies'), shop.optionId('tray')] },
  { tagIds: [tag!.id] },
  { productIds: [shop.productId('Counter Jar')] },
];

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 3 });

const discount = fc
  .record({
    kind: fc.constantFrom('line', 'product', 'buy-x-get-y', 'bundle', 'order' as const),
    amount: fc.oneof(
      fc.record({
        type: fc.constant('flat' as const),
        amount: fc.integer({ min: 0, max: 4000 }).map(String),
      }),
      fc.record({
        type: fc.constant('percent' as const),
        amount: fc.constantFrom('5', '10', '12.5', '33.333333', '99.5', '100'),
      }),
    ),
    perUnit: fc.boolean(),
    maximumAmountCents: maybe(fc.integer({ min: 0, max: 3000 })),
    targets: fc.constantFrom(...targets),
    minimumSubtotalCents: maybe(fc.integer({ min: 0, max: 20_000 })),
    minimumQuantity: maybe(fc.integer({ min: 1, max: 8 })),
    countsWholeCart: fc.boolean(),
    excludeSaleItems: fc.boolean(),
    customerType: maybe(fc.constantFrom('medical' as const, 'adult-use' as const)),
    firstOrder: fc.constantFrom(true, false, false),
    birthdayMonth: fc.constantFrom(true, false, false),
    stackable: fc.boolean(),
    priority: fc.integer({ min: 0, max: 2 }),
    usesPerOrder: maybe(fc.integer({ min: 1, max: 3 })),
    usesPerCustomer: maybe(fc.integer({ min: 1, max: 2 })),
    usesTotal: maybe(fc.integer({ min: 1, max: 2 })),
    isCode: fc.boolean(),
    groups: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 2 })),
  })
  .map(({ amount, isCode, groups, kind, ...rest }): TestDiscount => {
    const settings = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return {
      ...settings,
      ...amount,
      kind: kind as TestDiscount['kind'],
      ...(kind === 'bundle' && { type: 'flat' as const, amount: '2500', bundleQuantity: groups[0] }),
      ...(kind === 'buy-x-get-y' && { buyQuantity: groups[0], getQuantity: groups[1] }),
      ...(isCode && { codes: ['CODE'] }),
    };
  });

const run = fc.record({
  discounts: fc.array(discount, { minLength: 1, maxLength: 5 }),
  maximumPercent: fc.constantFrom(null, '10', '50'),
  floorCents: fc.constantFrom(null, 1, 500),
  creditCents: maybe(fc.integer({ min: 1, max: 9000 })),
  creditPercent: maybe(fc.constantFrom('10', '33.3')),
  carts: fc.array(
    fc.record({
      lines: fc.array(
        fc.tuple(
          fc.constantFrom('eighth', 'quarter', 'gram', 'half gram', 'gummies', 'tray'),
          fc.integer({ min: 1, max: 6 }),
        ),
        { minLength: 1, maxLength: 5 },
      ),
      type: fc.constantFrom('pickup', 'delivery'),
      isKnown: fc.boolean(),
      withCode: fc.constantFrom(true, false, false),
      deliveryFee: maybe(fc.nat(2000)),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

test('with any discounts, caps, floors and credits, the preview equals the placed and the shown order', async () => {
  const seen = { placed: 0, refused: 0, discounted: 0, credited: 0 };
  await fc.assert(
    fc.asyncProperty(
      run,
      async ({ discounts, maximumPercent, floorCents, creditCents, creditPercent, carts }) => {
        await sql(
          `update organizations set maximum_discount_percent = ${maximumPercent}, free_product_floor_cents = ${floorCents}`,
        );
        await sql(`update discounts set ends_at = '2020-01-01', starts_at = null`);
        await sql('delete from discount_codes');
        for (const settings of discounts) await addDiscount(service.context, shop.organizationId, settings);
        for (const terms of [
          creditCents !== undefined && { cents: creditCents },
          creditPercent !== undefined && { percent: creditPercent },
        ]) {
          if (terms) await addCredit(service.context, shop.organizationId, knownId, terms);
        }
        for (const { lines, type, isKnown, withCode, deliveryFee } of carts) {
          const outcome = await trade(service, shop, lines, {
            type,
            ...(isKnown && { customer: known }),
            ...(withCode && { discountCodes: ['code'] }),
            ...(deliveryFee !== undefined && { deliveryFee }),
          });
          if (outcome.error) {
            expect(outcome.error.code).toBe('DISCOUNT_CODE_INVALID');
            seen.refused++;
            continue;
          }
          seen.placed++;
          if (outcome.previewed.discountsTotal > 0) seen.discounted++;
          if (outcome.placed.credits.length > 0) seen.credited++;
          const { idempotencyKey } = outcome.placed;
          const replay = await placeTrade(service, shop, [['tray', 1]], { idempotencyKey });
          expect(replay.data).toEqual(outcome.placed);
        }
      },
    ),
    { numRuns: casesOf({ everyRun: 20, long: 200 }) },
  );
  // The generator reaches every case; in few runs, each at least once.
  const least = casesOf({ everyRun: 1, long: 4 });
  for (const [what, count] of Object.entries(seen)) expect([what, count >= least]).toEqual([what, true]);
  expect(await brokenRules(service.context.database, shop.organizationId)).toEqual([]);
  expect(service.faults).toEqual([]);
});

test('the same cart costs the same for any order and spelling of its codes', async () => {
  await sql('update organizations set maximum_discount_percent = null, free_product_floor_cents = null');
  await sql(`update discounts set ends_at = '2020-01-01', starts_at = null`);
  await addDiscount(service.context, shop.organizationId, {
    kind: 'line',
    type: 'percent',
    amount: '10',
    codes: ['a'],
  });
  await addDiscount(service.context, shop.organizationId, {
    kind: 'order',
    type: 'flat',
    amount: '300',
    codes: ['b'],
  });
  const totals = new Set<number>();
  for (const discountCodes of [
    ['a', 'b'],
    ['b', 'a'],
    ['B', ' a', 'A'],
  ]) {
    const body = tradeBody(
      shop,
      [
        ['tray', 2],
        ['gummies', 1],
      ],
      { discountCodes },
    );
    const { data } = await service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
    totals.add(data.customerGrandTotal);
    expect(data.discounts).toHaveLength(1);
  }
  expect(totals.size).toBe(1);
});
