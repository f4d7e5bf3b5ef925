import { Alert, Modal, SegmentedControl, SimpleGrid, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { CustomerPicker, customerName } from '../../parts/customer-picker.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { TextField } from '../../parts/text-field.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';

const blankPerson = { firstName: '', lastName: '', email: '', phone: '', birthday: '' };

type Person = typeof blankPerson;

/** Checks in a customer, existing or new, at the end of the front desk line. */
export function CheckInDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Modal opened={opened} onClose={onClose} title={t`Check in`} size="lg">
      {opened && <CheckInForm onClose={onClose} />}
    </Modal>
  );
}

function CheckInForm({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [who, setWho] = useState<'customer' | 'person'>('customer');
  const [customer, setCustomer] = useState<Schema['StaffCustomer'] | null>(null);
  const [person, setPerson] = useState(blankPerson);
  useUnsavedWork(Object.values(person).some((text) => text !== ''));
  const checkIn = async () => {
    const body =
      who === 'customer' ? { ...(customer && { customerId: customer.id }) } : { person: sent(person) };
    const entry = await dataOf(api.POST('/staff/v1/instore-queues/intake', { body }));
    notifyDone(t`${customerName(entry)} is checked in.`);
    void queryClient.invalidateQueries({ queryKey: ['instore-queues'] });
  };
  return (
    <ServerForm onSubmit={checkIn} onDone={onClose} onCancel={onClose} submit={t`Check in`}>
      <SegmentedControl
        aria-label={t`Kind of customer`}
        fullWidth
        data={[
          { value: 'customer', label: t`Existing customer` },
          { value: 'person', label: t`New customer` },
        ]}
        value={who}
        onChange={(value) => setWho(value as typeof who)}
      />
      {who === 'customer' ? (
        <Stack>
          <Field path="customerId">
            {(error) => (
              <CustomerPicker
                label={t`Customer`}
                data-autofocus
                error={error}
                customer={customer}
                onChange={setCustomer}
              />
            )}
          </Field>
          {customer && <IdentityHint customer={customer} />}
        </Stack>
      ) : (
        <PersonFields person={person} onChange={setPerson} />
      )}
    </ServerForm>
  );
}

/** The data to compare with the ID at the door. */
function IdentityHint({ customer }: { customer: Schema['StaffCustomer'] }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(shopNow(), tz);
  const { birthday, licenseExpiry } = customer;
  const isExpired = licenseExpiry !== null && licenseExpiry < today;
  return (
    <Alert color={isExpired ? 'red' : 'gray'} title={customerName(customer)}>
      {birthday
        ? t`Born ${dayInWords(birthday)}, age ${ageOn(today, birthday)}. `
        : t`No birthday on file: check the ID. `}
      {licenseExpiry === null && t`No license on file.`}
      {licenseExpiry !== null &&
        (isExpired
          ? t`License expired ${dayInWords(licenseExpiry)}.`
          : t`License valid until ${dayInWords(licenseExpiry)}.`)}
    </Alert>
  );
}

function PersonFields({ person, onChange }: { person: Person; onChange: (person: Person) => void }) {
  const set = (name: keyof Person, value: string | null) => onChange({ ...person, [name]: value ?? '' });
  const text = (name: Exclude<keyof Person, 'birthday'>, label: string, type = 'text') => (
    <TextField
      path={`person.${name}`}
      label={label}
      type={type}
      autoComplete="off"
      value={person[name]}
      onChange={(value) => set(name, value)}
    />
  );
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }}>
      {text('firstName', t`First name`)}
      {text('lastName', t`Last name`)}
      {text('phone', t`Phone`, 'tel')}
      {text('email', t`Email`, 'email')}
      <Field path="person.birthday">
        {(error) => (
          <DayInput
            label={t`Birthday`}
            description={t`From the ID`}
            error={error}
            day={person.birthday || null}
            onChange={(day) => set('birthday', day)}
          />
        )}
      </Field>
    </SimpleGrid>
  );
}

/** Blank fields are left out, except names, which are required. */
function sent({ firstName, lastName, ...others }: Person) {
  const given = Object.fromEntries(Object.entries(others).filter(([, value]) => value.trim() !== ''));
  return { ...given, ...(firstName && { firstName }), ...(lastName && { lastName }) } as {
    firstName: string;
    lastName: string;
  };
}
