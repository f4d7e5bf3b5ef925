import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useSearchParams } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { orderKey } from '../orders/use-order-step.ts';
import type { GoodsBack } from './cart.ts';

// Loaded with the first receipt that is scanned.
const ReturnDialog = lazy(async () => ({
  default: (await import('../orders/return-dialog.tsx')).ReturnDialog,
}));

/** `?return=…`: a receipt was scanned at the till. Its goods come back, for money or for others. */
export function TillReturn({
  onExchange,
  onClose,
}: {
  onExchange: (back: GoodsBack) => void;
  onClose: () => void;
}) {
  const [parameters, setParameters] = useSearchParams();
  const orderId = parameters.get('return');
  const { data: order } = useQuery({
    queryKey: orderKey(orderId ?? ''),
    queryFn: () =>
      dataOf(api.GET('/staff/v1/orders/{orderId}', { params: { path: { orderId: orderId ?? '' } } })),
    enabled: orderId !== null,
  });
  if (orderId === null || !order) return null;
  const close = () => {
    setParameters({}, { replace: true });
    onClose();
  };
  return (
    <Suspense>
      <ReturnDialog
        order={order}
        scannedLine={null}
        onExchange={(back) => {
          onExchange(back);
          close();
        }}
        onClose={close}
      />
    </Suspense>
  );
}
