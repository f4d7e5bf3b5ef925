import { Button, Group, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure, api, dataOf } from '../api.ts';
import { t } from '../words/words.ts';
import { dollars } from './dollars.ts';

/** The code of the gift card that pays: scanned into the field or typed. What the card has is asked for, and pays at most that. */
export function GiftCardField({
  code,
  amount,
  onChange,
}: {
  code: string;
  /** Cents to be paid by the card. */
  amount: number | null;
  onChange: (values: { giftCard?: string; amount?: number }) => void;
}) {
  const [said, setSaid] = useState<string | null>(null);
  const ask = async () => {
    try {
      const { balance } = await dataOf(api.POST('/staff/v1/gift-cards/find', { body: { code } }));
      setSaid(t`The card has ${dollars(balance)}.`);
      if (amount === null || amount > balance) onChange({ amount: balance });
    } catch (error) {
      setSaid(error instanceof ApiFailure ? error.message : t`The service does not answer.`);
    }
  };
  return (
    <div style={{ gridColumn: '1 / -1' }}>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t`Code of the gift card`}
          autoComplete="off"
          data-goes-on
          value={code}
          onChange={(event) => onChange({ giftCard: event.currentTarget.value })}
        />
        <Button variant="default" disabled={code.trim() === ''} onClick={() => void ask()}>
          {t`Check the balance`}
        </Button>
      </Group>
      {said !== null && (
        <Text size="sm" role="status">
          {said}
        </Text>
      )}
    </div>
  );
}
