import { auditLogRoutes } from '../access/audit/audit-log-routes.ts';
import { clientKeyStaffRoutes } from '../access/keys/client-key-staff-routes.ts';
import { whoamiRoutes } from '../access/keys/whoami-routes.ts';
import { organizationRoutes } from '../access/organizations/organization-routes.ts';
import { apiRequestRoutes } from '../access/request-log/api-request-routes.ts';
import { apiRequestStaffRoutes } from '../access/request-log/api-request-staff-routes.ts';
import type { StaffAccess } from '../access/sessions/staff-sessions.ts';
import { secondFactorRoutes } from '../access/sign-in/second-factor-staff-routes.ts';
import { sessionStaffRoutes } from '../access/sign-in/session-staff-routes.ts';
import { mailboxStaffRoutes } from '../access/staff/mailbox-staff-routes.ts';
import { passwordResetRoutes } from '../access/staff/password-reset-staff-routes.ts';
import { staffMemberRoutes } from '../access/staff/staff-member-routes.ts';
import type { EventType } from '../kernel/event-catalog.ts';
import type { Context } from '../platform/database/context.ts';
import type { Endpoint, StaffEndpoint } from '../platform/http/endpoint.ts';
import { buildOpenApi } from '../platform/http/openapi.ts';
import { keyAudience, staffAudience } from '../platform/http/openapi-audiences.ts';
import { readingFromStandby } from '../platform/http/standby-reads.ts';
import type { Task } from '../platform/jobs/job-runner.ts';
import { type MailTransport, mailSending } from '../platform/mail/mail.ts';
import type { BlobStore } from '../platform/storage/blob-store.ts';
import type { SealedFiles } from '../platform/storage/sealed-files.ts';
import { attentionStaffRoutes } from '../shop/attention/attention-staff-routes.ts';
import { PricingInputsCache } from '../shop/carts/carts.ts';
import { limitsLeftStaffRoutes } from '../shop/carts/limits-left-staff-routes.ts';
import { previewRoutes } from '../shop/carts/preview-routes.ts';
import { catalogStaffRoutes } from '../shop/catalog/catalog-staff-routes.ts';
import { categoryRoutes } from '../shop/catalog/category-routes.ts';
import { externalProductRoutes } from '../shop/catalog/external-product-routes.ts';
import { productRoutes } from '../shop/catalog/product-routes.ts';
import { digestOfProducts, photoFetching, selectProductIdsAfter } from '../shop/catalog/products.ts';
import { changeRoutes } from '../shop/changes/change-routes.ts';
import { numberedResource } from '../shop/changes/changes.ts';
import { checksumRoutes } from '../shop/changes/checksum-routes.ts';
import type { ChecksummedCollection } from '../shop/changes/checksummed-collection.ts';
import type { CopiedCollection } from '../shop/changes/copied-collection.ts';
import { webhookOperations } from '../shop/changes/event-schemas.ts';
import { recordRoutes } from '../shop/changes/record-routes.ts';
import type { ShownResource } from '../shop/changes/shown-resources.ts';
import { recordStaffRoutes } from '../shop/customer-records/record-staff-routes.ts';
import { customerDuplicateStaffRoutes } from '../shop/customers/customer-duplicate-staff-routes.ts';
import { customerExample } from '../shop/customers/customer-examples.ts';
import { customerGroupStaffRoutes } from '../shop/customers/customer-group-staff-routes.ts';
import { customerRoutes } from '../shop/customers/customer-routes.ts';
import { Customer } from '../shop/customers/customer-schemas.ts';
import { customerSessionRoutes } from '../shop/customers/customer-session-routes.ts';
import { customerStaffRoutes } from '../shop/customers/customer-staff-routes.ts';
import {
  digestOfCustomers,
  selectCustomerIdsAfter,
  shownCustomersById,
} from '../shop/customers/customers.ts';
import { licenseStaffRoutes } from '../shop/customers/license-staff-routes.ts';
import { loyaltyAdjustmentStaffRoutes } from '../shop/customers/loyalty-adjustment-staff-routes.ts';
import { loyaltyEventRoutes } from '../shop/customers/loyalty-event-routes.ts';
import { loyaltyEventStaffRoutes } from '../shop/customers/loyalty-event-staff-routes.ts';
import { deliveryStaffRoutes } from '../shop/deliveries/delivery-staff-routes.ts';
import { documentRoutes } from '../shop/documents/document-routes.ts';
import { documentStaffRoutes } from '../shop/documents/document-staff-routes.ts';
import { firstStepStaffRoutes } from '../shop/first-steps/first-step-staff-routes.ts';
import { readinessStaffRoutes } from '../shop/first-steps/readiness-staff-routes.ts';
import { giftCardStaffRoutes } from '../shop/gift-cards/gift-card-staff-routes.ts';
import { menuImporting } from '../shop/imports/imports.ts';
import { menuImportStaffRoutes } from '../shop/imports/menu-import-staff-routes.ts';
import { complianceTransferRoutes } from '../shop/inventory/compliance-transfer-routes.ts';
import { complianceTransferStaffRoutes } from '../shop/inventory/compliance-transfer-staff-routes.ts';
import { locationRoutes } from '../shop/inventory/location-routes.ts';
import { packageRoutes } from '../shop/inventory/package-routes.ts';
import { Package, packageExample } from '../shop/inventory/package-schemas.ts';
import { packageStaffRoutes } from '../shop/inventory/package-staff-routes.ts';
import {
  digestOfPackages,
  selectPackageIdsAfter,
  selectUnsummedPackages,
  shownPackagesById,
  takeUnsummedPackages,
} from '../shop/inventory/stock.ts';
import { stockRoutes } from '../shop/inventory/stock-routes.ts';
import { stockStaffRoutes } from '../shop/inventory/stock-staff-routes.ts';
import { liveStaffRoutes } from '../shop/live/live-staff-routes.ts';
import { menuRoutes } from '../shop/menus/menu-routes.ts';
import { allProductsExample, CatalogProduct, catalogProductsById } from '../shop/menus/menus.ts';
import { moveFileLoading, moveStaffRoutes } from '../shop/moves/moves.ts';
import { offlineSaleStaffRoutes } from '../shop/offline-sales/offline-sale-staff-routes.ts';
import { orderExample } from '../shop/orders/order-examples.ts';
import { orderRoutes } from '../shop/orders/order-routes.ts';
import { Order } from '../shop/orders/order-schemas.ts';
import { orderStaffRoutes } from '../shop/orders/order-staff-routes.ts';
import {
  digestOfOrders,
  hasPlacedOrderOf,
  selectDiscountOrders,
  selectOrderAtLocation,
  selectOrderIdsAfter,
  shownOrdersById,
  timeZoneOfOrders,
} from '../shop/orders/orders.ts';
import { tryDiscountStaffRoutes } from '../shop/orders/try-discount-staff-routes.ts';
import { paymentRoutes } from '../shop/payments/payment-routes.ts';
import { paymentStaffRoutes } from '../shop/payments/payment-staff-routes.ts';
import { creditStaffRoutes } from '../shop/promotions/credit-staff-routes.ts';
import { discountStaffRoutes } from '../shop/promotions/discount-staff-routes.ts';
import { loyaltyStaffRoutes } from '../shop/promotions/loyalty-staff-routes.ts';
import { moveBrandTargets } from '../shop/promotions/promotions.ts';
import { purchaseOrderRoutes } from '../shop/purchasing/purchase-order-routes.ts';
import { purchasingStaffRoutes } from '../shop/purchasing/purchase-order-staff-routes.ts';
import {
  digestOfPurchaseOrders,
  PurchaseOrder,
  purchaseOrderExample,
  selectPurchaseOrderIdsAfter,
  shownPurchaseOrdersById,
} from '../shop/purchasing/purchasing.ts';
import { queueRoutes } from '../shop/queue/queue-routes.ts';
import { queueStaffRoutes } from '../shop/queue/queue-staff-routes.ts';
import { drawerStaffRoutes } from '../shop/registers/drawer-staff-routes.ts';
import { parkedCartStaffRoutes } from '../shop/registers/parked-cart-staff-routes.ts';
import { registers } from '../shop/registers/registers.ts';
import { reportRoutes } from '../shop/reports/report-routes.ts';
import { returnRoutes } from '../shop/returns/return-routes.ts';
import { returnStaffRoutes } from '../shop/returns/return-staff-routes.ts';
import { sandboxResetting } from '../shop/sandbox/sandbox.ts';
import { sandboxRoutes } from '../shop/sandbox/sandbox-routes.ts';
import { paymentTypeRoutes } from '../shop/settings/payment-type-routes.ts';
import { settingsStaffRoutes } from '../shop/settings/settings-staff-routes.ts';
import { shopRoutes } from '../shop/settings/shop-routes.ts';
import { selectZoneAtLocation } from '../shop/settings/terms-of-sale.ts';
import { connectionStaffRoutes } from '../shop/traceability/connection-staff-routes.ts';
import { filingStaffRoutes } from '../shop/traceability/filing-staff-routes.ts';
import { stateReportStaffRoutes } from '../shop/traceability/state-report-staff-routes.ts';
import type { WebhookService } from '../shop/webhooks/manage-endpoints.ts';
import { webhookRoutes } from '../shop/webhooks/webhook-routes.ts';
import { webhookStaffRoutes } from '../shop/webhooks/webhook-staff-routes.ts';
import { allEvents } from './all-events.ts';
import { interfaceDescription, staffDescription } from './interface-descriptions.ts';
import { stateClients } from './state-calls.ts';

/** The version of the interface description; grows by addition (D61). */
export const interfaceVersion = '1.0.0';

/** The names of all events. */
export const allEventTypes: readonly EventType[] = allEvents.map(({ type }) => type);

export { createContext, type ServiceContext } from '../platform/database/create-context.ts';

/** For what a sandbox cannot move: keys, sessions, webhooks, the logs of requests. */
function byWallClock(context: Context): Context {
  return { ...context, clock: context.wallClock };
}

/** All operations of the interface: router, contract, tests and documents use this list. */
export function allEndpoints(
  context: Context,
  photoUrl: (location: string) => string,
  documentFiles: SealedFiles,
  webhookHostsAllowed: readonly string[] = [],
): Endpoint[] {
  // Tools that only list the operations have no context.
  const { sealing } = context as Partial<Context>;
  sealing?.use(() => documentFiles.keys.sealer(context.randomBytes));
  const pricingInputs = new PricingInputsCache(context);
  const endpoints: Endpoint[] = [
    ...menuRoutes(context, photoUrl),
    ...categoryRoutes(context),
    ...productRoutes(context, photoUrl),
    ...externalProductRoutes(context, photoUrl),
    ...previewRoutes(context, pricingInputs),
    ...orderRoutes(context, pricingInputs, documentFiles.keys),
    ...returnRoutes(context),
    ...customerRoutes(context),
    ...customerSessionRoutes(context, documentFiles.keys),
    ...loyaltyEventRoutes(context),
    ...documentRoutes(context, documentFiles, hasPlacedOrderOf(context)),
    ...paymentTypeRoutes(context),
    ...paymentRoutes(context),
    ...shopRoutes(context, photoUrl),
    ...locationRoutes(context),
    ...packageRoutes(context),
    ...stockRoutes(context),
    ...complianceTransferRoutes(context),
    ...purchaseOrderRoutes(context),
    ...queueRoutes(context),
    ...organizationRoutes(context),
    ...whoamiRoutes(byWallClock(context)),
    ...apiRequestRoutes(byWallClock(context), () => endpoints),
    ...changeRoutes(context, allEventTypes, shownResources(context, photoUrl)),
    ...checksumRoutes(context, checksummedCollections(context)),
    ...recordRoutes(context, copiedCollections(context, photoUrl)),
    ...webhookRoutes(webhookService(byWallClock(context), documentFiles, webhookHostsAllowed)),
    ...sandboxRoutes(context),
  ];
  return readingFromStandby(context.database, endpoints);
}

/** The collections that have checksums (D65). */
export function checksummedCollections(context: Context): ChecksummedCollection[] {
  return [
    {
      collection: 'orders',
      id: 'getOrdersChecksum',
      permission: 'analytics',
      list: '`GET /api/v1/orders`',
      timeZone: (of) => timeZoneOfOrders(context, of),
      all: (timeZone) => digestOfOrders(timeZone),
      own: {
        permission: 'create-orders',
        all: (integratorId, timeZone) => digestOfOrders(timeZone, integratorId),
      },
    },
    {
      collection: 'customers',
      id: 'getCustomersChecksum',
      permission: 'customers',
      list: '`GET /api/v1/customers`',
      all: () => digestOfCustomers({}),
    },
    {
      collection: 'products',
      id: 'getProductsChecksum',
      permission: 'analytics',
      list: '`GET /api/v1/products/all`',
      all: () => digestOfProducts({}),
    },
    {
      collection: 'packages',
      id: 'getPackagesChecksum',
      permission: 'analytics',
      list: '`GET /api/v1/packages`',
      all: () => digestOfPackages({}),
      ownChanges: { select: () => selectUnsummedPackages({}), take: () => takeUnsummedPackages({}) },
    },
    {
      collection: 'purchase_orders',
      id: 'getPurchaseOrdersChecksum',
      permission: 'analytics',
      list: '`GET /api/v1/purchase-orders`',
      all: () => digestOfPurchaseOrders({}),
    },
  ];
}

/** Signing secrets are encrypted under the master keys of documents. */
function webhookService(
  context: Context,
  documentFiles: SealedFiles,
  hostsAllowed: readonly string[] = [],
): WebhookService {
  return { context, eventTypes: allEventTypes, keys: () => documentFiles.keys, hostsAllowed };
}

/** What the change feed shows with `include=data`. */
function shownResources(context: Context, photoUrl: (location: string) => string): ShownResource[] {
  return copiedCollections(context, photoUrl).map(({ resource }) => resource);
}

/** The collections that can be copied whole (D64). */
function copiedCollections(context: Context, photoUrl: (location: string) => string): CopiedCollection[] {
  return [
    {
      collection: 'orders',
      id: 'listOrderRecords',
      list: '`GET /api/v1/orders`',
      resource: {
        type: 'order',
        permission: 'analytics',
        show: (of, ids) => shownOrdersById(context, of, ids),
        own: {
          permission: 'create-orders',
          show: (caller, ids) => shownOrdersById(context, caller.organizationId, ids, caller),
        },
      },
      ...{ schema: Order, example: orderExample, ids: 'uuid' },
      select: (after, limit) => selectOrderIdsAfter(after, limit),
      selectOwn: (integratorId, after, limit) => selectOrderIdsAfter(after, limit, integratorId),
    },
    {
      collection: 'customers',
      id: 'listCustomerRecords',
      list: '`GET /api/v1/customers`',
      resource: numberedResource('customer', 'customers', (of, ids) => shownCustomersById(context, of, ids)),
      ...{ schema: Customer, example: customerExample, ids: 'number' },
      select: (after, limit) => selectCustomerIdsAfter({ after: Number(after ?? 0), limit }),
    },
    {
      collection: 'products',
      id: 'listProductRecords',
      list: '`GET /api/v1/products/all`',
      resource: numberedResource('product', 'analytics', (of, ids) =>
        catalogProductsById(context, of, ids, photoUrl),
      ),
      ...{ schema: CatalogProduct, example: allProductsExample[0], ids: 'number' },
      select: (after, limit) => selectProductIdsAfter({ after: Number(after ?? 0), limit }),
    },
    {
      collection: 'packages',
      id: 'listPackageRecords',
      list: '`GET /api/v1/packages`',
      resource: numberedResource('package', 'analytics', (of, ids) => shownPackagesById(context, of, ids)),
      ...{ schema: Package, example: packageExample, ids: 'number' },
      select: (after, limit) => selectPackageIdsAfter({ after: Number(after ?? 0), limit }),
    },
    {
      collection: 'purchase_orders',
      id: 'listPurchaseOrderRecords',
      list: '`GET /api/v1/purchase-orders`',
      resource: numberedResource('purchase_order', 'analytics', (of, ids) =>
        shownPurchaseOrdersById(context, of, ids),
      ),
      ...{ schema: PurchaseOrder, example: purchaseOrderExample, ids: 'number' },
      select: (after, limit) => selectPurchaseOrderIdsAfter({ after: Number(after ?? 0), limit }),
    },
  ];
}

/** All operations of the organization's staff (`/staff/v1`): the second audience of the same core. */
export function allStaffEndpoints(
  context: Context,
  access: StaffAccess,
  photoUrl: (location: string) => string,
  documentFiles: SealedFiles,
  photoBlobs: BlobStore,
): StaffEndpoint[] {
  return readingFromStandby(context.database, [
    ...sessionStaffRoutes(byWallClock(context), access),
    ...secondFactorRoutes(byWallClock(context), access, () => documentFiles.keys),
    ...passwordResetRoutes(byWallClock(context), access),
    ...returnStaffRoutes(context),
    ...orderStaffRoutes(context),
    ...tryDiscountStaffRoutes(context),
    ...limitsLeftStaffRoutes(context),
    ...settingsStaffRoutes(context, photoUrl, photoBlobs),
    ...[firstStepStaffRoutes, readinessStaffRoutes, attentionStaffRoutes].flatMap((it) => it(context)),
    ...catalogStaffRoutes(context, photoUrl, moveBrandTargets, photoBlobs),
    ...menuImportStaffRoutes(context),
    ...stockStaffRoutes(context, { zone: selectZoneAtLocation, order: selectOrderAtLocation }),
    ...[...packageStaffRoutes(context), ...complianceTransferStaffRoutes(context)],
    ...[...purchasingStaffRoutes(context), ...queueStaffRoutes(context)],
    ...[...registers.routes(context), ...drawerStaffRoutes(context), ...parkedCartStaffRoutes(context)],
    ...[giftCardStaffRoutes, deliveryStaffRoutes, licenseStaffRoutes].flatMap((it) => it(context)),
    ...paymentStaffRoutes(context, access),
    ...offlineSaleStaffRoutes(context, () => documentFiles.keys),
    ...connectionStaffRoutes(context, stateClients(context, access)),
    ...[...filingStaffRoutes(context), ...stateReportStaffRoutes(context)],
    ...[...customerStaffRoutes(context), ...customerDuplicateStaffRoutes(context)],
    ...recordStaffRoutes(context, documentFiles),
    ...[...customerGroupStaffRoutes(context), ...loyaltyAdjustmentStaffRoutes(context)],
    ...loyaltyEventStaffRoutes(context),
    ...documentStaffRoutes(context, documentFiles),
    ...discountStaffRoutes(context, selectDiscountOrders),
    ...[...creditStaffRoutes(context), ...loyaltyStaffRoutes(context), ...moveStaffRoutes(context)],
    ...clientKeyStaffRoutes(byWallClock(context), access),
    // For their declarations alone: nothing is served by these.
    ...apiRequestStaffRoutes(byWallClock(context), () => allEndpoints(context, photoUrl, documentFiles)),
    ...staffMemberRoutes(byWallClock(context), access),
    ...mailboxStaffRoutes(byWallClock(context), {
      hasServer: access.hasMailServer === true,
      demoOrganizations: access.demoOrganizations ?? [],
    }),
    ...auditLogRoutes(context),
    ...liveStaffRoutes(byWallClock(context)),
    ...reportRoutes(context, photoUrl),
    ...webhookStaffRoutes(webhookService(byWallClock(context), documentFiles, access.webhookHostsAllowed)),
  ]);
}

/** All background tasks; `startJobs` runs them. */
export function allTasks(
  context: Context,
  photoBlobs: BlobStore,
  mailTransport: MailTransport | null,
): Task<never>[] {
  return [
    photoFetching(context, photoBlobs),
    menuImporting(context),
    moveFileLoading(context),
    mailSending(context, mailTransport),
    sandboxResetting(context),
  ];
}

/** The OpenAPI document of these operations, with default addresses. */
export function describeInterface(endpoints: readonly Endpoint[], urls = defaultUrls): object {
  return buildOpenApi(endpoints, keyAudience, {
    title: 'Dispensary Commerce',
    version: interfaceVersion,
    description: interfaceDescription(urls.menuUrl),
    baseUrl: urls.baseUrl,
    tags: tagDescriptions,
    describesCommon: true,
    webhooks: webhookOperations(allEvents),
  });
}

/** The OpenAPI document of staff operations. */
export function describeStaffInterface(endpoints: readonly StaffEndpoint[], urls = defaultUrls): object {
  return buildOpenApi(endpoints, staffAudience, {
    ...{ title: 'Dispensary Commerce: staff', version: interfaceVersion },
    description: staffDescription,
    baseUrl: urls.baseUrl,
    tags: staffTagDescriptions,
  });
}

const tagDescriptions = {
  Menu: 'Products on sale, at the base address and at the menu address',
  Orders: 'Pricing carts, placing and reading orders',
  Customers: 'Customers, their groups and points',
  'Customer sessions': 'How customers of web shops sign in',
  Catalog: 'Products, categories and sub-categories',
  Inventory: 'Stock and its locations',
  Purchasing: 'Purchase orders and vendors',
  Settings: 'The terms of sale',
  Queue: 'Customers waiting in the shop',
  Organization: 'The retailer behind the client key',
  Changes: 'The feed of changes, in order',
  Webhooks: 'Events sent to your own address',
  Sandbox: 'A shop of your own, to break safely',
};

const staffTagDescriptions = {
  Session: 'Signing in and out',
  Orders: 'Orders and their actions',
  Returns: 'Returned goods and refunds',
  Traceability: "What the state's traceability system is told",
  Catalog: 'Products, categories, brands, tags',
  Stock: 'Stock levels and movements',
  Packages: 'Labeled packages and incoming transfers',
  Purchasing: 'Purchase orders and vendors',
  Customers: 'Customers, their credits, points and documents',
  Marketing: 'Discounts, customer groups, loyalty',
  Settings: 'The organization and its terms of sale',
  Queue: 'Customers waiting in the shop',
  Registers: 'Registers, their drawers, and the money in them',
  Deliveries: 'Vehicles, drivers, and trips with deliveries',
  Keys: "Integrators' keys and requests",
  Webhooks: "Integrators' webhook endpoints and their deliveries",
  Staff: 'Members of staff, and the audit log',
  Reports: 'Totals over time',
};

const defaultUrls = { baseUrl: 'http://127.0.0.1:8080', menuUrl: 'http://127.0.0.1:8081' };
