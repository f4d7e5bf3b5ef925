import { Anchor, MultiSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { choicesOr, createHints } from '../../parts/choices-or.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { RoleGate, useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';

/** The groups of a customer, saved when one is added or removed. */
export function CustomerGroupsCard({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const queryClient = useQueryClient();
  const mayEdit = useCan('setCustomerGroups');
  const groups = useQuery({
    queryKey: ['customer-groups'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/customer-groups', { signal })),
  });
  const save = useWrite({
    mutationFn: (customerGroupIds: number[]) =>
      dataOf(
        api.PUT('/staff/v1/customers/{customerId}/groups', {
          params: { path: { customerId: customer.id } },
          body: { customerGroupIds },
        }),
      ),
    onSuccess: () => notifyDone(t`The groups are saved.`),
    onError: notifyError,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['customers'] }),
  });
  const chosen = save.isPending
    ? save.variables.map(String)
    : (groups.data ?? [])
        .filter(({ name }) => customer.customerGroups.includes(name))
        .map(({ id }) => String(id));
  return (
    <SectionCard title={t`Groups`} hint={t`Discounts can require a group.`}>
      {groups.isPending && <Skeleton height={36} />}
      {groups.error && !groups.data && <LoadFailure error={groups.error} onRetry={() => groups.refetch()} />}
      {groups.data && (
        <Stack gap="sm">
          <MultiSelect
            aria-label={t`Groups`}
            placeholder={chosen.length === 0 ? t`No groups` : undefined}
            data={choicesOr(
              groups.data.map(({ id, name }) => ({ value: String(id), label: name })),
              groups,
              createHints.groups,
            )}
            value={chosen}
            readOnly={!mayEdit}
            searchable
            disabled={save.isPending}
            onChange={(ids) => save.mutate(ids.map(Number))}
          />
          <RoleGate right="setCustomerGroups">
            <Text size="sm">
              <Anchor component={Link} to="/marketing/groups" inherit>
                {t`Manage groups`}
              </Anchor>
            </Text>
          </RoleGate>
        </Stack>
      )}
    </SectionCard>
  );
}
