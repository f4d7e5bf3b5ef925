import { Button, SimpleGrid, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconMail, IconMessage, IconPrinter } from '@tabler/icons-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { orderTitle, paidFor } from '../orders/order-words.ts';
import { useMailReceipt } from '../orders/use-mail-receipt.ts';

type SoldOrder = Schema['FulfilledOrder'];

/**
 * How the customer gets the receipt: on paper, by mail, by text, or not at all, which is the next sale. Mail needs an email on
 * file; a text is written in the messages of this device, so only a phone or tablet offers it.
 */
export function ReceiptWays({ order, onDone }: { order: SoldOrder; onDone: () => void }) {
  const { organization } = useSession();
  const isHandheld = useMediaQuery('(max-width: 75em)', false, {
    getInitialValueInEffect: false,
  });
  const { email, phone } = order.customer;
  const mail = useMailReceipt(order.id, onDone);
  const [isGiven, setIsGiven] = useState(false);
  return (
    <>
      <Text ta="center" fw={600} mt="xl" mb="sm">{t`Receipt?`}</Text>
      <SimpleGrid cols={email || (phone && isHandheld) ? 2 : 1} spacing="sm">
        <Button
          component={Link}
          to={`/print/orders/${order.id}/receipt?now`}
          target="_blank"
          variant="default"
          size="lg"
          onClick={() => setIsGiven(true)}
          leftSection={<IconPrinter size={20} aria-hidden />}
        >
          {t`Print`}
        </Button>
        {email && (
          <Button
            variant="default"
            size="lg"
            leftSection={<IconMail size={20} aria-hidden />}
            loading={mail.isPending}
            onClick={() => mail.mutate()}
          >
            {t`Email`}
          </Button>
        )}
        {phone && isHandheld && (
          <Button
            component="a"
            onClick={() => setIsGiven(true)}
            href={`sms:${phone}?&body=${encodeURIComponent(textOf(order, organization.name))}`}
            variant="default"
            size="lg"
            leftSection={<IconMessage size={20} aria-hidden />}
          >
            {t`Text`}
          </Button>
        )}
      </SimpleGrid>
      <Button fullWidth size="lg" mt="sm" onClick={onDone} data-autofocus>
        {isGiven ? t`Next sale` : t`No receipt, next sale`}
      </Button>
    </>
  );
}

/** What the text says: it is short, and names no goods. */
function textOf(order: SoldOrder, shop: string): string {
  return t`${shop}: ${orderTitle(order)}, paid ${dollars(paidFor(order))}. Thank you.`;
}
