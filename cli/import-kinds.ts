import {
  customerRowKeys,
  exportedCustomer,
  importCustomerRows,
  type NewCustomerRow,
  readCustomerRow,
} from '../src/customers/customers.ts';
import type { ImportFields, ImportKind } from '../src/imports/imports.ts';

const personal = { kind: 'text', isPersonal: true } as const;

const customerFields: ImportFields = {
  firstName: personal,
  lastName: personal,
  email: personal,
  phone: personal,
  birthday: personal,
  sex: personal,
  zip: personal,
  licenseExpiry: personal,
  medicalExpiration: personal,
  marketingOptIn: { kind: 'flag', isPersonal: true },
  taxExempt: { kind: 'flag', isPersonal: true },
  marketingOptInAt: { kind: 'moment', isPersonal: true },
  joinedAt: { kind: 'moment', isPersonal: true },
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
