import type { Static } from 'typebox';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { shownPackageOf } from './change-package.ts';
import { insertPackages } from './inventory-queries.ts';
import { noPackageDetails } from './package-details.ts';
import { selectTakenLabels } from './package-queries.ts';
import type { CreatePackageBody, Package } from './package-schemas.ts';
import { readPackageUnit } from './package-units.ts';
import { receptionGuards } from './receive-stock.ts';

/**
 * Adds a package that is on its way: it has no stock before it is received. Resolves to the package as the API shows
 * it. Fails with INVALID_PARAMS when its label is taken or its unit is not known.
 */
export async function createPackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { label, unit: sentUnit, initialAmount, ...details }: Static<typeof CreatePackageBody>,
): Promise<Static<typeof Package>> {
  const unit = readPackageUnit(sentUnit);
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(
    organization,
    async (tx) => {
      const [taken] = await tx.run(selectTakenLabels({ labels: [label] }));
      if (taken.length > 0) throw failure('INVALID_PARAMS', 'label must not be that of another package.');
      await tx.run(
        ...insertPackages([
          {
            ...noPackageDetails,
            ...details,
            id,
            label,
            productId: null,
            optionId: null,
            status: 'ready',
            unit,
            initialAmount,
            announcedAmount: initialAmount,
            multiplier: '1',
            costPerUnit: null,
            receivedAt: null,
            complianceTransferId: null,
            createdAt: isoTimestamp(nowMs),
          },
        ]),
      );
      await announce(tx, context, origin, nowMs, {
        event: 'package.created',
        subjectType: 'package',
        subjectId: id,
        payload: { packageId: id, status: 'ready' },
        details: { packageId: id, label, unit, initialAmount, ...details },
      });
      return shownPackageOf(tx, id);
    },
    { retryOnConstraints: receptionGuards },
  );
}
