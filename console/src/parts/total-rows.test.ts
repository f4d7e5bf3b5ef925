import { expect, test } from 'vitest';
import { totalRows, withOneTax } from './total-rows.ts';

const tax = { amountExempted: 0, rate: '10', included: false };
const amounts = {
  totalPrice: 10_000,
  customerGrandTotal: 10_700,
  deliveryFee: 500,
  deliveryFeeDescription: null,
  discounts: [{ amountUsed: 1_000, description: 'Happy hour' }],
  loyaltyRedemptions: [{ amountUsed: 200, description: '2 dollars off' }],
  adjustments: [{ amount: -100, description: 'Dented box' }],
  credits: [{ amountUsed: 300, description: 'Store credit' }],
  taxes: [
    { ...tax, description: 'Excise', amount: 1_000 },
    { ...tax, description: 'Sales tax', amount: 450 },
    { ...tax, description: 'Local tax', amount: 90, included: true },
    { ...tax, description: 'Nothing', amount: 0 },
  ],
  paymentFees: 350,
};

test('the rows of a total add up to it, except taxes included in the prices', () => {
  for (const rows of [totalRows(amounts), withOneTax(totalRows(amounts))]) {
    const sum = rows.filter(({ isQuiet }) => !isQuiet).reduce((cents, row) => cents + row.cents, 0);
    expect(sum).toBe(amounts.customerGrandTotal);
  }
});

test('a zero tax has no row; in brief mode all added taxes are one row', () => {
  expect(totalRows(amounts).map(({ label }) => label)).not.toContain('Nothing');
  const brief = withOneTax(totalRows(amounts));
  expect(brief.filter(({ label }) => label === 'Taxes')).toEqual([{ label: 'Taxes', cents: 1_450 }]);
  expect(brief.map(({ label }) => label)).not.toContain('Local tax');
});
