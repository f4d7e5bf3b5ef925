/*
 * What integrators were promised: every field of every reply, written down by hand from the description of the service
 * and its decisions. Nothing here comes from the schemas of the program, so that leaving a field out there does not leave
 * it out here. `promised-replies.ts` holds live replies against it.
 *
 * A type is a word, or several joined by `or`:
 *   id       a whole number from 1            string   text
 *   cents    a whole number                   decimal  a decimal as text, without exponent
 *   number   any number                       date     YYYY-MM-DD
 *   boolean  true or false                    time     ISO 8601 in UTC with milliseconds
 *   null     null                             microtime  the same with microseconds
 *   'x'      this text
 * `[shape]` is a list. A name with `?` may be left out. Every name must have a value other than null in some reply, but
 * for `null` alone, and for what is `rare`.
 */

export type Shape = string | readonly [Shape] | { readonly [name: string]: Shape } | Either;

/** One of several shapes: null, or an object without fields, beside what is promised. */
export interface Either {
  readonly either: readonly [Shape, 'null' | 'empty'];
}

const orNull = (shape: Shape): Either => ({ either: [shape, 'null'] });
const orEmpty = (shape: Shape): Either => ({ either: [shape, 'empty'] });
const oneOf = (...values: readonly string[]) => values.map((value) => `'${value}'`).join(' or ');

const stamps = { createdAt: 'time', updatedAt: 'time' };
const cannabisType = oneOf(
  ...['non-concentrated', 'concentrated', 'mi-infused-solids', 'mi-infused-fluids'],
  ...['edibles', 'immature-plant', 'none'],
);
const strainType = oneOf(
  ...['sativa', 'indica', 'hybrid', 'hybrid-sativa', 'hybrid-indica', 'cbd', 'mixed', 'none'],
);
const orderType = oneOf('delivery', 'pickup', 'in-store');
const orderStatus = oneOf('draft', 'new', 'packed', 'fulfilled', 'canceled');
const orderSource = oneOf('open-api', 'web-admin', 'in-store', 'kiosk', 'menu');
const taxType = oneOf('standard', 'excise', 'california-excise');
const unit = oneOf('gram', 'item');
const inventoryType = oneOf('option', 'product', 'none');
const potencyUnit = `${oneOf('%', 'mg')} or null`;

const address = {
  street1: 'string',
  street2: 'string or null',
  city: 'string',
  state: 'string',
  postalCode: 'string',
};

// ---------------------------------------------------------------------------------------------------------
// Catalog

const category = { id: 'id', name: 'string', ...stamps, cannabisType };
const brand = { id: 'id', name: 'string', ...stamps, description: 'string or null' };
const subCategory = { id: 'id', name: 'string', ...stamps };

const productFields = {
  id: 'id',
  organizationId: 'id',
  name: 'string',
  description: 'string',
  unit,
  strainType,
  // D17a.
  brand: orNull(brand),
  subCategories: [{ ...subCategory, organizationId: 'id' }],
  primaryCategory: category,
  inventoryType,
  isActive: 'boolean',
  isFeatured: 'boolean',
  isCompliant: 'boolean',
  thcAmount: 'decimal or null',
  thcAmountEach: 'decimal or null',
  thcAmountRangeLow: 'decimal or null',
  thcAmountRangeHigh: 'decimal or null',
  thcUnit: potencyUnit,
  cbdAmount: 'decimal or null',
  cbdAmountEach: 'decimal or null',
  cbdAmountRangeLow: 'decimal or null',
  cbdAmountRangeHigh: 'decimal or null',
  cbdUnit: potencyUnit,
  ...stamps,
} as const;

const option = {
  id: 'id',
  name: 'string',
  amount: 'number',
  price: 'cents',
  salesPrice: 'cents or null',
  upc: 'string or null',
  // D43: none where the category has no cannabis.
  content: 'decimal or null',
  ...stamps,
};

const product = { ...productFields, photos: ['string'], options: [option] } as const;
const menuCategory = { id: 'id', name: 'string', order: 'number', cannabisType };
const location = {
  id: 'id',
  name: 'string',
  description: 'string or null',
  type: oneOf('standard', 'vehicle'),
};

// D17, D17a.
const menu = {
  data: [
    {
      ...productFields,
      inStock: 'boolean',
      unitPlural: 'string',
      photos: [{ id: 'id', fullPath: 'string' }],
      options: [{ ...option, productId: 'id', maxQuantity: 'number or null' }],
    },
  ],
  meta: { categories: [menuCategory] },
} as const;

const allProducts = {
  data: [
    {
      ...productFields,
      unitPlural: 'string',
      photos: [{ fullPath: 'string' }],
      locationInventory: [{ inventoryLocationId: 'id', amount: 'decimal' }],
      movingAverageCostPerUnit: 'decimal or null',
      options: [
        {
          ...option,
          productId: 'id',
          locationInventory: [
            { inventoryLocationId: 'id', amount: 'decimal', maxQuantity: 'number or null' },
          ],
          movingAverageCostPerUnit: 'decimal or null',
        },
      ],
    },
  ],
  meta: { categories: [menuCategory], inventoryLocations: [location] },
} as const;

// ---------------------------------------------------------------------------------------------------------
// Orders

/** `{}` where there is none. */
const staffUser = orEmpty({ id: 'id', email: 'string', firstName: 'string', lastName: 'string' });

/** D26: no package of stock that has none. */
const fulfillAs = [
  {
    pkg: orNull({ unit: 'string', label: 'string', costPerUnit: 'decimal' }),
    optionSum: 'number',
    productOptionId: 'id',
    quantityFulfilled: 'decimal',
  },
] as const;

const usedDiscount = {
  discountId: 'id',
  type: 'string',
  amount: 'number',
  amountUsed: 'cents',
  description: 'string',
};

const orderLine = {
  id: 'id',
  quantity: 'number',
  productId: 'id',
  optionId: 'id',
  productName: 'string',
  productUnit: unit,
  productStrainType: strainType,
  optionName: 'string',
  // D17a.
  productBrand: 'string or null',
  productBrandId: 'id or null',
  optionAmount: 'number',
  optionPrice: 'cents',
  unitPrice: 'cents',
  subtotalPrice: 'cents',
  finalPrice: 'cents',
  optionSalesPrice: 'cents or null',
  productMovingAverageCostPerUnit: 'number or null',
  optionMovingAverageCostPerUnit: 'number or null',
  packageLineCost: 'number or null',
  primaryCategory: { id: 'id', name: 'string', cannabisType },
  fulfillAs,
  discounts: [usedDiscount],
} as const;

const returnShape = {
  id: 'id',
  refundType: oneOf('payment-method', 'store-credit', 'none'),
  refundInitial: 'cents',
  refundTotal: 'cents',
  creditsTotal: 'cents',
  discountsTotal: 'cents',
  adjustmentAmount: 'cents',
  adjustmentDescription: 'string',
  paymentTypeName: 'string',
  loyaltyTotal: 'cents',
  voidedAt: 'time or null',
  voidedReason: 'string or null',
  createdAt: 'time',
  createdBy: staffUser,
  voidedBy: staffUser,
  lineItems: [
    {
      orderLineItemId: 'id',
      type: oneOf('return', 'exchange'),
      inventoryAction: oneOf('inventory', 'waste', 'vendor'),
      quantity: 'number',
      reason: 'string',
      fulfillAs,
    },
  ],
  taxes: [
    {
      taxId: 'id',
      amount: 'cents',
      description: 'string',
      refunded: 'boolean',
      rate: 'decimal',
      included: 'boolean',
      exemptable: 'boolean',
      type: taxType,
      tier: 'string',
    },
  ],
} as const;

/** The same in the list and in the detail (D26). */
const order = {
  id: 'string',
  organizationId: 'id',
  'userId?': 'id',
  totalPrice: 'cents',
  netPrice: 'cents',
  customerGrandTotal: 'cents',
  createdAt: 'time',
  packedAt: 'time or null',
  fulfilledAt: 'time or null',
  type: orderType,
  source: orderSource,
  status: orderStatus,
  cancelationReason: 'string or null',
  cancelAdminId: 'id or null',
  canceledAt: 'time or null',
  taxExempt: 'boolean',
  refundTotal: 'cents',
  isMedical: 'boolean',
  customerName: 'string or null',
  deliveryFee: 'cents or null',
  deliveryFeeDescription: 'string or null',
  apiConsumerName: 'string or null',
  lineItems: [orderLine],
  payments: [
    {
      id: 'id',
      paymentTypeId: 'id',
      amount: 'cents',
      finalAmount: 'cents',
      name: 'string',
      fee: 'cents',
      feePercent: 'decimal',
      feeAmount: 'cents',
      feeDescription: 'string or null',
    },
  ],
  customer: orEmpty({
    id: 'id',
    // D32: one of the two, email or phone.
    email: 'string or null',
    firstName: 'string',
    lastName: 'string',
    phone: 'string or null',
    hashId: 'string',
    birthday: 'date or null',
    sex: `${oneOf('male', 'female', 'tertiary')} or null`,
    zip: 'string or null',
    licenseExpiry: 'date or null',
    medicalExpiration: 'date or null',
  }),
  placedBy: staffUser,
  fulfilledBy: staffUser,
  adjustments: [{ amount: 'cents', description: 'string', isTaxExemption: 'boolean', taxId: 'id or null' }],
  credits: [{ creditId: 'id', type: 'string', amountUsed: 'cents', description: 'string' }],
  discounts: [usedDiscount],
  loyaltyRedemptions: [
    {
      type: 'string',
      description: 'string',
      pointsRequirement: 'decimal',
      // D31a.
      pointsAmount: 'decimal',
      discountAmount: 'decimal or null',
      amountUsed: 'cents',
      productOptionId: 'id or null',
    },
  ],
  taxes: [
    {
      taxId: 'id',
      amount: 'cents',
      description: 'string',
      rate: 'decimal',
      amountBeforeExemption: 'cents',
      amountExempted: 'cents',
      included: 'boolean',
      exemptable: 'boolean',
      tier: 'string',
      type: taxType,
      normalRate: 'decimal',
    },
  ],
  returns: [returnShape],
  address: orNull(address),
  shift: orNull({ name: 'string' }),
  dispatchTask: orNull({
    id: 'id',
    status: oneOf('unassigned', 'assigned', 'active', 'completed', 'failed'),
    driverName: 'string or null',
    trackingUrl: 'string or null',
    estimatedArrivalAt: 'time or null',
    completedAt: 'time or null',
  }),
} as const;

const pricedDiscount = {
  id: 'id',
  type: 'string',
  amount: 'number',
  amountUsed: 'cents',
  description: 'string',
};

const pricing = {
  lineItems: [
    {
      productOptionId: 'id',
      productCategoryId: 'id',
      quantity: 'number',
      unitPrice: 'cents',
      subtotalPrice: 'cents',
      finalPrice: 'cents',
      discounts: [pricedDiscount],
    },
  ],
  totalPrice: 'cents',
  netPrice: 'cents',
  customerGrandTotal: 'cents',
  discounts: [pricedDiscount],
  credits: [{ id: 'id', type: 'string', amountUsed: 'cents', description: 'string' }],
  adjustments: [{ amount: 'cents', description: 'string', isTaxExemption: 'boolean', taxId: 'id' }],
  taxes: [
    {
      id: 'id',
      amount: 'cents',
      amountBeforeExemption: 'cents',
      amountExempted: 'cents',
      description: 'string',
      rate: 'decimal',
      normalRate: 'decimal',
      included: 'boolean',
      exemptable: 'boolean',
      encompass: 'boolean',
      excludedProductCategoryIds: ['id'],
      nonExemptableProductCategoryIds: ['id'],
      type: taxType,
    },
  ],
  orderMinimum: 'cents',
  metOrderMinimum: 'boolean',
  discountsTotal: 'cents',
  discountsOverBudtenderLimit: 'boolean',
  discountsOverManagerLimit: 'boolean',
  idempotencyKey: 'string',
  // D29.
  purchaseLimits: [
    {
      name: 'string',
      cannabisType: `${cannabisType} or null`,
      unit: 'string',
      limit: 'decimal',
      used: 'decimal',
      remaining: 'decimal',
      exceeded: 'boolean',
    },
  ],
  // D31: asked for by `explain=true`.
  'explanation?': ['any'],
} as const;

/** Nothing of a new order has been deleted. */
const createdStamps = { ...stamps, deletedAt: 'null' };

const createdDiscount = {
  id: 'id',
  orderId: 'string',
  discountId: 'id',
  type: 'string',
  amount: 'number',
  amountUsed: 'cents',
  description: 'string',
  ...createdStamps,
  // Discounts of an integrator's order are given by nobody of the staff.
  adminId: 'null',
};

const createdOrder = {
  id: 'string',
  organizationId: 'id',
  totalPrice: 'cents',
  netPrice: 'cents',
  deliveryNotes: 'string or null',
  ...stamps,
  customerGrandTotal: 'cents',
  type: orderType,
  source: orderSource,
  status: orderStatus,
  taxExempt: 'boolean',
  isMedical: 'boolean',
  idempotencyKey: 'string or null',
  deliveryFee: 'cents or null',
  deliveryFeeDescription: 'string or null',
  apiConsumerName: 'string',
  credits: [
    {
      id: 'id',
      creditId: 'id',
      orderId: 'string',
      type: 'string',
      amountUsed: 'cents',
      description: 'string',
      ...stamps,
      percent: 'decimal or null',
    },
  ],
  lineItems: [
    {
      id: 'id',
      orderId: 'string',
      productOptionId: 'id',
      quantity: 'number',
      productId: 'id',
      productName: 'string',
      productUnit: unit,
      productUnitPlural: 'string',
      productStrainType: strainType,
      optionName: 'string',
      optionAmount: 'number',
      optionPrice: 'cents',
      optionSalesPrice: 'cents or null',
      productIsFeatured: 'boolean',
      productCategoryId: 'id',
      productSubCategoryIds: ['id'],
      productBrand: 'string or null',
      productBrandId: 'id or null',
      ...createdStamps,
      unitPrice: 'cents',
      subtotalPrice: 'cents',
      finalPrice: 'cents',
      discounts: [{ ...createdDiscount, orderLineItemId: 'id' }],
    },
  ],
  taxes: [
    {
      id: 'id',
      orderId: 'string',
      amount: 'cents',
      description: 'string',
      ...createdStamps,
      taxId: 'id',
      rate: 'decimal',
      amountBeforeExemption: 'cents',
      amountExempted: 'cents',
      included: 'boolean',
      exemptable: 'boolean',
      encompass: 'boolean',
      excludedProductCategoryIds: ['id'],
      nonExemptableProductCategoryIds: ['id'],
      normalRate: 'decimal',
      type: taxType,
    },
  ],
  discounts: [createdDiscount],
  adjustments: [
    {
      id: 'id',
      orderId: 'string',
      amount: 'cents',
      description: 'string',
      ...createdStamps,
      isTaxExemption: 'boolean',
      taxId: 'id',
      adminId: 'null',
    },
  ],
  customer: { id: 'id', fullName: 'string' },
} as const;

// ---------------------------------------------------------------------------------------------------------
// People

const customer = {
  id: 'id',
  hashId: 'string',
  firstName: 'string',
  lastName: 'string',
  email: 'string or null',
  phone: 'string or null',
  joinedAt: 'time',
  updatedAt: 'time',
  birthday: 'date or null',
  sex: `${oneOf('male', 'female', 'tertiary')} or null`,
  zip: 'string or null',
  licenseExpiry: 'date or null',
  marketingOptIn: 'boolean',
  marketingOptInAt: 'time or null',
  customerGroups: ['string'],
  loyalty: { pointsAmount: 'number' },
  mostRecentAddress: orNull(address),
  medicalExpiration: 'date or null',
} as const;

const queueCustomer = {
  id: 'id',
  email: 'string or null',
  firstName: 'string',
  lastName: 'string',
  phone: 'string or null',
  hashId: 'string',
  birthday: 'date or null',
  isFirstTime: 'boolean',
};

// ---------------------------------------------------------------------------------------------------------
// Purchasing and traceability

const tradedProduct = {
  id: 'id',
  organizationId: 'id',
  brand: orNull(brand),
  inventoryType,
  ...stamps,
  deletedAt: 'time or null',
  description: 'string',
  isActive: 'boolean',
  isFeatured: 'boolean',
  name: 'string',
  strainType,
  isCompliant: 'boolean',
  unit,
};

const vendor = {
  id: 'id',
  organizationId: 'id',
  name: 'string',
  phone: 'string or null',
  notes: 'string or null',
  ...stamps,
  archivedAt: 'time or null',
  email: 'string or null',
  sellerPermitNumber: 'string or null',
  street1: 'string or null',
  street2: 'string or null',
  city: 'string or null',
  state: 'string or null',
  postalCode: 'string or null',
};

const purchaseOrderLine = {
  id: 'id',
  amount: 'decimal',
  caExcisePerUnit: 'decimal',
  costPerUnit: 'decimal',
  finalTotal: 'cents',
  subtotal: 'cents',
  productId: 'id',
  productOptionId: 'id or null',
  product: tradedProduct,
  productOption: orNull(option),
  ...stamps,
};

const purchaseOrder = {
  id: 'id',
  organizationId: 'id',
  status: oneOf('open', 'closed'),
  ...stamps,
  // D51a.
  expectedAt: 'date or null',
  finalTotal: 'cents',
  subtotal: 'cents',
  shippingHandlingFee: 'cents',
  totalAmount: 'decimal',
  paymentTermsDueDate: 'date or null',
  inventoryVendorId: 'id',
  inventoryVendor: vendor,
  lineItems: [purchaseOrderLine],
} as const;

/** D51, D51a. */
const listedPurchaseOrder = {
  ...purchaseOrder,
  paymentStatus: oneOf('paid', 'unpaid', 'partial'),
  paymentTerms: `${oneOf('net15', 'net30', 'net60', 'cod', 'custom')} or null`,
  totalAmountReceived: 'decimal',
  caExciseTotal: 'cents',
  shippingHandlingFeeExcise: 'cents',
  amountPaid: 'cents',
  amountOutstanding: 'cents',
  externalInvoiceNumber: 'string or null',
  vendor,
  lineItems: [
    {
      ...purchaseOrderLine,
      amountReceived: 'decimal',
      caExciseTotal: 'cents',
      receptions: [{ inventoryLocationId: 'id', amount: 'decimal', createdAt: 'time' }],
      product: { ...tradedProduct, primaryCategory: { id: 'id', name: 'string', cannabisType } },
    },
  ],
} as const;

/** D53a. */
const packagedProduct = {
  id: 'id',
  name: 'string',
  brandName: 'string or null',
  unit,
  inventoryType,
  primaryCategory: { id: 'id', name: 'string', cannabisType },
  movingAverageCostPerUnit: 'decimal or null',
  options: [
    {
      id: 'id',
      name: 'string',
      amount: 'number',
      price: 'cents',
      salesPrice: 'cents or null',
      content: 'decimal or null',
      movingAverageCostPerUnit: 'decimal or null',
    },
  ],
} as const;

const sharedPackageFields = {
  id: 'id',
  type: oneOf('metrc'),
  externalId: 'string or null',
  externalProductName: 'string or null',
  label: 'string',
  status: oneOf('ready', 'received', 'finished', 'shipped', 'transferred', 'transfer-returned', 'syncing'),
  initialAmount: 'decimal',
  unit: 'string',
  createdAt: 'time',
  onHold: 'boolean',
  tradeSample: 'boolean',
};

/** D53. */
const packageShape = {
  ...sharedPackageFields,
  organizationId: 'id',
  productOptionId: 'id or null',
  // D4: a cursor.
  updatedAt: 'microtime',
  receivedAt: 'time or null',
  finishedAt: 'time or null',
  multiplier: 'decimal',
  expirationDate: 'date or null',
  transferredAt: 'time or null',
  transferReturnedAt: 'time or null',
  shippedAt: 'time or null',
  costPerUnit: 'decimal or null',
  voidReason: 'string or null',
  thcPercent: 'decimal or null',
  thcMg: 'decimal or null',
  cbdPercent: 'decimal or null',
  cbdMg: 'decimal or null',
  producerName: 'string or null',
  producerLicense: 'string or null',
  harvestDate: 'date or null',
  harvestFacilityName: 'string or null',
  harvestFacilityLicense: 'string or null',
  labName: 'string or null',
  labLicense: 'string or null',
  labDate: 'date or null',
  originalSourceLabel: 'string or null',
  locationInventory: [{ inventoryLocationId: 'id', amount: 'decimal' }],
  product: orNull(packagedProduct),
} as const;

/** D54, D53a. */
const complianceTransfer = {
  id: 'id',
  externalId: 'string or null',
  type: oneOf('metrc'),
  manifestNumber: 'string',
  shipperName: 'string',
  shipperLicenseNumber: 'string',
  createdAt: 'time',
  packages: [
    {
      ...sharedPackageFields,
      product: orNull({ ...packagedProduct, archivedAt: 'time or null' }),
      productOption: orNull({ ...option, deletedAt: 'time or null' }),
    },
  ],
} as const;

// ---------------------------------------------------------------------------------------------------------

/** Every operation with the whole of its reply; null: no body. */
export const promisedFields: Readonly<Record<string, Shape | null>> = {
  'GET /api/v1/menu': menu,
  'GET /api/v1/products/all': allProducts,
  'GET /api/v1/products/tags': {
    data: [{ id: 'id', name: 'string', description: 'string or null', productIds: orNull(['id']) }],
  },
  'GET /api/v1/product-categories': { data: [category] },
  'GET /api/v1/product-sub-categories': { data: [subCategory] },
  'POST /api/v1/products': { data: product },
  'PUT /api/v1/products/{productId}': { data: product },
  'PUT /api/v1/products/{productId}/options': { data: product },
  'PUT /api/v1/products/{productId}/options/upc': { data: product },
  'GET /api/v1/orders': { data: [order] },
  'GET /api/v1/orders/{orderId}/detail': { data: order },
  'GET /api/v1/orders/{orderId}': { data: { id: 'string', status: orderStatus } },
  'POST /api/v1/orders/pricing': { data: pricing },
  'POST /api/v1/orders': { data: createdOrder },
  // D39.
  'GET /api/v1/order-returns': { data: [{ ...returnShape, orderId: 'string' }] },
  'POST /api/v1/documents/{customerId}/{documentType}': null,
  'GET /api/v1/customers': { data: [customer] },
  'GET /api/v1/customers/{customerId}': { data: customer },
  // D37.
  'GET /api/v1/customer-groups': {
    data: [{ id: 'id', name: 'string', description: 'string or null', ...stamps }],
  },
  'PUT /api/v1/customer-groups/{customerGroupId}/add-customer': { data: customer },
  'PUT /api/v1/customer-groups/{customerGroupId}/remove-customer': { data: customer },
  // D38.
  'POST /api/v1/loyalty-events': {
    data: {
      id: 'id',
      organizationId: 'id',
      userId: 'id',
      type: oneOf('open-api'),
      pointsAmount: 'number',
      reason: 'string',
      ...stamps,
    },
  },
  'GET /api/v1/payment-types': {
    data: [
      {
        id: 'id',
        name: 'string',
        fee: 'cents',
        feeDescription: 'string or null',
        method: oneOf('cash', 'debit', 'other', 'processor'),
        feePercent: 'decimal',
        availableDelivery: 'boolean',
        createdAt: 'time',
      },
    ],
  },
  'GET /api/v1/organization': {
    data: {
      id: 'id',
      name: 'string',
      customerEmail: 'string',
      customerPhone: 'string',
      hasDelivery: 'boolean',
      hasPickup: 'boolean',
      state: 'string',
      licenseNumber: 'string',
      taxesIncluded: 'boolean',
      tz: oneOf('America/Los_Angeles', 'US/Mountain', 'US/Central', 'US/Eastern'),
    },
  },
  'GET /api/v1/inventory-locations': { data: [location] },
  'GET /api/v1/instore-queues': { data: { intake: [queueCustomer], pos: [queueCustomer] } },
  // What is ordered anew is neither deleted, nor from a vendor that is put away.
  'POST /api/v1/purchase-orders': {
    data: {
      ...purchaseOrder,
      inventoryVendor: { ...vendor, archivedAt: 'null' },
      lineItems: [{ ...purchaseOrderLine, product: { ...tradedProduct, deletedAt: 'null' } }],
    },
  },
  'PUT /api/v1/purchase-orders/{purchaseOrderId}': { data: purchaseOrder },
  'GET /api/v1/purchase-orders': { data: [listedPurchaseOrder] },
  'GET /api/v1/packages': { data: [packageShape] },
  'GET /api/v1/packages/{label}': { data: packageShape },
  'GET /api/v1/compliance-transfers': { data: [complianceTransfer] },
  // D57.
  'GET /api/v1/whoami': {
    data: {
      organization: { id: 'id', name: 'string', tz: 'string' },
      integrator: { id: 'id', name: 'string' },
      key: { permissions: ['string'], createdAt: 'time', expiresAt: 'time or null or rare' },
      // Tests do without limits.
      rateLimits: { otherRequestsLeft: 'number or null or rare' },
    },
  },
};

// ---------------------------------------------------------------------------------------------------------

const under = (prefixes: readonly string[], names: readonly string[]) =>
  prefixes.flatMap((prefix) => names.map((name) => `${prefix} ${name}`));

const packages = ['GET /api/v1/packages data[]', 'GET /api/v1/packages/{label} data'];
const transferred = 'GET /api/v1/compliance-transfers data[] packages[]';
const writtenPurchaseOrders = [
  'POST /api/v1/purchase-orders data',
  'PUT /api/v1/purchase-orders/{purchaseOrderId} data',
];
const purchaseOrders = ['GET /api/v1/purchase-orders data[]', ...writtenPurchaseOrders];
const writtenProducts = [
  'POST /api/v1/products data',
  'PUT /api/v1/products/{productId} data',
  'PUT /api/v1/products/{productId}/options data',
  'PUT /api/v1/products/{productId}/options/upc data',
];

/** Fields beyond what was promised, by their places. A new one is written down here, or above if it is promised. */
export const additions: readonly string[] = [
  ...under(['GET /api/v1/products/all data[] photos[]'], ['id']),
  ...under(writtenProducts, ['deletedAt']),
  ...under(
    [...packages, transferred].map((prefix) => `${prefix} product`),
    [
      ...['organizationId', 'brand', 'createdAt', 'updatedAt', 'deletedAt', 'description', 'strainType'],
      ...['isActive', 'isFeatured', 'isCompliant', 'primaryCategory createdAt', 'primaryCategory updatedAt'],
    ],
  ),
  ...under(packages, ['product archivedAt']),
  ...under(purchaseOrders, ['notes', 'lineItems[] productOption deletedAt']),
  ...under(
    ['GET /api/v1/purchase-orders data[] lineItems[] product primaryCategory'],
    ['createdAt', 'updatedAt'],
  ),
  ...under(writtenPurchaseOrders, [
    // What the list shows.
    ...['paymentStatus', 'paymentTerms', 'totalAmountReceived', 'caExciseTotal', 'shippingHandlingFeeExcise'],
    ...['amountPaid', 'amountOutstanding', 'externalInvoiceNumber', 'vendor', 'lineItems[] amountReceived'],
    ...['lineItems[] receptions', 'lineItems[] caExciseTotal', 'lineItems[] product primaryCategory'],
  ]),
  ...under(['POST /api/v1/orders/pricing data'], ['deliveryFee', 'deliveryFeeDescription', 'paymentFees']),
  ...under(['POST /api/v1/orders/pricing data credits[]'], ['percent']),
  ...under(['POST /api/v1/orders data'], ['address', 'payments']),
  ...under(['GET /api/v1/order-returns data[]'], ['organizationId']),
  ...under(
    ['GET /api/v1/whoami data'],
    [
      ...['environment', 'organization state', 'key id', 'key name', 'key strict', 'key previousEndsAt'],
      ...['rateLimits menuRequestsPerSecond', 'rateLimits otherRequestsPerSecond'],
    ],
  ),
];
