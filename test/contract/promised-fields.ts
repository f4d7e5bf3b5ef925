import { followedFields } from './promised-followed.ts';
import {
  allProducts,
  category,
  complianceTransfer,
  listedPurchaseOrder,
  location,
  menu,
  packageShape,
  product,
  purchaseOrder,
  purchaseOrderLine,
  subCategory,
  tradedProduct,
  vendor,
} from './promised-goods.ts';
import { createdOrder, order, pricing, returnShape } from './promised-orders.ts';
import { address, oneOf, orderStatus, orNull, type Shape, stamps } from './promised-types.ts';

/* Every operation, with the promised fields of people and settings. The types are those of `promised-types.ts`. */

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

/** As the integrator sees it that has an id for it. */
const externalProduct = {
  ...product,
  externalId: 'string',
  options: [{ ...product.options[0], externalId: 'string or null' }],
} as const;

/** Every operation with its complete reply; null: no body. */
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
  // D71.
  'PUT /api/v1/products/by-external-id/{externalId}': { data: externalProduct },
  'GET /api/v1/products/by-external-id/{externalId}': { data: externalProduct },
  'POST /api/v1/products/batch': {
    data: {
      results: [
        {
          externalId: 'string',
          'id?': 'id',
          'error?': { code: 'string', message: 'string', 'meta?': { missing: ['string'] } },
        },
      ],
    },
  },
  'GET /api/v1/orders': { data: [order] },
  'GET /api/v1/orders/{orderId}/detail': { data: order },
  // D69.
  'GET /api/v1/orders/statuses': { data: [{ id: 'string', status: orderStatus }] },
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
  // New purchase orders have no deleted lines and no archived vendor.
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
  ...followedFields,
  // D57.
  'GET /api/v1/whoami': {
    data: {
      organization: { id: 'id', name: 'string', tz: 'string' },
      integrator: { id: 'id', name: 'string' },
      key: { permissions: ['string'], createdAt: 'time', expiresAt: 'time or null or rare' },
      // Tests run without limits.
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
  'PUT /api/v1/products/by-external-id/{externalId} data',
  'GET /api/v1/products/by-external-id/{externalId} data',
];

/** Fields beyond the promised ones, by place. List a new field here, or above if it is promised. */
export const additions: readonly string[] = [
  ...under(
    [
      'GET /api/v1/customers data[]',
      'GET /api/v1/customers/{customerId} data',
      'PUT /api/v1/customer-groups/{customerGroupId}/add-customer data',
      'PUT /api/v1/customer-groups/{customerGroupId}/remove-customer data',
    ],
    ['erasedAt', 'marketingOptInSource'],
  ),
  ...under(
    ['GET /api/v1/orders data[]', 'GET /api/v1/orders/{orderId}/detail data'],
    ['updatedAt', 'payments[] tendered', 'payments[] change'],
  ),
  ...under(['GET /api/v1/products/all data[] photos[]'], ['id']),
  ...under(
    ['GET /api/v1/menu data[]', 'GET /api/v1/products/all data[]'],
    ['photos[] altText', 'options[] photos'],
  ),
  ...under(['GET /api/v1/menu'], ['data[] tags', 'meta total', 'meta version']),
  ...under(writtenProducts, ['deletedAt', 'photoAltTexts', 'options[] photos']),
  ...under(
    [...packages, transferred].map((prefix) => `${prefix} product`),
    [
      ...['organizationId', 'brand', 'createdAt', 'updatedAt', 'deletedAt', 'description', 'strainType'],
      ...['isActive', 'isFeatured', 'isCompliant', 'primaryCategory createdAt', 'primaryCategory updatedAt'],
    ],
  ),
  ...under(packages, ['product archivedAt']),
  ...under(purchaseOrders, [
    ...['notes', 'amountOwed', 'amountCredited', 'creditBalance', 'vendorCredits'],
    ...['lineItems[] productOption deletedAt', 'lineItems[] amountOwed', 'lineItems[] invoicedCostPerUnit'],
  ]),
  ...under(
    ['GET /api/v1/purchase-orders data[] lineItems[] product primaryCategory'],
    ['createdAt', 'updatedAt'],
  ),
  ...under(writtenPurchaseOrders, [
    // The fields of the list.
    ...['paymentStatus', 'paymentTerms', 'totalAmountReceived', 'caExciseTotal', 'shippingHandlingFeeExcise'],
    ...['amountPaid', 'amountOutstanding', 'externalInvoiceNumber', 'vendor', 'lineItems[] amountReceived'],
    ...['lineItems[] receptions', 'lineItems[] caExciseTotal', 'lineItems[] product primaryCategory'],
  ]),
  ...under(
    ['POST /api/v1/orders/pricing data'],
    ['deliveryFee', 'deliveryFeeDescription', 'paymentFees', 'warnings'],
  ),
  ...under(['POST /api/v1/orders/pricing data credits[]'], ['percent']),
  ...under(['POST /api/v1/orders data'], ['address', 'payments']),
  ...under(['GET /api/v1/order-returns data[]'], ['organizationId']),
  ...under(
    ['GET /api/v1/whoami data'],
    [
      ...[
        'environment',
        'sandbox',
        'organization state',
        'key id',
        'key name',
        'key strict',
        'key customers',
        'key previousEndsAt',
      ],
      ...['rateLimits menuRequestsPerSecond', 'rateLimits otherRequestsPerSecond'],
    ],
  ),
];
