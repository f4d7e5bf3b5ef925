import { Text } from '@mantine/core';
import type { Schema } from '../../api.ts';
import { OneTimeSecret } from '../../parts/one-time-secret.tsx';
import { invitationLink } from '../../session/invitation-link.ts';
import { t } from '../../words/words.ts';

/** The invitation link to set a password: shown once, to be passed on where no mail server sends it. */
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
      title={t`Invitation for ${invited.firstName} ${invited.lastName}`}
      label={t`Link`}
      secret={invitationLink(invited.inviteToken)}
      onClose={onClose}
    >
      <Text size="sm">
        {t`${
          invited.isMailed
            ? t`An email with this link goes to ${invited.email}.`
            : t`Send this link to ${invited.email} yourself: no email server is set up.`
        } It works once, within 7 days. Earlier links no longer work.`}
      </Text>
    </OneTimeSecret>
  );
}
