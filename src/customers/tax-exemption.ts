import { failure } from '../kernel/failure.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';

/** Only managers and owners can set a tax exemption. Fails with INSUFFICIENT_PERMISSIONS, naming the field. */
export function assertMayExempt(role: StaffRole, field: string): void {
  if (role === 'owner' || role === 'manager') return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `${field} can be set by an owner or a manager, not by the role ${role}.`,
  );
}
