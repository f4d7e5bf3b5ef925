import { Alert, Anchor, Skeleton } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { useLive } from '../../parts/use-live.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { OrderActions } from './order-actions.tsx';
import { OrderCustomerCard, OrderDeliveryCard, OrderNotesCard } from './order-cards.tsx';
import classes from './order-detail.module.css';
import { OrderExplanation } from './order-explanation.tsx';
import { OrderHistory } from './order-history.tsx';
import { OrderIntents } from './order-intents.tsx';
import { OrderLines } from './order-lines.tsx';
import { OrderPayments } from './order-payments.tsx';
import { OrderReturns } from './order-returns.tsx';
import { OrderSlotCard } from './order-slot-card.tsx';
import { OrderState } from './order-state.tsx';
import { type Order, orderTitle } from './order-words.ts';
import { orderKey } from './use-order-step.ts';

/** One order with its calculation steps. */
export function orderQuery(orderId: string) {
  return {
    queryKey: orderKey(orderId),
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      dataOf(
        api.GET('/staff/v1/orders/{orderId}', {
          params: { path: { orderId }, query: { explain: true } },
          signal,
        }),
      ),
  };
}

/** One order: everything about it, its price explained to the cent, and its actions. */
export function Component() {
  const { orderId = '' } = useParams();
  useLive(['orders']);
  const order = useQuery(orderQuery(orderId));
  return (
    <Page>
      <Anchor component={Link} to="/orders" size="sm" c="dimmed" w="fit-content">
        {rich`${<IconArrowLeft size={14} aria-hidden style={{ verticalAlign: '-2px' }} />} Orders`}
      </Anchor>
      {order.data ? (
        <OrderPage order={order.data} />
      ) : (
        <>
          <PageHeader title={t`Order`} />
          {order.isPending && <Skeleton height={480} radius="md" />}
          {order.error && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
        </>
      )}
    </Page>
  );
}

/** What staff do with an order whose customer was only claimed. */
export function HistoryCheckNote() {
  return (
    <Alert color="yellow" title={t`Purchase history not checked yet`}>
      {t`The customer has not signed in, so another person may have placed this order. It was checked without earlier purchases. Check the ID at handover: taking payment then checks the purchase limit, the age and one-time discounts. If a check fails, edit or cancel the order.`}
    </Alert>
  );
}

function OrderPage({ order }: { order: Order }) {
  return (
    <>
      <PageHeader title={orderTitle(order)} actions={<OrderActions order={order} />}>
        {rich`${<OrderState order={order} />} ${sentence(order.type)}, placed ${<ShopTime at={order.createdAt} style="full" />}`}
      </PageHeader>
      {order.needsHistoryCheck && <HistoryCheckNote />}
      <div className={classes.columns}>
        <div className={classes.column}>
          <OrderLines order={order} />
          <OrderReturns order={order} />
          <OrderExplanation order={order} />
        </div>
        <div className={classes.column}>
          <OrderCustomerCard order={order} />
          <OrderSlotCard order={order} />
          <OrderDeliveryCard order={order} />
          <OrderPayments order={order} />
          <OrderIntents orderId={order.id} />
          <OrderNotesCard order={order} />
          <OrderHistory order={order} />
        </div>
      </div>
    </>
  );
}
