import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError, notifyRefusal } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { Facts } from './order-cards.tsx';

type Intent = Schema['StaffPaymentIntent'];

const statusInWords: Readonly<Record<Intent['status'], string>> = {
  created: t`Asked for`,
  sending: t`Waiting for the terminal`,
  waiting: t`Waiting for the customer`,
  authorized: t`Agreed to`,
  captured: t`Paid`,
  settled: t`Paid out`,
  canceled: t`Canceled, nothing taken`,
  failed: t`Declined, nothing taken`,
  expired: t`Too late, nothing taken`,
  unknown: t`Not known yet: do not take it again`,
  'refund-pending': t`On its way back`,
  refunded: t`Given back`,
  returned: t`Taken back by the bank`,
  disputed: t`Disputed by the customer`,
};

/** What was asked for at terminals and banks for an order. */
export const intentsQuery = (orderId: string) => ({
  queryKey: ['orders', orderId, 'payment-intents'],
  queryFn: () =>
    dataOf(api.GET('/staff/v1/orders/{orderId}/payment-intents', { params: { path: { orderId } } })),
});

/** What was asked for at terminals and banks for the order, and what became of it; nothing if nothing was. */
export function OrderIntents({ orderId }: { orderId: string }) {
  const { data } = useQuery(intentsQuery(orderId));
  if (!data || data.length === 0) return null;
  return (
    <SectionCard title={t`Terminal and bank`}>
      <Facts
        rows={data.map((intent) => [statusInWords[intent.status], <Amounts key={intent.id} {...intent} />])}
      />
    </SectionCard>
  );
}

const noSlipInWords = {
  gone: () => t`The terminal does not know this payment any more. Print the receipt of the order.`,
  refused: (code: string) => t`The terminal did not print it. Check its paper and its network. Code ${code}.`,
  silent: () => t`The terminal did not answer. See whether it prints.`,
  none: () => t`This payment has no slip.`,
} as const;

/** The terminal prints the customer's slip once more. */
function SlipAgain({ id: paymentIntentId }: Pick<Intent, 'id'>) {
  const print = useWrite({
    mutationFn: () =>
      dataOf(
        api.POST('/staff/v1/payment-intents/{paymentIntentId}/slip', {
          params: { path: { paymentIntentId } },
        }),
      ),
    onSuccess: ({ state, code }) => {
      if (state === 'printed') notifyDone(t`The terminal prints the slip.`);
      else notifyRefusal(noSlipInWords[state](code ?? ''));
    },
    onError: notifyError,
  });
  return (
    <Button size="compact-xs" variant="default" loading={print.isPending} onClick={() => print.mutate()}>
      {t`Print the slip again`}
    </Button>
  );
}

function Amounts({
  id,
  link,
  authCode,
  amount,
  feeAmount,
  captured,
  tip,
  cashBack,
  refunded,
  returned,
  payerName,
  lastFour,
  code,
  createdAt,
}: Intent) {
  const parts = [
    [t`tip`, tip],
    [t`cash back`, cashBack],
    [t`given back`, refunded],
    [t`taken back`, returned],
  ] as const;
  return (
    <>
      <Money cents={captured > 0 ? captured : amount + feeAmount} />
      {parts
        .filter(([, cents]) => cents > 0)
        .map(([label, cents]) => (
          <Text key={label} span size="xs" c="dimmed">
            {', '}
            {label} <Money cents={cents} />
          </Text>
        ))}
      <Text size="xs" c="dimmed">
        {[
          payerName,
          lastFour && t`card ending in ${lastFour}`,
          authCode && t`approval ${authCode}`,
          code && t`Code ${code}.`,
        ]
          .filter(Boolean)
          .join(', ')}{' '}
        <ShopTime at={createdAt} />
      </Text>
      {link === null && captured > 0 && <SlipAgain id={id} />}
    </>
  );
}
