import { Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { Link } from 'react-router';
import classes from './today.module.css';

/** A tile of the day. Its title is the link to the list behind it. */
export function Tile({
  title,
  to,
  figure,
  hint,
  isLoading,
  size,
  children,
}: {
  title: string;
  to: string;
  /** The number of the tile. */
  figure?: ReactNode;
  hint?: ReactNode;
  isLoading: boolean;
  size?: 'wide';
  children?: ReactNode;
}) {
  const id = useId();
  return (
    <Paper
      component="section"
      aria-labelledby={id}
      withBorder
      radius="md"
      className={classes.tile}
      data-size={size}
    >
      <Title order={2} size="h4" id={id} className={classes.title}>
        <Link to={to} className={classes.link}>
          {title}
          <IconChevronRight size={16} aria-hidden />
        </Link>
      </Title>
      {isLoading ? (
        <>
          <Skeleton height={32} width={120} />
          <Skeleton height={size === 'wide' ? 184 : 88} />
        </>
      ) : (
        <>
          {(figure !== undefined || hint) && (
            <div className={classes.lead}>
              {figure !== undefined && <span className={classes.figure}>{figure}</span>}
              {hint && (
                <Text component="span" size="sm" c="dimmed">
                  {hint}
                </Text>
              )}
            </div>
          )}
          {children}
        </>
      )}
    </Paper>
  );
}

/** What a tile says when there is nothing to list. */
export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
