import { expect, test } from 'vitest';
import { readRows, type ShownLine, type ShownRows, storedRows } from './stored-rows.ts';

const discount = {
  discountId: 4,
  type: 'percent',
  amount: 12.5,
  amountUsed: 550,
  description: 'Member\'s "eighth"',
};
const line: ShownLine = {
  ...{ id: 1, quantity: 2, productId: 3, optionId: 4, productName: 'Sugar Comet', productUnit: 'gram' },
  ...{
    productStrainType: 'hybrid',
    optionName: 'Eighth',
    productBrand: null,
    optionAmount: 3.5,
    optionPrice: 4400,
  },
  ...{ unitPrice: 4400, subtotalPrice: 8800, finalPrice: 8250, optionSalesPrice: null, productBrandId: null },
  ...{
    productMovingAverageCostPerUnit: null,
    optionMovingAverageCostPerUnit: 20.150711,
    packageLineCost: 38.12,
  },
  primaryCategory: { id: 9, name: 'Flower', cannabisType: 'non-concentrated' },
  fulfillAs: [
    {
      ...{ pkg: { unit: 'Each', label: '0DEM0', costPerUnit: '19.06' } },
      ...{ optionSum: -2, productOptionId: 4, quantityFulfilled: '2' },
    },
    { pkg: null, optionSum: -1, productOptionId: 4, quantityFulfilled: '1' },
  ],
  discounts: [discount],
};
const rows: ShownRows = {
  lineItems: [line, { ...line, id: 2, fulfillAs: [], discounts: [] }],
  payments: [
    {
      ...{
        id: 5,
        paymentTypeId: 6,
        amount: 8250,
        finalAmount: 8600,
        name: 'Debit',
        fee: 350,
        feePercent: '0',
      },
      ...{ feeAmount: 350, feeDescription: null, tendered: null },
    },
  ],
  placedBy: null,
  fulfilledBy: { id: 7, email: 'theo@quay.example.com', firstName: 'Theo', lastName: 'Lindqvist' },
  adjustments: [{ amount: -100, description: 'Dented', isTaxExemption: false, taxId: null }],
  credits: [{ creditId: 8, type: 'store-credit', amountUsed: 100, description: 'Sorry' }],
  discounts: [discount],
  loyaltyRedemptions: [
    {
      ...{ type: 'amount', description: 'Points', pointsRequirement: '10', pointsAmount: '-10' },
      ...{ discountAmount: null, amountUsed: 100, productOptionId: null },
    },
  ],
  taxes: [
    {
      ...{ taxId: 1, amount: 814, description: 'Sales tax', rate: '9.25', amountBeforeExemption: 814 },
      ...{
        amountExempted: 0,
        included: false,
        exemptable: true,
        tier: '3',
        type: 'standard',
        normalRate: '9.25',
      },
    },
  ],
};

test('what is stored of the rows of an order shows them as they were, in less than half of their JSON', () => {
  const stored = storedRows(rows);
  expect(readRows(stored)).toEqual(rows);
  expect(JSON.stringify(readRows(stored))).toBe(JSON.stringify(rows));
  expect(stored.length).toBeLessThan(JSON.stringify(rows).length / 2);
});

test('a text of another edition is an error, and not shown wrongly', () => {
  expect(() => readRows(storedRows(rows).replace('[1,', '[2,'))).toThrow('edition 2');
});
