import type { Static } from 'typebox';
import { decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { withoutStaleReason } from './change-package.ts';
import { insertPackages } from './inventory-queries.ts';
import { noPackageDetails } from './package-details.ts';
import { selectTakenLabels } from './package-queries.ts';
import type { CreatePackageBody, Package } from './package-schemas.ts';
import { readPackageUnit } from './package-units.ts';
import { receiveAndTell } from './receive-package.ts';
import { receptionGuards } from './receive-stock.ts';
import { shownPackagesById } from './shown-packages-by-id.ts';

/**
 * Adds a package that is on its way: it has no stock before it is received. With a reception, all of it is received in the same
 * transaction. Resolves to the package as the API shows it. Fails with INVALID_PARAMS when its label is taken or its unit is not
 * known, and with a reception as `receiveStock` does.
 */
export async function createPackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  { label, unit: sentUnit, initialAmount, reception, ...details }: Static<typeof CreatePackageBody>,
): Promise<Static<typeof Package>> {
  const unit = readPackageUnit(sentUnit);
  const nowMs = context.clock.now();
  const [id, receptionId] = (await context.ids.take(2)) as [number, number];
  await context.database.write(
    organization,
    async (tx) => {
      const [taken] = await tx.run(selectTakenLabels({ labels: [label] }));
      if (taken.length > 0) throw failure('INVALID_PARAMS', 'label must not be that of another package.');
      await tx.run(
        ...insertPackages([
          {
            ...withoutStaleReason({ ...noPackageDetails, ...details }),
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
      if (reception !== undefined) {
        await receiveAndTell(tx, context, origin, nowMs, receptionId, id, {
          ...reception,
          amount: decimal(initialAmount),
          unit,
          pathOf: (field) => pathInReception[field] ?? `reception.${field}`,
        });
      }
    },
    { retryOnConstraints: receptionGuards },
  );
  const [shown] = await shownPackagesById(context, organization, [id]);
  return shown!;
}

/** Where the body says what a reception of a new package needs. */
const pathInReception: Readonly<Record<string, string>> = {
  amount: 'initialAmount',
  unit: 'unit',
  package: 'reception.productId',
};
