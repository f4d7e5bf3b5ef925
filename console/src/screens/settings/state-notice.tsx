import { Button, Group, Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { t } from '../../words/words.ts';

/** Takes up the notice that the shop's state asks for on labels, with its source. */
export function StateNotice({
  notice: { words, citation, confidence, besides },
  onTake,
}: {
  notice: Schema['LabelNotice'];
  onTake: (words: string) => void;
}) {
  return (
    <Group gap="sm">
      <Button variant="default" size="xs" onClick={() => onTake(words)}>
        {t`Use the notice of your state`}
      </Button>
      <Text size="sm" c="dimmed">
        {citation}. {besides}{' '}
        {confidence === 'high'
          ? t`Compare it with the law in force.`
          : t`It was not read in the law itself: compare it with the law in force.`}
      </Text>
    </Group>
  );
}
