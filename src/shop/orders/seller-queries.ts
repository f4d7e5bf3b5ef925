import type { StaffRole } from '../../kernel/staff-roles.ts';
import { statement } from '../../platform/statements/statement.ts';
import type { StaffName } from './order-record.ts';

/** Who sold, with their present role, even if they have left. */
export const selectSeller = statement<{ id: number }, StaffName & { role: StaffRole }>(
  'select_seller',
  `select id, email, first_name as "firstName", last_name as "lastName", role from staff_members
    where organization_id = :organizationId and id = :id`,
);
