import { expect, test } from 'vitest';
import { accountWords, refundRows } from './refund-rows.ts';

const tax = {
  taxId: 1,
  description: 'City tax',
  refunded: true,
  rate: '5',
  included: false,
  exemptable: false,
  type: 'standard',
  tier: '1',
} as const;
const preview = {
  refundType: 'store-credit',
  refundInitial: -3500,
  refundTotal: -3225,
  creditsTotal: 200,
  discountsTotal: 350,
  loyaltyTotal: 0,
  adjustmentAmount: -100,
  lineItems: [],
  taxes: [
    { ...tax, amount: -175 },
    { ...tax, taxId: 2, amount: -300, refunded: false },
  ],
  storeCredit: 3225,
  pointsTakenBack: '31.5',
  pointsGivenBack: '0',
  ...{ pointsCharged: 0, brokenRewards: [], rewardTakenBack: 0 },
} as const;

test('the rows of a refund add up to it, from the view of the customer', () => {
  const rows = refundRows({ ...preview, lineItems: [], taxes: [...preview.taxes] });
  expect(rows).toEqual([
    { label: 'Goods', cents: 3500 },
    { label: 'Discounts', cents: -350 },
    { label: 'Paid by credits', cents: -200 },
    { label: 'City tax', cents: 175 },
    { label: 'Adjustment', cents: 100 },
  ]);
  expect(rows.reduce((sum, { cents }) => sum + cents, 0)).toBe(3225);
});

test('changes of the customer account are described, and nothing else', () => {
  const dollars = (cents: number) => `$${cents / 100}`;
  expect(accountWords(preview, dollars)).toEqual([
    '$32.25 is added to the account as store credit.',
    '31.5 points are deducted.',
  ]);
  expect(accountWords({ storeCredit: 0, pointsTakenBack: '0', pointsGivenBack: '0' }, dollars)).toEqual([]);
});
