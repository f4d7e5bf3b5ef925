import { Text, Title } from '@mantine/core';
import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import classes from './states.module.css';

/** Replaces an empty list: what would be here, and what to do. */
export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className={classes.state}>
      <IconInbox size={36} stroke={1.5} aria-hidden />
      <Title order={2} size="h4">
        {title}
      </Title>
      {children && (
        <Text size="sm" c="dimmed" maw={480}>
          {children}
        </Text>
      )}
      {action}
    </div>
  );
}
