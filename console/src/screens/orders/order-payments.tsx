import { Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Facts } from './order-cards.tsx';
import type { Order } from './order-words.ts';

/** How the order was paid, or is meant to be. */
export function OrderPayments({ order }: { order: Order }) {
  const isPaid = order.status === 'fulfilled';
  return (
    <SectionCard title={isPaid ? 'Payments' : 'Intended payments'}>
      {order.payments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isPaid ? 'Nothing had to be paid.' : 'Not said yet; they are taken on handing over.'}
        </Text>
      ) : (
        <Facts
          rows={order.payments.map(({ name, finalAmount, feeAmount }) => [
            name,
            <span key={name}>
              <Money cents={finalAmount} />
              {feeAmount > 0 && (
                <Text span size="xs" c="dimmed">
                  {' '}
                  with <Money cents={feeAmount} /> fee
                </Text>
              )}
            </span>,
          ])}
        />
      )}
    </SectionCard>
  );
}
