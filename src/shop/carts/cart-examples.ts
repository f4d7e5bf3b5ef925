/** Examples of cart operations for the reference. They are invented and agree with each other to the cent. */

export const idempotencyKeyExample = '7b0c9d7e-3f43-4f0e-9a51-0f6f0a4c1c55';

export const customerExample = {
  firstName: 'Marisol',
  lastName: 'Okafor',
  email: 'marisol@customers.example.com',
  phone: '(510) 555-0123',
};

export const pricingRequestExample = {
  type: 'delivery' as const,
  postalCode: '94607',
  lineItems: [{ productOptionId: 3101, quantity: 2 }],
  customer: customerExample,
};

export const taxExample = {
  description: 'Cannabis excise tax',
  rate: '15',
  normalRate: '15',
  included: false,
  exemptable: false,
  encompass: true,
  excludedProductCategoryIds: [],
  nonExemptableProductCategoryIds: [],
  type: 'california-excise' as const,
  amount: 1125,
  amountBeforeExemption: 1125,
  amountExempted: 0,
};

export const pricingExample = {
  lineItems: [
    {
      productOptionId: 3101,
      productCategoryId: 2001,
      quantity: 2,
      unitPrice: 3500,
      subtotalPrice: 7000,
      finalPrice: 7000,
      discounts: [],
    },
  ],
  totalPrice: 7000,
  netPrice: 8125,
  customerGrandTotal: 8625,
  discounts: [],
  credits: [],
  adjustments: [],
  taxes: [{ id: 2501, ...taxExample }],
  orderMinimum: 5000,
  metOrderMinimum: true,
  discountsTotal: 0,
  discountsOverBudtenderLimit: false,
  discountsOverManagerLimit: false,
  idempotencyKey: idempotencyKeyExample,
  deliveryFee: 500,
  deliveryFeeDescription: 'Delivery',
  paymentFees: 0,
  warnings: [],
  purchaseLimits: [
    {
      name: 'Flower',
      cannabisType: 'non-concentrated' as const,
      unit: 'g' as const,
      limit: '28.5',
      used: '7',
      remaining: '21.5',
      exceeded: false,
    },
  ],
};
