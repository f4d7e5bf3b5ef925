import {
  cannabisType,
  inventoryType,
  oneOf,
  orNull,
  potencyUnit,
  stamps,
  strainType,
  unit,
} from './promised-types.ts';

/* The promised fields of goods: menu, purchasing, traceability. The types are those of `promised-types.ts`. */

export const category = { id: 'id', name: 'string', ...stamps, cannabisType };
export const brand = { id: 'id', name: 'string', ...stamps, description: 'string or null' };
export const subCategory = { id: 'id', name: 'string', ...stamps };

export const productFields = {
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
  // D71. Those of the demo have none.
  strain: 'string or null or rare',
  sku: 'string or null or rare',
  terpenes: [{ name: 'string or rare', percent: 'decimal or null or rare' }],
  effects: ['string or rare'],
  flavours: ['string or rare'],
  labResults: [
    { lab: 'string or rare', date: 'date or null or rare', certificateUrl: 'string or null or rare' },
  ],
  ...stamps,
} as const;

export const option = {
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

export const product = { ...productFields, photos: ['string'], options: [option] } as const;
export const menuCategory = { id: 'id', name: 'string', order: 'number', cannabisType };
export const location = {
  id: 'id',
  name: 'string',
  description: 'string or null',
  type: oneOf('standard', 'vehicle'),
};

/** D68: photos come with widths. Those of the demo are drawings, which have one size. */
const photoSizes = [{ width: 'number or rare', fullPath: 'string or rare' }] as const;

/** D68: the price of a stranger's cart, with the discount's name and end; those of the demo have none. */
const special = {
  displayPrice: 'cents',
  specialPrice: 'cents or null',
  specialMinimumOrder: 'cents or null or rare',
  specialName: 'string or null',
  specialEndsAt: 'time or null or rare',
};

// D17, D17a.
export const menu = {
  data: [
    {
      ...productFields,
      inStock: 'boolean',
      unitPlural: 'string',
      photos: [{ id: 'id', fullPath: 'string', sizes: photoSizes }],
      options: [{ ...option, productId: 'id', maxQuantity: 'number or null', ...special }],
    },
  ],
  meta: { categories: [menuCategory] },
} as const;

export const allProducts = {
  data: [
    {
      ...productFields,
      unitPlural: 'string',
      photos: [{ fullPath: 'string', sizes: photoSizes }],
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

// Purchasing and traceability

export const tradedProduct = {
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

export const vendor = {
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

export const purchaseOrderLine = {
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

export const purchaseOrder = {
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
export const listedPurchaseOrder = {
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
export const packagedProduct = {
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

export const sharedPackageFields = {
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
export const packageShape = {
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
export const complianceTransfer = {
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
