import { failure } from '../kernel/failure.ts';
import type { StaffRole } from '../kernel/staff-roles.ts';

/**
 * Only managers and owners say by hand who pays no taxes. Fails with INSUFFICIENT_PERMISSIONS, naming the field.
 */
export function assertMayExempt(role: StaffRole, field: string): void {
  if (role === 'owner' || role === 'manager') return;
  throw failure(
    'INSUFFICIENT_PERMISSIONS',
    `${field} may be set by an owner or a manager, not by the role ${role}.`,
  );
}
