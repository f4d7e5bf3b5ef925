import { Badge, Group, Skeleton, Stack, Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { customerName } from '../../parts/customer-picker.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ageOn, shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useLive } from '../../parts/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { CustomerAccount } from './customer-account.tsx';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerDocuments } from './customer-documents.tsx';
import { CustomerFigures } from './customer-figures.tsx';
import { CustomerOrders } from './customer-orders.tsx';
import { CustomerProfileForm } from './customer-profile-form.tsx';
import { customerQuery } from './customer-query.ts';
import { FormerPurchases } from './former-purchases.tsx';

type Customer = Schema['StaffCustomerDetail'];

/** One customer: profile, groups, orders, points, credits, documents. */
export function Component() {
  const { customerId } = useParams();
  const id = Number(customerId);
  useLive(['customers', 'orders']);
  const customer = useQuery(customerQuery(id));
  const { data, error } = customer;
  return (
    <Page>
      {!data && <PageHeader title={t`Customer`} />}
      {customer.isLoading && <Skeleton height={320} radius="md" />}
      {error && !data && <LoadFailure error={error} onRetry={() => customer.refetch()} />}
      {data && (data.erasedAt ? <ErasedCustomer customer={data} /> : <KnownCustomer customer={data} />)}
    </Page>
  );
}

function KnownCustomer({ customer }: { customer: Customer }) {
  const [{ tab = 'profile' }, setFilters] = useFilters(['tab']);
  const documents = useQuery({
    queryKey: ['customers', customer.id, 'documents', 'newest'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/customers/{customerId}/documents', {
          params: { path: { customerId: customer.id } },
          signal,
        }),
      ),
  });
  const pending = documents.data?.filter(({ status, supersededAt }) => status === 'pending' && !supersededAt);
  return (
    <>
      <PageHeader title={customerName(customer)} actions={<CustomerActions customer={customer} />}>
        <Headline customer={customer} />
      </PageHeader>
      <CustomerFigures customer={customer} />
      <Tabs
        value={tab}
        onChange={(next) => setFilters({ tab: next })}
        keepMounted={false}
        keepMountedMode="display-none"
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="profile">{t`Profile`}</Tabs.Tab>
          <Tabs.Tab value="orders">{t`Orders`}</Tabs.Tab>
          <Tabs.Tab value="account">{t`Points and credits`}</Tabs.Tab>
          <Tabs.Tab
            value="documents"
            rightSection={
              pending?.length ? (
                <Badge size="sm" variant="light" color="yellow" className="status numbers">
                  {t`${pending.length} to review`}
                </Badge>
              ) : undefined
            }
          >
            {t`Documents`}
          </Tabs.Tab>
        </Tabs.List>
        {/* Stays mounted, so input survives a look at the orders. */}
        <Tabs.Panel value="profile" keepMounted>
          <CustomerProfileForm key={customer.id} saved={customer} />
        </Tabs.Panel>
        <Tabs.Panel value="orders">
          <Stack>
            <CustomerOrders customer={customer} />
            <FormerPurchases customer={customer} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="account">
          <CustomerAccount customer={customer} />
        </Tabs.Panel>
        <Tabs.Panel value="documents">
          <CustomerDocuments customer={customer} />
        </Tabs.Panel>
      </Tabs>
    </>
  );
}

/** The key facts: name, age, kind of customer. */
function Headline({ customer }: { customer: Customer }) {
  const { tz } = useSession().organization;
  const today = shopDayAt(shopNow(), tz);
  const { birthday, medicalExpiration, hashId } = customer;
  return (
    <Group gap="sm" component="span">
      <span className="numbers">{hashId}</span>
      {birthday && <span>{t`Born ${dayInWords(birthday)}, age ${ageOn(today, birthday)}`}</span>}
      {medicalExpiration !== null && medicalExpiration >= today && (
        <Badge component="span" variant="light" color="blue" radius="sm" className="status">
          {t`Medical`}
        </Badge>
      )}
      {customer.taxExempt && (
        <Badge component="span" variant="light" color="violet" radius="sm" className="status">
          {t`Tax exempt`}
        </Badge>
      )}
      {customer.customerGroups.map((name) => (
        <Badge component="span" key={name} variant="light" color="gray" radius="sm" className="status">
          {name}
        </Badge>
      ))}
    </Group>
  );
}

function ErasedCustomer({ customer }: { customer: Customer }) {
  return (
    <>
      <PageHeader title={t`Erased customer`}>{customer.hashId}</PageHeader>
      <CustomerFigures customer={customer} />
      <EmptyState title={t`This customer was erased`}>
        {t`Their personal data is permanently deleted. Their orders keep items and amounts only.`}
      </EmptyState>
    </>
  );
}
