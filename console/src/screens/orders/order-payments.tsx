import { Text } from '@mantine/core';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { Facts } from './order-cards.tsx';
import type { Order } from './order-words.ts';

/** The payments, or the intended payments. */
export function OrderPayments({ order }: { order: Order }) {
  const isPaid = order.status === 'fulfilled';
  return (
    <SectionCard title={isPaid ? t`Payments` : t`Intended payments`}>
      {order.payments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isPaid ? t`Nothing to pay.` : t`None given. Payment is taken at handover.`}
        </Text>
      ) : (
        <Facts
          rows={order.payments.map(
            ({ id, name, finalAmount, feeAmount, cashRounding = 0, tendered, change }) => [
              name,
              <span key={id}>
                <Money cents={finalAmount + cashRounding} />
                {feeAmount > 0 && (
                  <Text span size="xs" c="dimmed">
                    {rich` with ${<Money cents={feeAmount} />} fee`}
                  </Text>
                )}
                {cashRounding !== 0 && (
                  <Text span size="xs" c="dimmed">
                    {rich` with ${<Money cents={cashRounding} />} cash rounding`}
                  </Text>
                )}
                {typeof tendered === 'number' && (
                  <Text span size="xs" c="dimmed">
                    {rich` of ${<Money cents={tendered} />}, change ${<Money cents={change ?? 0} />}`}
                  </Text>
                )}
              </span>,
            ],
          )}
        />
      )}
    </SectionCard>
  );
}
