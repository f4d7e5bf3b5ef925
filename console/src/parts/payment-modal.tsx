import { Modal } from '@mantine/core';
import type { KeyboardEvent, ReactNode, RefObject } from 'react';
import classes from './payment-rows.module.css';

/** Elements that handle Enter themselves. */
const ownEnter = 'button, a, textarea, [data-expanded]';

/** The payment dialog: Enter pays wherever the focus is, except on buttons, links and open lists. */
export function PaymentModal({
  title,
  onClose,
  rootRef,
  children,
}: {
  title: string;
  onClose: () => void;
  /** The element that is hidden when the dialog closes before it is taken down. */
  rootRef?: RefObject<HTMLDivElement | null>;
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
    <Modal
      ref={rootRef}
      opened
      onClose={onClose}
      title={title}
      size="lg"
      onKeyDown={onKeyDown}
      classNames={{ content: classes.payment }}
    >
      {children}
    </Modal>
  );
}
