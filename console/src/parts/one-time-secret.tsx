import { Alert, Button, CopyButton, Group, Modal, Stack, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';

/** A secret that the service returns only once, to copy. Closes only by its button. */
export function OneTimeSecret({
  opened,
  title,
  label,
  secret,
  children,
  onClose,
}: {
  opened: boolean;
  title: string;
  /** The label of the secret: `Client key`. */
  label: string;
  secret: string;
  /** The purpose of the secret. */
  children: ReactNode;
  onClose: () => void;
}) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow">{t`Copy it now. It will not be shown again.`}</Alert>
        <Group align="flex-end" gap="sm" wrap="nowrap">
          <TextInput
            label={label}
            readOnly
            value={secret}
            flex={1}
            onFocus={(event) => event.currentTarget.select()}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button
                data-autofocus
                variant={copied ? 'light' : 'filled'}
                leftSection={
                  copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />
                }
                onClick={copy}
              >
                {copied ? t`Copied` : t`Copy`}
              </Button>
            )}
          </CopyButton>
        </Group>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t`Done`}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
