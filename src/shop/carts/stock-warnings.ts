import { blockWords } from '../../engines/state-reports/state-package.ts';
import { canonicalDecimalText, type Decimal, decimal, zero } from '../../kernel/decimal.ts';
import { groupBy } from '../../kernel/group-by.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Batcher } from '../../platform/connections/batcher.ts';
import type { Context } from '../../platform/database/context.ts';
import { OrganizationCache } from '../../platform/database/organization-cache.ts';
import type { NamedPackageRow } from '../inventory/named-package-queries.ts';
import {
  maxQuantity,
  refusedPackage,
  type StockLevelRow,
  selectOrderTypeLocations,
  selectStockLevelsOfOptions,
  stockNeedOf,
} from '../inventory/stock.ts';
import type { CartRequest } from './cart-request.ts';
import type { CartWarning } from './cart-schemas.ts';
import type { DecidedCart } from './decide-cart.ts';

/* What a preview says of stock (D81): what an order of this cart would be refused for. A preview itself is never refused for it. */

type PlaceRow = { readonly order_type: string; readonly inventory_location_id: number };

/** Sellable stock of products, and the locations that each order type draws from. */
interface Shelves {
  readonly places: readonly PlaceRow[];
  /** By product. */
  readonly levels: ReadonlyMap<number, readonly StockLevelRow[]>;
}

interface KeptShelves {
  places: readonly PlaceRow[];
  /** Their products are in `levels`, or have no stock. */
  readonly optionIds: Set<number>;
  readonly levels: Map<number, readonly StockLevelRow[]>;
}

/** The most options of one read, so that a statement does not grow with the queue. */
const optionsMax = 1000;

/** The statements whose rows `stockWarnings` takes. */
export function shelfStatements(optionIds: readonly number[], nowMs: number) {
  return [
    selectOrderTypeLocations({}),
    selectStockLevelsOfOptions({ optionIds, at: isoTimestamp(nowMs) }),
  ] as const;
}

/** `warnOfStock` for the rows of `shelfStatements` and those of the packages that the cart names. */
export function stockWarnings(
  cart: Parameters<typeof warnOfStock>[0],
  request: Pick<CartRequest, 'type' | 'chosenPackages'>,
  [places, levels]: readonly [readonly PlaceRow[], readonly StockLevelRow[]],
  packages: readonly NamedPackageRow[],
  chosenPlace: number | undefined,
): CartWarning[] {
  const shelves = { places, levels: groupBy(levels, (row) => row.product_id) };
  return warnOfStock(cart, request, shelves, packages, chosenPlace);
}

/**
 * The stock of carts that are priced, kept as menus keep it: until a write of this process, and for less than a second.
 * A preview whose products are known reads nothing.
 */
export class ShelvesInMemory {
  readonly #kept: OrganizationCache<KeptShelves>;
  readonly #batcher: Batcher<OrganizationId, Set<number>, Shelves>;

  constructor(context: Pick<Context, 'database' | 'clock' | 'wallClock'>) {
    this.#kept = new OrganizationCache<KeptShelves>(context, () => ({
      places: [],
      optionIds: new Set(),
      levels: new Map(),
    }));
    this.#batcher = new Batcher({
      newBatch: () => new Set(),
      isFull: (optionIds) => optionIds.size >= optionsMax,
      run: async (organization, optionIds) => {
        const kept = this.#kept.of(organization);
        const [places, levels] = await context.database.read(
          organization,
          ...shelfStatements([...optionIds], context.clock.now()),
        );
        kept.places = places;
        for (const [productId, rows] of groupBy(levels, (row) => row.product_id)) {
          kept.levels.set(productId, rows);
        }
        for (const id of optionIds) kept.optionIds.add(id);
        return kept;
      },
    });
  }

  /** A promise only while something is read. */
  of(
    organization: OrganizationId,
    { lineItems }: Pick<CartRequest, 'lineItems'>,
  ): Promise<Shelves> | Shelves {
    const kept = this.#kept.of(organization);
    if (lineItems.every(({ productOptionId }) => kept.optionIds.has(productOptionId))) return kept;
    const { batch, result } = this.#batcher.join(organization);
    for (const { productOptionId } of lineItems) batch.add(productOptionId);
    return result;
  }
}

/**
 * The locations that an order draws from, in order: those of its delivery zone if it names any (D48), else
 * those of its type.
 */
export function placesOf(
  orderType: string,
  zone: { readonly inventory_location_ids: readonly number[] | null } | null | undefined,
  byOrderType: readonly { readonly order_type: string; readonly inventory_location_id: number }[],
): readonly number[] {
  if (zone?.inventory_location_ids?.length) return zone.inventory_location_ids;
  return byOrderType.filter((row) => row.order_type === orderType).map((row) => row.inventory_location_id);
}

/**
 * The lines that an order of this cart would be refused for, each with the quantity that the cart can have of it. Demand is
 * summed by stock item (D21): options of a product whose stock is kept per product share it, in the order of the cart.
 */
export function warnOfStock(
  { options, zone, priced }: Pick<DecidedCart, 'options' | 'zone' | 'priced'>,
  { type, chosenPackages = [] }: Pick<CartRequest, 'type' | 'chosenPackages'>,
  shelves: Shelves,
  packages: readonly NamedPackageRow[] = [],
  chosenPlace: number | null = null,
): CartWarning[] {
  const places = chosenPlace === null ? placesOf(type, zone, shelves.places) : [chosenPlace];
  const left = new Map<string, Decimal>();
  const asked = new Map<number, Decimal>();
  const warnings: CartWarning[] = [];
  for (const { productOptionId, quantity } of priced.lines) {
    const option = options.get(productOptionId)!;
    const { inventory_type: inventoryType, product_id: productId, option_amount: amount } = option;
    const line = { inventoryType, productId, optionId: productOptionId, optionAmount: amount, quantity };
    const parts = chosenPackages.filter((it) => it.productOptionId === productOptionId);
    const need = stockNeedOf(0, line, parts);
    if (need === null) continue;
    const refused = (need.chosen ?? []).flatMap(({ packageId, amount: part }) => {
      const whole = part.plus(asked.get(packageId) ?? zero);
      asked.set(packageId, whole);
      const wanted = { packageId, productId, productName: option.product_name, amount: whole, places };
      return refusedPackage(wanted, packages) ?? [];
    });
    if (refused.length > 0) {
      for (const message of refused) {
        warnings.push({ code: 'OUT_OF_STOCK', message, productOptionId, maxQuantity: 0 });
      }
      continue;
    }
    const key = `${productId} ${need.optionId}`;
    const available = left.get(key) ?? sellable(shelves, productId, need.optionId, places);
    if (need.amount.lte(available)) {
      left.set(key, available.minus(need.amount));
      continue;
    }
    const most = maxQuantity({ inventoryType, amount }, available)!;
    left.set(key, available.minus(stockNeedOf(0, { ...line, quantity: most })!.amount));
    const name = [option.product_name, option.option_name].filter(Boolean).join(', ');
    const message = option.is_weighed
      ? `There is less than ${canonicalDecimalText(amount)} g of ${option.product_name}`
      : most === 0
        ? `${name} is out of stock`
        : `Only ${most} of ${name} can be sold`;
    const block = blockOf(shelves, productId, need.optionId, places);
    const told = block === null ? message : `${message}: a package cannot be sold, ${blockWords[block]}`;
    warnings.push({ code: 'OUT_OF_STOCK', message: told, productOptionId, maxQuantity: most });
  }
  return warnings;
}

/** Why a package of an item is not sold; null: all are. */
function blockOf({ levels }: Shelves, productId: number, optionId: number, places: readonly number[]) {
  const isMeant = (row: StockLevelRow) =>
    row.block !== null && row.product_option_id === optionId && places.includes(row.inventory_location_id);
  return levels.get(productId)?.find(isMeant)?.block ?? null;
}

function sellable(
  { levels }: Shelves,
  productId: number,
  optionId: number,
  places: readonly number[],
): Decimal {
  let sum = zero;
  for (const row of levels.get(productId) ?? []) {
    if (row.product_option_id !== optionId || !places.includes(row.inventory_location_id)) continue;
    sum = sum.plus(decimal(row.sellable));
  }
  return sum;
}
