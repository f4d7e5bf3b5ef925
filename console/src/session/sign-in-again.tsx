import { Modal, Text } from '@mantine/core';
import { queryClient } from '../query-client.ts';
import { useSession } from './session.tsx';
import { forgetSessionEnd, useSessionEnd } from './session-end.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Over the page, when the session has ended: what was being typed stays. Someone else's sign-in begins anew. */
export function SignInAgain() {
  const { staff, organization } = useSession();
  const hasEnded = useSessionEnd();
  const onDone = async () => {
    const me = await queryClient.fetchQuery<{ staff: { id: number }; organization: { id: number } }>({
      queryKey: ['me'],
      staleTime: 0,
    });
    // The gate begins anew with somebody else.
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
      title="Your session has ended"
    >
      <Text size="sm" mb="md">
        Sign in again to go on. What you have typed is still there; save it again afterwards.
      </Text>
      <SignInForm email={staff.email} onDone={() => void onDone()} />
    </Modal>
  );
}
