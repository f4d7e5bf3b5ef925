import type { SeededRandom } from '../../seed/seeded-random.ts';
import { type FilterWorld, withdrawnOption } from './filter-world.ts';
import { type Query, unitPrice, type Value } from './list-meaning.ts';
import {
  containsText,
  hasOtherFilters,
  hasWords,
  isFoundByWords,
  meansOrder,
  meansPerson,
  menuWords,
  packageTexts,
  pieceOf,
  plain,
  productTexts,
  type Row,
  startOf,
  wordsOf,
  wronglyTyped,
} from './search-meaning.ts';

/*
 * What the filters and sorts of lists mean, said once more: of one row at a time, in plain TypeScript, from what the
 * rows show. list-filters.test.ts compares every list with this.
 */

/** Parameters that choose something else than rows, and why. */
export const notFiltering: Readonly<Record<string, string>> = {
  'getMenu.type': 'what can be bought of each product; the products are the same',
  'getMenu.limit': 'how many',
  'listOrderStatuses.ids': 'which orders, in this order: own-orders.test.ts',
  'getMenu.changedSince': 'only what differs from another menu: menu-queries.test.ts',
  'listOwnRequests.status': 'as in the log of the staff: api-requests.test.ts',
  'listOwnRequests.code': 'as in the log of the staff: api-requests.test.ts',
  'listOwnRequests.path': 'as in the log of the staff: api-requests.test.ts',
  'listOwnRequests.from': 'as in the log of the staff: api-requests.test.ts',
  'listOwnRequests.to': 'as in the log of the staff: api-requests.test.ts',
  'listChanges.after': 'the start of the page: change-routes.test.ts',
  'listChanges.types': 'events of a feed, which grows while it is read: change-routes.test.ts',
  'listChanges.limit': 'how many',
  'listChanges.wait': 'how long',
  'listChanges.include': 'how much of each',
  'listOrderRecords.after': 'any id, also of no record: record-routes.test.ts',
  'listOrderRecords.ids': 'records by name: record-routes.test.ts',
  'listCustomerRecords.after': 'any id, also of no record: record-routes.test.ts',
  'listCustomerRecords.ids': 'records by name: record-routes.test.ts',
  'listProductRecords.after': 'any id, also of no record: record-routes.test.ts',
  'listProductRecords.ids': 'records by name: record-routes.test.ts',
  'listPackageRecords.after': 'any id, also of no record: record-routes.test.ts',
  'listPackageRecords.ids': 'records by name: record-routes.test.ts',
  'listPurchaseOrderRecords.after': 'any id, also of no record: record-routes.test.ts',
  'listPurchaseOrderRecords.ids': 'records by name: record-routes.test.ts',
};

/** Remembers what is made of an object, so that it is made once. */
function memoizedBy<Key extends object>() {
  return <Result>(make: (key: Key) => Result): ((key: Key) => Result) => {
    const made = new WeakMap<Key, Result>();
    return (key) => {
      const result = made.get(key) ?? make(key);
      made.set(key, result);
      return result;
    };
  };
}

export type { Query, Value } from './list-meaning.ts';

/** What rows do not show themselves. */
export interface Facts {
  readonly world: FilterWorld;
  /** All rows of another list. */
  rowsOf(operation: string): readonly Row[];
}

export interface FilterMeaning {
  /** Values at or around those of some rows, of which some are tried. Left out: all that the schema names. */
  readonly values?: (rows: readonly Row[], random: SeededRandom, facts: Facts) => readonly Value[];
  /** Values that are tried in every run. */
  readonly always?: (rows: readonly Row[]) => readonly Value[];
  /** Whether the list shows a row when it is asked with this value. Left out, of a sort: every row. */
  readonly keeps?: (row: Row, value: never, facts: Facts, query: Query) => boolean;
  /** What has to be sent with a value. */
  readonly beside?: (value: Value, rows: readonly Row[]) => Query;
}

const distinct = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];
const isGiven = <Item>(item: Item | null | undefined): item is Item => item !== null && item !== undefined;

/** A filter that keeps the rows with one value in a place. */
function equals(place: (row: Row) => Value | null): FilterMeaning {
  return {
    values: (rows) => distinct(rows.map(place).filter(isGiven)),
    always: (rows) => nearlyThere(rows.map(place).filter(isGiven)),
    keeps: (row, value: Value) => place(row) === value,
  };
}

/** A filter whose values the schema names. */
const equalsNamed = (place: (row: Row) => Value): FilterMeaning => ({
  keeps: (row, value: Value) => place(row) === value,
});

/** Values that no row has, but that are much like one. */
function nearlyThere(values: readonly Value[]): Value[] {
  const text = values.find((value) => typeof value === 'string');
  return text === undefined
    ? [9_007_199_254_740_000]
    : ['%', text.slice(0, -1), `${text}0`, text.toUpperCase()];
}

const days = new Map<string, string>();

/** The day of a moment in the organization's time zone, YYYY-MM-DD. */
function dayOf(at: string, { world: { timeZone } }: Facts): string {
  const day =
    days.get(at) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
      new Date(at),
    );
  days.set(at, day);
  return day;
}

/** The days of the rows, and those before and after them. */
const daysAround =
  (times: (row: Row) => readonly (string | null)[]) =>
  (rows: readonly Row[], _: SeededRandom, facts: Facts): Value[] => {
    const given = distinct(rows.flatMap(times).filter(isGiven));
    return distinct(
      [0, -86_400_000, 86_400_000].flatMap((by) =>
        given.map((at) => dayOf(new Date(Date.parse(at) + by).toISOString(), facts)),
      ),
    );
  };
const endsOfCalendar = () => ['0001-01-01', '9999-12-31'];

/** Moments at those of the rows, just before and just after. */
const momentsAround =
  (time: (row: Row) => string) =>
  (rows: readonly Row[], random: SeededRandom): Value[] =>
    distinct(rows.map(time)).map((at) => {
      const moment = new Date(Date.parse(at) + random.pick([-1, 0, 1])).toISOString();
      return random.chance(0.5) ? moment : moment.replace('Z', '+00:00');
    });

const fromMoment: FilterMeaning = {
  values: momentsAround((row) => row.at),
  keeps: (row, value: string) => Date.parse(row.at) >= Date.parse(value),
};
const toMoment: FilterMeaning = {
  values: momentsAround((row) => row.at),
  keeps: (row, value: string) => Date.parse(row.at) < Date.parse(value),
};

/** Searches the texts of a row, ignoring case and accents as the list does. */
function within(
  texts: (row: Row, facts: Facts) => readonly (string | null | undefined)[],
  { isTrimmed }: { readonly isTrimmed: boolean },
): FilterMeaning {
  return {
    values: (rows, random, facts) => [
      ...rows.flatMap((row) => {
        const found = texts(row, facts).filter(isGiven);
        return found.length === 0 ? [] : [pieceOf(random.pick(found), random)];
      }),
    ],
    always: () => ['zzqqzzqq', ' ', '%', withdrawnOption],
    keeps: (row, value: string, facts) =>
      texts(row, facts).some((text) => isGiven(text) && containsText(text, isTrimmed ? value.trim() : value)),
  };
}

const memoizeByFacts = memoizedBy<Facts>();

/** The labels of the packages of each product. */
const labelsOf = memoizeByFacts((facts) => {
  const labels = new Map<number, Set<string>>();
  for (const { product, label } of facts.rowsOf('staffListPackages')) {
    if (product) labels.set(product.id, (labels.get(product.id) ?? new Set()).add(label.toLowerCase()));
  }
  return labels;
});

/** Where the stock of an order comes from. */
const placesOf = memoizeByFacts((facts) => {
  const places = new Map<string, Set<number>>();
  for (const { orderId, inventoryLocationId, delta } of facts.rowsOf('listStockLedger')) {
    if (orderId === null || !delta.startsWith('-')) continue;
    places.set(orderId, (places.get(orderId) ?? new Set()).add(inventoryLocationId));
  }
  return places;
});

const optionsOf = memoizeByFacts(
  (facts) => new Map(facts.rowsOf('staffListProducts').map((product) => [product.id, product.options])),
);

const customersOf = memoizeByFacts(
  (facts) => new Map(facts.rowsOf('staffListCustomers').map((customer) => [customer.id, customer])),
);

/** Who was erased is not found. */
function isFound(customer: Row, typed: string): boolean {
  return customer.erasedAt === null && meansPerson.keeps(customer, typed);
}

/** A filter by the id or the name of something that a row has. */
function namedThing(things: (row: Row) => readonly Row[]): FilterMeaning {
  return {
    values: (rows, random) =>
      distinct(
        rows.flatMap(things).flatMap((it) => [String(it.id), it.name, random.pick([it.name.toUpperCase()])]),
      ),
    always: () => ['%', '999999999', withdrawnOption],
    keeps: (row, value: string) =>
      things(row).some((it) => String(it.id) === value || plain(it.name) === plain(value)),
  };
}

/** One option lies between both prices. */
const priceRange: FilterMeaning = {
  values: (rows) =>
    distinct(rows.flatMap((row) => row.options.map(unitPrice))).flatMap((cents) => [cents, cents + 1]),
  keeps: (row, _value, _facts, { minPrice = 0, maxPrice = Infinity }) =>
    row.options
      .map(unitPrice)
      .some((cents: number) => Number(minPrice) <= cents && cents <= Number(maxPrice)),
};

/** By the name of the parameter; where it means something else in one operation, by both. */
export const filterMeaning: Readonly<Record<string, FilterMeaning>> = {
  /** Sorts keep every row. */
  sortBy: {},
  sortDirection: {},
  'listPurchaseLimitRules.sortDirection': { beside: () => ({ sortBy: 'name' }) },
  status: equalsNamed((row) => row.status),
  type: equalsNamed((row) => row.type),
  active: equalsNamed((row) => row.isActive),
  voided: equalsNamed((row) => row.voidedAt !== null),
  /** Also the ended ones. */
  ended: {
    keeps: (row, value: boolean, { world }) => {
      const endsAt = row.endsAt ?? row.endedAt ?? null;
      return value || endsAt === null || Date.parse(endsAt) > world.nowMs;
    },
  },
  userId: equals((row) => row.userId),
  needsReview: equalsNamed((row) => row.needsReview),
  isOpen: equalsNamed((row) => row.isOpen),
  registerId: equals((row) => row.registerId),
  productId: equals((row) => row.productId),
  productOptionId: equals((row) => row.productOptionId),
  inventoryLocationId: equals((row) => row.inventoryLocationId),
  locationId: equals((row) => row.inventoryLocationId),
  /** 0 stands for no package. */
  packageId: equals((row) => row.packageId ?? 0),
  integratorId: equals((row) => row.integratorId),
  clientKeyId: equals((row) => row.clientKeyId),
  productCategoryId: equals((row) => row.primaryCategory.id),
  productSubCategoryId: {
    values: (rows) => distinct(rows.flatMap((row) => row.subCategories.map(({ id }: Row) => id))),
    keeps: (row, value: number) => row.subCategories.some(({ id }: Row) => id === value),
  },
  subjectType: equalsNamed((row) => row.subjectType),
  subjectId: {
    ...equals((row) => row.subjectId),
    beside: (value, rows) => ({
      subjectType: rows.find(({ subjectId }) => subjectId === value)?.subjectType ?? 'order',
    }),
  },
  actor: equals((row) => row.actor),
  code: equals((row) => row.code),
  path: {
    values: (rows, random) => [
      ...rows.flatMap((row) => [row.path, startOf(row.path, random), startOf(row.pathTemplate, random)]),
    ],
    always: () => ['/no/such/path', '%'],
    keeps: (row, value: string) =>
      row.pathTemplate.startsWith(value) || `${row.path}/`.startsWith(`${value.replace(/\/$/, '')}/`),
  },

  'getMenu.category': namedThing((row) => [row.primaryCategory]),
  'getMenu.brand': namedThing((row) => (row.brand === null ? [] : [row.brand])),
  'getMenu.tag': namedThing((row) => row.tags),
  'getMenu.strainType': equalsNamed((row) => row.strainType),
  'getMenu.inStock': equalsNamed((row) => row.inStock),
  'getMenu.onSale': equalsNamed((row) =>
    row.options.some(({ salesPrice, specialPrice }: Row) => salesPrice !== null || specialPrice !== null),
  ),
  'getMenu.minPrice': priceRange,
  'getMenu.maxPrice': priceRange,
  'getMenu.sort': {},
  'getMenu.search': {
    values: (rows, random) =>
      rows.flatMap((row) => {
        const words = menuWords(row).filter((text) => text.trim() !== '');
        return words.length === 0 ? [] : [`${pieceOf(random.pick(words), random)} ${random.pick(words)}`];
      }),
    always: () => ['zzqqzzqq', '%'],
    keeps: (row, value: string) =>
      wordsOf(value).every((word) => menuWords(row).some((text) => plain(text).includes(plain(word)))),
  },

  'listOrders.fulfilledOnly': { keeps: (row, value: boolean) => !value || row.status === 'fulfilled' },
  'listOrders.startingOn': {
    values: daysAround((row) => [row.createdAt, row.fulfilledAt, row.updatedAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts, { sortBy, fulfilledOnly }) =>
      dayOf(sortBy ? row.updatedAt : fulfilledOnly === true ? row.fulfilledAt : row.createdAt, facts) <=
      value,
  },
  /** The keys of the calling integrator. */
  'listOrders.idempotencyKey': {
    values: (rows, random, { world }) => [
      ...rows.flatMap((row) => world.placedBy.get(row.id)?.idempotencyKey ?? []),
      random.pick([...world.placedBy.values()]).idempotencyKey,
    ],
    always: () => ['0b1d3a52-94a1-4c3e-8f5b-2f6f6d0f7a11'],
    keeps: (row, value: string, { world }) => {
      const placed = world.placedBy.get(row.id);
      return placed?.idempotencyKey === value && placed.integratorId === world.integratorId;
    },
  },
  'listCustomers.startingOn': {
    values: daysAround((row) => [row.joinedAt, row.updatedAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts, query) =>
      dayOf(query.sortBy ? row.updatedAt : row.joinedAt, facts) <= value,
  },
  'listDrawerSessions.from': {
    values: daysAround((row) => [row.openedAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts) => dayOf(row.openedAt, facts) >= value,
  },
  'listDrawerSessions.to': {
    values: daysAround((row) => [row.openedAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts) => dayOf(row.openedAt, facts) <= value,
  },
  'staffListOrders.from': {
    values: daysAround((row) => [row.createdAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts) => dayOf(row.createdAt, facts) >= value,
  },
  'staffListOrders.to': {
    values: daysAround((row) => [row.createdAt]),
    always: endsOfCalendar,
    keeps: (row, value: string, facts) => dayOf(row.createdAt, facts) <= value,
  },
  /** Drafts and canceled orders hold no stock. */
  'staffListOrders.inventoryLocationId': {
    values: (_, __, facts) => distinct([...placesOf(facts).values()].flatMap((of) => [...of])),
    always: () => [1],
    keeps: (row, value: number, facts) =>
      !['draft', 'canceled'].includes(row.status) && (placesOf(facts).get(row.id)?.has(value) ?? false),
  },
  'staffListOrders.search': {
    values: (rows, random, facts) => [
      ...rows.flatMap((row) => [
        String(row.number),
        `#${row.number}`,
        row.id,
        row.id.toUpperCase(),
        ...(row.customerName === null ? [] : [startOf(row.customerName, random, 2)]),
        ...(isGiven(row.userId) ? [meansPerson.values(customersOf(facts).get(row.userId), random)] : []),
      ]),
    ],
    always: () => ['zzqqzzqq', '##', '%%'],
    keeps: (row, value: string, facts) =>
      meansOrder(row, value) || (isGiven(row.userId) && isFound(customersOf(facts).get(row.userId), value)),
  },
  'staffListCustomers.search': {
    values: (rows, random) => rows.map((row) => meansPerson.values(row, random)),
    always: (rows) => [
      ...['zzqqzzqq', '  ', '%%'],
      ...rows.filter(({ erasedAt }) => erasedAt !== null).map(({ hashId }) => hashId),
    ],
    keeps: (row, value: string) => value.trim() === '' || isFound(row, value),
  },
  'staffListProducts.search': {
    values: (rows, random) =>
      rows.flatMap((row) => {
        const [one, other] = [random.pick(productTexts(row)), random.pick(productTexts(row))];
        return [
          `${pieceOf(other, random)} ${random.pick(one.split(' '))}`,
          pieceOf(one, random),
          wronglyTyped(one, random),
        ];
      }),
    always: () => ['zzqqzzqq', ' ', '%', withdrawnOption, 'a.*e'],
    keeps: (row, value: string, facts, query) =>
      isFoundByWords(value, ({ id }, label) => labelsOf(facts).get(id)?.has(label) ?? false)(
        row,
        facts.rowsOf('staffListProducts').filter((other) => hasOtherFilters(other, query)),
      ),
  },
  'staffListPackages.search': {
    ...within(packageTexts, { isTrimmed: true }),
    always: () => ['zzqqzzqq', ' ', '%', withdrawnOption, 'grove moonlit'],
    keeps: (row, value: string) => hasWords(packageTexts(row), value),
  },
  /** Stock that is kept for a product as a whole is found by any of its options. */
  'listStockLevels.search': within(
    (row, facts) => [
      ...[row.productName, row.brandName, row.optionName, row.upc, row.packageLabel],
      ...(row.productOptionId === null
        ? optionsOf(facts)
            .get(row.productId)
            .flatMap((option: Row) => [option.name, option.upc])
        : []),
    ],
    { isTrimmed: true },
  ),

  /** One status, or a class such as `4xx`. */
  'listApiRequests.status': {
    values: (rows) => [...distinct(rows.flatMap(({ status }) => [String(status), `${String(status)[0]}xx`]))],
    always: () => ['599', '5xx'],
    keeps: (row, value: string) =>
      value.endsWith('xx') ? String(row.status)[0] === value[0] : row.status === Number(value),
  },
  'listApiRequests.from': fromMoment,
  'listApiRequests.to': toMoment,
  'listAuditEntries.from': fromMoment,
  'listAuditEntries.to': toMoment,
};

/** Filters that contradict each other, and are refused, by the list. */
export const contradictions: Readonly<Record<string, (query: Query) => boolean>> = {
  listDrawerSessions: ({ from, to }) => from !== undefined && to !== undefined && from > to,
  staffListOrders: ({ from, to }) => from !== undefined && to !== undefined && from > to,
  listAuditEntries: ({ subjectType, subjectId }) => subjectId !== undefined && subjectType === undefined,
};
