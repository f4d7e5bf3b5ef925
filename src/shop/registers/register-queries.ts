import { insertMany, statement } from '../../platform/database/statement.ts';

/** SQL on registers. */

export type CashWithoutSession = 'warn' | 'refuse';

export interface RegisterRow {
  id: number;
  name: string;
  inventory_location_id: number;
  cash_without_session: CashWithoutSession;
  created_at: number;
  updated_at: number;
  archived_at: number | null;
}

/** A register with its open session; null: its drawer is closed. */
export interface ListedRegisterRow extends RegisterRow {
  session_id: number | null;
  opened_at: number | null;
  opened_by_staff_id: number | null;
  opener_first_name: string | null;
  opener_last_name: string | null;
}

const columns = `id, name, inventory_location_id, cash_without_session, created_at, updated_at, archived_at`;

/** D16: by id. Includes archived registers. */
export const selectRegisters = statement<Record<never, never>, ListedRegisterRow>(
  'select_registers',
  `select r.id, r.name, r.inventory_location_id, r.cash_without_session, r.created_at, r.updated_at, r.archived_at,
          s.id as session_id, s.opened_at, s.opened_by_staff_id, m.first_name as opener_first_name,
          m.last_name as opener_last_name
     from registers r
     left join drawer_sessions s
       on s.organization_id = :organizationId and s.register_id = r.id and s.closed_at is null
     left join staff_members m on m.organization_id = :organizationId and m.id = s.opened_by_staff_id
    where r.organization_id = :organizationId order by r.id`,
);

/** For a payment at the register. */
export const selectRegister = statement<{ id: number }, RegisterRow>(
  'select_register',
  `select ${columns} from registers where organization_id = :organizationId and id = :id`,
);

/** Opening a drawer and archiving the register wait for each other. */
export const lockRegister = statement<{ id: number }, RegisterRow>(
  'lock_register',
  `select ${columns} from registers where organization_id = :organizationId and id = :id for no key update`,
);

export const insertRegisters = insertMany<{
  id: number;
  name: string;
  inventoryLocationId: number;
  cashWithoutSession: string;
  createdAt: string;
  updatedAt: string;
}>('registers', {
  id: 'id',
  name: 'name',
  inventoryLocationId: 'inventory_location_id',
  cashWithoutSession: 'cash_without_session',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
});

export const updateRegisterRow = statement<
  {
    id: number;
    name: string;
    inventoryLocationId: number;
    cashWithoutSession: string;
    archivedAt: string | null;
    updatedAt: string;
  },
  never
>(
  'update_register_row',
  `update registers set name = :name, inventory_location_id = :inventoryLocationId,
          cash_without_session = :cashWithoutSession, archived_at = :archivedAt, updated_at = :updatedAt
    where organization_id = :organizationId and id = :id`,
);
