import { Modal } from '@mantine/core';
import type { KeyboardEvent, ReactNode } from 'react';

/** What has an Enter of its own. */
const ownEnter = 'button, a, textarea, [data-expanded]';

/** The dialog in which money is taken: Enter pays, wherever the focus is, but for buttons, links and open lists. */
export function PaymentModal({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget } = event;
    if (key !== 'Enter' || event.defaultPrevented || !(target instanceof Element) || target.closest(ownEnter))
      return;
    event.preventDefault();
    const form = currentTarget.querySelector('form');
    if (!form?.querySelector('[type=submit]:disabled')) form?.requestSubmit();
  };
  return (
    <Modal opened onClose={onClose} title={title} size="lg" onKeyDown={onKeyDown}>
      {children}
    </Modal>
  );
}
