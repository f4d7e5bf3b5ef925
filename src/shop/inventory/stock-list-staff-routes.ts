import Type, { type Static } from 'typebox';
import { stateBlocks } from '../../engines/state-reports/state-package.ts';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { totalOf, totalOfPage } from '../../kernel/list-count.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { EntryActor, shownActor } from '../../platform/http/entry-actor.ts';
import { sortFields } from '../../platform/http/list-sorts.ts';
import { ListTotal, listTotalExample } from '../../platform/http/list-total.ts';
import {
  DecimalText,
  Flag,
  Id,
  List,
  LocalDate,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
  WholeNumber,
  withErrorCode,
} from '../../platform/http/schemas.ts';
import { readSearchPage } from '../../platform/lists/search.ts';
import { optionLabel } from '../catalog/products.ts';
import type { BalanceKey } from './lock-balances.ts';
import { stockCauses } from './move-stock.ts';
import { isEnded } from './package-queries.ts';
import {
  countLedger,
  type LedgerEntryRow,
  ledgerSorts,
  listLedgerPage,
  selectLedgerEntry,
} from './stock-ledger-queries.ts';
import {
  countStockLevels,
  listStockLevels,
  type SellablePackageRow,
  type StockLevelRow,
  searchStockLevels,
  selectBalance,
  selectSellableOfProducts,
  selectSellablePackages,
  stockLevelList,
  stockRowsPerPage,
} from './stock-list-queries.ts';
import { stockReaders, stockWriters } from './stock-schemas.ts';

const blockReasons = [
  'not-received',
  'finished',
  'on-hold',
  'trade-sample',
  ...stateBlocks.map((block) => `state-${block}` as const),
  'expired',
  'quarantine',
] as const;

/** The fields of an item and its place that both lists share. */
const itemFields = {
  productId: Id(),
  productName: Text({ max: 500 }),
  productOptionId: Nullable(Id({ description: 'Null when stock is kept per product' })),
  optionName: Nullable(Text({ max: 500 })),
  inventoryLocationId: Id(),
  locationName: Text({ max: 200 }),
  packageId: Nullable(Id({ description: 'Null: without a package' })),
  packageLabel: Nullable(Text({ max: 100 })),
};

const StockLevel = Named(
  'StockLevel',
  Type.Object({
    id: Text({ max: 80, description: 'For `startingAfter`' }),
    ...itemFields,
    brandName: Nullable(Text({ max: 500 })),
    upc: Nullable(Text({ max: 100 })),
    unit: OneOf(['gram', 'item'], {
      description: 'What `onHand` counts; stock of an option is kept by the item',
    }),
    onHand: DecimalText({ description: 'Stock on hand' }),
    sellable: DecimalText({ description: 'Sellable stock: all of it or 0' }),
    notSellable: Nullable(
      OneOf(blockReasons, {
        description: 'Why it cannot be sold; `finished` also if the package is void, shipped or transferred',
      }),
    ),
    expirationDate: Nullable(LocalDate({ description: "The package's last day of sale" })),
  }),
);

const SellableStock = Named(
  'SellableStock',
  Type.Object({
    productId: Id(),
    productOptionId: Nullable(Id({ description: 'Null when stock is kept per product' })),
    sellable: DecimalText({ description: "In the product's unit; stock of an option is kept by the item" }),
  }),
);

const SellablePackage = Named(
  'SellablePackage',
  Type.Object({
    productId: Id(),
    productOptionId: Nullable(Id({ description: 'Null when stock is kept per product' })),
    packageId: Id(),
    label: Text({ max: 100 }),
    sellable: DecimalText({ description: "In the product's unit; stock of an option is kept by the item" }),
    expirationDate: Nullable(LocalDate({ description: 'Its last day of sale' })),
  }),
);

const levelExample = {
  id: '2101-2201-2401-2601',
  productId: 2101,
  productName: 'Moonlit Grove',
  productOptionId: 2201,
  optionName: '3.5 grams',
  inventoryLocationId: 2401,
  locationName: 'Storefront',
  packageId: 2601,
  packageLabel: '1A4FF0000000000000000001',
  brandName: 'Fernweh Farms',
  upc: '850000000017',
  unit: 'item',
  onHand: '36',
  sellable: '36',
  notSellable: null,
  expirationDate: '2027-01-31',
} as const;

const LedgerEntry = Named(
  'StockLedgerEntry',
  Type.Object({
    id: Id(),
    ...itemFields,
    delta: DecimalText({ sign: 'any', description: 'Negative: removed' }),
    cause: OneOf(stockCauses),
    actor: EntryActor,
    orderId: Nullable(Text({ max: 36, description: 'The order that took or returned it' })),
    stockOperationId: Nullable(Id({ description: 'The adjustment, transfer or count' })),
    reason: Nullable(Text({ max: 500 })),
    createdAt: Timestamp(),
  }),
);

const ledgerExample = {
  id: 9001,
  productId: 2101,
  productName: 'Moonlit Grove',
  productOptionId: 2201,
  optionName: '3.5 grams',
  inventoryLocationId: 2401,
  locationName: 'Storefront',
  packageId: 2601,
  packageLabel: '1A4FF0000000000000000001',
  delta: '-2',
  cause: 'adjusted',
  actor: { kind: 'staff', id: 31, name: 'Ines Novak' },
  orderId: null,
  stockOperationId: 8801,
  reason: 'Broken jar',
  createdAt: '2026-03-10T18:00:00.000Z',
} as const;

/** An id of four numbers, `1-20-3-0`: product, option, package, location. */
const levelKey = [0, 1, 2, 3].map(
  (at) => (level: { readonly id: string }) => Number(level.id.split('-')[at]),
);

/** Stock lists for staff: the levels and the ledger. */
export function stockListStaffRoutes(context: Context): StaffEndpoint[] {
  const { database } = context;
  return [
    staffEndpoint({
      id: 'listStockLevels',
      method: 'GET',
      path: '/staff/v1/inventory',
      roles: stockReaders,
      kind: 'read',
      readsFrom: 'standby',
      list: {
        readsAll: {
          onHand:
            'the levels of a shop, some for each product: an index of what every sale changes would slow each sale down',
          expirationDate: 'the levels of a shop, some for each product',
          locationName: 'the levels of a shop, some for each product',
        },
        notInConsole: { productId: 'the order that the table has by itself' },
        found: { ascending: levelKey },
        keys: { onHand: ({ onHand }) => Number(onHand) },
        ties: levelKey,
      },
      summary: 'List stock levels',
      description: `Stock on hand by product, option, location and package, in this order unless sorted, ${stockRowsPerPage} a page. Sold-out items stay listed with 0. Stock on hold, trade samples, expired stock and stock that is not received is on hand but not sellable.`,
      tag: 'Stock',
      query: Type.Object({
        locationId: Type.Optional(Id({ description: 'Only levels at this location' })),
        search: Type.Optional(
          Text({
            min: 1,
            max: 200,
            description:
              'Searches names of products, options and brands, UPCs and package labels, case-insensitive',
          }),
        ),
        ...sortFields(stockLevelList.sorts, 'With a search always by `productId`'),
        startingAfter: Type.Optional(withErrorCode(Text({ max: 80 }), 'INVALID_CURSOR')),
      }),
      success: {
        status: 200,
        data: List(StockLevel, { max: stockRowsPerPage }),
        meta: ListTotal,
        description: 'A page of levels; with a search, `meta` is of the page',
        example: [levelExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const after = query.startingAfter === undefined ? null : balanceNamed(query.startingAfter);
        const filter = {
          at: isoTimestamp(context.clock.now()),
          locationId: query.locationId ?? null,
          afterProductId: after?.productId ?? 0,
          afterOptionId: after?.optionId ?? 0,
          afterLocationId: after?.locationId ?? 0,
          afterPackageId: after?.packageId ?? 0,
        };
        const search = query.search?.trim() || null;
        const [page, found, counts] = await database.read(
          staff.organizationId,
          search === null ? listStockLevels(filter, query, after !== null) : null,
          after === null ? null : selectBalance({ ...after }),
          search === null ? countStockLevels(filter) : null,
        );
        if (after !== null && found.length === 0) throw unknownCursor();
        const rows =
          search === null
            ? page
            : await readSearchPage(database, staff.organizationId, searchStockLevels(search, filter));
        const total =
          search === null
            ? totalOf(counts[0]!.count)
            : totalOfPage(rows.length, stockRowsPerPage, after === null);
        return reply(rows.map(stockLevel), { meta: total });
      },
    }),

    staffEndpoint({
      id: 'getSellableStock',
      method: 'GET',
      path: '/staff/v1/inventory/sellable',
      roles: stockReaders,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'Retrieve the sellable stock of products',
      description:
        'What can be sold of some products at the locations that an order type uses, by product, or by option where stock is kept by option. A product without stock records is left out.',
      tag: 'Stock',
      query: Type.Object({
        products: Text({
          min: 1,
          max: stockRowsPerPage * 17,
          description: `Up to ${stockRowsPerPage} ids of products, separated by commas; unknown ones are left out`,
        }),
        orderType: Type.Optional(
          OneOf(['delivery', 'pickup', 'in-store'], { description: 'Default: in-store' }),
        ),
        withPackages: Type.Optional(Flag({ description: 'Adds `packages`, to weigh from one of them' })),
      }),
      success: {
        status: 200,
        data: Type.Object({
          stock: List(SellableStock, { max: 10_000 }),
          packages: Type.Optional(List(SellablePackage, { max: 500 })),
        }),
        description: 'The stock',
        example: { stock: [{ productId: 2101, productOptionId: 2201, sellable: '36' }] },
      },
      failures: [],
      handle: async ({ staff, query }) => {
        const productIds = readProductIds(query.products);
        const { orderType = 'in-store', withPackages = false } = query;
        const asked = { productIds, orderType, at: isoTimestamp(context.clock.now()) };
        const [rows, packages] = await database.read(
          staff.organizationId,
          selectSellableOfProducts(asked),
          withPackages ? selectSellablePackages(asked) : null,
        );
        return reply({
          ...(withPackages && { packages: packages.map(sellablePackage) }),
          stock: rows.map((row) => ({
            productId: row.product_id,
            productOptionId: row.product_option_id || null,
            sellable: canonicalDecimalText(row.sellable),
          })),
        });
      },
    }),

    staffEndpoint({
      id: 'listStockLedger',
      method: 'GET',
      path: '/staff/v1/inventory-ledger',
      roles: stockWriters,
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List the stock ledger',
      description: `Every stock movement with its cause and its user, newest first unless turned, ${stockRowsPerPage} a page. Filters combine; \`packageId=0\` means without a package. The levels are the sums of these entries.`,
      tag: 'Stock',
      query: Type.Object({
        productId: Type.Optional(Id()),
        productOptionId: Type.Optional(Id()),
        inventoryLocationId: Type.Optional(Id()),
        packageId: Type.Optional(WholeNumber({ min: 0, max: Number.MAX_SAFE_INTEGER })),
        ...sortFields(ledgerSorts),
        startingAfter: Type.Optional(withErrorCode(Id(), 'INVALID_CURSOR')),
      }),
      success: {
        status: 200,
        data: List(LedgerEntry, { max: stockRowsPerPage }),
        meta: ListTotal,
        description: 'A page of entries',
        example: [ledgerExample],
        metaExample: listTotalExample,
      },
      failures: ['INVALID_CURSOR'],
      handle: async ({ staff, query }) => {
        const [rows, [counted]] = await database.read(
          staff.organizationId,
          listLedgerPage({ ...query, isOldestFirst: query.sortDirection === 'ascending' }),
          countLedger(query),
        );
        if (rows.length === 0 && query.startingAfter !== undefined) {
          const cursor = selectLedgerEntry({ id: query.startingAfter });
          const [[found]] = await database.read(staff.organizationId, cursor);
          if (found === undefined) throw unknownCursor();
        }
        return reply(rows.map(ledgerEntry), { meta: totalOf(counted!.count) });
      },
    }),
  ];
}

function sellablePackage(row: SellablePackageRow): Static<typeof SellablePackage> {
  return {
    productId: row.product_id,
    productOptionId: row.product_option_id || null,
    packageId: row.package_id,
    label: row.label,
    sellable: row.sellable,
    expirationDate: row.expiration_date,
  };
}

/** Fails with INVALID_PARAMS. */
function readProductIds(text: string): number[] {
  const ids = [...new Set(text.split(',').map((part) => part.trim()))];
  const bad = ids.find((id) => !/^[1-9]\d{0,15}$/.test(id) || !Number.isSafeInteger(Number(id)));
  if (bad !== undefined || ids.length > stockRowsPerPage) {
    throw failure('INVALID_PARAMS', `products must be at most ${stockRowsPerPage} ids, separated by commas`);
  }
  return ids.map(Number);
}

function unknownCursor() {
  return failure('INVALID_CURSOR', 'startingAfter must be the id of a row of this list');
}

/** The content of a level's id: the key of its balance. */
function balanceNamed(cursor: string): BalanceKey {
  const match = /^(\d{1,15})-(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(cursor);
  if (match === null) throw unknownCursor();
  const [productId, optionId, locationId, packageId] = match.slice(1).map(Number);
  return { productId: productId!, optionId: optionId!, locationId: locationId!, packageId: packageId! };
}

function itemOf(row: StockLevelRow | LedgerEntryRow) {
  return {
    productId: row.product_id,
    productName: row.product_name,
    productOptionId: row.product_option_id || null,
    optionName:
      row.option_amount === null ? null : optionLabel(row.option_name, row.option_amount, row.product_unit),
    inventoryLocationId: row.inventory_location_id,
    locationName: row.location_name,
    packageId: row.package_id || null,
    packageLabel: row.package_label,
  };
}

function stockLevel(row: StockLevelRow): Static<typeof StockLevel> {
  const onHand = canonicalDecimalText(row.on_hand);
  return {
    id: [row.product_id, row.product_option_id, row.inventory_location_id, row.package_id].join('-'),
    ...itemOf(row),
    brandName: row.brand_name,
    upc: row.option_upc,
    unit: row.product_option_id ? 'item' : row.product_unit,
    onHand,
    sellable: row.is_sellable ? onHand : '0',
    notSellable: row.is_sellable ? null : blockReason(row),
    expirationDate: row.package_expiration_date,
  };
}

/** The reason why a package cannot be sold (D53). */
function blockReason(row: StockLevelRow): (typeof blockReasons)[number] {
  if (row.is_quarantine) return 'quarantine';
  if (row.package_status !== null && isEnded(row.package_status)) return 'finished';
  if (row.package_status !== 'received') return 'not-received';
  if (row.package_on_hold) return 'on-hold';
  if (row.package_state_block !== null) return `state-${row.package_state_block}`;
  if (row.package_trade_sample) return 'trade-sample';
  return 'expired';
}

function ledgerEntry(row: LedgerEntryRow): Static<typeof LedgerEntry> {
  return {
    id: row.id,
    ...itemOf(row),
    delta: canonicalDecimalText(row.delta),
    cause: row.cause,
    actor: shownActor(row),
    orderId: row.order_id,
    stockOperationId: row.operation_id,
    reason: row.operation_reason,
    createdAt: isoTimestamp(row.created_at),
  };
}
