import { expect, test } from 'vitest';
import type { OrderRecord } from './order-record.ts';
import { reportedSale } from './report-order.ts';

test('what is left of a line is told at its exact share of the price, also on half a cent', () => {
  const line = {
    ...{ id: 1, productName: 'Rolling papers', productCannabisType: 'none', taxAllocations: [] },
    ...{ subtotalPriceCents: 45, grossCents: 20 },
  };
  const order = { head: {}, lines: [line], fulfillments: [], taxes: [] } as unknown as OrderRecord;
  const back = [{ orderLineItemId: 1, goodsCents: 6, taxes: [], stock: [] }];
  const [goods] = reportedSale(order, back, 0).goods;
  // 45 × 14 / 20 = 31.5
  expect(goods).toMatchObject({ money: { priceCents: 32 }, amountCents: 14 });
});
