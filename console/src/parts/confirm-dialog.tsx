import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { failedWrite } from './unanswered.ts';
import { useWrite } from './use-write.ts';

/** Asks before something that cannot be taken back. Stays open, with the reason, when it is refused. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
  keep = 'Keep it',
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
  /** What leaves all as it is. */
  keep?: string;
  isDangerous?: boolean;
  /** What it asks for is there. */
  isReady?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const confirm = useWrite({ mutationFn: () => onConfirm(), onSuccess: close });
  const failed = confirm.error && failedWrite(confirm.error, 'That did not work');
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
            // The second click of a double click, or one while it closes, asks for nothing more.
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
