import { Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useGuardedEdit } from '../../parts/use-guarded-edit.tsx';
import { t } from '../../words/words.ts';
import { CustomerSections, profileOf, shownProfileField } from './customer-fields.tsx';
import { CustomerGroupsCard } from './customer-groups-card.tsx';
import { customerQuery } from './customer-query.ts';
import classes from './customers.module.css';
import { PatientsCard } from './patients-card.tsx';

type Customer = Schema['StaffCustomerDetail'];

/** The profile form of a customer, with the groups beside it. */
export function CustomerProfileForm({ saved }: { saved: Customer }) {
  const queryClient = useQueryClient();
  const query = customerQuery(saved.id);
  const edit = useGuardedEdit({
    saved,
    editedOf: profileOf,
    save: (changes, updatedAt) =>
      dataOf(
        api.PATCH('/staff/v1/customers/{customerId}', {
          params: { path: { customerId: saved.id } },
          body: changes,
          headers: ifUnchanged(updatedAt),
        }),
      ),
    load: query.queryFn,
    accept: (present) => {
      queryClient.setQueryData(query.queryKey, present);
      void queryClient.invalidateQueries({ queryKey: ['customers'] });
    },
    shown: shownProfileField,
  });
  return (
    <div className={classes.columns}>
      <ServerForm
        onSubmit={edit.submit}
        onDone={() => notifyDone(t`The profile is saved.`)}
        onStale={() => undefined}
        submit={t`Save profile`}
      >
        <CustomerSections {...edit} numberOnFile={saved.patientNumberLastFour} />
        <ConsentHistory consents={saved.consents} />
      </ServerForm>
      <Stack>
        <CustomerGroupsCard customer={saved} />
        <PatientsCard customer={saved} />
      </Stack>
      {edit.conflict}
    </div>
  );
}

const sourceWords: Record<Customer['consents'][number]['source'], string> = {
  staff: t`recorded by staff`,
  integrator: t`sent by an integrator`,
  import: t`from an import`,
};

/** When consent was given and withdrawn, and how that was recorded. */
function ConsentHistory({ consents }: Pick<Customer, 'consents'>) {
  if (consents.length === 0) return null;
  return (
    <Stack gap={2} mt="xs">
      {consents.map(({ isGiven, recordedAt, source }) => (
        <Text size="sm" c="dimmed" key={recordedAt}>
          {isGiven ? t`Accepted marketing` : t`Withdrew consent`} <ShopTime at={recordedAt} />,{' '}
          {sourceWords[source]}
        </Text>
      ))}
    </Stack>
  );
}
