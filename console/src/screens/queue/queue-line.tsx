import { Badge, Group, Paper, Text, Title } from '@mantine/core';
import { useId } from 'react';
import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';
import classes from './queue.module.css';
import { QueuePlace } from './queue-place.tsx';

/** One line of the queue, first come at the top. */
export function QueueLine({
  title,
  hint,
  entries,
  nowMs,
}: {
  title: string;
  hint: string;
  entries: readonly Schema['QueueEntry'][];
  nowMs: number;
}) {
  const id = useId();
  return (
    <Paper component="section" aria-labelledby={id} withBorder radius="md" className={classes.line}>
      <header className={classes.head}>
        <Group gap="sm">
          <Title order={2} size="h4" id={id}>
            {title}
          </Title>
          <Badge variant="light" color="gray" className="status numbers">
            {entries.length}
          </Badge>
        </Group>
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
      </header>
      {entries.length === 0 ? (
        <Text size="sm" c="dimmed" ta="center" py={48}>
          {t`No customers`}
        </Text>
      ) : (
        <ol className={classes.places}>
          {entries.map((entry, index) => (
            <QueuePlace key={entry.entryId} entry={entry} place={index + 1} nowMs={nowMs} />
          ))}
        </ol>
      )}
    </Paper>
  );
}
