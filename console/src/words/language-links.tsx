import { Anchor, Group } from '@mantine/core';
import { chooseLanguage, type LanguageCode, language, languages } from './words.ts';

/** The other languages, each by its own name: for pages before sign-in, which have no menu. */
export function LanguageLinks() {
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
