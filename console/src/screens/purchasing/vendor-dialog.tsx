import { SimpleGrid, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged } from '../../api.ts';
import { RecordDialog } from '../../parts/guarded-record-dialog.tsx';
import { Field } from '../../parts/server-form.tsx';
import { sayDone } from '../../parts/toasts.tsx';
import { type Vendor, vendorsQuery } from './purchase-words.ts';

const fields = [
  { name: 'email', label: 'Email', type: 'email' },
  { name: 'phone', label: 'Phone', type: 'tel' },
  { name: 'sellerPermitNumber', label: "Seller's permit", type: 'text' },
  { name: 'street1', label: 'Street', type: 'text' },
  { name: 'street2', label: 'Street, second line', type: 'text' },
  { name: 'city', label: 'City', type: 'text' },
  { name: 'state', label: 'State', type: 'text' },
  { name: 'postalCode', label: 'Postal code', type: 'text' },
] as const;

const blank: Vendor = {
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
};

/** As bodies have it: what is empty is not known. */
function vendorBody(vendor: Vendor) {
  const { name, notes } = vendor;
  const rest = Object.fromEntries(fields.map((field) => [field.name, vendor[field.name]?.trim() || null]));
  return { name, notes: notes?.trim() || null, ...rest };
}

async function presentVendor(id: number): Promise<Vendor> {
  return (await vendorsQuery.queryFn()).find((vendor) => vendor.id === id) ?? blank;
}

/** Makes or changes a vendor. A change is sent whole, as what others have left plus what was typed here. */
export function VendorDialog({
  vendor,
  onSaved,
  onClose,
}: {
  vendor: Vendor | null;
  onSaved: (vendor: Vendor) => void;
  onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const load = () => presentVendor(vendor?.id ?? 0);
  return (
    <RecordDialog<Vendor>
      noun="vendor"
      size="lg"
      record={vendor}
      blank={blank}
      create={(draft) => dataOf(api.POST('/staff/v1/inventory-vendors', { body: vendorBody(draft) }))}
      save={async (changes, updatedAt) =>
        dataOf(
          api.PUT('/staff/v1/inventory-vendors/{inventoryVendorId}', {
            params: { path: { inventoryVendorId: vendor?.id ?? 0 } },
            headers: ifUnchanged(updatedAt),
            body: vendorBody({ ...(await load()), ...changes }),
          }),
        )
      }
      load={load}
      shown={(name, value) => ({
        label: fields.find((field) => field.name === name)?.label ?? (name === 'name' ? 'Name' : 'Notes'),
        value: value ?? '–',
      })}
      onSaved={(saved) => {
        sayDone('The vendor is saved.');
        void queryClient.invalidateQueries({ queryKey: ['inventory-vendors'] });
        onSaved(saved);
      }}
      onClose={onClose}
    >
      {({ draft, set }) => (
        <>
          <Field path="name">
            {(error) => (
              <TextInput
                label="Name"
                required
                data-autofocus
                error={error}
                value={draft.name}
                onChange={(event) => set('name', event.currentTarget.value)}
              />
            )}
          </Field>
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            {fields.map(({ name, label, type }) => (
              <Field key={name} path={name}>
                {(error) => (
                  <TextInput
                    label={label}
                    type={type}
                    error={error}
                    value={draft[name] ?? ''}
                    onChange={(event) => set(name, event.currentTarget.value)}
                  />
                )}
              </Field>
            ))}
          </SimpleGrid>
          <Field path="notes">
            {(error) => (
              <Textarea
                label="Notes"
                autosize
                minRows={2}
                error={error}
                value={draft.notes ?? ''}
                onChange={(event) => set('notes', event.currentTarget.value)}
              />
            )}
          </Field>
        </>
      )}
    </RecordDialog>
  );
}
