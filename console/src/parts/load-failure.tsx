import { Button, Text, Title } from '@mantine/core';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import { refusalInWords } from './refusal-words.ts';
import classes from './states.module.css';

/** An error message for people. */
export function messageOf(error: unknown): string {
  return error instanceof ApiFailure ? refusalInWords(error) : t`Something went wrong on this page.`;
}

/** The message of a select whose options failed to load. */
export function notLoaded({ data, error }: { data: unknown; error: unknown }): string | undefined {
  return data === undefined && error ? t`Could not be loaded. ${messageOf(error)}` : undefined;
}

/** Replaces content that failed to load: the reason, the request id for the operator, and a retry. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { requestId = null, status = 0 } = error instanceof ApiFailure ? error : {};
  // A retry does not help when the record does not exist or the role is not allowed.
  const isFinal = status === 403 || status === 404;
  return (
    <div className={classes.state} role="alert">
      <IconPlugConnectedX size={36} stroke={1.5} aria-hidden />
      <Title order={2} size="h4">
        {status === 404 ? t`Not found` : t`This could not be loaded`}
      </Title>
      <Text size="sm" c="dimmed" maw={480}>
        {messageOf(error)}
      </Text>
      {onRetry && !isFinal && (
        <Button variant="default" onClick={onRetry}>
          {t`Try again`}
        </Button>
      )}
      {requestId && !isFinal && (
        <Text size="xs" c="dimmed">
          {t`Request ${requestId}`}
        </Text>
      )}
    </div>
  );
}
