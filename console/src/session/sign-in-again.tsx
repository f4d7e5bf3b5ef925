import { Modal, Text } from '@mantine/core';
import { queryClient } from '../query-client.ts';
import { t } from '../words/words.ts';
import { useSession } from './session.tsx';
import { forgetSessionEnd, useSessionEnd } from './session-end.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Opens over the page when the session ends, so typed text is kept. A different person starts with a fresh page. */
export function SignInAgain() {
  const { staff, organization } = useSession();
  const hasEnded = useSessionEnd();
  const onDone = async () => {
    const me = await queryClient.fetchQuery<{ staff: { id: number }; organization: { id: number } }>({
      queryKey: ['me'],
      staleTime: 0,
    });
    // `SessionGate` starts over for another person.
    if (me.staff.id !== staff.id || me.organization.id !== organization.id) return;
    forgetSessionEnd();
    await queryClient.invalidateQueries();
  };
  return (
    <Modal
      opened={hasEnded}
      onClose={() => {}}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      title={t`Your session has ended`}
    >
      <Text size="sm" mb="md">
        {t`Sign in again to continue. Your unsaved changes are still here; save them after you sign in.`}
      </Text>
      <SignInForm email={staff.email} onDone={() => void onDone()} />
    </Modal>
  );
}
