import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertPackages } from './inventory-queries.ts';
import { noPackageDetails, type PackageDetails } from './package-details.ts';
import { type PackageStatus, stampImportedPackage } from './package-queries.ts';

/** A package of the past or of another system, without stock. */
export interface ImportedPackage {
  readonly label: string;
  /** Without `received`: receiving the package sets that status. */
  readonly status: Exclude<PackageStatus, 'received'>;
  /** Null if the content was never recorded. */
  readonly productId: number | null;
  readonly optionId: number | null;
  readonly unit: string;
  /** Decimal text: amount, and dollars per unit. */
  readonly initialAmount: string;
  readonly costPerUnit: string | null;
  readonly createdAtMs: number;
  readonly receivedAtMs: number | null;
  readonly finishedAtMs: number | null;
  readonly shippedAtMs: number | null;
  readonly transferredAtMs: number | null;
  readonly transferReturnedAtMs: number | null;
  readonly details: Partial<PackageDetails>;
}

/** Adds packages that are known from other systems: all or none. */
export async function importPackages(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  packages: readonly ImportedPackage[],
): Promise<void> {
  const nowMs = context.clock.now();
  const ids = await context.ids.take(packages.length);
  const at = (instantMs: number | null) => (instantMs === null ? null : isoTimestamp(instantMs));
  await context.database.write(organization, async (tx) => {
    tx.queue(
      ...insertPackages(
        packages.map((pack, index) => ({
          ...noPackageDetails,
          ...pack.details,
          id: ids[index]!,
          label: pack.label,
          productId: pack.productId,
          optionId: pack.optionId,
          status: pack.status,
          unit: pack.unit,
          initialAmount: pack.initialAmount,
          announcedAmount: pack.initialAmount,
          multiplier: '1',
          costPerUnit: pack.costPerUnit,
          receivedAt: at(pack.receivedAtMs),
          complianceTransferId: null,
          createdAt: isoTimestamp(pack.createdAtMs),
        })),
      ),
      ...packages.map((pack, index) =>
        stampImportedPackage({
          id: ids[index]!,
          finishedAt: at(pack.finishedAtMs),
          shippedAt: at(pack.shippedAtMs),
          transferredAt: at(pack.transferredAtMs),
          transferReturnedAt: at(pack.transferReturnedAtMs),
        }),
      ),
    );
    await announce(
      tx,
      context,
      origin,
      nowMs,
      ...packages.map((pack, index) => ({
        event: 'package.created' as const,
        subjectType: 'package' as const,
        subjectId: ids[index]!,
        payload: { packageId: ids[index]!, status: pack.status },
      })),
    );
  });
}
