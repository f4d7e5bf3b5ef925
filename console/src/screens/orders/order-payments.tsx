import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { CorrectPaymentDialog } from './correct-payment-dialog.tsx';
import { Facts } from './order-cards.tsx';
import type { Order } from './order-words.ts';

/** The payments, or the intended payments. */
export function OrderPayments({ order }: { order: Order }) {
  const isPaid = order.status === 'fulfilled';
  const mayCorrect = useCan('correctOrderPayment') && isPaid && order.returns.length === 0;
  const [corrected, setCorrected] = useState<Order['payments'][number] | null>(null);
  return (
    <SectionCard title={isPaid ? t`Payments` : t`Intended payments`}>
      {order.payments.length === 0 ? (
        <Text size="sm" c="dimmed">
          {isPaid ? t`Nothing to pay.` : t`None yet. Payment is taken at handover.`}
        </Text>
      ) : (
        <Facts
          rows={order.payments.map((payment) => {
            const { id, name, finalAmount, feeAmount, cashRounding = 0, tendered, change } = payment;
            return [
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
                {mayCorrect && (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    ms="xs"
                    aria-label={t`Correct payment by ${name}`}
                    onClick={() => setCorrected(payment)}
                  >
                    {t`Correct`}
                  </Button>
                )}
              </span>,
            ];
          })}
        />
      )}
      {corrected && (
        <CorrectPaymentDialog order={order} payment={corrected} onClose={() => setCorrected(null)} />
      )}
    </SectionCard>
  );
}
