import { decimal, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { setOptionCosts, setProductCosts } from '../catalog/products.ts';
import { lockedPackage } from './change-package.ts';
import { lockedBalances } from './lock-balances.ts';
import { moveStock } from './move-stock.ts';
import { costWithout } from './moved-average-cost.ts';
import {
  type FedPackageRow,
  lockPackages,
  type PackageRow,
  selectFedPackages,
  selectPackages,
  voidPackageRow,
} from './package-queries.ts';
import { lockCostedProducts, selectCostsOfItems } from './reception-queries.ts';
import {
  emptyPackageRow,
  type ReceivedEntryRow,
  selectLastReceived,
  selectLaterMovement,
  selectReceivedEntries,
  setPackageCost,
} from './taken-back-queries.ts';

/** A reception that was a mistake. */
export interface MistakenReception {
  /** The cause of its ledger entry. */
  readonly causeId: number;
  /** The cause of the entry that takes it back. */
  readonly undoId: number;
  /** Dollars per unit of stock; null: what its package cost. */
  readonly costPerUnit: string | null;
}

/**
 * Takes receptions out of stock again as long as nothing of them was used: ledger, balances, moving average costs, and their
 * packages. A package that has nothing left is on its way again if it was announced, and otherwise void: its label is free.
 * Resolves to whose stock it was. Locks as `receiveStock` does. Fails with RECEPTION_USED.
 */
export async function takeBackReceptions(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  mistaken: readonly MistakenReception[],
): Promise<readonly { readonly productId: number; readonly packageId: number }[]> {
  const [entries] = await tx.run(selectReceivedEntries({ causeIds: mistaken.map(({ causeId }) => causeId) }));
  await tx.run(lockCostedProducts({ ids: [...new Set(entries.map((it) => it.product_id))] }));
  const keys = entries.map((entry) => ({
    productId: entry.product_id,
    optionId: entry.product_option_id,
    locationId: entry.inventory_location_id,
    packageId: entry.package_id,
  }));
  const onHand = await lockedBalances(tx, keys);
  const packageIds = [...new Set(keys.map((key) => key.packageId))].filter((id) => id !== 0);
  const [, packages, fed, costs, used] = await tx.run(
    lockPackages({ ids: packageIds }),
    selectPackages({ ids: packageIds }),
    selectFedPackages({ ids: packageIds, labels: [] }),
    selectCostsOfItems({
      productIds: keys.map((key) => key.productId),
      optionIds: keys.map((key) => key.optionId),
      packageIds: keys.map((key) => key.packageId),
    }),
    selectLaterMovement({ packageIds, since: entries[0]?.created_at_text ?? '' }),
  );
  const textOf = keys.map((key) => Object.values(key).join());
  const isShort = textOf.some((text, index) => {
    const gone = entries.filter((_, other) => textOf[other] === text);
    return onHand[index]!.lt(gone.reduce((sum, { delta }) => sum.plus(delta), zero));
  });
  if (used.length > 0 || isShort || packages.some(({ status }) => status !== 'received'))
    throw receptionUsed();

  const packageOf = new Map(packages.map((row) => [row.id, row]));
  const reception = new Map(mistaken.map((it) => [it.causeId, it]));
  const costOf = (entry: ReceivedEntryRow) =>
    reception.get(entry.cause_id)!.costPerUnit ?? packageOf.get(entry.package_id)?.cost_per_unit ?? '0';
  for (const [productId, optionId] of itemsOf(entries)) {
    const isItem = (row: { product_id: number; product_option_id: number }) =>
      row.product_id === productId && row.product_option_id === optionId;
    const known = costs.find((row) => row.product_id === productId && row.option_id === optionId)!;
    const cost = costWithout(
      decimal(known.on_hand),
      known.cost_per_unit,
      entries.filter(isItem).map((entry) => ({ amount: decimal(entry.delta), costPerUnit: costOf(entry) })),
    );
    if (cost === null) continue;
    tx.queue(
      optionId === 0
        ? setProductCosts({ ids: [productId], costs: [cost] })
        : setOptionCosts({ ids: [optionId], costs: [cost] }),
    );
  }
  writePackages(tx, context, nowMs, { packages, fed, entries, costOf });
  await moveStock(
    tx,
    context,
    origin,
    ...entries.map((entry, index) => ({
      cause: 'received' as const,
      causeId: reception.get(entry.cause_id)!.undoId,
      atMs: nowMs,
      movements: [{ ...keys[index]!, delta: zero.minus(entry.delta), orderLineItemId: null }],
    })),
  );
  return keys;
}

interface TakenBack {
  readonly packages: readonly PackageRow[];
  readonly fed: readonly FedPackageRow[];
  readonly entries: readonly ReceivedEntryRow[];
  readonly costOf: (entry: ReceivedEntryRow) => string;
}

function writePackages(
  tx: TenantTransaction,
  context: Context,
  nowMs: number,
  { packages, fed, entries, costOf }: TakenBack,
): void {
  for (const row of packages) {
    const own = entries.filter((entry) => entry.package_id === row.id);
    const { received_amount: received, announced_amount: announced } = fed.find(({ id }) => id === row.id)!;
    const left = own.reduce((sum, entry) => sum.minus(entry.delta), decimal(received));
    if (left.gt(zero)) {
      const cost = costWithout(
        decimal(received),
        row.cost_per_unit,
        own.map((entry) => ({ amount: decimal(entry.delta), costPerUnit: costOf(entry) })),
      );
      if (cost !== null) tx.queue(setPackageCost({ id: row.id, costPerUnit: cost }));
    } else if (announced === null) tx.queue(voided(row, context, nowMs));
    else tx.queue(emptyPackageRow({ id: row.id }));
  }
}

/** The cause of the last reception of a package. Fails with PACKAGE_NOT_FOUND, and INVALID_PACKAGE_TRANSITION where there is none. */
export async function lastReceptionOf(tx: TenantTransaction, packageId: number): Promise<number> {
  const { status } = await lockedPackage(tx, packageId);
  const [[last]] = await tx.run(selectLastReceived({ packageId }));
  if (status === 'received' && last !== undefined && decimal(last.delta).gt(zero)) return last.cause_id;
  throw failure('INVALID_PACKAGE_TRANSITION', 'The package has no receipt to undo.', {
    status,
    action: 'undo-receipt',
  });
}

function receptionUsed() {
  return failure(
    'RECEPTION_USED',
    'The reception cannot be undone: goods of it were sold, moved, counted or received since.',
  );
}

function voided(row: PackageRow, { randomBytes }: Context, nowMs: number) {
  const suffix = Buffer.from(randomBytes(4)).toString('hex');
  return voidPackageRow({
    id: row.id,
    label: `void-${row.label}-${suffix}`,
    voidReason: 'Its receipt was undone',
    finishedAt: isoTimestamp(nowMs),
  });
}

function itemsOf(entries: readonly ReceivedEntryRow[]): readonly (readonly [number, number])[] {
  const items = entries.map((it) => [it.product_id, it.product_option_id] as const);
  return [...new Map(items.map((item) => [item.join(), item])).values()];
}
