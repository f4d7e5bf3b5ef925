import { countOfRows } from '../../platform/lists/counted-rows.ts';
import { sortedList } from '../../platform/lists/sorted-list.ts';
import { statement } from '../../platform/statements/statement.ts';

/** SQL on vendors. */

/** A vendor, in the form of its setting. */
export interface VendorRow {
  id: number;
  organizationId: number;
  name: string;
  email: string | null;
  phone: string | null;
  notes: string | null;
  sellerPermitNumber: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  createdAt: number;
  updatedAt: number;
  archivedAt: number | null;
}

const vendorColumns = `id, organization_id as "organizationId", name, email, phone, notes,
  seller_permit_number as "sellerPermitNumber", street1, street2, city, state, postal_code as "postalCode",
  created_at as "createdAt", updated_at as "updatedAt", archived_at as "archivedAt"`;

/** Includes archived vendors, because orders keep naming them. */
export const selectVendors = statement<{ ids: readonly number[] }, VendorRow>(
  'select_vendors',
  `select ${vendorColumns} from inventory_vendors where organization_id = :organizationId and id = any(:ids)`,
);

/** D14. */
export const vendorsPerPage = 50;

/** How many there are, up to the bound of counting. */
export const countVendors = statement<Record<never, never>, { count: number }>(
  'count_inventory_vendors',
  countOfRows('select from inventory_vendors where organization_id = :organizationId'),
);

/** Includes archived vendors. */
export const vendorList = sortedList<VendorRow, 'createdAt' | 'name' | 'updatedAt'>({
  name: 'list_vendors',
  rows: 'from inventory_vendors v where v.organization_id = :organizationId',
  ids: ['v.id'],
  sorts: {
    createdAt: { key: 'v.created_at', own: 'descending' },
    name: { key: 'v.name_key collate "C"', own: 'ascending' },
    updatedAt: { key: 'v.updated_at', own: 'descending' },
  },
  rowsPerPage: vendorsPerPage,
  show: (page) => `select ${vendorColumns} from ${page}
     join inventory_vendors v on v.organization_id = :organizationId and v.id = page.id0`,
});

/** Share lock for an order that will name it: it cannot be archived meanwhile. */
export const holdOpenVendor = statement<{ id: number }, { id: number }>(
  'hold_open_vendor',
  `select id from inventory_vendors
    where organization_id = :organizationId and id = :id and archived_at is null for key share`,
);

export const holdVendorNamed = statement<{ name: string }, { id: number }>(
  'hold_vendor_named',
  `select id from inventory_vendors
    where organization_id = :organizationId and name_key = lower(btrim(:name)) and archived_at is null
      for key share`,
);

type VendorParameters = {
  id: number;
  name: string;
  email: string | null;
  phone: string | null;
  notes: string | null;
  sellerPermitNumber: string | null;
  street1: string | null;
  street2: string | null;
  city: string | null;
  state: string | null;
  postalCode: string | null;
  at: string;
};

/**
 * The first of concurrent requests with the same name inserts; the others wait, insert nothing, and then find it.
 */
export const insertVendorUnlessNamed = statement<VendorParameters, { id: number }>(
  'insert_vendor_unless_named',
  `insert into inventory_vendors (organization_id, id, name, email, phone, notes, seller_permit_number, street1,
                                  street2, city, state, postal_code, created_at, updated_at)
   values (:organizationId, :id, :name, :email, :phone, :notes, :sellerPermitNumber, :street1, :street2, :city,
           :state, :postalCode, :at, :at)
   on conflict (organization_id, name_key) where archived_at is null do nothing
   returning id`,
);
