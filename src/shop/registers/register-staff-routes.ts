import Type from 'typebox';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { staffOrigin } from '../../platform/database/context.ts';
import { reply, type StaffEndpoint, staffEndpoint } from '../../platform/http/endpoint.ts';
import { Flag, Id, List } from '../../platform/http/schemas.ts';
import { drawerStaffRoutes } from './drawer-staff-routes.ts';
import { parkedCartStaffRoutes } from './parked-cart-staff-routes.ts';
import { type ListedRegisterRow, type RegisterRow, selectRegisters } from './register-queries.ts';
import { cashWithoutSession, Register, registerExample, registerName } from './register-schemas.ts';
import { changeRegister, createRegister } from './save-register.ts';

const path = '/staff/v1/registers';
const requestExample = { name: 'Front counter 1', inventoryLocationId: 2401 } as const;

/** Operations on registers for staff (D74). */
export function registerStaffRoutes(context: Context): StaffEndpoint[] {
  return [
    staffEndpoint({
      id: 'listRegisters',
      method: 'GET',
      path,
      roles: ['owner', 'manager', 'budtender'],
      kind: 'read',
      readsFrom: 'standby',
      summary: 'List registers',
      description: 'All registers with the open session of their drawers; archived ones with `archivedAt`.',
      source: ['D16', 'D74'],
      tag: 'Registers',
      sorts: {
        id: 'ascending',
        name: 'ascending',
        openedAt: { own: 'descending', key: ({ openSession }) => openSession?.openedAt },
        createdAt: 'descending',
      },
      success: {
        status: 200,
        data: List(Register, { max: 10_000 }),
        description: 'The registers',
        example: [registerExample],
      },
      failures: [],
      handle: async ({ staff }) => {
        const [rows] = await context.database.read(staff.organizationId, selectRegisters({}));
        return reply(rows.map(listedRegister));
      },
    }),

    staffEndpoint({
      id: 'createRegister',
      refusesUnknownNames: true,
      method: 'POST',
      path,
      roles: ['owner', 'manager'],
      kind: 'write',
      summary: 'Add a register',
      description:
        'A register with its drawer, at a location. The default of `cashWithoutSession` is `warn`.',
      source: ['D74'],
      tag: 'Registers',
      body: Type.Object({
        name: registerName,
        inventoryLocationId: Id(),
        cashWithoutSession: Type.Optional(cashWithoutSession),
      }),
      requestExample,
      success: { status: 201, data: Register, description: 'The register', example: registerExample },
      failures: ['INVENTORY_LOCATION_NOT_FOUND'],
      handle: async ({ staff, requestId, body }) =>
        reply(
          shownRegister(
            await createRegister(context, staffOrigin(staff, requestId), staff.organizationId, {
              name: body.name.trim(),
              inventoryLocationId: body.inventoryLocationId,
              cashWithoutSession: body.cashWithoutSession ?? 'warn',
            }),
          ),
        ),
    }),

    staffEndpoint({
      id: 'updateRegister',
      refusesUnknownNames: true,
      method: 'PATCH',
      path: `${path}/{registerId}`,
      roles: ['owner', 'manager'],
      kind: 'write',
      takesIfMatch: true,
      summary: 'Change a register',
      description:
        'Changes the given fields only. An archived register takes no payments; `archived: false` restores it. `openSession` of the reply is null: the list has it.',
      source: ['D74'],
      tag: 'Registers',
      params: Type.Object({ registerId: Id() }),
      resourceParams: { registerId: 'REGISTER_NOT_FOUND' },
      body: Type.Object({
        name: Type.Optional(registerName),
        inventoryLocationId: Type.Optional(Id()),
        cashWithoutSession: Type.Optional(cashWithoutSession),
        archived: Type.Optional(Flag()),
      }),
      requestExample: { cashWithoutSession: 'refuse' },
      success: {
        status: 200,
        data: Register,
        description: 'The register',
        example: { ...registerExample, cashWithoutSession: 'refuse' },
      },
      failures: ['REGISTER_NOT_FOUND', 'INVENTORY_LOCATION_NOT_FOUND', 'DRAWER_IS_OPEN'],
      handle: async ({ staff, requestId, params, body: { name, ...changes }, expectedUpdatedAtMs }) =>
        reply(
          shownRegister(
            await changeRegister(
              context,
              staffOrigin(staff, requestId, expectedUpdatedAtMs),
              staff.organizationId,
              params.registerId,
              { ...changes, ...(name !== undefined && { name: name.trim() }) },
            ),
          ),
        ),
    }),

    ...drawerStaffRoutes(context),
    ...parkedCartStaffRoutes(context),
  ];
}

function listedRegister(row: ListedRegisterRow) {
  const { session_id, opened_at, opened_by_staff_id } = row;
  const isOpen = session_id !== null && opened_at !== null && opened_by_staff_id !== null;
  return {
    ...shownRegister(row),
    openSession: isOpen
      ? {
          id: session_id,
          openedAt: isoTimestamp(opened_at),
          openedBy: {
            staffId: opened_by_staff_id,
            firstName: row.opener_first_name ?? '',
            lastName: row.opener_last_name ?? '',
          },
        }
      : null,
  };
}

function shownRegister(row: RegisterRow) {
  return {
    id: row.id,
    name: row.name,
    inventoryLocationId: row.inventory_location_id,
    cashWithoutSession: row.cash_without_session,
    openSession: null,
    createdAt: isoTimestamp(row.created_at),
    updatedAt: isoTimestamp(row.updated_at),
    archivedAt: row.archived_at === null ? null : isoTimestamp(row.archived_at),
  };
}
