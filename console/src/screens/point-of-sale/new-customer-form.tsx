import { SimpleGrid } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { DayInput } from '../../parts/day-input.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { t } from '../../words/words.ts';
import type { Customer } from './cart.ts';

const blank = { firstName: '', lastName: '', phone: '', email: '' };

/** Creates a customer at the counter, with the birthday from their ID: the service checks the age in every cart. */
export function NewCustomerForm({
  onDone,
  onCancel,
}: {
  onDone: (customer: Customer) => void;
  onCancel: () => void;
}) {
  const queryClient = useQueryClient();
  const [person, setPerson] = useState(blank);
  const [birthday, setBirthday] = useState<string | null>(null);
  useUnsavedWork(birthday !== null || Object.values(person).some((text) => text !== ''));
  const send = async () => {
    const { firstName, lastName, phone, email } = person;
    const body = {
      firstName,
      lastName,
      ...(phone.trim() && { phone }),
      ...(email.trim() && { email }),
      ...(birthday && { birthday }),
    };
    const customer = await dataOf(api.POST('/staff/v1/customers', { body }));
    void queryClient.invalidateQueries({ queryKey: ['customers'] });
    onDone(customer);
  };
  const text = (name: keyof typeof blank, label: string, type = 'text') => (
    <TextField
      path={name}
      label={label}
      type={type}
      autoComplete="off"
      value={person[name]}
      onChange={(value) => setPerson({ ...person, [name]: value })}
    />
  );
  return (
    <ServerForm submit={t`Create customer`} onSubmit={send} onCancel={onCancel}>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {text('firstName', t`First name`)}
        {text('lastName', t`Last name`)}
        {text('phone', t`Phone`, 'tel')}
        {text('email', t`Email`, 'email')}
        <Field path="birthday">
          {(error) => (
            <DayInput
              label={t`Birthday`}
              description={t`From the ID`}
              error={error}
              day={birthday}
              onChange={setBirthday}
            />
          )}
        </Field>
      </SimpleGrid>
    </ServerForm>
  );
}
