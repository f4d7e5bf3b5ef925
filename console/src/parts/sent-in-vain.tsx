import { Button, Group } from '@mantine/core';
import { useEffect, useState } from 'react';
import { stopWaiting } from './watched-fetch.ts';

/** What to do with a form that got no answer: nothing is sent again unless asked. */
export function Decision({ onDiscard }: { onDiscard: (() => void) | undefined }) {
  return (
    <Group gap="sm" mt="sm">
      <Button type="submit" size="xs" color="red.9">
        Try again
      </Button>
      {onDiscard && (
        <Button variant="default" size="xs" onClick={onDiscard}>
          Discard
        </Button>
      )}
    </Group>
  );
}

/** An answer comes within a second; who waits so long may want to stop. */
const patienceMs = 4_000;

/** Leaves a form. While it is being sent there is nothing to leave, but after some seconds one can stop waiting. */
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
        Stop waiting
      </Button>
    );
  }
  return (
    <Button variant="default" onClick={onCancel} disabled={isPending}>
      {label}
    </Button>
  );
}
