import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { hasUnsavedWork } from '../parts/unsaved-work.ts';

/** Another screen takes the place of this one; filters and tabs in the address leave a form where it is. */
const isLeaving: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsavedWork('screen');

/** Asks whoever would leave what is not saved: for another screen here, for another page or none by the browser. */
export function LeaveGuard() {
  const blocker = useBlocker(isLeaving);
  useEffect(() => {
    const onLeave = (event: BeforeUnloadEvent): void => {
      if (hasUnsavedWork('page')) event.preventDefault();
    };
    window.addEventListener('beforeunload', onLeave);
    return () => window.removeEventListener('beforeunload', onLeave);
  }, []);
  const stay = () => blocker.reset?.();
  return (
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title="Leave without saving?">
      <Text size="sm">What you have typed on this page is not saved, and is gone when you leave.</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          Stay here
        </Button>
        <Button color="red.9" onClick={() => blocker.proceed?.()}>
          Leave without saving
        </Button>
      </Group>
    </Modal>
  );
}
