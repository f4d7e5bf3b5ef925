import { hasOtherFilters, hasWords, plain, productTexts, type Row, rankOf } from './search-meaning.ts';
import { type Comparator, type Query, sortedBy } from './sort-meaning.ts';

export type { Comparator, Query } from './sort-meaning.ts';

/* The order of each list, and where its pages begin, said once more in plain TypeScript. */

export type Value = string | number | boolean;

interface ListMeaning {
  /** The order of the rows; of a list with a sort, as it is asked. */
  readonly order: Comparator | { readonly by: (query: Query) => Comparator };
  /** What shows all rows; by default nothing has to be sent. */
  readonly everything?: Query;
  /** The cursor to continue after a row; by default its id. */
  readonly cursor?: (row: Row) => Query;
  /** Whether a page can begin after a row; by default after each, also one that the filters leave out. */
  readonly isCursor?: (row: Row, query: Query) => boolean;
  /** What tells its rows apart, if they have no id of their own. */
  readonly identity?: (row: Row) => string;
  /** Filters that contradict each other, and are refused. */
  readonly isRefused?: (query: Query) => boolean;
}

type Key = (row: Row) => string | number;
const compare = (a: string | number, b: string | number): number => (a < b ? -1 : a > b ? 1 : 0);

/** By the first key that tells two rows apart. */
const ascending =
  (...keys: readonly Key[]): Comparator =>
  (a, b) =>
    keys.map((key) => compare(key(a), key(b))).find((sign) => sign !== 0) ?? 0;
const descending =
  (...keys: readonly Key[]): Comparator =>
  (a, b) =>
    ascending(...keys)(b, a);

const id: Key = (row) => row.id;
const newestFirst = descending((row) => row.createdAt, id);
const latestJoined = descending((row) => row.joinedAt, id);
const latestChanged = descending((row) => row.updatedAt, id);
const latestFulfilled = descending((row) => row.fulfilledAt, id);
/** An id of several numbers, `1-20-3`. */
const partOfId =
  (at: number): Key =>
  (row) =>
    Number(row.id.split('-')[at]);

/** What one unit of an option costs. */
export const unitPrice = (option: Row): number => option.displayPrice;
const lowestPrice: Key = (row) => Math.min(...row.options.map(unitPrice));

const menuOrders: Readonly<Record<string, Comparator>> = {
  name: (a, b) => plain(a.name).localeCompare(plain(b.name), 'en', { numeric: true }) || ascending(id)(a, b),
  price: ascending(lowestPrice, id),
  'price-descending': (a, b) => descending(lowestPrice)(a, b) || ascending(id)(a, b),
  newest: (a, b) => descending((row) => row.createdAt)(a, b) || ascending(id)(a, b),
};

const orderOrder = sortedBy({ first: 'createdAt', ties: [id] });
const keyOfLevel = [partOfId(0), partOfId(1), partOfId(2), partOfId(3)];
const byKey = ascending(...keyOfLevel);
const levelOrder = sortedBy({
  first: 'productId',
  own: { productId: 'ascending' },
  keys: { onHand: (row) => Number(row.onHand) },
  ties: keyOfLevel,
});
const byTimeFirst = sortedBy({ first: 'createdAt', ties: [id] });
const customerOrder = sortedBy({
  first: 'joinedAt',
  keys: { name: [(row) => row.lastName, (row) => row.firstName] },
  ties: [id],
});
const productOrder = sortedBy({
  first: 'createdAt',
  own: { price: 'ascending' },
  keys: {
    brand: (row) => row.brand?.name,
    category: (row) => row.primaryCategory.name,
    price: (row) =>
      row.options.length === 0 ? null : Math.min(...row.options.map(({ price }: Row) => price)),
    stock: (row) => Number(row.onHand),
  },
  ties: [id],
});
const packageOrder = sortedBy({
  first: 'createdAt',
  keys: { createdAt: () => 0, initialAmount: (row) => Number(row.initialAmount) },
  ties: [id],
});

/** By the id of the operation. */
export const listMeaning: Readonly<Record<string, ListMeaning>> = {
  listOfflineSales: { order: sortedBy({ first: 'soldAt', ties: [id] }) },
  listDrawerSessions: {
    order: sortedBy({ first: 'openedAt', ties: [id] }),
    isRefused: ({ from, to }) => from !== undefined && to !== undefined && from > to,
  },
  listOrders: {
    order: {
      by: ({ sortBy, fulfilledOnly }) =>
        sortBy ? latestChanged : fulfilledOnly === true ? latestFulfilled : newestFirst,
    },
    isCursor: (row, query) => query.fulfilledOnly !== true || row.status === 'fulfilled',
  },
  listCustomers: {
    order: { by: (query) => (query.sortBy ? latestChanged : descending((row) => row.joinedAt, id)) },
  },
  listPageOrders: { order: newestFirst },
  listOrderReturns: { order: newestFirst },
  listPackages: {
    order: ascending((row) => row.updatedAt, id),
    cursor: (row) => ({ startingAfterUpdatedAt: row.updatedAt, startingAfterId: row.id }),
  },
  listPurchaseOrders: { order: newestFirst },
  listWebhookDeliveries: { order: newestFirst },
  getMenu: { order: { by: ({ sort }) => menuOrders[String(sort)] ?? ascending(id) } },
  listComplianceTransfers: { order: newestFirst },
  staffListWebhookDeliveries: { order: byTimeFirst },
  staffListOrders: {
    order: {
      by: (query) => (String(query.search ?? '').trim() === '' ? orderOrder.by(query) : newestFirst),
    },
    isRefused: ({ from, to }) => from !== undefined && to !== undefined && from > to,
  },
  staffListOrderReturns: {
    order: sortedBy({ first: 'createdAt', own: { refundTotal: 'ascending' }, ties: [id] }),
  },
  staffListCustomers: {
    order: {
      by: (query) => (String(query.search ?? '').trim() === '' ? customerOrder.by(query) : latestJoined),
    },
  },
  listCustomerDuplicates: { order: descending(id) },
  listCustomerDocuments: { order: sortedBy({ first: 'uploadedAt', ties: [id] }) },
  listLoyaltyEvents: { order: byTimeFirst },
  staffListProducts: {
    order: {
      by: (query) =>
        String(query.search ?? '').trim() === ''
          ? productOrder.by(query)
          : (a, b) =>
              compare(rankOf(a, String(query.search)), rankOf(b, String(query.search))) || newestFirst(a, b),
    },
    // A page of a search begins after a product that it found.
    isCursor: (row, query) =>
      query.search === undefined ||
      (hasWords(productTexts(row), String(query.search)) && hasOtherFilters(row, query)),
  },
  listPhotosNotStored: { order: sortedBy({ first: 'id', own: { id: 'descending' } }) },
  staffListPackages: {
    order: {
      by: (query) => (String(query.search ?? '').trim() === '' ? packageOrder.by(query) : descending(id)),
    },
  },
  staffListMenuImports: { order: byTimeFirst },
  staffListPurchaseOrders: {
    order: sortedBy({ first: 'createdAt', keys: { vendorName: (row) => row.vendor.name }, ties: [id] }),
  },
  listInventoryVendors: { order: byTimeFirst },
  staffListComplianceTransfers: {
    order: sortedBy({ first: 'createdAt', own: { manifestNumber: 'ascending' }, ties: [id] }),
  },
  listStockLevels: {
    order: {
      by: (query) => (String(query.search ?? '').trim() === '' ? levelOrder.by(query) : byKey),
    },
  },
  listStockLedger: { order: byTimeFirst },
  staffListDiscounts: {
    order: sortedBy({ first: 'priority', keys: { uses: (row) => row.uses.total } }),
    everything: { ended: true },
  },
  listLoyaltyRewards: {
    order: sortedBy({ first: 'id', own: { pointsRequirement: 'ascending' } }),
    everything: { ended: true },
  },
  listBrands: { order: sortedBy({ first: 'id' }) },
  listClientKeys: { order: sortedBy({ first: 'createdAt', own: { createdAt: 'ascending' } }) },
  staffListCustomerGroups: { order: sortedBy({ first: 'id' }) },
  listCustomerCredits: { order: sortedBy({ first: 'id' }) },
  listDeliveryZones: { order: sortedBy({ first: 'id' }) },
  listIntegrators: { order: sortedBy({ first: 'id' }) },
  listIntegratorHealth: {
    order: sortedBy({ first: 'integratorId' }),
    identity: (row) => String(row.integratorId),
  },
  listKeptInventoryLocations: { order: sortedBy({ first: 'id' }) },
  listMails: { order: sortedBy({ first: 'createdAt' }) },
  listPaymentTypeSettings: { order: sortedBy({ first: 'id' }) },
  staffListProductCategories: { order: sortedBy({ first: 'order' }) },
  staffListProductSubCategories: { order: sortedBy({ first: 'name' }) },
  listPurchaseLimitRules: {
    order: sortedBy({ first: 'source' }),
    identity: (row) =>
      JSON.stringify([row.id, row.source, row.name, row.customerType, row.window, row.limit]),
  },
  listRegisters: {
    order: sortedBy({ first: 'id', keys: { openedAt: (row) => row.openSession?.openedAt } }),
  },
  listStaff: {
    order: sortedBy({
      first: 'createdAt',
      own: { createdAt: 'ascending' },
      keys: { name: [(row) => row.lastName, (row) => row.firstName] },
    }),
  },
  staffListTags: { order: sortedBy({ first: 'id', keys: { products: (row) => row.productIds.length } }) },
  listTaxes: { order: sortedBy({ first: 'tier', keys: { rate: (row) => Number(row.rate) } }) },
  staffListWebhookEndpoints: { order: sortedBy({ first: 'id' }) },
  listAuditEntries: {
    order: sortedBy({ first: 'at', ties: [id] }),
    isRefused: ({ subjectType, subjectId }) => subjectId !== undefined && subjectType === undefined,
  },
  listApiRequests: { order: descending((row) => row.at, partOfId(1), partOfId(2)) },
  listOwnRequests: { order: descending((row) => row.at, partOfId(1), partOfId(2)) },
};
