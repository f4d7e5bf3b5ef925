import {
  customerRowKeys,
  exportedCustomer,
  importCustomerRows,
  readCustomerRow,
} from '../src/shop/customers/customers.ts';
import type { NewCustomerRow } from '../src/shop/customers/import-customer-rows.ts';
import { formerSaleKeys, importFormerSales, readFormerSale } from '../src/shop/former-sales/former-sales.ts';
import type { NewFormerSale } from '../src/shop/former-sales/import-former-sales.ts';
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
  number: { kind: 'text' },
  soldAt: { kind: 'text' },
  soldTime: { kind: 'text', mayBeNothing: true },
  customerId: { kind: 'text', isPersonal: true, mayBeNothing: true },
  customerEmail: { ...personal, mayBeNothing: true },
  lineId: ofLine('lineId'),
  productName: { kind: 'text', optionName: 'productName' },
  brandName: ofLine('brandName'),
  category: ofLine('category'),
  sku: { kind: 'code', optionName: 'sku' },
  upc: { kind: 'code', optionName: 'upc' },
  size: ofLine('size'),
  tag: ofLine('tag'),
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
