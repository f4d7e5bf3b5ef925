import { Anchor, Group, Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import mark from '../shell/mark.svg';
import { chooseLanguage, type LanguageCode, language, languages } from '../words/words.ts';
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

/** The other languages, each by its own name: for pages before sign-in, which have no menu. */
function LanguageLinks() {
  const others = (Object.keys(languages) as LanguageCode[]).filter((code) => code !== language);
  return (
    <Group justify="center" mt="md">
      {others.map((code) => (
        <Anchor
          key={code}
          component="button"
          type="button"
          size="sm"
          lang={code}
          onClick={() => chooseLanguage(code)}
        >
          {languages[code].name}
        </Anchor>
      ))}
    </Group>
  );
}
