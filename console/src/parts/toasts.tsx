import { notifications } from '@mantine/notifications';
import { IconCheck, IconExclamationMark } from '@tabler/icons-react';
import { ApiFailure } from '../api.ts';
import { messageOf } from './load-failure.tsx';

/** Says in the corner that something has been done. */
export function sayDone(message: string): void {
  notifications.show({ message, color: 'teal', icon: <IconCheck size={18} aria-hidden />, autoClose: 4_000 });
}

/** Says in the corner that something was refused, for actions without a form; a session's end has its own dialog. */
export function sayFailed(error: unknown): void {
  if (error instanceof ApiFailure && error.status === 401) return;
  sayRefused(messageOf(error));
}

/** As `sayFailed`, in words of the screen. */
export function sayRefused(message: string): void {
  notifications.show({
    title: 'That did not work',
    message,
    color: 'red',
    icon: <IconExclamationMark size={18} aria-hidden />,
    autoClose: 8_000,
  });
}
