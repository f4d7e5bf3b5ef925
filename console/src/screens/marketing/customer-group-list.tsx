import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NamedFields, namedBody, shownNamed } from '../../parts/named-record.tsx';
import { changedColumn, descriptionColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { t } from '../../words/words.ts';
import { MarketingTabs } from './marketing-tabs.tsx';

const groupsQuery = {
  queryKey: ['customer-groups'] as const,
  queryFn: () => dataOf(api.GET('/staff/v1/customer-groups')),
};

const groupKind: RecordKind<Schema['StaffCustomerGroup']> = {
  noun: t`group`,
  resources: ['customer-groups', 'customers'],
  blank: { id: 0, name: '', description: null, createdAt: '', updatedAt: '' },
  create: ({ name, description }) =>
    dataOf(api.POST('/staff/v1/customer-groups', { body: { name, ...namedBody({ description }) } })),
  save: (customerGroupId, changes, updatedAt) =>
    dataOf(
      api.PATCH('/staff/v1/customer-groups/{customerGroupId}', {
        params: { path: { customerGroupId } },
        headers: ifUnchanged(updatedAt),
        body: namedBody(changes),
      }),
    ),
  loadAll: groupsQuery.queryFn,
  shown: shownNamed,
  fields: (edit) => <NamedFields {...edit} hint={t`Who belongs to the group; only staff see this`} />,
  removal: {
    verb: 'delete',
    send: (customerGroupId) =>
      dataOf(
        api.DELETE('/staff/v1/customer-groups/{customerGroupId}', { params: { path: { customerGroupId } } }),
      ),
    warning: () =>
      t`This removes all customers from the group. A group that a live discount requires cannot be deleted.`,
  },
};

const columns = [nameColumn(t`Group`, '28%'), descriptionColumn, changedColumn];

/** The groups that discounts can require. The members are set in each customer's profile. */
export function Component() {
  return (
    <RecordList
      kind={groupKind}
      title={t`Marketing`}
      tabs={<MarketingTabs />}
      label={t`Customer groups`}
      list={listOf(useQuery(groupsQuery), (rows) => rows)}
      columns={columns}
      empty={
        <EmptyState title={t`No groups yet`}>
          {t`Groups such as veterans, seniors or industry staff. Discounts can require a group.`}
        </EmptyState>
      }
      right="updateCustomerGroup"
    />
  );
}
