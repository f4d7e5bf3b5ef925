import { SimpleGrid } from '@mantine/core';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { NameField } from '../../parts/name-field.tsx';
import { presentRow, type RecordKind } from '../../parts/record-kind.ts';
import { LongTextField, TextField } from '../../parts/text-field.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { type Vendor, vendorsQuery } from './purchase-words.ts';

const fields = [
  { name: 'email', label: t`Email`, type: 'email' },
  { name: 'phone', label: t`Phone`, type: 'tel' },
  { name: 'sellerPermitNumber', label: t`Seller's permit`, type: 'text' },
  { name: 'street1', label: t`Street`, type: 'text' },
  { name: 'street2', label: t`Street, second line`, type: 'text' },
  { name: 'city', label: t`City`, type: 'text' },
  { name: 'state', label: t`State`, type: 'text' },
  { name: 'postalCode', label: t`ZIP code`, type: 'text' },
] as const;

/** The vendors. A change is sent whole: the latest saved version plus the changes made here. */
export const vendorKind: RecordKind<Vendor> = {
  noun: t`vendor`,
  resources: ['inventory-vendors'],
  size: 'lg',
  blank: {
    id: 0,
    organizationId: 0,
    name: '',
    phone: null,
    notes: null,
    email: null,
    sellerPermitNumber: null,
    street1: null,
    street2: null,
    city: null,
    state: null,
    postalCode: null,
    createdAt: '',
    updatedAt: '',
    archivedAt: null,
  },
  create: (draft) => dataOf(api.POST('/staff/v1/inventory-vendors', { body: vendorBody(draft) })),
  save: async (inventoryVendorId, changes, updatedAt) => {
    const present = presentRow(await vendorsQuery.queryFn(), inventoryVendorId);
    return dataOf(
      api.PUT('/staff/v1/inventory-vendors/{inventoryVendorId}', {
        params: { path: { inventoryVendorId } },
        headers: ifUnchanged(updatedAt),
        body: vendorBody({ ...present, ...changes }),
      }),
    );
  },
  loadAll: vendorsQuery.queryFn,
  shown: (name, value) => ({
    label: fields.find((field) => field.name === name)?.label ?? (name === 'name' ? t`Name` : t`Notes`),
    value: value ?? '–',
  }),
  fields: (edit) => <VendorFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (inventoryVendorId) =>
      dataOf(
        api.DELETE('/staff/v1/inventory-vendors/{inventoryVendorId}', {
          params: { path: { inventoryVendorId } },
        }),
      ),
    warning: () => t`New orders cannot use it. Existing orders do not change.`,
  },
};

/** The request body; empty fields are null (unknown). */
function vendorBody(vendor: Vendor) {
  const { name, notes } = vendor;
  const rest = Object.fromEntries(fields.map((field) => [field.name, vendor[field.name]?.trim() || null]));
  return { name, notes: notes?.trim() || null, ...rest };
}

function VendorFields({ draft, set }: Edit<Vendor>) {
  return (
    <>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        {fields.map(({ name, label, type }) => (
          <TextField
            key={name}
            path={name}
            label={label}
            type={type}
            value={draft[name]}
            onChange={(value) => set(name, value)}
          />
        ))}
      </SimpleGrid>
      <LongTextField
        path="notes"
        label={t`Notes`}
        value={draft.notes}
        onChange={(value) => set('notes', value)}
      />
    </>
  );
}
