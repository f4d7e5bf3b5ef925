import { assert } from '../../kernel/assert.ts';
import { decimal, decimalText, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { RetryWrite } from '../../platform/database/write-collisions.ts';
import { setOptionCosts, setProductCosts } from '../catalog/products.ts';
import { withoutStaleReason } from './change-package.ts';
import { insertPackages } from './inventory-queries.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock } from './move-stock.ts';
import { movedAverageCost } from './moved-average-cost.ts';
import { noPackageDetails, type PackageDetails, packageDetailsOf } from './package-details.ts';
import {
  lockPackages,
  type PackageRow,
  selectFedPackages,
  selectPackages,
  updatePackageDetails,
  updateReceivedPackage,
} from './package-queries.ts';
import {
  type MeasuredReception,
  measureReceptions,
  refuseExcess,
  type StockReception,
} from './received-amounts.ts';
import { type CostRow, lockCostedProducts, selectCostsOfItems } from './reception-queries.ts';
import { decideItems, type StockItem } from './stock-items.ts';
import { refuseGlut } from './stock-operation.ts';
import { holdOpenLocations, holdStockedOptions } from './stock-operation-queries.ts';

/** Labels are unique. If two concurrent requests create the same one, the second adds to the first one's package. */
export const receptionGuards = ['packages_organization_id_label_key'] as const;

/** What a reception added. */
export interface ReceivedStock extends Pick<MeasuredReception, 'stock' | 'inPackage'> {
  /** Null without a package. */
  readonly packageId: number | null;
}

/** What the audit keeps of an amount in the unit of its package. */
export function toldPackage({ inPackage }: ReceivedStock) {
  if (inPackage === null) return {};
  const { amount, unit, multiplier } = inPackage;
  return { packageAmount: decimalText(amount), unit, multiplier };
}

/**
 * Receives stock (D52): writes ledger and balances, creates packages or adds to them, and updates moving average costs
 * of items and packages. Resolves to what each reception added. Goods without stock tracking are not recorded.
 *
 * Locks in the same order as every writer: products, options and locations, then balances, then packages. Products are
 * locked exclusively, because their costs are read and written. Fails with INVENTORY_LOCATION_NOT_FOUND,
 * PRODUCT_NOT_FOUND, PRODUCT_OPTION_NOT_FOUND, PACKAGE_NOT_FOUND, INVALID_CHILD_RESOURCE, INVALID_INVENTORY_TYPE,
 * INVALID_PACKAGE_TRANSITION, MORE_THAN_ANNOUNCED and INVALID_PARAMS.
 */
export async function receiveStock(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  receptions: readonly StockReception[],
): Promise<readonly ReceivedStock[]> {
  const { planned, isNew } = await plannedReceptions(tx, context, receptions);
  const keys = [...new Map(planned.map(({ key }) => [keyText(key), key])).values()];
  const onHand = new Map(
    (await lockedBalances(tx, keys)).map((amount, index) => [keyText(keys[index]!), amount]),
  );
  const fedIds = unique(
    keys.flatMap(({ packageId }) => (packageId === 0 || isNew.has(packageId) ? [] : [packageId])),
  );
  const selectCosts = selectCostsOfItems({
    productIds: keys.map((key) => key.productId),
    optionIds: keys.map((key) => key.optionId),
    packageIds: keys.map((key) => key.packageId),
  });
  const [costs, , fed, announced] =
    fedIds.length === 0
      ? [...(await tx.run(selectCosts)), [], [], []]
      : await tx.run(
          selectCosts,
          lockPackages({ ids: fedIds }),
          selectPackages({ ids: fedIds }),
          selectFedPackages({ ids: fedIds, labels: [] }),
        );
  const rowOf = new Map(fed.map((row) => [row.id, row]));
  for (const plannedReception of planned) {
    const { reception, key } = plannedReception;
    const balance = onHand.get(keyText(key))!.plus(reception.stock);
    refuseGlut(reception.pathOf('amount'), balance);
    onHand.set(keyText(key), balance);
    if (key.packageId !== 0 && !isNew.has(key.packageId)) {
      refuseUnfit(rowOf.get(key.packageId), plannedReception);
    }
  }
  for (const row of announced) {
    const all = planned.filter(({ key }) => key.packageId === row.id).map(({ reception }) => reception);
    refuseExcess(row, decimal(row.received_amount), all);
  }

  writePackages(tx, nowMs, planned, rowOf, costs);
  writeCosts(tx, planned, costs);
  await moveStock(
    tx,
    context,
    origin,
    ...planned.map(({ reception, key }) => ({
      cause: 'received' as const,
      causeId: reception.causeId,
      atMs: nowMs,
      movements: [{ ...key, delta: reception.stock, orderLineItemId: null }],
    })),
  );
  const receivedOf = new Map(
    planned.map(({ reception, key }) => [
      reception.causeId,
      { packageId: key.packageId || null, stock: reception.stock, inPackage: reception.inPackage },
    ]),
  );
  return receptions.map(
    ({ causeId, amount }) => receivedOf.get(causeId) ?? { packageId: null, stock: amount, inPackage: null },
  );
}

/** The receptions of stock that is tracked, each with its balance, under the first locks; and the ids of new packages. */
async function plannedReceptions(
  tx: TenantTransaction,
  context: Context,
  receptions: readonly StockReception[],
): Promise<{ readonly planned: readonly PlannedReception[]; readonly isNew: ReadonlySet<number> }> {
  const labels = receptions.flatMap(({ package: named }) => (named && 'label' in named ? [named.label] : []));
  const namedIds = receptions.flatMap(({ package: named }) => (named && 'id' in named ? [named.id] : []));
  const [products, options, locations, taken] = await tx.run(
    lockCostedProducts({ ids: unique(receptions.map((it) => it.productId)) }),
    holdStockedOptions({ ids: unique(receptions.flatMap((it) => it.productOptionId ?? [])) }),
    holdOpenLocations({ ids: unique(receptions.map((it) => it.locationId)) }),
    selectFedPackages({ ids: unique(namedIds), labels: unique(labels) }),
  );
  refuseUnknownLocations(receptions, new Set(locations.map(({ id }) => id)));
  const untracked = new Set(products.filter((row) => row.inventory_type === 'none').map(({ id }) => id));
  const sent = receptions.filter(({ productId }) => !untracked.has(productId));
  refusePackagesOf(untracked, receptions);
  const items = decideItems(
    sent.map((it) => ({ productId: it.productId, productOptionId: it.productOptionId, packageId: null })),
    { products, options, packages: [] },
    (index) => sent[index]!.pathOf,
  );
  const kept = measureReceptions(sent, new Map(products.map((row) => [row.id, row])), taken);

  const packageIdOf = new Map(taken.map((row) => [row.label, row.id]));
  const isNew = new Set(await context.ids.take(labels.length));
  const newIds = [...isNew];
  for (const label of unique(labels)) {
    if (!packageIdOf.has(label)) packageIdOf.set(label, newIds.pop()!);
  }
  const planned = kept.map((reception, index) => {
    const named = reception.package;
    const packageId = named === null ? 0 : 'id' in named ? named.id : packageIdOf.get(named.label)!;
    const item = items[index]!;
    return { reception, item, key: { ...item, packageId, locationId: reception.locationId } };
  });
  return { planned, isNew };
}

function refuseUnknownLocations(receptions: readonly StockReception[], open: ReadonlySet<number>): void {
  for (const { locationId, pathOf } of receptions) {
    if (open.has(locationId)) continue;
    throw failure(
      'INVENTORY_LOCATION_NOT_FOUND',
      `${pathOf('inventoryLocationId')} must be the id of an inventory location.`,
    );
  }
}

function refusePackagesOf(untracked: ReadonlySet<number>, receptions: readonly StockReception[]): void {
  for (const { productId, package: named, pathOf } of receptions) {
    if (named === null || !untracked.has(productId)) continue;
    throw failure(
      'INVALID_INVENTORY_TYPE',
      `${pathOf('package')} must be left out: stock of that product is not tracked.`,
    );
  }
}

interface PlannedReception {
  readonly reception: MeasuredReception;
  readonly item: StockItem;
  readonly key: {
    readonly productId: number;
    readonly optionId: number;
    readonly packageId: number;
    readonly locationId: number;
  };
}

/** The package that a reception adds to must exist, with its label, and fit. */
function refuseUnfit(row: PackageRow | undefined, { reception, item }: PlannedReception): void {
  if (row === undefined)
    throw failure('PACKAGE_NOT_FOUND', `${reception.pathOf('packageId')} must be the id of a package.`);
  // The label was freed or reused after the lookup.
  if (reception.package && 'label' in reception.package && row.label !== reception.package.label) {
    throw new RetryWrite();
  }
  refuseOtherPackage(row, reception, item);
}

/** A package has one product and option, and receives stock while it is ready or received (D53). */
function refuseOtherPackage(row: PackageRow, reception: StockReception, item: StockItem): void {
  if (row.status !== 'ready' && row.status !== 'received') {
    throw failure('INVALID_PACKAGE_TRANSITION', `A package that is ${row.status} cannot be received.`, {
      status: row.status,
      action: 'receive',
    });
  }
  if (row.product_id === null) return;
  if (row.product_id === item.productId && (row.product_option_id ?? 0) === item.optionId) return;
  throw failure(
    'INVALID_CHILD_RESOURCE',
    `${reception.pathOf('package')} must be of that product and option: its product or option is different.`,
  );
}

/** Creates packages and adds to existing ones, each once, with the average cost of its receptions. */
function writePackages(
  tx: TenantTransaction,
  nowMs: number,
  planned: readonly PlannedReception[],
  rowOf: ReadonlyMap<number, PackageRow>,
  costs: readonly CostRow[],
): void {
  const ids = unique(planned.map(({ key }) => key.packageId)).filter((id) => id !== 0);
  const made = ids
    .sort((a, b) => a - b)
    .map((id) => {
      const all = planned.filter(({ key }) => key.packageId === id);
      const [{ reception, item }] = all as [PlannedReception];
      const row = rowOf.get(id);
      const found = costs.find((cost) => cost.package_id === id);
      const isKnown = row === undefined ? noPackageDetails : packageDetailsOf(row);
      const sent = all.map(({ reception: { package: named } }) =>
        named && 'label' in named ? named.details : {},
      );
      return {
        row,
        id,
        productId: item.productId,
        optionId: item.optionId || null,
        costPerUnit: averageCost(found?.package_on_hand ?? '0', row?.cost_per_unit ?? null, all),
        multiplier: reception.inPackage!.multiplier,
        receivedAt: isoTimestamp(nowMs),
        details: withoutStaleReason(Object.assign({ ...isKnown }, ...sent) as PackageDetails),
        says: sent.some((details) => Object.keys(details).length > 0),
        label: reception.package && 'label' in reception.package ? reception.package.label : null,
        unit: reception.inPackage!.unit,
        amount: decimalText(all.reduce((sum, it) => sum.plus(it.reception.inPackage!.amount), zero)),
      };
    });
  tx.queue(
    ...insertPackages(
      made.flatMap(({ row, details, says, label, amount, ...fields }) =>
        row !== undefined || label === null
          ? []
          : [
              {
                ...fields,
                ...details,
                label,
                status: 'received',
                initialAmount: amount,
                announcedAmount: null,
                complianceTransferId: null,
                createdAt: isoTimestamp(nowMs),
              },
            ],
      ),
    ),
    ...made.flatMap(({ row, id, productId, optionId, costPerUnit, multiplier, receivedAt, details, says }) =>
      row === undefined
        ? []
        : [
            updateReceivedPackage({ id, productId, optionId, costPerUnit, multiplier, receivedAt }),
            ...(says ? [updatePackageDetails({ id, ...details })] : []),
          ],
    ),
  );
}

/** Updates the items' costs, each once (D52): a cost that stays changes no terms of sale. */
function writeCosts(
  tx: TenantTransaction,
  planned: readonly PlannedReception[],
  costs: readonly CostRow[],
): void {
  const items = new Map(planned.map(({ key }) => [`${key.productId} ${key.optionId}`, key]));
  const moved = [...items.values()].flatMap(({ productId, optionId }) => {
    const known = costs.find((cost) => cost.product_id === productId && cost.option_id === optionId);
    const all = planned.filter(({ key }) => key.productId === productId && key.optionId === optionId);
    const before = known?.cost_per_unit ?? null;
    const cost = averageCost(known?.on_hand ?? '0', before, all);
    return before !== null && decimal(before).eq(cost) ? [] : [{ productId, optionId, cost }];
  });
  const products = moved.filter(({ optionId }) => optionId === 0);
  const options = moved.filter(({ optionId }) => optionId !== 0);
  if (products.length > 0) {
    tx.queue(
      setProductCosts({ ids: products.map((it) => it.productId), costs: products.map(({ cost }) => cost) }),
    );
  }
  if (options.length > 0) {
    tx.queue(
      setOptionCosts({ ids: options.map((it) => it.optionId), costs: options.map(({ cost }) => cost) }),
    );
  }
}

/** The amount and average cost after adding the receptions to the stock on hand, one after the other. */
function averageCost(
  onHand: string,
  costPerUnit: string | null,
  planned: readonly PlannedReception[],
): string {
  let [amount, cost] = [decimal(onHand), costPerUnit];
  for (const { reception } of planned) {
    cost = movedAverageCost(amount, cost, reception.stock, reception.costPerUnit);
    amount = amount.plus(reception.stock);
  }
  assert(cost !== null, 'there is at least one reception');
  return cost;
}

function keyText({ productId, optionId, locationId, packageId }: PlannedReception['key']): string {
  return [productId, optionId, locationId, packageId].join();
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
