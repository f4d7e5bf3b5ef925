import { Button, Paper, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { Schema } from '../../api.ts';
import { attentionQuery } from '../../parts/attention-query.ts';
import { EmptyState } from '../../parts/empty-state.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { LastDay } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { rich } from '../../words/rich.ts';
import { locale, t } from '../../words/words.ts';
import classes from './attention-inbox.module.css';

type Item = Schema['Attention']['items'][number];

/** Everything that waits for staff of this role, each with the way to it. */
export function Component() {
  const attention = useQuery(attentionQuery);
  const items = attention.data?.items ?? [];
  return (
    <Page kind="form">
      <PageHeader
        title={t`Inbox`}
      >{t`What needs your attention. An entry disappears once it is settled.`}</PageHeader>
      {attention.isPending && <Skeleton height={240} radius="md" />}
      {attention.error && !attention.data && (
        <LoadFailure error={attention.error} onRetry={() => attention.refetch()} />
      )}
      {attention.data && items.length === 0 && (
        <EmptyState title={t`Nothing needs attention`}>
          {t`All orders, documents, drawers and packages are in order.`}
        </EmptyState>
      )}
      {items.length > 0 && (
        <ul className={classes.items} aria-label={t`Needs attention`}>
          {items.map((item) => (
            <Entry key={item.kind} item={item} />
          ))}
        </ul>
      )}
    </Page>
  );
}

function Entry({ item }: { item: Item }) {
  const { one, many, action, to } = wordsOf[item.kind];
  return (
    <Paper component="li" withBorder radius="md" className={classes.item}>
      <div>
        <Text fw={600} className="numbers">
          {item.count === 1 ? one : many(item.count.toLocaleString(locale()))}
        </Text>
        <Text size="sm" c="dimmed">
          <Since item={item} />
        </Text>
      </div>
      <Button component={Link} to={to(item)} variant="default" h={44}>
        {action}
      </Button>
    </Paper>
  );
}

function Since({ item: { kind, since, day } }: { item: Item }) {
  if (day !== null) return rich`The first of them is on sale until ${<LastDay day={day} />}`;
  if (kind === 'backups') return t`Sales continue, but could be lost if the disk fails`;
  if (since === null) return t`Of what sold in two weeks`;
  const at = <ShopTime at={since} />;
  return kind === 'ending-keys' ? rich`The first ends ${at}` : rich`Since ${at}`;
}

interface Words {
  readonly one: string;
  readonly many: (count: string) => string;
  readonly action: string;
  readonly to: (item: Item) => string;
}

const drawers = () => '/reports/drawers';

const wordsOf: Readonly<Record<Item['kind'], Words>> = {
  'late-orders': {
    one: t`An order has waited over 30 minutes`,
    many: (count) => t`${count} orders have waited over 30 minutes`,
    action: t`Open orders`,
    to: () => '/orders',
  },
  'state-reports': {
    one: t`A sale is not reported to the state`,
    many: (count) => t`${count} sales are not reported to the state`,
    action: t`See why`,
    to: () => '/settings/state-reports',
  },
  payments: {
    one: t`A payment needs attention`,
    many: (count) => t`${count} payments need attention`,
    action: t`See why`,
    to: () => '/reports/money',
  },
  documents: {
    one: t`A customer's document needs review`,
    many: (count) => t`${count} customer documents need review`,
    action: t`Open the oldest`,
    to: ({ customerId }) => `/customers/${customerId ?? ''}`,
  },
  'offline-sales': {
    one: t`An offline sale needs review`,
    many: (count) => t`${count} offline sales need review`,
    action: t`Settle`,
    to: () => '/settings/offline-sales',
  },
  'driver-acts': {
    one: t`A driver's entry was refused`,
    many: (count) => t`${count} entries of drivers were refused`,
    action: t`Open deliveries`,
    to: () => '/dispatch',
  },
  'open-drawers': {
    one: t`A drawer has been open since before today`,
    many: (count) => t`${count} drawers have been open since before today`,
    action: t`Open drawers`,
    to: drawers,
  },
  'drawer-differences': {
    one: t`A drawer was over or short this week`,
    many: (count) => t`${count} drawers were over or short this week`,
    action: t`Open drawers`,
    to: drawers,
  },
  'expiring-packages': {
    one: t`A package expires within two weeks`,
    many: (count) => t`${count} packages expire within two weeks`,
    action: t`Open packages`,
    to: () => '/inventory/packages?sort=expirationDate&status=received',
  },
  'low-stock': {
    one: t`An item runs low`,
    many: (count) => t`${count} items run low`,
    action: t`Reorder low stock`,
    to: () => '/purchasing/low-stock',
  },
  'failed-imports': {
    one: t`An import of products failed`,
    many: (count) => t`${count} imports of products failed`,
    action: t`Open imports`,
    to: () => '/catalog/imports',
  },
  'lacking-facts': {
    one: t`An option cannot be sold: its THC is missing`,
    many: (count) => t`${count} options cannot be sold: their THC is missing`,
    action: t`Open options`,
    to: () => '/catalog',
  },
  'lost-photos': {
    one: t`A photo could not be fetched`,
    many: (count) => t`${count} photos could not be fetched`,
    action: t`Open photos`,
    to: () => '/catalog/photos?status=failed',
  },
  backups: {
    one: t`A backup is behind or failed`,
    many: (count) => t`${count} backups are behind or failed`,
    action: t`Read the warning`,
    to: () => '/settings/organization',
  },
  webhooks: {
    one: t`A webhook endpoint fails`,
    many: (count) => t`${count} webhook endpoints fail`,
    action: t`Open webhooks`,
    to: () => '/integrations/webhooks',
  },
  'left-taxes': {
    one: t`A local tax is neither set up nor dismissed`,
    many: (count) => t`${count} local taxes are neither set up nor dismissed`,
    action: t`Open taxes`,
    to: () => '/settings/taxes',
  },
  'refused-mail': {
    one: t`An email was refused this week`,
    many: (count) => t`${count} emails were refused this week`,
    action: t`Open emails`,
    to: () => '/settings/mail',
  },
  'ending-keys': {
    one: t`A client key expires within two weeks`,
    many: (count) => t`${count} client keys expire within two weeks`,
    action: t`Open keys`,
    to: () => '/integrations/keys',
  },
};
