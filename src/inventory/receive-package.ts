import type { Static } from 'typebox';
import type { Context, Origin } from '../database/context.ts';
import type { TenantTransaction } from '../database/database.ts';
import { announce } from '../events/announce.ts';
import { decimal, decimalText } from '../kernel/decimal.ts';
import { failure } from '../kernel/failure.ts';
import type { OrganizationId } from '../kernel/ids.ts';
import { packageNotFound } from './package-not-found.ts';
import { selectPackages } from './package-queries.ts';
import type { Package, ReceivePackageBody } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';
import { receiveStock, receptionGuards } from './receive-stock.ts';

/** More decimals than stock amounts have. */
const decimalsMax = 6;

/**
 * Receives a package: sets its content and adds `amount` × `multiplier` of it to a location. A received package can
 * receive more later. Fails with PACKAGE_NOT_FOUND and as `receiveStock` does.
 */
export async function receivePackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: Static<typeof ReceivePackageBody>,
): Promise<Static<typeof Package>> {
  const amount = decimal(sent.amount).times(sent.multiplier ?? '1');
  if (!amount.eq(amount.round(decimalsMax))) {
    throw failure('INVALID_PARAMS', `multiplier times amount must have at most ${decimalsMax} decimals.`);
  }
  const receptionId = await context.ids.takeOne();
  await context.database.write(
    organization,
    async (tx) => {
      const nowMs = context.clock.now();
      const [[known]] = await tx.run(selectPackages({ ids: [id] }));
      if (known === undefined) throw packageNotFound();
      await receiveStock(tx, context, origin, nowMs, [
        {
          causeId: receptionId,
          productId: sent.productId,
          productOptionId: sent.productOptionId ?? null,
          locationId: sent.inventoryLocationId,
          amount,
          costPerUnit: sent.costPerUnit,
          package: { id },
          multiplier: sent.multiplier ?? '1',
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
          amount: decimalText(amount),
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
