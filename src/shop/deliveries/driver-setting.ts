import Type from 'typebox';
import { selectStaffMember } from '../../access/staff/staff.ts';
import { failure } from '../../kernel/failure.ts';
import { Flag, Id, Named, Nullable, Text, Timestamp } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import {
  type ShownSetting,
  schemasOf,
  settingField,
  settingTable,
} from '../../platform/resources/setting-table.ts';
import { statement } from '../../platform/statements/statement.ts';
import { selectRegister } from '../registers/registers.ts';
import { selectDriverOfStaff, selectTripUnderWayOfDriver } from './trip-queries.ts';

const fields = {
  staffId: settingField(Id({ description: 'The member of staff who drives' }), 'staff_id'),
  employeeNumber: settingField(
    Nullable(Text({ max: 100, description: "The employee's number at the state" })),
    'employee_number',
    { absent: null },
  ),
  phone: settingField(
    Nullable(Text({ max: 40, description: 'For questions on the way; null: that of the shop' })),
    'phone',
    { absent: null, isPersonal: true },
  ),
  registerId: settingField(
    Nullable(Id({ description: 'The drawer that the driver takes along; null: the driver takes no cash' })),
    'register_id',
    { absent: null },
  ),
  sharesPosition: settingField(
    Flag({ description: 'The driver agrees that trips show where they are, until they are back' }),
    'shares_position',
    { absent: false },
  ),
};

const driverTable = settingTable('drivers', { fields, ends: 'archived', lock: 'for no key update' });

/** A driver for a trip. */
export const { select: selectDriver, lockRow: lockDriver } = driverTable;

/** A driver with what is known of the license, and the name. */
type ListedDriver = ShownSetting<typeof fields> & {
  readonly firstName: string;
  readonly lastName: string;
  readonly licenseLastFour: string | null;
};

const selectListed = statement<Record<never, never>, ListedDriver>(
  'list_drivers',
  `select d.id, d.staff_id as "staffId", d.employee_number as "employeeNumber", d.phone, d.register_id as "registerId",
          d.shares_position as "sharesPosition", d.created_at as "createdAt", coalesce(d.updated_at, d.created_at) as "updatedAt",
          d.archived_at as "archivedAt", d.license_last_four as "licenseLastFour", m.first_name as "firstName",
          m.last_name as "lastName"
     from drivers d
     join staff_members m on m.organization_id = :organizationId and m.id = d.staff_id
    where d.organization_id = :organizationId order by d.id`,
);

const requestExample = { staffId: 5102, employeeNumber: 'E-1183', phone: '+15105550142' } as const;

const inList = 'null in replies to a change: the list has it';

/** The members of staff who drive (D111). */
export const drivers = settingResource({
  table: driverTable,
  noun: 'driver',
  subject: 'driver',
  idName: 'driverId',
  notFound: 'DRIVER_NOT_FOUND',
  saving: async (tx, { id, former, next: { staffId, registerId } }) => {
    const isOtherDrawer = former !== null && former.registerId !== registerId;
    const [[member], [register], [other], [underWay]] = await tx.run(
      former?.staffId === staffId ? null : selectStaffMember({ id: staffId }),
      registerId === null || former?.registerId === registerId ? null : selectRegister({ id: registerId }),
      selectDriverOfStaff({ staffId, exceptId: id }),
      isOtherDrawer ? selectTripUnderWayOfDriver({ driverId: id }) : null,
    );
    if (underWay !== undefined) {
      throw failure(
        'INVALID_PARAMS',
        'registerId must stay as it is until the trip of the driver is closed.',
      );
    }
    if (former?.staffId !== staffId && member === undefined) {
      throw failure('STAFF_NOT_FOUND', 'There is no such member of staff.');
    }
    if (other !== undefined) throw failure('INVALID_PARAMS', 'staffId must not be a driver already.');
    const isNewRegister = registerId !== null && former?.registerId !== registerId;
    if (isNewRegister && (register === undefined || register.archivedAt !== null)) {
      throw failure('REGISTER_NOT_FOUND', 'There is no such register.');
    }
    return undefined;
  },
  path: '/staff/v1/drivers',
  tag: 'Deliveries',
  readers: ['owner', 'manager', 'budtender'],
  writers: ['owner', 'manager'],
  refusesUnknownNames: true,
  data: Named(
    'Driver',
    Type.Object({
      ...{ id: Id(), ...schemasOf(fields) },
      firstName: Nullable(Text({ max: 100, description: inList })),
      lastName: Nullable(Text({ max: 100, description: inList })),
      licenseLastFour: Nullable(
        Text({ max: 4, description: `The end of the driver's license number; ${inList}` }),
      ),
      ...{ createdAt: Timestamp(), updatedAt: Timestamp(), archivedAt: Nullable(Timestamp()) },
    }),
  ),
  more: (row: Partial<ListedDriver>) => ({
    firstName: row.firstName ?? null,
    lastName: row.lastName ?? null,
    licenseLastFour: row.licenseLastFour ?? null,
  }),
  example: {
    ...{ id: 6801, ...requestExample, registerId: 6101, sharesPosition: false },
    ...{ firstName: 'Tomas', lastName: 'Reyes', licenseLastFour: '4417' },
    ...{ createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z', archivedAt: null },
  },
  list: {
    id: 'listDrivers',
    summary: 'List drivers',
    description: 'All drivers; archived ones with `archivedAt`.',
    max: 10_000,
    emptyInDemo: 'a shop adds its drivers',
    sorts: { id: 'ascending', lastName: 'ascending', createdAt: 'descending' },
    rows: () => selectListed({}),
  },
  create: {
    id: 'createDriver',
    summary: 'Add a driver',
    description: "The number of the driver's license is set by `PUT …/license-number`.",
    failures: ['STAFF_NOT_FOUND', 'REGISTER_NOT_FOUND'],
    requestExample,
  },
  update: {
    id: 'updateDriver',
    summary: 'Change a driver',
    description: 'Changes the given fields only. `archived: true` takes the driver out of use.',
    failures: ['STAFF_NOT_FOUND', 'REGISTER_NOT_FOUND'],
    requestExample: { sharesPosition: true },
  },
});
