import { Button } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { api, dataOf } from '../api.ts';
import { shopTime } from '../parts/shop-time.tsx';
import { notifyDone, notifyRefusal } from '../parts/toasts.tsx';
import { useWrite } from '../parts/use-write.ts';
import type { Order } from '../screens/orders/order-words.ts';
import { useSession } from '../session/session.tsx';
import { t } from '../words/words.ts';
import {
  type PrinterBrowser,
  type PrinterKind,
  printBytes,
  printerKinds,
  printerNames,
} from './receipt-printer.ts';

/** A button for each kind of receipt printer that this browser reaches; nothing where there is none. */
export function ReceiptPrinterButtons({ order }: { order: Order }) {
  const browser = navigator as PrinterBrowser;
  return printerKinds(browser).map((kind) => (
    <PrinterButton key={kind} kind={kind} browser={browser} order={order} />
  ));
}

function PrinterButton({
  kind,
  browser,
  order,
}: {
  kind: PrinterKind;
  browser: PrinterBrowser;
  order: Order;
}) {
  const { tz } = useSession().organization;
  const print = useWrite({
    mutationFn: async () => printBytes(browser, kind, await bytesOf(order, tz), { mayAsk: true }),
    onSuccess: (isPrinted) => isPrinted && notifyDone(t`The receipt is printed.`),
    onError: (error) => {
      // No printer was chosen.
      if (error instanceof DOMException && error.name === 'NotFoundError') return;
      notifyRefusal(error instanceof Error ? error.message : t`The printer does not answer.`, t`Not printed`);
    },
  });
  return (
    <Button
      variant="default"
      leftSection={<IconReceipt size={18} aria-hidden />}
      loading={print.isPending}
      onClick={() => print.mutate()}
    >
      {t`Receipt printer (${printerNames[kind]})`}
    </Button>
  );
}

async function bytesOf(order: Order, tz: string): Promise<Uint8Array> {
  const path = { params: { path: { orderId: order.id } } };
  const [{ receiptBytes }, shop, { address }, { limits }, intents] = await Promise.all([
    import('./receipt-bytes.ts'),
    dataOf(api.GET('/staff/v1/organization')),
    dataOf(api.GET('/staff/v1/shop-profile')),
    dataOf(api.GET('/staff/v1/orders/{orderId}/limits-used', path)),
    dataOf(api.GET('/staff/v1/orders/{orderId}/payment-intents', path)),
  ]);
  const soldAt = shopTime(order.fulfilledAt ?? order.createdAt, tz, 'full');
  return receiptBytes(order, { shop, address, limits, intents, soldAt });
}
