import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import mark from '../shell/mark.svg';
import { LanguageLinks } from '../words/language-links.tsx';
import classes from './entrance.module.css';

/** The page around a form shown before sign-in. */
export function Entrance({ title, hint, children }: { title: string; hint: string; children: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.column}>
        <div className={classes.brand}>
          <img src={mark} alt="" width={40} height={40} />
          <div>
            <Title order={1} size="h3">
              {title}
            </Title>
            <Text size="sm" c="dimmed">
              {hint}
            </Text>
          </div>
        </div>
        <Paper withBorder p="lg" radius="md" shadow="sm" className={classes.form}>
          {children}
        </Paper>
        <LanguageLinks />
      </div>
    </main>
  );
}
