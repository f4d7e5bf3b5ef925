import { Button, Skeleton, Text, Title } from '@mantine/core';
import { IconBuildingStore, IconShoppingBag, IconTruckDelivery } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'react-router';
import { api } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useSession } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import classes from './order-board.module.css';
import {
  customerOf,
  type Order,
  type OrderQuery,
  type OrderStatus,
  orderTitle,
  unitsOf,
} from './order-words.ts';
import { QuickStep } from './quick-step.tsx';
import { useHeldCards } from './use-held-cards.ts';

/** The order statuses, left to right; canceled orders are only in the list. */
const columns: readonly { readonly status: OrderStatus; readonly empty: string }[] = [
  { status: 'draft', empty: t`No orders to accept.` },
  { status: 'new', empty: t`No orders to pack.` },
  { status: 'packed', empty: t`No orders to hand over.` },
  { status: 'fulfilled', empty: t`No fulfilled orders yet.` },
];

const typeIcons = {
  delivery: IconTruckDelivery,
  pickup: IconShoppingBag,
  'in-store': IconBuildingStore,
} as const satisfies Record<Order['type'], typeof IconTruckDelivery>;

/** One column per status; a card opens its order, its button does the next step. */
export function OrderBoard({ query }: { query: OrderQuery }) {
  return (
    <div className={classes.board}>
      {columns.map(({ status, empty }) => (
        <BoardColumn key={status} status={status} empty={empty} query={query} />
      ))}
    </div>
  );
}

function BoardColumn({ status, empty, query }: { status: OrderStatus; empty: string; query: OrderQuery }) {
  const id = useId();
  const full = { ...query, status };
  const list = useList<Order>({
    queryKey: ['orders', full],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/orders', { params: { query: { ...full, startingAfter } }, signal })),
  });
  const isOver = status === 'fulfilled';
  const { cards, hold } = useHeldCards(list.rows);
  return (
    <section className={classes.column} aria-labelledby={id}>
      <div className={classes.heading}>
        <Title order={2} size="h4" id={id}>
          <StatusBadge status={status} />
        </Title>
        <Text size="sm" c="dimmed" className="numbers">
          {list.isLoading ? '' : `${list.rows.length}${list.hasMore ? '+' : ''}`}
        </Text>
      </div>
      {list.error && <LoadFailure error={list.error} onRetry={list.retry} />}
      {list.isLoading && <LoadingCards />}
      {!list.isLoading && !list.error && cards.length === 0 && (
        <p className={classes.quiet}>{Object.keys(query).length > 0 ? t`No matching orders.` : empty}</p>
      )}
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <ul className={classes.cards} aria-labelledby={id} tabIndex={0}>
          {cards.map(({ order, isGone }, place) => (
            <BoardCard key={order.id} order={order} isGone={isGone} onTake={() => hold(order, place)} />
          ))}
          {list.hasMore && (
            <li style={{ textAlign: 'center' }}>
              {isOver ? (
                <Button
                  component={Link}
                  to="/orders?view=list&status=fulfilled"
                  variant="subtle"
                  size="compact-sm"
                >
                  {t`Show all in the list`}
                </Button>
              ) : (
                <Button
                  variant="subtle"
                  size="compact-sm"
                  loading={list.isLoadingMore}
                  onClick={list.loadMore}
                >
                  {t`Show more`}
                </Button>
              )}
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function BoardCard({ order, isGone, onTake }: { order: Order; isGone: boolean; onTake: () => void }) {
  const { tz } = useSession().organization;
  const Icon = typeIcons[order.type];
  const at = order.fulfilledAt ?? order.createdAt;
  const isToday = shopDayAt(at, tz) === shopDayAt(shopNow(), tz);
  return (
    <li className={classes.card}>
      <div className={classes.line}>
        <Link to={`/orders/${order.id}`} className={`${classes.open} numbers`}>
          {order.number ?? orderTitle(order)}
        </Link>
        <Text size="xs" c="dimmed" className="numbers">
          <ShopTime at={at} style={isToday ? 'time' : 'date'} />
        </Text>
      </div>
      <Text size="sm" className={classes.name} mt={2}>
        {customerOf(order)}
      </Text>
      <div className={classes.line}>
        <Text size="xs" c="dimmed" className={classes.name}>
          <Icon size={14} aria-hidden style={{ verticalAlign: '-2px', marginRight: 4 }} />
          {rich`${sentence(order.type)} (${unitsOf(order)}${<span className="unseen">{t` units`}</span>})`}
        </Text>
        <Money cents={order.customerGrandTotal} fw={600} fz="sm" />
      </div>
      <QuickStep order={order} className={classes.step} isOver={isGone} onTake={onTake} />
    </li>
  );
}

function LoadingCards() {
  return (
    <div className={classes.cards} aria-hidden>
      {[0, 1, 2].map((card) => (
        <Skeleton key={card} height={88} radius="md" />
      ))}
    </div>
  );
}
