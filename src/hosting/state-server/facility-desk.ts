import type { Json } from './json-rows.ts';
import type { Facility, UserKey } from './state-models.ts';
import { type Call, fixedRows, type Route } from './state-route.ts';
import { noDate } from './state-times.ts';

/* Facilities, employees and what they may do. */

function printFacility(facility: Facility, user: UserKey): Json {
  return {
    ...{ FacilityId: facility.id, HireDate: noDate, IsOwner: false, IsManager: user.rights === null },
    ...{ IsFinancialContact: false, Email: null, Occupations: [], Name: `${facility.name} LLC` },
    ...{ Alias: facility.name, DisplayName: facility.name, CredentialedDate: '2024-05-02' },
    ...{ SupportActivationDate: null, SupportExpirationDate: null, FacilityType: facility.flags },
    License: licenseOf(facility),
    ...{ AllowTransferOfOnHoldPackages: null, AllowTransferOfOnRecallPackages: null },
  };
}

const licenseOf = ({ license, licenseType }: Facility): Json => ({
  ...{ Number: license, EmployeeLicenseNumber: license, StartDate: '2024-05-01', EndDate: '2027-04-30' },
  LicenseType: licenseType,
});

const facilitiesOf = ({ world, user }: Call): Json =>
  world.facilities
    .filter(({ license }) => user.licenses.includes(license))
    .map((facility) => printFacility(facility, user));

const usersOf = ({ world, facility }: Call): UserKey[] =>
  world.users.filter(({ licenses }) => licenses.includes(facility.license));

/** The number under which a person works: invented from the key. */
const employeeNumber = (user: UserKey): string => `E-${user.key}`;

const printEmployee = (user: UserKey): Json => ({
  FullName: user.name,
  License: {
    ...{ Number: employeeNumber(user), EmployeeLicenseNumber: employeeNumber(user) },
    ...{ StartDate: '2024-05-01', EndDate: '2027-04-30', LicenseType: 'Employee' },
  },
  ...{ IsIndustryAdmin: user.rights === null, IsOwner: false, IsManager: user.rights === null },
});

const everyRight =
  `view packages|manage packages inventory|create/submit/discontinue packages|view sales|manage sales|
view sales delivery|manage sales delivery|view transfers|manage transfers|manage locations|manage tags|lookup patients`
    .replaceAll('\n', '')
    .split('|');

export const facilityRoutes: readonly Route[] = [
  { at: 'GET /facilities/v2', license: 'none', read: facilitiesOf },
  {
    at: 'GET /employees/v2',
    rights: ['Manage Employees', 'View Employees'],
    list: (call) => fixedRows(usersOf(call).map(printEmployee)),
  },
  {
    at: 'GET /employees/v2/permissions',
    rights: ['Manage Employees'],
    read: (call) => {
      const employee = call.query.get('employeeLicenseNumber');
      const user = usersOf(call).find((it) => employeeNumber(it) === employee) ?? call.user;
      return user.rights === null ? everyRight : user.rights.map((right) => right.toLowerCase());
    },
  },
];
