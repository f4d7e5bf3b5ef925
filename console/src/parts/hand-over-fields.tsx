import { Checkbox, Text } from '@mantine/core';
import { t } from '../words/words.ts';
import { PaymentRows } from './payment-rows.tsx';
import type { PaymentRow } from './payment-sums.ts';
import type { PaymentType } from './use-payment-types.ts';

/** What a hand-over asks for, at the till and on an order: whether the ID was seen, and how it is paid. */
export function HandOverFields({
  asksForId,
  idSeen,
  onIdSeen,
  due,
  rows,
  onRows,
  types,
}: {
  asksForId: boolean;
  idSeen: boolean;
  onIdSeen: (isSeen: boolean) => void;
  /** Cents before payment fees; null: the price is loading; negative: the customer gets money. */
  due: number | null;
  rows: readonly PaymentRow[];
  onRows: (rows: readonly PaymentRow[]) => void;
  types: readonly PaymentType[];
}) {
  return (
    <>
      {asksForId && (
        <Checkbox
          mb="md"
          label={t`I checked the ID of the person taking the goods`}
          checked={idSeen}
          onChange={(event) => onIdSeen(event.currentTarget.checked)}
        />
      )}
      {due === 0 && <Text size="sm">{t`Nothing to pay.`}</Text>}
      {(due === null || due > 0) && <PaymentRows due={due} rows={rows} onChange={onRows} types={types} />}
    </>
  );
}
