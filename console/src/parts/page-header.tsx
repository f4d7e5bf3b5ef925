import { Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { useSession } from '../session/session.tsx';
import classes from './page.module.css';

/** The header of a screen: its title (also the document's), a description, and actions. */
export function PageHeader({
  title,
  children,
  actions,
}: {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  const { organization } = useSession();
  useEffect(() => {
    document.title = `${title} · ${organization.name}`;
  }, [title, organization.name]);
  return (
    <header className={classes.header}>
      <div className={classes.heading}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {children && (
          <Text component="div" size="sm" c="dimmed">
            {children}
          </Text>
        )}
      </div>
      {actions && <Group gap="sm">{actions}</Group>}
    </header>
  );
}
