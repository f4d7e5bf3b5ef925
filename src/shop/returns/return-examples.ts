/** Invented examples of returns. */

const staff = {
  id: 31,
  email: 'ines@shop.example.com',
  firstName: 'Ines',
  lastName: 'Novak',
};

export const returnRequestExample = {
  refundType: 'payment-method' as const,
  paymentTypeId: 2301,
  lineItems: [
    {
      orderLineItemId: 4001,
      quantity: 1,
      type: 'return' as const,
      inventoryAction: 'inventory' as const,
      reason: 'Unopened, wrong strain',
    },
  ],
  idempotencyKey: '0c6c9f52-6a52-4a0e-9d5e-0a4f5b8f7a10',
};

export const returnExample = {
  id: 6101,
  refundType: 'payment-method' as const,
  refundInitial: -3500,
  refundTotal: -4062,
  creditsTotal: 0,
  discountsTotal: 0,
  adjustmentAmount: 0,
  adjustmentDescription: '',
  paymentTypeName: 'Cash',
  loyaltyTotal: 0,
  voidedAt: null,
  voidedReason: null,
  createdAt: '2026-03-12T19:20:00.000Z',
  createdBy: staff,
  voidedBy: {},
  lineItems: [
    {
      orderLineItemId: 4001,
      type: 'return' as const,
      inventoryAction: 'inventory' as const,
      quantity: 1,
      reason: 'Unopened, wrong strain',
      fulfillAs: [
        {
          pkg: { unit: 'Each', label: 'ABCDEF012345670000010331', costPerUnit: '14.25' },
          optionSum: 1,
          productOptionId: 3101,
          quantityFulfilled: '1',
        },
      ],
    },
  ],
  taxes: [
    {
      taxId: 2501,
      amount: -562,
      description: 'Cannabis excise tax',
      refunded: true,
      rate: '15',
      included: false,
      exemptable: false,
      type: 'california-excise' as const,
      tier: '2' as const,
    },
  ],
};

const { idempotencyKey: _key, lineItems: requestedLines, ...requested } = returnRequestExample;
export const returnPreviewRequestExample = {
  ...requested,
  lineItems: requestedLines.map(({ orderLineItemId, quantity, inventoryAction }) => ({
    orderLineItemId,
    quantity,
    inventoryAction,
  })),
};

export const returnPreviewExample = {
  refundType: returnExample.refundType,
  refundInitial: returnExample.refundInitial,
  refundTotal: returnExample.refundTotal,
  creditsTotal: 0,
  discountsTotal: 0,
  loyaltyTotal: 0,
  adjustmentAmount: 0,
  lineItems: [{ orderLineItemId: 4001, quantity: 1, refund: -4062 }],
  taxes: returnExample.taxes,
  storeCredit: 0,
  pointsTakenBack: '35',
  pointsGivenBack: '0',
  pointsCharged: 0,
  brokenRewards: [{ discountId: 3301, description: 'Buy one, get one', amount: 3500 }],
  rewardTakenBack: 0,
};

/** The example in a list. */
export const orderReturnExample = {
  ...returnExample,
  orderId: '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37',
  organizationId: 1001,
};
