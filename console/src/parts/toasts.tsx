import { notifications } from '@mantine/notifications';
import { IconCheck, IconExclamationMark } from '@tabler/icons-react';
import { ApiFailure } from '../api.ts';
import { messageOf } from './load-failure.tsx';
import { failedWrite } from './unanswered.ts';

/** Says in the corner that something has been done. */
export function sayDone(message: string): void {
  notifications.show({ message, color: 'teal', icon: <IconCheck size={18} aria-hidden />, autoClose: 4_000 });
}

/** Says in the corner that a write was refused, for actions without a form; a session's end has its own dialog. */
export function notifyError(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  const { title, message } = failedWrite(error, refusedTitle);
  sayRefused(message, title);
}

/** Says in the corner that something could not be read; a session's end has its own dialog. */
export function sayNotLoaded(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  sayRefused(messageOf(error), 'Not loaded');
}

const refusedTitle = 'That did not work';

/** As `notifyError`, in words of the screen. */
export function sayRefused(message: string, title = refusedTitle): void {
  notifications.show({
    title,
    message,
    color: 'red',
    icon: <IconExclamationMark size={18} aria-hidden />,
    autoClose: 8_000,
  });
}
