import { Paper, Text, Title } from '@mantine/core';
import { type ReactNode, useId } from 'react';

/** A section of a form or page with its own heading. */
export function SectionCard({
  title,
  hint,
  anchor,
  children,
}: {
  title: string;
  hint?: ReactNode;
  /** What links to it: `/settings/organization#orders`. */
  anchor?: string;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <Paper
      component="section"
      id={anchor}
      aria-labelledby={id}
      withBorder
      p={{ base: 'md', xs: 'lg' }}
      radius="md"
    >
      <Title order={2} size="h4" id={id} mb={hint ? 2 : 'md'}>
        {title}
      </Title>
      {hint && (
        <Text size="sm" c="dimmed" mb="md">
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  );
}
