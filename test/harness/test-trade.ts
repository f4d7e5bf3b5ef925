import { randomUUID } from 'node:crypto';
import { afterEach, expect } from 'vitest';
import { brokenRules } from '../simulation/trading-invariants.ts';
import { tenantSql } from './tenant-sql.ts';
import { addDiscount, type TestDiscount } from './test-promotions.ts';
import { type TestReply, type TestService, testNowMs } from './test-service.ts';
import { createTestShop, type ShopSettings, type TestShop } from './test-shop.ts';

export type TradeLines = readonly (readonly [option: string, quantity: number])[];

/** Without taxes, in a state without limits, so that a total is the goods less the reductions. */
export function openPlainShop(service: TestService, settings: ShopSettings = {}): Promise<TestShop> {
  return createTestShop(service.context, { state: 'WY', taxes: [], ...settings });
}

/** A body to price and to place; by default a pickup. */
export function tradeBody(shop: TestShop, lines: TradeLines, changes: object = {}) {
  return {
    type: 'pickup',
    customer: { firstName: 'Marisol', lastName: 'Okafor', email: 'marisol@customers.example.com' },
    lineItems: lines.map(([option, quantity]) => ({ productOptionId: shop.optionId(option), quantity })),
    address: { street1: '418 Alder Street', city: 'Oakland', state: 'CA', postalCode: '94607' },
    postalCode: '94607',
    idempotencyKey: randomUUID(),
    ...changes,
  };
}

export function priceTrade(service: TestService, shop: TestShop, lines: TradeLines, changes: object = {}) {
  const body = tradeBody(shop, lines, changes);
  return service.call('POST', '/api/v1/orders/pricing', { keys: shop.keys, body });
}

export function placeTrade(service: TestService, shop: TestShop, lines: TradeLines, changes: object = {}) {
  const body = tradeBody(shop, lines, changes);
  return service.call('POST', '/api/v1/orders', { keys: shop.keys, body });
}

/** The refusal of a cart, or the reductions of its lines and of the order, and its total. */
type TradeOutcome =
  | {
      readonly error: NonNullable<TestReply['error']>;
      readonly total: null;
      readonly off: readonly number[][];
    }
  | {
      readonly error: undefined;
      readonly total: number;
      readonly off: readonly number[][];
      readonly previewed: TestReply['data'];
      readonly placed: TestReply['data'];
      readonly detail: TestReply['data'];
    };

/** Previews a cart, places it, reads it, and expects the same amounts in all three. */
export async function trade(
  service: TestService,
  shop: TestShop,
  lines: TradeLines,
  changes: object = {},
): Promise<TradeOutcome> {
  const preview = await priceTrade(service, shop, lines, changes);
  const { error, data: placed } = await placeTrade(service, shop, lines, changes);
  expect(error).toEqual(preview.error);
  if (error) return { error, total: null, off: [] };
  const { data: detail } = await service.call('GET', `/api/v1/orders/${placed.id}/detail`, {
    keys: shop.keys,
  });
  const previewed = preview.data;
  expect(amountsOf(placed)).toEqual(amountsOf(previewed));
  expect(amountsOf(detail)).toEqual(amountsOf(previewed));
  expectToAddUp(detail);
  const off = [...previewed.lineItems, previewed].map(({ discounts }) =>
    discounts.map(({ amountUsed }: TestReply['data']) => amountUsed),
  );
  return { error, total: placed.customerGrandTotal, off, previewed, placed, detail };
}

/** All amounts of a preview, a created order or a detail, under the same names. */
function amountsOf(data: TestReply['data']) {
  type Row = TestReply['data'];
  const discount = (row: Row) => [row.description, row.type, row.amount, row.amountUsed];
  return {
    lines: data.lineItems.map((line: Row) => [
      line.quantity,
      line.unitPrice,
      line.subtotalPrice,
      line.finalPrice,
      line.discounts.map(discount),
    ]),
    discounts: data.discounts.map(discount),
    credits: data.credits.map((row: Row) => [row.type, row.amountUsed, row.description]),
    adjustments: data.adjustments.map((row: Row) => [row.amount, row.description, row.taxId]),
    taxes: data.taxes.map((tax: Row) => [
      tax.description,
      tax.amount,
      tax.amountBeforeExemption,
      tax.amountExempted,
    ]),
    sums: [data.totalPrice, data.netPrice, data.deliveryFee, data.customerGrandTotal],
  };
}

/** The display list of an order's detail (docs/PRICING.md), summed here independently. */
function expectToAddUp(detail: TestReply['data']): void {
  const sum = (rows: readonly TestReply['data'][], name: string) =>
    rows.reduce((total, row) => total + row[name], 0);
  const taxes = detail.taxes.filter(({ included }: TestReply['data']) => !included);
  expect(
    detail.totalPrice -
      sum([...detail.credits, ...detail.discounts, ...detail.loyaltyRedemptions], 'amountUsed') +
      sum([...detail.adjustments, ...taxes], 'amount') +
      (detail.deliveryFee ?? 0) +
      sum(detail.payments, 'feeAmount'),
  ).toBe(detail.customerGrandTotal);
}

/**
 * The hands of tests that trade in plain shops. After each test the books of its shops are whole, no fault was logged, and the clock
 * is set back.
 */
export function tradeInShops(service: TestService) {
  const shops: TestShop[] = [];
  afterEach(async () => {
    for (const { organizationId } of shops.splice(0)) {
      expect(await brokenRules(service.context.database, organizationId)).toEqual([]);
    }
    expect(service.faults).toEqual([]);
    service.clock.set(testNowMs);
  });
  return {
    openShop: async (settings: ShopSettings = {}): Promise<TestShop> => {
      const shop = await openPlainShop(service, settings);
      shops.push(shop);
      return shop;
    },
    sql: (shop: TestShop, text: string) => tenantSql(service.context.database, shop.organizationId, text),
    discount: (shop: TestShop, settings: TestDiscount) =>
      addDiscount(service.context, shop.organizationId, settings),
    price: (shop: TestShop, lines: TradeLines, changes: object = {}) =>
      priceTrade(service, shop, lines, changes),
    place: (shop: TestShop, lines: TradeLines, changes: object = {}) => trade(service, shop, lines, changes),
  };
}
