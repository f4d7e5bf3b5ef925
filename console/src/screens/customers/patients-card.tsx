import { ActionIcon, Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { CustomerPicker, customerName } from '../../parts/customer-picker.tsx';
import { DayInput } from '../../parts/day-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { customerQuery } from './customer-query.ts';

type Customer = Schema['StaffCustomerDetail'];
type Cared = Customer['patients'][number];

/** The patients for whom the customer may buy, and who may buy for the customer. */
export function PatientsCard({ customer }: { customer: Customer }) {
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState<Schema['StaffCustomer'] | null>(null);
  const [expiresOn, setExpiresOn] = useState<string | null>(null);
  const { patients, caregivers } = customer;
  const save = useWrite({
    mutationFn: (next: readonly Pick<Cared, 'customerId' | 'expiresOn'>[]) =>
      dataOf(
        api.PUT('/staff/v1/customers/{customerId}/patients', {
          params: { path: { customerId: customer.id } },
          body: { patients: next.map(({ customerId, expiresOn: day }) => ({ customerId, expiresOn: day })) },
        }),
      ),
    onSuccess: (present) => {
      queryClient.setQueryData(customerQuery(customer.id).queryKey, present);
      void queryClient.invalidateQueries({ queryKey: ['customers'] });
      setChosen(null);
      setExpiresOn(null);
      notifyDone(t`The patients are saved.`);
    },
    onError: notifyError,
  });
  return (
    <SectionCard
      title={t`Caregiver`}
      hint={t`Patients this customer may buy for, as registered with the state.`}
    >
      <Stack gap="xs">
        {patients.map((patient) => (
          <Group key={patient.customerId} justify="space-between" wrap="nowrap">
            <CaredPerson of={patient} />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t`Remove ${patient.name}`}
              onClick={() => save.mutate(patients.filter((it) => it !== patient))}
            >
              <IconX size={16} />
            </ActionIcon>
          </Group>
        ))}
        <CustomerPicker label={t`Patient`} customer={chosen} excluding={customer.id} onChange={setChosen} />
        {chosen !== null && (
          <>
            <DayInput label={t`Valid until`} day={expiresOn} onChange={setExpiresOn} />
            <Button
              variant="default"
              loading={save.isPending}
              onClick={() => save.mutate([...patients, { customerId: chosen.id, expiresOn }])}
            >
              {t`Add ${customerName(chosen)}`}
            </Button>
          </>
        )}
        {caregivers.length > 0 && (
          <Text size="sm" c="dimmed">
            {t`May buy for this customer:`}
          </Text>
        )}
        {caregivers.map((caregiver) => (
          <CaredPerson key={caregiver.customerId} of={caregiver} />
        ))}
      </Stack>
    </SectionCard>
  );
}

function CaredPerson({ of: { customerId, name, expiresOn } }: { of: Cared }) {
  return (
    <Text size="sm">
      <Anchor component={Link} to={`/customers/${customerId}`} size="sm" underline="always">
        {name}
      </Anchor>
      {expiresOn !== null && (
        <>
          {' '}
          <LastDay day={expiresOn} />
        </>
      )}
    </Text>
  );
}
