import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { casesOf, isLongSuite } from '../../../test/harness/long-suite.ts';
import { tenantSql } from '../../../test/harness/tenant-sql.ts';
import { startTestService, type TestReply } from '../../../test/harness/test-service.ts';
import { createTestShop, type TestShop } from '../../../test/harness/test-shop.ts';
import { brokenRules } from '../../../test/simulation/trading-invariants.ts';

const service = await startTestService();
afterAll(() => service.close());

/**
 * Two tax systems: on top of prices, in three tiers; and included in prices, exempt for patients, with taxed
 * fees.
 */
const shops: readonly TestShop[] = [
  await createTestShop(service.context, { medicalTaxExempt: true }),
  await createTestShop(service.context, {
    medicalTaxExempt: true,
    taxesIncluded: true,
    statusOnCreation: { delivery: 'new', pickup: 'draft' },
    orderMinimumCents: { delivery: 0, pickup: 4000 },
    taxes: [
      { description: 'Excise', rate: '15', tier: '1', type: 'excise', included: true },
      { description: 'Sales', rate: '9.25', tier: '2', included: true, encompass: true, exemptable: true },
      {
        description: 'Local',
        rate: '3.333',
        tier: '3',
        appliesToFees: true,
        rounding: 'up',
        exemptable: true,
      },
    ],
  }),
];
const patient = { firstName: 'Pat', lastName: 'Tient', email: 'pat@customers.example.com' };
for (const shop of shops) {
  // One placed order creates the customer.
  const body = {
    type: 'pickup',
    customer: patient,
    idempotencyKey: randomUUID(),
    lineItems: [{ productOptionId: shop.optionId('eighth'), quantity: 2 }],
  };
  expect((await service.call('POST', '/api/v1/orders', { keys: shop.keys, body })).status).toBe(201);
  await tenantSql(
    service.context.database,
    shop.organizationId,
    `update customers set medical_expiration = '2030-01-01'`,
  );
}

const options = [
  'eighth',
  'quarter',
  'sold out',
  'gram',
  'half gram',
  'gummies',
  'tray',
  'retired',
  'unknown',
];
const weights = [9, 9, 1, 9, 9, 9, 9, 1, 1];

const cart = fc.record(
  {
    shop: fc.constantFrom(...shops),
    type: fc.constantFrom('delivery', 'pickup'),
    lines: fc.array(
      fc.tuple(
        fc.oneof(...options.map((option, at) => ({ weight: weights[at]!, arbitrary: fc.constant(option) }))),
        fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 7 }) }, fc.integer({ min: 1, max: 900 })),
      ),
      { minLength: 1, maxLength: 8 },
    ),
    customer: fc.constantFrom(patient, { firstName: 'Ada', lastName: 'Ult', phone: '(510) 555-0177' }),
    postalCode: fc.constantFrom('94607', '94607-4321', '94618', '94699', '10001'),
    deliveryFee: fc.nat(2500),
    payments: fc.array(
      fc.tuple(fc.constantFrom('Cash', 'Debit', 'Bank', 'Gift card'), fc.integer({ min: 0, max: 6000 })),
      { minLength: 1, maxLength: 3 },
    ),
  },
  { requiredKeys: ['shop', 'type', 'lines', 'customer', 'postalCode'] },
);

/** The amounts of both replies, with the same names. */
function moneyOf(data: TestReply['data']) {
  const pick = (row: TestReply['data'], names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, row[name]]));
  return {
    ...pick(data, ['totalPrice', 'netPrice', 'customerGrandTotal', 'deliveryFee', 'deliveryFeeDescription']),
    lineItems: data.lineItems.map((line: TestReply['data']) =>
      pick(line, [
        'productOptionId',
        'productCategoryId',
        'quantity',
        'unitPrice',
        'subtotalPrice',
        'finalPrice',
      ]),
    ),
    adjustments: data.adjustments.map((row: TestReply['data']) =>
      pick(row, ['amount', 'description', 'isTaxExemption', 'taxId']),
    ),
    taxes: data.taxes.map((tax: TestReply['data']) => ({
      taxId: tax.taxId ?? tax.id,
      ...pick(tax, ['amount', 'amountBeforeExemption', 'amountExempted', 'rate', 'normalRate', 'included']),
      ...pick(tax, ['exemptable', 'encompass', 'excludedProductCategoryIds', 'type']),
    })),
  };
}

test('an order costs what its preview showed, to the cent, or is refused for the same reason', async () => {
  const outcomes = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(cart, async ({ shop, type, lines, customer, postalCode, deliveryFee, payments }) => {
      const body = {
        type,
        customer,
        lineItems: lines.map(([option, quantity]) => ({
          productOptionId: option === 'unknown' ? 999_999_999 : shop.optionId(option),
          quantity,
        })),
        ...(deliveryFee !== undefined && { deliveryFee }),
        ...(payments !== undefined && {
          payments: payments.map(([name, amount], at) => ({
            paymentTypeId: shop.paymentTypeId(name),
            ...(at === payments.length - 1 ? { remaining: true } : { amount }),
          })),
        }),
      };
      const { keys } = shop;
      const preview = await service.call('POST', '/api/v1/orders/pricing', {
        keys,
        body: { ...body, postalCode },
      });
      const placed = await service.call('POST', '/api/v1/orders', {
        keys,
        body: {
          ...body,
          address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode },
          idempotencyKey: preview.data?.idempotencyKey ?? randomUUID(),
          ...(preview.data && { expectedCustomerGrandTotal: preview.data.customerGrandTotal }),
        },
      });
      const outcome = placed.error?.code ?? 'placed';
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (preview.error !== undefined) {
        expect(placed.error).toEqual(preview.error);
        return;
      }
      if (!preview.data.metOrderMinimum) {
        expect(outcome).toBe('ORDER_MINIMUM_NOT_MET');
      } else if (outcome === 'OUT_OF_STOCK') {
        expect(lines.map(([option]) => option)).toContain('sold out');
      } else {
        expect(placed.status).toBe(201);
        expect(moneyOf(placed.data)).toEqual(moneyOf(preview.data));
        expect(placed.data.idempotencyKey).toBe(preview.data.idempotencyKey);
        const fees = placed.data.payments.reduce(
          (sum: number, { feeAmount }: TestReply['data']) => sum + feeAmount,
          0,
        );
        expect(fees).toBe(preview.data.paymentFees);
        expectToAddUp(preview.data);
      }
    }),
    { numRuns: casesOf({ everyRun: 40, long: 300 }) },
  );
  // The random carts are useful: many are placed, and each kind of refusal occurs among many of them.
  expect(outcomes.get('placed')).toBeGreaterThan(10);
  const refusals = [
    'OUT_OF_STOCK',
    'PRODUCT_IS_INACTIVE',
    'DELIVERY_AREA_NOT_SERVED',
    'ORDER_MINIMUM_NOT_MET',
  ];
  for (const code of isLongSuite ? refusals : []) {
    expect(outcomes.has(code), code).toBe(true);
  }
  for (const { organizationId } of shops) {
    expect(await brokenRules(service.context.database, organizationId)).toEqual([]);
  }
  expect(service.faults).toEqual([]);
});

/** The display list (docs/PRICING.md): total − credits − discounts + adjustments + taxes on top + fees. */
function expectToAddUp(data: TestReply['data']): void {
  const sum = (rows: TestReply['data'][], value: (row: TestReply['data']) => number) =>
    rows.reduce((total, row) => total + value(row), 0);
  const shown =
    data.totalPrice +
    sum(data.adjustments, ({ amount }) => amount) +
    sum(data.taxes, ({ amount, included }) => (included ? 0 : amount)) +
    (data.deliveryFee ?? 0) +
    data.paymentFees;
  expect(shown).toBe(data.customerGrandTotal);
}
