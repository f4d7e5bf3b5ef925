import { customerExample, idempotencyKeyExample, taxExample } from '../carts/cart-examples.ts';

/** Examples of the order operations for the reference; invented, and consistent with each other to the cent. */

const orderId = '019a8f5e-7c1b-7e3a-9d54-2f6b8c0a1d37';
const placedAt = '2026-03-01T17:05:09.123Z';
const address = {
  street1: '418 Alder Street',
  street2: null,
  city: 'Oakland',
  state: 'CA',
  postalCode: '94607',
};

export const placeOrderExample = {
  type: 'delivery' as const,
  lineItems: [{ productOptionId: 3101, quantity: 2 }],
  customer: customerExample,
  address: {
    street1: address.street1,
    city: address.city,
    state: address.state,
    postalCode: address.postalCode,
  },
  deliveryNotes: 'Blue door, ring twice',
  expectedCustomerGrandTotal: 8625,
  idempotencyKey: idempotencyKeyExample,
};

const stamps = { createdAt: placedAt, updatedAt: placedAt };

const head = {
  id: orderId,
  organizationId: 1001,
  totalPrice: 7000,
  netPrice: 8125,
  customerGrandTotal: 8625,
  type: 'delivery' as const,
  source: 'open-api' as const,
  taxExempt: false,
  isMedical: false,
  deliveryFee: 500,
  deliveryFeeDescription: 'Delivery',
  apiConsumerName: 'Corner Cart',
  address,
};

const product = {
  productId: 3001,
  productName: 'Moonlit Grove',
  productUnit: 'gram' as const,
  productStrainType: 'hybrid' as const,
  optionName: '3.5 grams',
  optionAmount: 3.5,
  optionPrice: 3500,
  optionSalesPrice: null,
  productBrand: 'Fernweh Farms',
  productBrandId: 2601,
  unitPrice: 3500,
  subtotalPrice: 7000,
  finalPrice: 7000,
};

export const createdOrderExample = {
  ...head,
  status: 'draft' as const,
  deliveryNotes: 'Blue door, ring twice',
  ...stamps,
  idempotencyKey: idempotencyKeyExample,
  credits: [],
  lineItems: [
    {
      id: 4001,
      orderId,
      productOptionId: 3101,
      quantity: 2,
      ...product,
      productUnitPlural: 'grams',
      ...stamps,
      productIsFeatured: false,
      productCategoryId: 2001,
      productSubCategoryIds: [2101],
      deletedAt: null,
      discounts: [],
    },
  ],
  taxes: [{ id: 4002, orderId, ...stamps, deletedAt: null, taxId: 2501, ...taxExample }],
  discounts: [],
  adjustments: [],
  payments: [],
  customer: { id: 5001, fullName: 'Marisol Okafor' },
};

export const orderExample = {
  ...head,
  userId: 5001,
  status: 'new' as const,
  ...stamps,
  packedAt: null,
  fulfilledAt: null,
  cancelationReason: null,
  cancelAdminId: null,
  canceledAt: null,
  refundTotal: 0,
  customerName: null,
  lineItems: [
    {
      id: 4001,
      quantity: 2,
      optionId: 3101,
      ...product,
      productMovingAverageCostPerUnit: null,
      optionMovingAverageCostPerUnit: 14.25,
      packageLineCost: 28.5,
      primaryCategory: { id: 2001, name: 'Flower', cannabisType: 'non-concentrated' as const },
      fulfillAs: [
        {
          pkg: { unit: 'Each', label: 'ABCDEF012345670000010331', costPerUnit: '14.25' },
          optionSum: -2,
          productOptionId: 3101,
          quantityFulfilled: '2',
        },
      ],
      discounts: [],
    },
  ],
  payments: [],
  placedBy: {},
  fulfilledBy: {},
  adjustments: [],
  credits: [],
  discounts: [],
  loyaltyRedemptions: [],
  taxes: [
    {
      taxId: 2501,
      amount: 1125,
      description: 'Cannabis excise tax',
      rate: '15',
      amountBeforeExemption: 1125,
      amountExempted: 0,
      included: false,
      exemptable: false,
      tier: '2' as const,
      type: 'california-excise' as const,
      normalRate: '15',
    },
  ],
  returns: [],
  shift: null,
  dispatchTask: null,
  customer: {
    id: 5001,
    email: 'marisol@customers.example.com',
    firstName: 'Marisol',
    lastName: 'Okafor',
    phone: '+15105550123',
    hashId: 'K7QF3MXA',
    birthday: '1991-06-14',
    sex: null,
    zip: '94607',
    licenseExpiry: '2029-06-14',
    medicalExpiration: null,
  },
};
