import { Button, Skeleton } from '@mantine/core';
import { IconPrinter } from '@tabler/icons-react';
import { useIsFetching, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { ReceiptPrinterButtons } from '../../printing/print-receipt.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { ExitLabels } from './exit-labels.tsx';
import { orderQuery } from './order-detail.tsx';
import classes from './order-print.module.css';
import { orderTitle } from './order-words.ts';
import { PackingSlip } from './packing-slip.tsx';
import { Receipt } from './receipt.tsx';

/** Papers of an order, by their part of the address. */
const papers = {
  receipt: t`Receipt`,
  'packing-slip': t`Packing slip`,
  'exit-labels': t`Exit labels`,
} as const;

/** A printable receipt, packing slip or exit labels without the console frame. With `?now` it prints automatically. */
export function Component() {
  const { orderId = '', paper } = useParams();
  const [parameters] = useSearchParams();
  const { organization } = useSession();
  const order = useQuery(orderQuery(orderId));
  const kind = paper !== undefined && paper in papers ? (paper as keyof typeof papers) : 'receipt';
  const isReceipt = kind === 'receipt';
  const isReady = order.data !== undefined;
  const title = order.data && `${papers[kind]} ${orderTitle(order.data)}`;
  useEffect(() => {
    if (title) document.title = `${title} · ${organization.name}`;
  }, [title, organization.name]);
  // What the paper asks for beside the order is there, too.
  const isWhole = useIsFetching() === 0;
  const printsNow = isReady && isWhole && parameters.has('now');
  useEffect(() => {
    if (!printsNow) return;
    const timer = setTimeout(() => window.print(), 100);
    return () => clearTimeout(timer);
  }, [printsNow]);
  return (
    <main>
      <div className={classes.bar}>
        <Button component={Link} to={`/orders/${orderId}`} variant="default">
          {t`Back to the order`}
        </Button>
        {isReceipt && order.data && <ReceiptPrinterButtons order={order.data} />}
        <Button
          leftSection={<IconPrinter size={18} aria-hidden />}
          disabled={!isReady}
          onClick={() => window.print()}
        >
          {t`Print`}
        </Button>
      </div>
      {order.isPending && <Skeleton height={320} maw={360} mx="auto" mt="lg" />}
      {order.error && !order.data && <LoadFailure error={order.error} onRetry={() => order.refetch()} />}
      {order.data && kind === 'receipt' && <Receipt order={order.data} />}
      {order.data && kind === 'packing-slip' && <PackingSlip order={order.data} />}
      {order.data && kind === 'exit-labels' && (
        <>
          <h1 className="unseen">{t`Exit labels of ${orderTitle(order.data)}`}</h1>
          <ExitLabels order={order.data} />
        </>
      )}
    </main>
  );
}
