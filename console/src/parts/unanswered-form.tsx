import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { t } from '../words/words.ts';
import { stopWaiting } from './watched-fetch.ts';

/** The choices for a form without an answer: nothing is sent again unless requested. */
export function UnansweredChoices({ onDiscard }: { onDiscard: (() => void) | undefined }) {
  return (
    <Group gap="sm" mt="sm">
      <Button type="submit" size="xs" color="red.9">
        {t`Try again`}
      </Button>
      {onDiscard && (
        <Button variant="default" size="xs" onClick={onDiscard}>
          {t`Discard`}
        </Button>
      )}
    </Group>
  );
}

/** Most answers take less than a second; after this time the user may want to stop waiting. */
const patienceMs = 4_000;

/** Leaves a form. While a write is pending it is disabled; after some seconds it becomes "Stop waiting". */
export function CancelButton({
  label,
  isPending,
  onCancel,
}: {
  label: string;
  isPending: boolean;
  onCancel: () => void;
}) {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setIsLong(true), patienceMs);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isPending]);
  if (isPending && isLong) {
    return (
      <Button variant="default" onClick={stopWaiting}>
        {t`Stop waiting`}
      </Button>
    );
  }
  return (
    <Button variant="default" onClick={onCancel} disabled={isPending}>
      {label}
    </Button>
  );
}
