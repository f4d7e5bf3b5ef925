import type { Static } from 'typebox';
import { canonicalDecimalText, decimal, zero } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { lockedPackage, shownPackageOf } from './change-package.ts';
import { tellFinished } from './move-stock.ts';
import { packageNotFound } from './package-not-found.ts';
import {
  finishPackageRow,
  isRejected,
  type PackageRow,
  rejectPackageRow,
  selectPackageOnHand,
  selectPackages,
  voidPackageRow,
} from './package-queries.ts';
import type { Package } from './package-schemas.ts';

/**
 * Finishes a package that is used up. A finished package stays unchanged. Fails with PACKAGE_NOT_FOUND,
 * INVALID_PACKAGE_TRANSITION, and NON_ZERO_INVENTORY while it has stock. An order that is canceled later still returns
 * its stock to the package, because a cancelation must never fail for it.
 */
export async function finishPackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<Static<typeof Package>> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const row = await lockedPackage(tx, id);
    if (row.status !== 'finished') {
      refuseGone(row, 'finish');
      await refuseStock(tx, id, 'finished');
      await tx.run(finishPackageRow({ id, finishedAt: isoTimestamp(nowMs) }));
      await tellFinished(tx, context, id, nowMs);
      await announce(tx, context, origin, nowMs, {
        event: 'package.finished',
        subjectType: 'package',
        subjectId: id,
        payload: { packageId: id, status: 'finished' },
        details: { packageId: id, status: { from: row.status, to: 'finished' } },
      });
    }
    return shownPackageOf(tx, id);
  });
}

/**
 * Voids a package that was created by mistake: its label can be used again (D53). Fails with PACKAGE_NOT_FOUND,
 * INVALID_PACKAGE_TRANSITION when it is already void or has left, and NON_ZERO_INVENTORY while it has stock.
 */
export async function voidPackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  reason: string,
): Promise<Static<typeof Package>> {
  const suffix = Buffer.from(context.randomBytes(4)).toString('hex');
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const row = await lockedPackage(tx, id);
    if (row.void_reason !== null) {
      const over = isRejected(row) ? 'was rejected' : 'is already void';
      throw failure('INVALID_PACKAGE_TRANSITION', `The package ${over}.`, {
        status: row.status,
        action: 'void',
      });
    }
    refuseGone(row, 'void');
    await refuseStock(tx, id, 'voided');
    await tx.run(
      voidPackageRow({
        id,
        label: `void-${row.label}-${suffix}`,
        voidReason: reason,
        finishedAt: isoTimestamp(nowMs),
      }),
    );
    await announce(tx, context, origin, nowMs, {
      event: 'package.voided',
      subjectType: 'package',
      subjectId: id,
      payload: { packageId: id, status: 'finished' },
      details: { packageId: id, label: row.label, reason },
    });
    return shownPackageOf(tx, id);
  });
}

/**
 * Rejects a package that was announced and is not received: it goes back to its shipper and is never stock (D90). It
 * shows as `transfer-returned` with the reason, and a later manifest may bring its label again. Rejecting it again
 * changes nothing. Fails with PACKAGE_NOT_FOUND, and with INVALID_PACKAGE_TRANSITION unless it waits to be received.
 */
export async function rejectPackage(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  reason: string,
): Promise<Static<typeof Package>> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const row = await lockedPackage(tx, id);
    if (isRejected(row)) return shownPackageOf(tx, id);
    if (row.status !== 'ready') {
      throw failure('INVALID_PACKAGE_TRANSITION', `A package that is ${row.status} cannot be rejected.`, {
        status: row.status,
        action: 'reject',
      });
    }
    await tx.run(rejectPackageRow({ id, reason, returnedAt: isoTimestamp(nowMs) }));
    const told = { packageId: id, complianceTransferId: row.compliance_transfer_id };
    await announce(tx, context, origin, nowMs, {
      event: 'package.rejected',
      subjectType: 'package',
      subjectId: id,
      payload: { ...told, status: 'transfer-returned' },
      details: { ...told, label: row.label, initialAmount: row.initial_amount, unit: row.unit, reason },
    });
    return shownPackageOf(tx, id);
  });
}

/** Fails with PACKAGE_NOT_FOUND, and with INVALID_PACKAGE_TRANSITION unless the package was rejected. */
export async function requireRejectedPackage(tx: TenantTransaction, id: number): Promise<void> {
  const [[row]] = await tx.run(selectPackages({ ids: [id] }));
  if (row === undefined) throw packageNotFound();
  if (isRejected(row)) return;
  throw failure('INVALID_PACKAGE_TRANSITION', 'packageId must be the id of a package that was rejected.', {
    status: row.status,
    action: 'credit',
  });
}

/** A shipped, transferred or rejected package belongs to another business. */
function refuseGone(row: PackageRow, action: 'finish' | 'void'): void {
  const { status } = row;
  if (status !== 'shipped' && status !== 'transferred' && !isRejected(row)) return;
  throw failure(
    'INVALID_PACKAGE_TRANSITION',
    `A package that is ${status} cannot be ${action === 'void' ? 'voided' : 'finished'}.`,
    { status, action },
  );
}

async function refuseStock(tx: TenantTransaction, id: number, done: string): Promise<void> {
  const [[stock]] = await tx.run(selectPackageOnHand({ id }));
  if (stock === undefined || decimal(stock.on_hand).lte(zero)) return;
  throw failure(
    'NON_ZERO_INVENTORY',
    `A package with stock cannot be ${done}: it contains ${canonicalDecimalText(stock.on_hand)}.`,
  );
}
