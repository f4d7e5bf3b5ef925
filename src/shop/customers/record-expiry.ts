import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { updateLicenseExpiry, updateMedicalExpiration } from './customer-expiry-queries.ts';

/** Which paper of a customer: the one that carts use for age and identity, or the one for medical status (D35). */
type CustomerPaper = 'license' | 'recommendation';

/** Records the expiry day of a customer's paper; null: there is none. The customer must be locked. */
export async function recordExpiry(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  customerId: number,
  paper: CustomerPaper,
  { from, to: expiresOn }: { readonly from: string | null; readonly to: string | null },
): Promise<void> {
  const update = paper === 'license' ? updateLicenseExpiry : updateMedicalExpiration;
  tx.queue(update({ id: customerId, expiresOn, at: isoTimestamp(nowMs) }));
  await announce(tx, context, origin, nowMs, {
    event: 'customer.updated',
    subjectType: 'customer',
    subjectId: customerId,
    payload: { customerId },
    details: {
      customerId,
      [paper === 'license' ? 'licenseExpiry' : 'medicalExpiration']: { from, to: expiresOn },
    },
  });
}
