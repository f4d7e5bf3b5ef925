import { hasOtherFilters, hasWords, plain, productTexts, type Row, rankOf } from './search-meaning.ts';

/* The order of each list, and where its pages begin, said once more in plain TypeScript. */

export type Value = string | number | boolean;
export type Query = Readonly<Record<string, Value>>;
/** Which of two rows comes first, as for `sort`. */
export type Comparator = (a: Row, b: Row) => number;

export interface ListMeaning {
  /** The order of the rows; of a list with a sort, as it is asked. */
  readonly order: Comparator | { readonly by: (query: Query) => Comparator };
  /** What shows all rows; by default nothing has to be sent. */
  readonly everything?: Query;
  /** The cursor to continue after a row; by default its id. */
  readonly cursor?: (row: Row) => Query;
  /** Whether a page can begin after a row; by default after each, also one that the filters leave out. */
  readonly isCursor?: (row: Row, query: Query) => boolean;
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

const inDirection =
  (order: Comparator, isTurned: boolean): Comparator =>
  (a, b) =>
    isTurned ? order(b, a) : order(a, b);

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
export const unitPrice = (option: Row): number => option.specialPrice ?? option.salesPrice ?? option.price;
const lowestPrice: Key = (row) => Math.min(...row.options.map(unitPrice));

const menuOrders: Readonly<Record<string, Comparator>> = {
  name: (a, b) => plain(a.name).localeCompare(plain(b.name), 'en', { numeric: true }) || ascending(id)(a, b),
  price: ascending(lowestPrice, id),
  'price-descending': (a, b) => descending(lowestPrice)(a, b) || ascending(id)(a, b),
  newest: (a, b) => descending((row) => row.createdAt)(a, b) || ascending(id)(a, b),
};

/** By the id of the operation. */
export const listMeaning: Readonly<Record<string, ListMeaning>> = {
  listDrawerSessions: { order: descending((row) => row.openedAt, id) },
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
  staffListWebhookDeliveries: { order: newestFirst },
  staffListOrders: {
    order: newestFirst,
    isRefused: ({ from, to }) => from !== undefined && to !== undefined && from > to,
  },
  staffListOrderReturns: { order: newestFirst },
  staffListCustomers: {
    order: {
      by: ({ search = '', sortBy = 'joinedAt', sortDirection }) => {
        if (String(search).trim() !== '') return latestJoined;
        const byName = ascending(
          (row) => plain(row.lastName),
          (row) => plain(row.firstName),
          id,
        );
        return sortBy === 'name'
          ? inDirection(byName, sortDirection === 'descending')
          : inDirection(latestJoined, sortDirection === 'ascending');
      },
    },
  },
  listCustomerDocuments: { order: descending((row) => row.uploadedAt, id) },
  listLoyaltyEvents: { order: newestFirst },
  staffListProducts: {
    order: {
      by: ({ search = '', sortBy, sortDirection }) =>
        String(search).trim() === ''
          ? sortBy === 'name'
            ? inDirection(
                ascending((row) => plain(row.name), id),
                sortDirection === 'descending',
              )
            : inDirection(newestFirst, sortDirection === 'ascending')
          : (a, b) => compare(rankOf(a, String(search)), rankOf(b, String(search))) || newestFirst(a, b),
    },
    // A page of a search begins after a product that it found.
    isCursor: (row, query) =>
      query.search === undefined ||
      (hasWords(productTexts(row), String(query.search)) && hasOtherFilters(row, query)),
  },
  listPhotosNotStored: { order: descending(id) },
  staffListPackages: { order: descending(id) },
  staffListMenuImports: { order: descending(id) },
  staffListPurchaseOrders: { order: newestFirst },
  listInventoryVendors: { order: newestFirst },
  staffListComplianceTransfers: { order: newestFirst },
  listStockLevels: { order: ascending(partOfId(0), partOfId(1), partOfId(2), partOfId(3)) },
  listStockLedger: { order: newestFirst },
  staffListDiscounts: {
    order: ascending((row) => row.priority, id),
    everything: { ended: true },
  },
  listLoyaltyRewards: { order: ascending(id), everything: { ended: true } },
  listAuditEntries: {
    order: descending((row) => row.at, id),
    isRefused: ({ subjectType, subjectId }) => subjectId !== undefined && subjectType === undefined,
  },
  listApiRequests: { order: descending((row) => row.at, partOfId(1), partOfId(2)) },
  listOwnRequests: { order: descending((row) => row.at, partOfId(1), partOfId(2)) },
};
