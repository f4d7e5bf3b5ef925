import { Stack, Text } from '@mantine/core';
import { dollars } from '../../parts/dollars.ts';
import { givenBack, type PaymentRow } from '../../parts/payment-sums.ts';
import { TenderButtons } from '../../parts/tender-buttons.tsx';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';
import { RefundCardField } from '../orders/refund-fields.tsx';

/** How the customer gets the difference of an exchange; onto a gift card that they show, too. */
export function RefundTender({
  cents,
  row,
  types,
  onChange,
}: {
  cents: number;
  row: PaymentRow | undefined;
  types: readonly PaymentType[];
  onChange: (row: PaymentRow) => void;
}) {
  const type = types.find(({ id }) => id === row?.paymentTypeId) ?? types[0];
  if (type === undefined) return null;
  const refund = { key: 0, paymentTypeId: type.id, amount: null, tendered: null };
  return (
    <Stack>
      <Text>{t`The customer gets ${dollars(givenBack(cents, type))}.`}</Text>
      <TenderButtons
        label={t`Give it back by`}
        types={types}
        chosenId={type.id}
        onChoose={(paymentTypeId) => onChange({ ...refund, paymentTypeId })}
      />
      {type.takesGiftCards && (
        <RefundCardField
          code={row?.giftCard ?? ''}
          onCode={(giftCard) => onChange({ ...refund, giftCard })}
        />
      )}
    </Stack>
  );
}
