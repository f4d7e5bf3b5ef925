import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../words/words.ts';
import { failedWrite } from './unanswered.ts';
import { useWrite } from './use-write.ts';

/** Asks before an action that cannot be undone. On a refusal it stays open and shows the reason. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  keep = t`Keep it`,
  isDangerous = false,
  isReady = true,
  onConfirm,
  onClose,
}: {
  opened: boolean;
  title: string;
  children: ReactNode;
  /** The verb on the button: `Cancel order`. */
  action: string;
  /** The button that changes nothing. */
  keep?: string;
  isDangerous?: boolean;
  /** Whether the required input is complete. */
  isReady?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const confirm = useWrite({ mutationFn: () => onConfirm(), onSuccess: close });
  const failed = confirm.error && failedWrite(confirm.error, t`Could not be done`);
  function close(): void {
    confirm.reset();
    onClose();
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        {failed && (
          <Alert color="red" role="alert" title={failed.title}>
            {failed.message}
          </Alert>
        )}
        <Text component="div" size="sm">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus={isDangerous || undefined}>
            {keep}
          </Button>
          <Button
            color={isDangerous ? 'red.9' : undefined}
            loading={confirm.isPending}
            disabled={!isReady}
            // Ignores the second click of a double click, or a click while the dialog closes.
            onClick={({ detail }) => opened && detail <= 1 && confirm.mutate()}
            data-autofocus={!isDangerous || undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
