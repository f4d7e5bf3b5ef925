/** Which values can be null in the first description of v1, and which fields v1 added to it: data for `description.test.ts`. */
interface DescribedReply {
  readonly operation: readonly [path: string, method: 'get' | 'post'];
  /** The description says that they can be null. */
  readonly described: readonly string[];
  /** The description does not have them, or does not show their content. An entry covers all below it. */
  readonly added: readonly string[];
  /** The description does not say that they can be null: `docs/DESCRIPTION.md` says when they are. */
  readonly readings: readonly string[];
}

const potency = ['thc', 'cbd'].flatMap((of) =>
  ['Amount', 'AmountEach', 'AmountRangeLow', 'AmountRangeHigh', 'Unit'].map((name) => of + name),
);
const vendor = [
  ...['phone', 'notes', 'archivedAt', 'email', 'sellerPermitNumber', 'street1', 'street2', 'city', 'state'],
  'postalCode',
].map((name) => `inventoryVendor.${name}`);

const optionPotency = (option: string) =>
  ['thcPercent', 'thcMg', 'cbdPercent', 'cbdMg'].map((field) => `${option}.${field}`);

export const describedReplies: readonly DescribedReply[] = [
  {
    operation: ['/api/v1/orders', 'get'],
    described: [
      ...['packedAt', 'fulfilledAt', 'cancelationReason', 'cancelAdminId', 'canceledAt', 'customerName'],
      ...['deliveryFee', 'deliveryFeeDescription', 'apiConsumerName', 'address', 'address.street2', 'shift'],
      ...['dispatchTask', 'lineItems.optionSalesPrice', 'lineItems.productMovingAverageCostPerUnit'],
      ...['lineItems.optionMovingAverageCostPerUnit', 'lineItems.packageLineCost', 'payments.feeDescription'],
      ...['customer.phone', 'customer.licenseExpiry', 'customer.medicalExpiration'],
      ...['loyaltyRedemptions.discountAmount', 'loyaltyRedemptions.productOptionId'],
      ...['returns.voidedAt', 'returns.voidedReason'],
    ],
    added: [
      'payments.tendered',
      'payments.change',
      'payments.cashRounding',
      'dispatchTask',
      'explanation',
      'lawEdition',
      'stateReport',
    ],
    readings: [
      ...['lineItems.productBrand', 'lineItems.productBrandId', 'lineItems.fulfillAs.pkg'],
      ...['adjustments.taxId', 'returns.lineItems.fulfillAs.pkg'],
      ...['customer.email', 'customer.birthday', 'customer.sex', 'customer.zip'],
    ],
  },
  {
    operation: ['/api/v1/customers', 'get'],
    described: [
      ...['email', 'phone', 'birthday', 'sex', 'zip', 'licenseExpiry', 'marketingOptInAt'],
      ...['mostRecentAddress', 'mostRecentAddress.street2', 'medicalExpiration'],
    ],
    added: ['marketingOptInSource', 'erasedAt'],
    readings: [],
  },
  {
    operation: ['/api/v1/products', 'post'],
    described: ['brand.description', ...potency, 'deletedAt', 'options.salesPrice', 'options.upc'],
    added: [
      ...['strain', 'sku', 'terpenes', 'labResults', 'weightTolerance', 'options.photos'],
      ...optionPotency('options'),
    ],
    readings: ['brand', 'options.content'],
  },
  {
    operation: ['/api/v1/orders/pricing', 'post'],
    described: [],
    added: ['credits.percent', 'deliveryFee', 'deliveryFeeDescription', 'explanation'],
    readings: ['adjustments.taxId'],
  },
  {
    operation: ['/api/v1/orders', 'post'],
    described: [
      'deliveryNotes',
      'idempotencyKey',
      'deliveryFee',
      'deliveryFeeDescription',
      'credits.percent',
    ],
    added: ['address', 'payments'],
    readings: [
      ...['apiConsumerName', 'customer', 'lineItems.optionSalesPrice', 'lineItems.productBrand'],
      ...['lineItems.productBrandId', 'lineItems.deletedAt', 'lineItems.discounts.deletedAt'],
      ...['lineItems.discounts.adminId', 'taxes.deletedAt', 'discounts.deletedAt', 'discounts.adminId'],
      ...['adjustments.taxId', 'adjustments.deletedAt', 'adjustments.adminId'],
    ],
  },
  {
    operation: ['/api/v1/purchase-orders', 'post'],
    described: [
      ...['paymentTermsDueDate', ...vendor, 'lineItems.product.deletedAt'],
      ...['lineItems.product.brand.description', 'lineItems.productOption.salesPrice'],
      'lineItems.productOption.upc',
    ],
    added: [
      ...['notes', 'paymentTerms', 'externalInvoiceNumber', 'vendorCredits', 'vendor'],
      ...['lineItems.invoicedCostPerUnit', 'lineItems.productOption.deletedAt'],
      ...optionPotency('lineItems.productOption'),
    ],
    readings: [
      ...['expectedAt', 'lineItems.productOptionId', 'lineItems.product.brand', 'lineItems.productOption'],
      'lineItems.productOption.content',
    ],
  },
  { operation: ['/api/v1/payment-types', 'get'], described: ['feeDescription'], added: [], readings: [] },
  { operation: ['/api/v1/organization', 'get'], described: [], added: [], readings: [] },
  { operation: ['/api/v1/inventory-locations', 'get'], described: ['description'], added: [], readings: [] },
  {
    operation: ['/api/v1/instore-queues', 'get'],
    described: [],
    added: [],
    readings: ['intake', 'pos'].flatMap((list) =>
      ['email', 'phone', 'birthday'].map((name) => `${list}.${name}`),
    ),
  },
  { operation: ['/api/v1/product-categories', 'get'], described: [], added: [], readings: [] },
  { operation: ['/api/v1/product-sub-categories', 'get'], described: [], added: [], readings: [] },
  {
    operation: ['/api/v1/products/tags', 'get'],
    described: ['description', 'productIds'],
    added: [],
    readings: [],
  },
];
