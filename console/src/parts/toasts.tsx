import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCheck, IconExclamationMark } from '@tabler/icons-react';
import { ApiFailure } from '../api.ts';
import { t } from '../words/words.ts';
import { messageOf } from './load-failure.tsx';
import { failedWrite } from './unanswered.ts';

/** Shows a notification that an action is done, and a button that takes it back, if there is a way. */
export function notifyDone(message: string, undo?: () => unknown): void {
  const look = { color: 'teal', icon: <IconCheck size={18} aria-hidden /> };
  if (undo === undefined) return void notifications.show({ ...look, message, autoClose: 4_000 });
  const id = notifications.show({
    ...look,
    autoClose: 8_000,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
          variant="default"
          onClick={() => {
            notifications.hide(id);
            undo();
          }}
        >
          {t`Undo`}
        </Button>
      </Group>
    ),
  });
}

/** Shows a notification that a write was refused, for actions without a form. The end of a session has its own dialog. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  const { title, message } = failedWrite(error, refusedTitle);
  notifyRefusal(message, title);
}

/** Shows a notification that loading failed. The end of a session has its own dialog. */
export function notifyLoadError(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  notifyRefusal(messageOf(error), t`Could not be loaded`);
}

const refusedTitle = t`Could not be done`;

/** Like `notifyError`, with the screen's own words. */
export function notifyRefusal(message: string, title = refusedTitle): void {
  notifications.show({
    title,
    message,
    color: 'red',
    icon: <IconExclamationMark size={18} aria-hidden />,
    autoClose: 8_000,
  });
}
