import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { t } from '../words/words.ts';
import type { ScannedHolder } from './license-card.tsx';
import { holderOf } from './license-holder.ts';
import { notifyError } from './toasts.tsx';

/** The customers who may be the holder, with the birthday of the card and nearly its name: staff say which one it is. */
export function WhoseLicense({
  scanned: { license, holder },
  onKnown,
}: {
  scanned: ScannedHolder;
  onKnown: (scanned: ScannedHolder) => void;
}) {
  const [isAsking, setAsking] = useState(false);
  if (holder.suspected.length === 0) return null;
  const say = async (answer: Parameters<typeof holderOf>[1]) => {
    setAsking(true);
    try {
      onKnown(await holderOf(license, answer));
    } catch (error) {
      notifyError(error);
    } finally {
      setAsking(false);
    }
  };
  return (
    <Stack gap="xs" mt="md">
      {holder.suspected.map(({ id, firstName, lastName, phone, email }) => (
        <Button key={id} variant="default" disabled={isAsking} onClick={() => say({ customerId: id })}>
          {[`${firstName} ${lastName}`.trim(), phone ?? email].filter(Boolean).join(', ')}
        </Button>
      ))}
      <Button variant="subtle" disabled={isAsking} onClick={() => say({ isAnother: true })}>
        {t`Another person: new customer`}
      </Button>
    </Stack>
  );
}
