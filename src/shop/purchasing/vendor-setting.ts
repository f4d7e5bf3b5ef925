import { nameText } from '../../kernel/name-text.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import { settingField, settingTable } from '../../platform/resources/setting-table.ts';
import { Vendor, VendorName, vendorExample, vendorFields } from './purchase-order-schemas.ts';
import { purchasers } from './purchasing-staff.ts';

const asSent = { absent: null } as const;
const personal = { absent: null, isPersonal: true } as const;

const fields = {
  name: settingField(VendorName(), 'name', { reads: nameText }),
  email: settingField(vendorFields.email, 'email', personal),
  phone: settingField(vendorFields.phone, 'phone', personal),
  notes: settingField(vendorFields.notes, 'notes', personal),
  sellerPermitNumber: settingField(vendorFields.sellerPermitNumber, 'seller_permit_number', asSent),
  street1: settingField(vendorFields.street1, 'street1', personal),
  street2: settingField(vendorFields.street2, 'street2', personal),
  city: settingField(vendorFields.city, 'city', asSent),
  state: settingField(vendorFields.state, 'state', asSent),
  postalCode: settingField(vendorFields.postalCode, 'postal_code', asSent),
};

const requestExample = {
  name: vendorExample.name,
  email: vendorExample.email,
  phone: vendorExample.phone,
  city: vendorExample.city,
};

/** Vendors. An archived one stays so: its orders keep it, and another vendor can have its name. */
export const vendors = settingResource({
  table: settingTable('inventory_vendors', {
    fields,
    ends: 'archived',
    // An order that will name it holds it; archiving waits, or is waited for.
    lock: 'for update',
    uniqueName: { key: 'name_key', constraint: 'inventory_vendors_of_name' },
  }),
  noun: 'vendor',
  subject: 'inventory_vendor',
  idName: 'inventoryVendorId',
  notFound: 'INVENTORY_VENDOR_NOT_FOUND',
  staysArchived: true,
  path: '/staff/v1/inventory-vendors',
  tag: 'Purchasing',
  readers: purchasers,
  writers: purchasers,
  data: Vendor,
  example: vendorExample,
  more: ({ organizationId }) => ({ organizationId }),
  create: {
    id: 'createInventoryVendor',
    summary: 'Add a vendor',
    description: 'Names are compared without case and outer spaces.',
    requestExample,
  },
  replace: {
    id: 'replaceInventoryVendor',
    summary: "Replace a vendor's fields",
    description: 'As on creation: absent fields become null.',
    requestExample,
  },
  end: {
    id: 'archiveInventoryVendor',
    summary: 'Archive a vendor',
    description: 'New orders cannot name it; existing orders keep it, and another vendor can have its name.',
    changed: { archivedAt: '2026-03-10T18:00:00.000Z' },
  },
});
