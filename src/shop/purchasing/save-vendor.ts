import type { Static } from 'typebox';
import { assert } from '../../kernel/assert.ts';
import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { refuseStaleEdit } from '../../platform/database/stale-edit.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { announceVendor, type VendorProfile } from './match-vendor.ts';
import type { Vendor } from './purchase-order-schemas.ts';
import { shownVendor } from './purchase-order-view.ts';
import {
  archiveVendorRow,
  holdVendorNamed,
  insertVendorUnlessNamed,
  lockVendor,
  selectVendors,
  updateVendorRow,
  type VendorRow,
} from './vendor-queries.ts';

type Shown = Static<typeof Vendor>;

/** Fields that may be personal data: the audit only records that they changed. */
const contactFields = ['email', 'phone', 'notes', 'street1', 'street2'] as const;

/** Handles two concurrent requests with the same vendor name: the second one checks again, and is refused. */
const nameGuard = 'inventory_vendors_of_name';

async function shownOf(tx: TenantTransaction, id: number): Promise<Shown> {
  const [[row]] = await tx.run(selectVendors({ ids: [id] }));
  assert(row !== undefined, 'a vendor is never deleted');
  return shownVendor(row);
}

async function locked(tx: TenantTransaction, id: number): Promise<VendorRow> {
  const [[row]] = await tx.run(lockVendor({ id }));
  if (row === undefined) throw failure('INVENTORY_VENDOR_NOT_FOUND', 'There is no such vendor.');
  return row;
}

function nameTaken() {
  return failure('INVALID_PARAMS', 'name must not be that of another vendor.');
}

/** Adds a vendor. Fails with INVALID_PARAMS when another vendor has its name. */
export async function createVendor(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  profile: VendorProfile,
): Promise<Shown> {
  const nowMs = context.clock.now();
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    const [[created]] = await tx.run(insertVendorUnlessNamed({ ...profile, id, at: isoTimestamp(nowMs) }));
    if (created === undefined) throw nameTaken();
    await announceVendor(tx, context, origin, nowMs, 'created', id, { name: profile.name });
    return shownOf(tx, id);
  });
}

/**
 * Replaces the fields of a vendor. Fails with INVENTORY_VENDOR_NOT_FOUND, also for an archived one, and with
 * INVALID_PARAMS when another vendor has its name.
 */
export async function replaceVendor(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  profile: VendorProfile,
): Promise<Shown> {
  return context.database.write(
    organization,
    async (tx) => {
      const nowMs = context.clock.now();
      const row = await locked(tx, id);
      refuseStaleEdit(origin, row.updated_at);
      const before = profileOf(row);
      const [[named]] = await tx.run(holdVendorNamed({ name: profile.name }));
      if (named !== undefined && named.id !== id) throw nameTaken();
      const changes = changesOf(before, profile, contactFields);
      if (changes !== null) {
        await tx.run(updateVendorRow({ ...profile, id, at: isoTimestamp(nowMs) }));
        await announceVendor(tx, context, origin, nowMs, 'updated', id, changes);
      }
      return shownOf(tx, id);
    },
    { retryOnConstraints: [nameGuard] },
  );
}

/** Archives a vendor: its orders stay, its name is free. An archived vendor stays unchanged. */
export async function archiveVendor(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
): Promise<Shown> {
  return context.database.write(organization, async (tx) => {
    const nowMs = context.clock.now();
    const vendor = await locked(tx, id);
    if (vendor.archived_at === null) {
      await tx.run(archiveVendorRow({ id, at: isoTimestamp(nowMs) }));
      await announceVendor(tx, context, origin, nowMs, 'archived', id);
    }
    return shownOf(tx, id);
  });
}

/** Fails with INVENTORY_VENDOR_NOT_FOUND for an archived one. */
function profileOf(row: VendorRow): VendorProfile {
  if (row.archived_at !== null) throw failure('INVENTORY_VENDOR_NOT_FOUND', 'There is no such vendor.');
  return {
    name: row.name,
    email: row.email,
    phone: row.phone,
    notes: row.notes,
    sellerPermitNumber: row.seller_permit_number,
    street1: row.street1,
    street2: row.street2,
    city: row.city,
    state: row.state,
    postalCode: row.postal_code,
  };
}
