import { Alert, Button, CopyButton, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react';
import { saveFile } from '../parts/save-file.ts';
import { t } from '../words/words.ts';

/** Recovery codes, which the service shows once. */
export function RecoveryCodeList({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Alert color="yellow" title={t`Keep these recovery codes`}>
        {t`Each opens your account once, if you lose your phone. They will not be shown again.`}
      </Alert>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" component="ul" className="bare">
        {codes.map((code) => (
          <Text key={code} component="li" size="sm" ff="monospace">
            {code}
          </Text>
        ))}
      </SimpleGrid>
      <Group>
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              leftSection={copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
              onClick={copy}
            >
              {copied ? t`Copied` : t`Copy`}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => saveFile(text, 'recovery-codes.txt', 'text/plain')}
        >
          {t`Save as a file`}
        </Button>
      </Group>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t`I have saved them`}</Button>
      </Group>
    </Stack>
  );
}
