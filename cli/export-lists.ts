/** The exported parts of the staff API and their files. */
export interface ExportedList {
  /** The name of the file, and of `--resource`. */
  readonly resource: string;
  /** The operation that returns it, page by page. */
  readonly operation: string;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Requested for every entry of an earlier list, whose id is this parameter. */
  readonly of?: { readonly resource: string; readonly param: string };
}

/** In this order: referenced records come first. Packages are read by their ids, beside these. */
export const exportedLists: readonly ExportedList[] = [
  { resource: 'organization', operation: 'getOrganizationSettings' },
  { resource: 'staff', operation: 'listStaff' },
  { resource: 'client-keys', operation: 'listClientKeys' },
  { resource: 'taxes', operation: 'listTaxes' },
  { resource: 'payment-types', operation: 'listPaymentTypeSettings' },
  { resource: 'delivery-zones', operation: 'listDeliveryZones' },
  { resource: 'purchase-limit-rules', operation: 'listPurchaseLimitRules' },
  { resource: 'inventory-locations', operation: 'listKeptInventoryLocations' },
  { resource: 'product-categories', operation: 'staffListProductCategories' },
  { resource: 'product-sub-categories', operation: 'staffListProductSubCategories' },
  { resource: 'brands', operation: 'listBrands' },
  { resource: 'tags', operation: 'staffListTags' },
  { resource: 'products', operation: 'staffListProducts' },
  { resource: 'inventory-vendors', operation: 'listInventoryVendors' },
  { resource: 'purchase-orders', operation: 'staffListPurchaseOrders' },
  { resource: 'compliance-transfers', operation: 'staffListComplianceTransfers' },
  { resource: 'inventory', operation: 'listStockLevels' },
  { resource: 'inventory-ledger', operation: 'listStockLedger' },
  { resource: 'customer-groups', operation: 'staffListCustomerGroups' },
  { resource: 'customers', operation: 'staffListCustomers' },
  {
    resource: 'customer-credits',
    operation: 'listCustomerCredits',
    of: { resource: 'customers', param: 'customerId' },
  },
  {
    resource: 'loyalty-events',
    operation: 'listLoyaltyEvents',
    of: { resource: 'customers', param: 'customerId' },
  },
  {
    resource: 'customer-documents',
    operation: 'listCustomerDocuments',
    of: { resource: 'customers', param: 'customerId' },
  },
  { resource: 'loyalty-program', operation: 'getLoyaltyProgram' },
  { resource: 'loyalty-rewards', operation: 'listLoyaltyRewards', query: { ended: true } },
  { resource: 'discounts', operation: 'staffListDiscounts', query: { ended: true } },
  { resource: 'orders', operation: 'staffListOrders' },
  { resource: 'order-returns', operation: 'staffListOrderReturns' },
  { resource: 'registers', operation: 'listRegisters' },
  { resource: 'drawer-sessions', operation: 'listDrawerSessions' },
  { resource: 'offline-sales', operation: 'listOfflineSales' },
  { resource: 'instore-queues', operation: 'staffListInstoreQueues' },
  { resource: 'audit-log', operation: 'listAuditEntries' },
];

/** Read by ids: a list by last change omits records that are changing at the moment. */
export const packagesResource = 'packages';

export const exportedResources: readonly string[] = [
  ...exportedLists.map(({ resource }) => resource),
  packagesResource,
];

/** The staff's list operations that are not exported, with reasons. */
export const notExported: Readonly<Record<string, string>> = {
  listParkedCarts: 'they last a day, and are no records',
  listIntegrators: "the operator's, not the shop's",
  staffListPackages: 'read by their ids instead, see above',
  staffListMenuImports: 'how products came here; the products themselves are exported',
  listMySessions: 'where one person is signed in now',
  listStaffSessions: 'where one person is signed in now',
  listMyPasskeys: 'of one person; they sign in here only',
  listMails: 'a log with a retention of 30 days',
  listApiRequests: 'a log with a retention of some days',
  staffListWebhookEndpoints: 'settings of integrators; their secrets cannot be exported',
  staffListWebhookDeliveries: 'a log with a retention of 30 days',
  listIntegratorHealth: 'derived from a log with a retention of some days',
  listCustomerDuplicates: 'derived from the customers',
  listPhotosNotStored: 'pending fetches; the photos themselves are exported with the products',
};
