import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { type BlockerFunction, useBlocker } from 'react-router';
import { hasUnsavedWork } from '../parts/unsaved-work.ts';
import { t } from '../words/words.ts';

/** Whether unsaved work would be lost by a change of the path. Filters and tabs in the query string keep the form. */
const isLeaving: BlockerFunction = ({ currentLocation, nextLocation }) =>
  currentLocation.pathname !== nextLocation.pathname && hasUnsavedWork('screen');

/** Asks before unsaved work is lost: by a dialog for another screen, by the browser for another page or a closed tab. */
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
    // Above the dialog that is left.
    <Modal opened={blocker.state === 'blocked'} onClose={stay} title={t`Leave without saving?`} zIndex={300}>
      <Text size="sm">{t`Your changes on this page are not saved. They are lost if you leave.`}</Text>
      <Group justify="flex-end" mt="lg">
        <Button variant="default" onClick={stay} data-autofocus>
          {t`Stay on this page`}
        </Button>
        <Button color="red.9" onClick={() => blocker.proceed?.()}>
          {t`Leave without saving`}
        </Button>
      </Group>
    </Modal>
  );
}
