import Big from 'big.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimal } from '../../kernel/decimal.ts';
import { allocateStock, maxQuantity, type StockNeed, stockNeedOf } from './allocate-stock.ts';
import type { SellableStockRow } from './inventory-queries.ts';

/** Thousandths, so that sums are exact without the production decimals. */
const thousandths = (text: string | Big): number => Number(new Big(text).times(1000).toFixed());
const amountText = (value: number): string => new Big(value).div(1000).toFixed();

function balance(
  at: number,
  productId: number,
  optionId: number,
  locationId: number,
  amount: number,
): SellableStockRow {
  return {
    product_id: productId,
    product_option_id: optionId,
    inventory_location_id: locationId,
    package_id: at,
    on_hand: amountText(amount),
    package_label: null,
    package_unit: null,
    package_cost_per_unit: null,
  };
}

const item = fc.record({ productId: fc.nat(2), optionId: fc.nat(2) });
const stock = fc
  .array(fc.record({ item, locationId: fc.nat(3), amount: fc.integer({ min: 1, max: 9000 }) }), {
    maxLength: 14,
  })
  .map((rows) =>
    rows.map(({ item, locationId, amount }, at) =>
      balance(at, item.productId, item.optionId, locationId, amount),
    ),
  );
const needs = fc
  .array(fc.record({ item, amount: fc.integer({ min: 1, max: 9000 }) }), { maxLength: 8 })
  .map((rows) =>
    rows.map(
      ({ item, amount }, lineIndex): StockNeed => ({
        ...item,
        lineIndex,
        amount: decimal(amountText(amount)),
      }),
    ),
  );
const locationIds = fc.shuffledSubarray([0, 1, 2, 3]);

describe('stock allocated to lines', () => {
  test('is exactly what each line needs, of its item, at the given locations, and never more than is on hand', () => {
    fc.assert(
      fc.property(needs, stock, locationIds, (needs, stock, locationIds) => {
        const verdict = allocateStock(needs, stock, locationIds);
        if (!verdict.ok) return;
        for (const need of needs) {
          const picks = verdict.picks.filter(({ lineIndex }) => lineIndex === need.lineIndex);
          const sum = picks.reduce((total, { amount }) => total + thousandths(amount), 0);
          expect(sum).toBe(thousandths(need.amount));
          for (const { stock: row, amount } of picks) {
            expect([row.product_id, row.product_option_id]).toEqual([need.productId, need.optionId]);
            expect(locationIds).toContain(row.inventory_location_id);
            expect(amount.gt(0)).toBe(true);
          }
        }
        for (const row of stock) {
          const picked = verdict.picks.filter((pick) => pick.stock === row);
          const sum = picked.reduce((total, { amount }) => total + thousandths(amount), 0);
          expect(sum).toBeLessThanOrEqual(thousandths(row.on_hand));
        }
      }),
    );
  });

  test('is refused exactly when there is too little, naming the first line without enough stock', () => {
    fc.assert(
      fc.property(needs, stock, locationIds, (needs, stock, locationIds) => {
        const left = new Map<string, number>();
        for (const row of stock) {
          if (!locationIds.includes(row.inventory_location_id)) continue;
          const key = `${row.product_id}/${row.product_option_id}`;
          left.set(key, (left.get(key) ?? 0) + thousandths(row.on_hand));
        }
        const short = needs.find((need) => {
          const key = `${need.productId}/${need.optionId}`;
          left.set(key, (left.get(key) ?? 0) - thousandths(need.amount));
          return left.get(key)! < 0;
        });
        const verdict = allocateStock(needs, stock, locationIds);
        expect(verdict.ok ? undefined : verdict.shortLineIndex).toBe(short?.lineIndex);
      }),
    );
  });

  test('uses locations in the given order, and packages of each in the order of the rows', () => {
    fc.assert(
      fc.property(needs, stock, locationIds, (needs, stock, locationIds) => {
        const verdict = allocateStock(needs, stock, locationIds);
        if (!verdict.ok) return;
        const inOrder = locationIds.flatMap((id) => stock.filter((row) => row.inventory_location_id === id));
        for (const [at, row] of inOrder.entries()) {
          const taken = verdict.picks.filter((pick) => pick.stock === row);
          const isEmptied =
            taken.reduce((sum, { amount }) => sum + thousandths(amount), 0) === thousandths(row.on_hand);
          if (isEmptied) continue;
          const later = inOrder
            .slice(at + 1)
            .filter(
              (next) =>
                next.product_id === row.product_id && next.product_option_id === row.product_option_id,
            );
          expect(verdict.picks.filter((pick) => later.includes(pick.stock))).toEqual([]);
        }
      }),
    );
  });
});

const line = { productId: 5, optionId: 9, optionAmount: '3.5', quantity: 4 };

test('a line needs pieces of its option, weight of its product, or no stock', () => {
  expect(stockNeedOf(2, { ...line, inventoryType: 'option' })).toEqual({
    lineIndex: 2,
    productId: 5,
    optionId: 9,
    amount: decimal(4),
  });
  expect(stockNeedOf(2, { ...line, inventoryType: 'product' })).toEqual({
    lineIndex: 2,
    productId: 5,
    optionId: 0,
    amount: decimal(14),
  });
  expect(stockNeedOf(2, { ...line, inventoryType: 'none' })).toBeNull();
});

test('the sellable quantity is the stock divided by the amount per unit, rounded down', () => {
  const of = (inventoryType: 'option' | 'product' | 'none', available: string) =>
    maxQuantity({ inventoryType, amount: '3.5' }, decimal(available));
  expect(of('none', '0')).toBeNull();
  expect([of('option', '0'), of('option', '0.99'), of('option', '12.5')]).toEqual([0, 0, 12]);
  expect([of('product', '3.499999'), of('product', '3.5'), of('product', '10.5')]).toEqual([0, 1, 3]);
  expect(maxQuantity({ inventoryType: 'product', amount: '0.1' }, decimal('0.3'))).toBe(3);
});
