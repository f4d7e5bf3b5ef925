import { Button, Group, Text, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { api, dataOf } from '../api.ts';
import { forScans } from '../scanner/scanner.ts';
import { useGiftCardScans } from '../scanner/use-scans.ts';
import { t } from '../words/words.ts';
import { dollars } from './dollars.ts';
import { messageOf } from './load-failure.tsx';
import { useFieldError } from './server-form.tsx';

/** The code of a gift card, scanned into the field or typed. Enter asks what the card has, before the next one sends the form. */
export function GiftCardField({
  code,
  description,
  onCode,
  onBalance,
}: {
  code: string;
  description?: string;
  onCode: (code: string) => void;
  /** What the card has, in cents. */
  onBalance?: (cents: number) => void;
}) {
  const refused = useFieldError('giftCard');
  const [asked, setAsked] = useState<{ code: string; words: string; isFound: boolean } | null>(null);
  const answer = asked?.code === code ? asked : null;
  const ask = async () => {
    try {
      const { balance } = await dataOf(api.POST('/staff/v1/gift-cards/find', { body: { code } }));
      setAsked({ code, words: t`The card has ${dollars(balance)}.`, isFound: true });
      onBalance?.(balance);
    } catch (error) {
      setAsked({ code, words: messageOf(error), isFound: false });
    }
  };
  useGiftCardScans(onCode);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || code.trim() === '' || answer?.isFound) return;
    event.preventDefault();
    void ask();
  };
  return (
    <div style={{ gridColumn: '1 / -1' }}>
      <Group align="end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={t`Code of the gift card`}
          description={description}
          autoComplete="off"
          data-goes-on
          {...forScans}
          error={answer === null ? refused : !answer.isFound && answer.words}
          value={code}
          onChange={(event) => onCode(event.currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <Button variant="default" disabled={code.trim() === ''} onClick={() => void ask()}>
          {t`Check the balance`}
        </Button>
      </Group>
      {answer?.isFound && (
        <Text size="sm" role="status">
          {answer.words}
        </Text>
      )}
    </div>
  );
}
