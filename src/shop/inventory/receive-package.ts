import type { Static } from 'typebox';
import { decimal, decimalText } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { packageNotFound } from './package-not-found.ts';
import { selectPackages } from './package-queries.ts';
import type { Package, ReceivePackageBody } from './package-schemas.ts';
import { readPackageUnit } from './package-units.ts';
import { shownPackages } from './package-view.ts';
import { receiveStock, receptionGuards, toldPackage } from './receive-stock.ts';

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
      const [received] = await receiveStock(tx, context, origin, nowMs, [
        {
          causeId: receptionId,
          productId: sent.productId,
          productOptionId: sent.productOptionId ?? null,
          locationId: sent.inventoryLocationId,
          amount: decimal(sent.amount),
          unit: sent.unit === undefined ? known.unit : readPackageUnit(sent.unit),
          costPerUnit: sent.costPerUnit,
          package: { id },
          multiplier: sent.multiplier ?? null,
          confirmsExcess: sent.confirmExcess ?? false,
          pathOf: (field) => (field === 'package' ? 'productId' : field),
        },
      ]);
      await announce(tx, context, origin, nowMs, {
        event: 'package.received',
        subjectType: 'package',
        subjectId: id,
        payload: {
          packageId: id,
          productId: sent.productId,
          productOptionId: sent.productOptionId ?? null,
          inventoryLocationId: sent.inventoryLocationId,
          amount: decimalText(received!.stock),
        },
        details: {
          packageId: id,
          productId: sent.productId,
          productOptionId: sent.productOptionId ?? null,
          inventoryLocationId: sent.inventoryLocationId,
          amount: decimalText(received!.stock),
          ...toldPackage(received!),
          ...(sent.confirmExcess && { announced: known.initial_amount, confirmExcess: true }),
        },
      });
    },
    { retryOnConstraints: receptionGuards },
  );
  const send: TenantTransaction['run'] = (...statements) =>
    context.database.read(organization, ...statements);
  const [rows] = await send(selectPackages({ ids: [id] }));
  const [shown] = await shownPackages(send, rows);
  return shown!;
}
