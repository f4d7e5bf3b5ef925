import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import { Id, Named, NonBlankText, Nullable, OneOf, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import {
  type ShownSetting,
  schemasOf,
  settingField,
  settingTable,
} from '../../platform/resources/setting-table.ts';
import { statement } from '../../platform/statements/statement.ts';
import { holdOpenLocations } from '../inventory/stock.ts';
import { selectOpenSession } from './drawer-queries.ts';
import { DrawerPerson } from './register-schemas.ts';

const fields = {
  name: settingField(NonBlankText({ max: 100 }), 'name', { reads: (name) => name.trim() }),
  inventoryLocationId: settingField(Id(), 'inventory_location_id'),
  cashWithoutSession: settingField(
    OneOf(['warn', 'refuse'], {
      description:
        'What cash does while the drawer is closed. `warn`: it is recorded outside a session; `refuse`: `DRAWER_NOT_OPEN`',
    }),
    'cash_without_session',
    { absent: 'warn' },
  ),
};

// Opening a drawer and archiving its register wait for each other.
const registerTable = settingTable('registers', { fields, ends: 'archived', lock: 'for no key update' });

/** For a payment at the register, and for one that changes its drawer. */
export const { select: selectRegister, lockRow: lockRegister } = registerTable;

/** A register with its open session; null: its drawer is closed. */
type ListedRegister = ShownSetting<typeof fields> & {
  readonly sessionId: number | null;
  readonly openedAt: number;
  readonly staffId: number;
  readonly firstName: string | null;
  readonly lastName: string | null;
};

/** All of them, archived ones included, by id (D16). */
export const selectRegisters = statement<Record<never, never>, ListedRegister>(
  'list_registers',
  `select r.id, r.name, r.inventory_location_id as "inventoryLocationId",
          r.cash_without_session as "cashWithoutSession", r.created_at as "createdAt", r.updated_at as "updatedAt",
          r.archived_at as "archivedAt", s.id as "sessionId", s.opened_at as "openedAt",
          s.opened_by_staff_id as "staffId", m.first_name as "firstName", m.last_name as "lastName"
     from registers r
     left join drawer_sessions s
       on s.organization_id = :organizationId and s.register_id = r.id and s.closed_at is null
     left join staff_members m on m.organization_id = :organizationId and m.id = s.opened_by_staff_id
    where r.organization_id = :organizationId order by r.id`,
);

function openSessionOf(row: Partial<ListedRegister>) {
  const { sessionId: id, openedAt, staffId, firstName, lastName } = row;
  if (id == null) return null;
  const openedBy = { staffId, firstName: firstName ?? '', lastName: lastName ?? '' };
  return { id, openedAt: isoTimestamp(openedAt!), openedBy };
}

const requestExample = { name: 'Front counter 1', inventoryLocationId: 2401 } as const;

/** Registers, each with a drawer, at a location (D74). */
export const registers = settingResource({
  table: registerTable,
  noun: 'register',
  subject: 'register',
  idName: 'registerId',
  notFound: 'REGISTER_NOT_FOUND',
  saving: async (tx, { former, next: { inventoryLocationId: id } }) => {
    if (former?.inventoryLocationId === id) return undefined;
    const [[location]] = await tx.run(holdOpenLocations({ ids: [id] }));
    if (location !== undefined) return undefined;
    throw failure('INVENTORY_LOCATION_NOT_FOUND', 'There is no such inventory location.');
  },
  ending: async (tx, { id }) => {
    const [[open]] = await tx.run(selectOpenSession({ registerId: id }));
    if (open === undefined) return;
    throw failure('DRAWER_IS_OPEN', 'The drawer of this register is open: close it first.');
  },
  path: '/staff/v1/registers',
  tag: 'Registers',
  readers: ['owner', 'manager', 'budtender'],
  writers: ['owner', 'manager'],
  refusesUnknownNames: true,
  data: Named(
    'Register',
    Type.Object({
      id: Id(),
      ...schemasOf(fields),
      inventoryLocationId: Id({ description: 'Where it stands' }),
      openSession: Nullable(
        Type.Object(
          { id: Id(), openedAt: Timestamp(), openedBy: DrawerPerson },
          { description: 'null: the drawer is closed' },
        ),
      ),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      archivedAt: Nullable(Timestamp()),
    }),
  ),
  more: (row) => ({ openSession: openSessionOf(row) }),
  example: {
    id: 6101,
    ...requestExample,
    cashWithoutSession: 'warn',
    openSession: null,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
    archivedAt: null,
  },
  list: {
    id: 'listRegisters',
    summary: 'List registers',
    description: 'All registers with the open session of their drawers; archived ones with `archivedAt`.',
    max: 10_000,
    sorts: {
      id: 'ascending',
      name: 'ascending',
      openedAt: { own: 'descending', key: ({ openSession }) => openSession?.openedAt },
      createdAt: 'descending',
    },
    rows: () => selectRegisters({}),
  },
  create: {
    id: 'createRegister',
    summary: 'Add a register',
    description: 'A register with its drawer, at a location. The default of `cashWithoutSession` is `warn`.',
    failures: ['INVENTORY_LOCATION_NOT_FOUND'],
    requestExample,
  },
  update: {
    id: 'updateRegister',
    summary: 'Change a register',
    description:
      'Changes the given fields only. An archived register takes no payments; `archived: false` restores it. `openSession` of the reply is null: the list has it.',
    failures: ['INVENTORY_LOCATION_NOT_FOUND', 'DRAWER_IS_OPEN'],
    requestExample: { cashWithoutSession: 'refuse' },
    changed: { cashWithoutSession: 'refuse' },
  },
});
