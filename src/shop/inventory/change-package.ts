import type { Static } from 'typebox';
import { canonicalDecimalText } from '../../kernel/decimal.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { type PackageDetails, packageDetailsOf } from './package-details.ts';
import { packageNotFound } from './package-not-found.ts';
import { lockPackage, type PackageRow, selectPackages, updatePackageDetails } from './package-queries.ts';
import type { Package, SentPackageDetails } from './package-schemas.ts';
import { shownPackages } from './package-view.ts';

/** Locks a package against changes of its fields and stock. Fails with PACKAGE_NOT_FOUND. */
export async function lockedPackage(tx: TenantTransaction, id: number): Promise<PackageRow> {
  const [, [row]] = await tx.run(lockPackage({ id }), selectPackages({ ids: [id] }));
  if (row === undefined) throw packageNotFound();
  return row;
}

/** A package as the API shows it, including this transaction's earlier writes. */
export async function shownPackageOf(tx: TenantTransaction, id: number): Promise<Static<typeof Package>> {
  const [rows] = await tx.run(selectPackages({ ids: [id] }));
  const [shown] = await shownPackages(tx.run, rows);
  return shown!;
}

/** Changes the given fields of a package; unchanged values write nothing. Fails with PACKAGE_NOT_FOUND. */
export async function changePackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  sent: SentPackageDetails,
): Promise<Static<typeof Package>> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const row = await lockedPackage(tx, id);
    refuseStaleEdit(origin, Date.parse(row.changed_at));
    const before = packageDetailsOf(row);
    const after = withoutStaleReason({ ...before, ...sent });
    const changes = changesOf(canonical(before), canonical(after));
    if (changes !== null) {
      await tx.run(updatePackageDetails({ id, ...after }));
      await announce(tx, context, origin, nowMs, {
        event: 'package.updated',
        subjectType: 'package',
        subjectId: id,
        payload: { packageId: id },
        details: { packageId: id, ...changes },
      });
    }
    return shownPackageOf(tx, id);
  });
}

/** A reason stands only while the package is on hold. */
export function withoutStaleReason(details: PackageDetails): PackageDetails {
  return { ...details, holdReason: details.onHold ? (details.holdReason?.trim() ?? null) : null };
}

/** "21.50" and "21.5" are equal. */
function canonical(details: PackageDetails): Record<string, string | boolean | null> {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string' && /^\d+\.\d+$/.test(value) ? canonicalDecimalText(value) : value,
    ]),
  );
}
