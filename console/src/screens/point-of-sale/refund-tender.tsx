import { Select, Stack, Text } from '@mantine/core';
import { dollars } from '../../parts/dollars.ts';
import type { PaymentRow } from '../../parts/payment-sums.ts';
import type { PaymentType } from '../../parts/use-payment-types.ts';
import { t } from '../../words/words.ts';

/** How the customer gets the difference of an exchange. */
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
  return (
    <Stack>
      <Text>{t`The customer gets ${dollars(cents)}.`}</Text>
      <Select
        label={t`Give it back by`}
        allowDeselect={false}
        data={types.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(row?.paymentTypeId ?? types[0]?.id ?? '')}
        onChange={(value) =>
          value && onChange({ key: 0, paymentTypeId: Number(value), amount: null, tendered: null })
        }
      />
    </Stack>
  );
}
