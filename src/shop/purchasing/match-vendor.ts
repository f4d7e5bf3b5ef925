import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { RetryWrite } from '../../platform/database/write-collisions.ts';
import { announce } from '../../platform/events/announce.ts';
import { holdOpenVendor, holdVendorNamed, insertVendorUnlessNamed } from './vendor-queries.ts';

/** The fields of a vendor. */
export interface VendorProfile {
  readonly name: string;
  readonly email: string | null;
  readonly phone: string | null;
  readonly notes: string | null;
  readonly sellerPermitNumber: string | null;
  readonly street1: string | null;
  readonly street2: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly postalCode: string | null;
}

/** A vendor in a request: by id, or by its fields. */
export type NamedVendor = { readonly id: number } | { readonly profile: VendorProfile };

/**
 * The id of the requested vendor, locked until the transaction ends. Names match without case and outer spaces; a new
 * name creates a vendor, exactly once for any number of concurrent requests. An existing vendor stays unchanged. Fails
 * with INVENTORY_VENDOR_NOT_FOUND.
 */
export async function matchVendor(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  named: NamedVendor,
): Promise<number> {
  if ('id' in named) {
    const [[vendor]] = await tx.run(holdOpenVendor({ id: named.id }));
    if (vendor === undefined) {
      throw failure('INVENTORY_VENDOR_NOT_FOUND', 'inventoryVendorId must be the id of a vendor.');
    }
    return vendor.id;
  }
  const { profile } = named;
  const [[known]] = await tx.run(holdVendorNamed({ name: profile.name }));
  if (known !== undefined) return known.id;
  const id = await context.ids.takeOne();
  const [[created], [found]] = await tx.run(
    insertVendorUnlessNamed({ ...profile, id, at: isoTimestamp(nowMs) }),
    holdVendorNamed({ name: profile.name }),
  );
  // The other vendor was archived in between.
  if (found === undefined) throw new RetryWrite();
  if (created !== undefined) {
    await announce(tx, context, origin, nowMs, {
      event: 'inventory_vendor.created',
      subjectType: 'inventory_vendor',
      subjectId: id,
      payload: { inventoryVendorId: id },
      details: { inventoryVendorId: id, name: profile.name },
    });
  }
  return found.id;
}
