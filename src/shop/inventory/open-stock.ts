import { decimal } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { ensureBalances } from './balance-queries.ts';
import { insertLocations, insertOrderTypeLocations, insertPackages } from './inventory-queries.ts';
import { moveStock } from './move-stock.ts';
import { noPackageDetails, type PackageDetails } from './package-details.ts';

interface NewLocations {
  readonly locations: readonly {
    readonly name: string;
    readonly description: string | null;
    readonly type: 'standard' | 'vehicle';
  }[];
  /** Names of locations in the order in which an order type uses them (D48). */
  readonly drawnFrom: Readonly<Record<'delivery' | 'pickup' | 'in-store', readonly string[]>>;
}

/** Creates an organization's locations. Resolves to the ids by name. */
export async function createLocations(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { locations, drawnFrom }: NewLocations,
): Promise<ReadonlyMap<string, number>> {
  const nowMs = context.clock.now();
  const ids = await context.ids.take(locations.length);
  const idOf = new Map(locations.map((location, index) => [location.name, ids[index]!]));
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertLocations(
        locations.map((location, index) => ({
          ...location,
          id: ids[index]!,
          createdAt: isoTimestamp(nowMs),
        })),
      ),
      ...insertOrderTypeLocations(
        Object.entries(drawnFrom).flatMap(([orderType, names]) =>
          names.map((name, position) => ({ orderType, position, locationId: idOf.get(name)! })),
        ),
      ),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'organization.updated',
      subjectType: 'organization',
      subjectId: organization,
      payload: { organizationId: organization },
      details: { locations: locations.length },
    });
  });
  return idOf;
}

/** Incoming stock: in a labeled package, or loose (`label` null). */
interface OpeningStock {
  readonly label: string | null;
  readonly productId: number;
  /** Null when stock is kept per product. */
  readonly optionId: number | null;
  readonly locationId: number;
  readonly unit: string;
  /** Decimal text: amount, and dollars per unit. */
  readonly amount: string;
  readonly costPerUnit: string;
  readonly receivedAtMs: number;
  /** YYYY-MM-DD */
  readonly expirationDate: string | null;
  readonly onHold: boolean;
  readonly tradeSample: boolean;
  /** Other known details of the package. */
  readonly details?: Partial<PackageDetails>;
}

/** Receives initial stock, each entry as its own reception in the ledger: all or nothing. */
export async function openStock(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  entries: readonly OpeningStock[],
): Promise<void> {
  const nowMs = context.clock.now();
  const ids = await context.ids.take(entries.length);
  const rows = entries.map((entry, index) => ({
    entry,
    // The package's own id is the cause of its reception; loose stock gets an id for this purpose.
    causeId: ids[index]!,
    balance: {
      productId: entry.productId,
      optionId: entry.optionId ?? 0,
      locationId: entry.locationId,
      packageId: entry.label === null ? 0 : ids[index]!,
    },
  }));
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertPackages(
        rows.flatMap(({ entry, causeId }) =>
          entry.label === null
            ? []
            : [
                {
                  id: causeId,
                  label: entry.label,
                  productId: entry.productId,
                  optionId: entry.optionId,
                  status: 'received',
                  unit: entry.unit,
                  ...noPackageDetails,
                  ...entry.details,
                  initialAmount: entry.amount,
                  announcedAmount: null,
                  multiplier: '1',
                  complianceTransferId: null,
                  costPerUnit: entry.costPerUnit,
                  onHold: entry.onHold,
                  tradeSample: entry.tradeSample,
                  receivedAt: isoTimestamp(entry.receivedAtMs),
                  expirationDate: entry.expirationDate,
                  createdAt: isoTimestamp(entry.receivedAtMs),
                },
              ],
        ),
      ),
      ensureBalances({
        productIds: rows.map(({ balance }) => balance.productId),
        optionIds: rows.map(({ balance }) => balance.optionId),
        locationIds: rows.map(({ balance }) => balance.locationId),
        packageIds: rows.map(({ balance }) => balance.packageId),
      }),
    );
    await moveStock(
      tx,
      context,
      origin,
      ...rows.map(({ entry, causeId, balance }) => ({
        cause: 'received' as const,
        causeId,
        atMs: entry.receivedAtMs,
        movements: [{ ...balance, delta: decimal(entry.amount), orderLineItemId: null }],
      })),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'stock.changed',
      subjectType: 'organization',
      subjectId: organization,
      payload: { receptions: entries.length },
    });
  });
}
