import type { StaffRowToImport } from '../../access/staff/import-staff.ts';
import { exportedStaff, importStaff, readStaffRow, staffRowKeys } from '../../access/staff/staff.ts';
import type { ImportOutcome } from '../../kernel/import-outcome.ts';
import {
  customerRowKeys,
  exportedCustomer,
  importCustomerRows,
  readCustomerRow,
} from '../customers/customers.ts';
import type { NewCustomerRow } from '../customers/import-customer-rows.ts';
import { formerSaleKeys, importFormerSales, readFormerSale } from '../former-sales/former-sales.ts';
import type { NewFormerSale } from '../former-sales/import-former-sales.ts';
import type { ImportFields, ImportKind } from '../imports/imports.ts';
import type { VendorProfile } from '../purchasing/match-vendor.ts';
import { exportedVendor, importVendors, readVendorRow } from '../purchasing/purchasing.ts';
import { loadPackages, type PackageToLoad, packageRowKeys, readPackageRow } from './load-packages.ts';
import {
  type ClosedDay,
  type DiscountUse,
  readClosedDay,
  readDiscountUse,
  readStateTag,
  type StateTag,
} from './told-rows.ts';

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
  emailOptIn: { kind: 'flag', isPersonal: true, mayBeNothing: true },
  smsOptIn: { kind: 'flag', isPersonal: true, mayBeNothing: true },
  optedOut: { kind: 'flag', isPersonal: true, mayBeNothing: true },
  till: { kind: 'text' },
  formerId: { kind: 'code' },
  points: { kind: 'number', mayBeNothing: true },
  credit: { kind: 'cents', mayBeNothing: true },
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

const amount = (optionName: string) => ({ kind: 'signed-cents', optionName, mayBeNothing: true }) as const;
const ofLine = (optionName: string) => ({ kind: 'text', optionName, mayBeNothing: true }) as const;

/** A row is a line of a ticket; the rows of one ticket agree about it. */
const saleFields: ImportFields = {
  till: { kind: 'text' },
  // A number that a spreadsheet has made of a long one is none.
  number: { kind: 'code' },
  soldAt: { kind: 'text' },
  soldTime: { kind: 'text', mayBeNothing: true },
  customerId: { kind: 'code', isPersonal: true, mayBeNothing: true },
  customerEmail: { ...personal, mayBeNothing: true },
  refundOf: { kind: 'code', mayBeNothing: true },
  lineId: ofLine('lineId'),
  productName: { kind: 'text', optionName: 'productName' },
  brandName: ofLine('brandName'),
  category: ofLine('category'),
  sku: { kind: 'code', optionName: 'sku' },
  upc: { kind: 'code', optionName: 'upc' },
  size: ofLine('size'),
  tag: { kind: 'code', optionName: 'tag' },
  quantity: { kind: 'number', optionName: 'quantity' },
  isReturn: { kind: 'flag', optionName: 'isReturn', mayBeNothing: true },
  gross: amount('gross'),
  discount: amount('discount'),
  net: { kind: 'signed-cents', optionName: 'net' },
  tax: amount('tax'),
};

export const saleImport: ImportKind<NewFormerSale> = {
  noun: 'sales',
  fields: saleFields,
  groupedBy: ['number', 'soldAt'],
  emptyLists: [],
  ofExport: () => null,
  loadChange: async () => (body) => body,
  read: readFormerSale,
  keysOf: formerSaleKeys,
  write: importFormerSales,
};

const ofPlace = (optionName: string) => ({ kind: 'number', optionName, mayBeNothing: true }) as const;
const further = { kind: 'text', mayBeNothing: true } as const;

/** A row is what lies in one place; the rows of one tag are one package. */
const packageFields: ImportFields = {
  tag: { kind: 'code' },
  productName: { kind: 'text' },
  ...{ brandName: further, sku: { kind: 'code' }, upc: { kind: 'code' }, size: further, unit: further },
  expirationDate: { kind: 'day', mayBeNothing: true },
  location: ofLine('location'),
  quantity: { kind: 'number', optionName: 'quantity' },
  ...{ reserved: ofPlace('reserved'), packed: ofPlace('packed'), unitCost: ofPlace('unitCost') },
};

export const packageImport: ImportKind<PackageToLoad> = {
  noun: 'packages',
  fields: packageFields,
  groupedBy: ['tag'],
  emptyLists: [],
  ofExport: () => null,
  loadChange: async () => (body) => body,
  read: readPackageRow,
  keysOf: packageRowKeys,
  write: loadPackages,
};

export const vendorImport: ImportKind<VendorProfile> = {
  noun: 'vendors',
  fields: {
    ...{ name: { kind: 'text' }, email: { ...further, isPersonal: true } },
    ...{ phone: { ...further, isPersonal: true }, notes: { ...further, isPersonal: true } },
    ...{ sellerPermitNumber: further, street1: { ...further, isPersonal: true } },
    ...{ street2: { ...further, isPersonal: true }, city: further, state: further, postalCode: further },
  },
  groupedBy: [],
  emptyLists: [],
  ofExport: exportedVendor,
  loadChange: async () => (body) => body,
  read: readVendorRow,
  // Lists of stock name a vendor in many rows.
  keysOf: () => [],
  write: importVendors,
};

export const staffImport: ImportKind<StaffRowToImport> = {
  noun: 'staff',
  fields: { email: personal, firstName: personal, lastName: personal, role: further },
  groupedBy: [],
  emptyLists: [],
  ofExport: exportedStaff,
  loadChange: async () => (body) => body,
  read: readStaffRow,
  keysOf: staffRowKeys,
  write: importStaff,
};

/** Kinds that write nothing: what a file says is only added up. */
const told = {
  ...{ groupedBy: [], emptyLists: [], ofExport: () => null, keysOf: () => [] },
  loadChange: async () => (body: unknown) => body,
  write: async (...[, , , rows]: Parameters<ImportKind<unknown>['write']>): Promise<ImportOutcome[]> =>
    rows.map(() => ({ kind: 'known', id: 0 })),
} as const;

/** Uses of the discounts of another till: proposals for what to set up here. */
export const discountImport: ImportKind<DiscountUse> = {
  ...told,
  noun: 'discounts',
  fields: {
    name: { kind: 'text' },
    code: further,
    uses: { kind: 'number', mayBeNothing: true },
    amount: { kind: 'signed-cents', mayBeNothing: true },
  },
  read: readDiscountUse,
};

/** What another till said of its closed days. */
export const closingImport: ImportKind<ClosedDay> = {
  ...told,
  noun: 'closings',
  fields: {
    day: { kind: 'day' },
    sales: { kind: 'number', mayBeNothing: true },
    ...{ gross: { kind: 'signed-cents', mayBeNothing: true }, tax: { kind: 'signed-cents' } },
    ...{
      discount: { kind: 'signed-cents', mayBeNothing: true },
      net: { kind: 'signed-cents', mayBeNothing: true },
    },
  },
  read: readClosedDay,
};

/** The state's list of packages. */
export const stateImport: ImportKind<StateTag> = {
  ...told,
  noun: 'state',
  fields: { tag: { kind: 'code' }, quantity: { kind: 'number' } },
  read: readStateTag,
};
