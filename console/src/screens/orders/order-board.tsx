import { Button, Skeleton, Text, Title, UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconShoppingBag, IconTruckDelivery } from '@tabler/icons-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import { api } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { shopDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge, sentence } from '../../parts/status-badge.tsx';
import { type List, pageOf, useList } from '../../parts/use-list.ts';
import { useSession } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { waitingTime } from '../queue/waiting-time.ts';
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
import { returnedInWords } from './return-state.ts';
import { useHeldCards } from './use-held-cards.ts';

/** What is to be done with orders, left to right; canceled orders are only in the list. */
const columns = [
  { name: 'accept', status: 'draft', title: t`To accept`, empty: t`No orders to accept.` },
  { name: 'pack', status: 'new', title: t`To pack`, empty: t`No orders to pack.` },
  { name: 'ready', status: 'packed', title: t`Ready`, empty: t`No orders to hand over.` },
  { name: 'out', status: 'packed', title: t`Out for delivery`, empty: t`No deliveries on the way.` },
  { name: 'done', status: 'fulfilled', title: t`Done`, empty: t`No fulfilled orders yet.` },
] as const satisfies readonly {
  readonly name: string;
  readonly status: OrderStatus;
  readonly title: string;
  readonly empty: string;
}[];

type BoardColumnName = (typeof columns)[number]['name'];

/** Whether a packed order has left the shop: its driver is on the way, has arrived or has failed. */
const isOut = ({ dispatchTask }: Order) =>
  dispatchTask !== null && ['active', 'completed', 'failed'].includes(dispatchTask.status);

const typeIcons = {
  delivery: IconTruckDelivery,
  pickup: IconShoppingBag,
  'in-store': IconBuildingStore,
} as const satisfies Record<Order['type'], typeof IconTruckDelivery>;

/**
 * The orders by what is to be done: a column for each side by side, on a narrow screen a tab for each. What waits longest is
 * first. A card opens its order, its button does the next step.
 */
export function OrderBoard({ query }: { query: OrderQuery }) {
  const [shown, setShown] = useState<BoardColumnName>('accept');
  const lists = {
    draft: useOrdersIn('draft', query),
    new: useOrdersIn('new', query),
    packed: useOrdersIn('packed', query),
    fulfilled: useOrdersIn('fulfilled', query),
  };
  const rowsOf = ({ name, status }: (typeof columns)[number]) => {
    const { rows } = lists[status];
    return status === 'packed' ? rows.filter((order) => isOut(order) === (name === 'out')) : rows;
  };
  return (
    <>
      <fieldset className={classes.tabs} aria-label={t`Work to do`}>
        {columns.map((column) => (
          <UnstyledButton
            key={column.name}
            className={classes.tab}
            aria-pressed={column.name === shown}
            onClick={() => setShown(column.name)}
          >
            {column.title} <span className="numbers">{countOf(lists[column.status], rowsOf(column))}</span>
          </UnstyledButton>
        ))}
      </fieldset>
      <div className={classes.board}>
        {columns.map((column) => (
          <BoardColumn
            key={column.name}
            title={column.title}
            empty={Object.keys(query).length > 0 ? t`No matching orders.` : column.empty}
            isDone={column.status === 'fulfilled'}
            isShown={column.name === shown}
            list={lists[column.status]}
            rows={rowsOf(column)}
          />
        ))}
      </div>
    </>
  );
}

/** What waits longest first; what is done, newest first. */
function useOrdersIn(status: OrderStatus, query: OrderQuery): List<Order> {
  const isSearched = query.search !== undefined;
  const full = {
    ...query,
    status,
    // A search has its own order.
    ...(status !== 'fulfilled' &&
      !isSearched && { sortBy: 'createdAt' as const, sortDirection: 'ascending' as const }),
  };
  return useList<Order>({
    queryKey: ['orders', full],
    page: (startingAfter, signal) =>
      pageOf(api.GET('/staff/v1/orders', { params: { query: { ...full, startingAfter } }, signal })),
  });
}

/** `14`, `50+`; nothing while it is not known. */
function countOf(list: List<Order>, rows: readonly Order[]): string {
  return list.isLoading || list.error ? '' : `${rows.length}${list.hasMore ? '+' : ''}`;
}

function BoardColumn({
  title,
  empty,
  isDone,
  isShown,
  list,
  rows,
}: {
  title: string;
  empty: string;
  isDone: boolean;
  /** On a narrow screen, where only one is. */
  isShown: boolean;
  list: List<Order>;
  rows: readonly Order[];
}) {
  const id = useId();
  const { cards, hold } = useHeldCards(rows);
  return (
    <section className={classes.column} data-shown={isShown || undefined} aria-labelledby={id}>
      <div className={classes.heading}>
        <Title order={2} size="h4" id={id}>
          {title}
        </Title>
        <Text size="sm" c="dimmed" className="numbers">
          {countOf(list, rows)}
        </Text>
      </div>
      {list.error && <LoadFailure error={list.error} onRetry={list.retry} />}
      {list.isLoading && <LoadingCards />}
      {!list.isLoading && !list.error && cards.length === 0 && <p className={classes.quiet}>{empty}</p>}
      {cards.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable by keyboard
        <ul className={classes.cards} aria-labelledby={id} tabIndex={0}>
          {cards.map(({ order, isGone }, place) => (
            <BoardCard key={order.id} order={order} isGone={isGone} onTake={() => hold(order, place)} />
          ))}
          {list.hasMore && <MoreCards list={list} isDone={isDone} />}
        </ul>
      )}
    </section>
  );
}

function MoreCards({ list, isDone }: { list: List<Order>; isDone: boolean }) {
  return (
    <li style={{ textAlign: 'center' }}>
      {isDone ? (
        <Button component={Link} to="/orders?view=list&status=fulfilled" variant="subtle" size="compact-sm">
          {t`Show all in the list`}
        </Button>
      ) : (
        <Button variant="subtle" size="compact-sm" loading={list.isLoadingMore} onClick={list.loadMore}>
          {t`Show more`}
        </Button>
      )}
    </li>
  );
}

function BoardCard({ order, isGone, onTake }: { order: Order; isGone: boolean; onTake: () => void }) {
  const { tz } = useSession().organization;
  const Icon = typeIcons[order.type];
  const returned = returnedInWords(order);
  const isToday = order.fulfilledAt !== null && shopDayAt(order.fulfilledAt, tz) === shopDayAt(shopNow(), tz);
  return (
    <li className={classes.card}>
      <div className={classes.line}>
        <Link to={`/orders/${order.id}`} className={`${classes.open} numbers`}>
          {order.number ?? orderTitle(order)}
        </Link>
        {order.fulfilledAt === null ? (
          <Waiting sinceMs={Date.parse(order.createdAt)} />
        ) : (
          <Text size="xs" c="dimmed" className="numbers">
            <ShopTime at={order.fulfilledAt} style={isToday ? 'time' : 'date'} />
          </Text>
        )}
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
      {returned !== null && <StatusBadge status={order.status} label={returned} tone="waiting" />}
      <QuickStep order={order} className={classes.step} isOver={isGone} onTake={onTake} />
    </li>
  );
}

/** After this time an order waits too long. */
const longMs = 30 * 60_000;

/** How long an order has been waiting; marked when it is long. */
function Waiting({ sinceMs }: { sinceMs: number }) {
  const nowMs = shopNow();
  const isLong = nowMs - sinceMs > longMs;
  return (
    <Text size="xs" c={isLong ? 'var(--mantine-color-error)' : 'dimmed'} className="numbers">
      {waitingTime(sinceMs, nowMs)}
    </Text>
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
