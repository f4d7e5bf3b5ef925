import type { Origin } from '../database/context.ts';
import type { StaffCaller } from '../http/endpoint.ts';

/** Who buys, and sees what it costs. */
export const purchasers = ['owner', 'manager', 'inventory'] as const;

/** On whose behalf a write of the staff runs. */
export function staffOrigin(staff: StaffCaller, requestId: string): Origin {
  return { actor: `staff:${staff.staffId}`, requestId };
}
