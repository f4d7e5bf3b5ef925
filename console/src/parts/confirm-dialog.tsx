import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { messageOf } from './load-failure.tsx';

/** Asks before something that cannot be taken back. Stays open, with the reason, when it is refused. */
export function ConfirmDialog({
  opened,
  title,
  children,
  action,
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
  isDangerous?: boolean;
  /** What it asks for is there. */
  isReady?: boolean;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}) {
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: close });
  function close(): void {
    confirm.reset();
    onClose();
  }
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Stack>
        {confirm.error && (
          <Alert color="red" role="alert">
            {messageOf(confirm.error)}
          </Alert>
        )}
        <Text component="div" size="sm">
          {children}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={close} data-autofocus={isDangerous || undefined}>
            Keep it
          </Button>
          <Button
            color={isDangerous ? 'red.9' : undefined}
            loading={confirm.isPending}
            disabled={!isReady}
            onClick={() => confirm.mutate()}
            data-autofocus={!isDangerous || undefined}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
