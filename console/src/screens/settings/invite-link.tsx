import { Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { invitationLink } from '../../session/invitation-link.ts';

/** The link by which somebody sets a password: shown once, to be passed on; the service sends nothing. */
export function InviteLink({
  invited,
  onClose,
}: {
  invited: Schema['InvitedStaffMember'];
  onClose: () => void;
}) {
  return (
    <OneTimeSecret
      opened
      title={`Invitation for ${invited.firstName} ${invited.lastName}`}
      label="Link"
      secret={invitationLink(invited.inviteToken)}
      onClose={onClose}
    >
      <Text size="sm">
        Pass it on to {invited.email}: nothing is sent. It sets a password, once, within 7 days; links from
        before do nothing any more.
      </Text>
    </OneTimeSecret>
  );
}
