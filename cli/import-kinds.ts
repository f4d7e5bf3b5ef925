import {
  customerRowKeys,
  exportedCustomer,
  importCustomerRows,
  readCustomerRow,
} from '../src/shop/customers/customers.ts';
import type { NewCustomerRow } from '../src/shop/customers/import-customer-rows.ts';
import type { ImportFields, ImportKind } from '../src/shop/imports/imports.ts';

const personal = { kind: 'text', isPersonal: true } as const;
const day = { kind: 'day', isPersonal: true, mayBeNothing: true } as const;
const moment = { kind: 'moment', isPersonal: true, mayBeNothing: true } as const;

const customerFields: ImportFields = {
  firstName: personal,
  lastName: personal,
  email: personal,
  phone: personal,
  birthday: day,
  sex: { ...personal, mayBeNothing: true },
  zip: { ...personal, mayBeNothing: true },
  licenseExpiry: day,
  medicalExpiration: day,
  residence: { ...personal, mayBeNothing: true },
  patientState: { ...personal, mayBeNothing: true },
  patientNumber: { ...personal, mayBeNothing: true },
  marketingOptIn: { kind: 'flag', isPersonal: true, mayBeNothing: true },
  taxExempt: { kind: 'flag', isPersonal: true, mayBeNothing: true },
  marketingOptInAt: moment,
  joinedAt: moment,
};

export const customerImport: ImportKind<NewCustomerRow> = {
  noun: 'customers',
  fields: customerFields,
  groupedBy: [],
  emptyLists: [],
  ofExport: exportedCustomer,
  loadChange: async () => (body) => body,
  read: readCustomerRow,
  keysOf: customerRowKeys,
  write: importCustomerRows,
};
