import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useEdit } from '../../parts/use-edit.ts';
import { t } from '../../words/words.ts';
import { type CustomerProfile, PersonFields, StandingFields } from './customer-fields.tsx';

const blank: CustomerProfile = {
  firstName: '',
  lastName: '',
  email: null,
  phone: null,
  birthday: null,
  sex: null,
  zip: null,
  licenseExpiry: null,
  medicalExpiration: null,
  residence: null,
  notes: null,
  patientState: null,
  patientNumber: null,
  marketingOptIn: false,
  taxExempt: null,
};

/** Creates a customer. */
export function NewCustomerDialog({
  opened,
  onClose,
  onCreated,
}: {
  opened: boolean;
  onClose: () => void;
  onCreated: (customer: Schema['StaffCustomerDetail']) => void;
}) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`New customer`} size="lg">
      {opened && <NewCustomerForm onClose={onClose} onCreated={onCreated} />}
    </Modal>
  );
}

function NewCustomerForm({
  onClose,
  onCreated,
}: {
  onClose: () => void;
  onCreated: (customer: Schema['StaffCustomerDetail']) => void;
}) {
  const queryClient = useQueryClient();
  const edit = useEdit(blank);
  const create = async () => {
    // Blank names are left out, so the service reports them as missing.
    const body = edit.changes as Schema['NewCustomer'];
    const customer = await dataOf(api.POST('/staff/v1/customers', { body }));
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
    notifyDone(t`${customerName(customer)} is created.`);
    edit.settle();
    onClose();
    onCreated(customer);
  };
  return (
    <ServerForm onSubmit={create} onCancel={onClose} submit={t`Create customer`}>
      <PersonFields {...edit} />
      <StandingFields {...edit} />
    </ServerForm>
  );
}
