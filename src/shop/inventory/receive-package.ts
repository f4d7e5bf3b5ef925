import type { Static } from 'typebox';
import { type Decimal, decimal, decimalText } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { packageNotFound } from './package-not-found.ts';
import { selectPackages } from './package-queries.ts';
import type { Package, ReceivePackageBody } from './package-schemas.ts';
import { readPackageUnit } from './package-units.ts';
import { receiveStock, receptionGuards, toldPackage } from './receive-stock.ts';
import { shownPackagesById } from './shown-packages-by-id.ts';

/**
 * Receives a package: sets its content and adds the amount to a location, in units of stock (D86). A received package
 * can receive more later. Fails with PACKAGE_NOT_FOUND and as `receiveStock` does.
 */
export async function receivePackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: Static<typeof ReceivePackageBody>,
): Promise<Static<typeof Package>> {
  const receptionId = await context.ids.takeOne();
  await context.database.write(
    organization,
    async (tx) => {
      const nowMs = context.clock.now();
      const [[known]] = await tx.run(selectPackages({ ids: [id] }));
      if (known === undefined) throw packageNotFound();
      await receiveAndTell(tx, context, origin, nowMs, receptionId, id, {
        ...sent,
        amount: decimal(sent.amount),
        unit: sent.unit === undefined ? known.unit : readPackageUnit(sent.unit),
        announced: known.initial_amount,
        pathOf: (field) => (field === 'package' ? 'productId' : field),
      });
    },
    { retryOnConstraints: receptionGuards },
  );
  const [shown] = await shownPackagesById(context, organization, [id]);
  return shown!;
}

/** What is received of a package. */
interface PackageReception
  extends Pick<
    Static<typeof ReceivePackageBody>,
    'productId' | 'productOptionId' | 'inventoryLocationId' | 'multiplier' | 'costPerUnit' | 'confirmExcess'
  > {
  readonly amount: Decimal;
  readonly unit: string;
  /** The amount that the manifest said; absent: the package is new. */
  readonly announced?: string;
  readonly pathOf: (field: string) => string;
}

/** Receives a package in a transaction, and announces it. Fails as `receiveStock` does. */
export async function receiveAndTell(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  receptionId: number,
  packageId: number,
  sent: PackageReception,
): Promise<void> {
  const { productId, productOptionId = null, inventoryLocationId, confirmExcess = false } = sent;
  const [received] = await receiveStock(tx, context, origin, nowMs, [
    {
      causeId: receptionId,
      productId,
      productOptionId,
      locationId: inventoryLocationId,
      amount: sent.amount,
      unit: sent.unit,
      costPerUnit: sent.costPerUnit,
      package: { id: packageId },
      multiplier: sent.multiplier ?? null,
      confirmsExcess: confirmExcess,
      pathOf: sent.pathOf,
    },
  ]);
  const told = {
    packageId,
    productId,
    productOptionId,
    inventoryLocationId,
    amount: decimalText(received!.stock),
  };
  await announce(tx, context, origin, nowMs, {
    event: 'package.received',
    subjectType: 'package',
    subjectId: packageId,
    payload: told,
    details: {
      ...told,
      ...toldPackage(received!),
      ...(confirmExcess && { announced: sent.announced, confirmExcess: true }),
    },
  });
}
