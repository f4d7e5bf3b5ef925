import { failure } from '../../kernel/failure.ts';
import type { StaffRole } from '../../kernel/staff-roles.ts';

/** The roles that can set a tax exemption. */
export const exemptionRoles: readonly StaffRole[] = ['owner', 'manager'];

/** Only managers and owners can set a tax exemption. Fails with INSUFFICIENT_PERMISSIONS, naming the field. */
export function assertMayExempt(role: StaffRole, field: string): void {
  if (exemptionRoles.includes(role)) return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `${field} can be set by an owner or a manager, not by the role ${role}.`,
  );
}
