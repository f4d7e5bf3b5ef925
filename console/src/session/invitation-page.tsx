import { Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { rich } from '../words/rich.ts';
import { t } from '../words/words.ts';
import { Entrance } from './entrance.tsx';

const words = {
  invitation: {
    title: t`Set your password`,
    hint: t`You are invited to the staff console.`,
    incomplete: t`Open it again from the message, or ask an owner for a new one.`,
  },
  reset: {
    title: t`Set a new password`,
    hint: t`It ends all your sessions.`,
    incomplete: t`Open it again from the message, or ask for a new one.`,
  },
} as const;

/** The person whose link it is sets a password. Works once. */
export default function InvitationPage({ of }: { of: keyof typeof words }) {
  const { title, hint, incomplete } = words[of];
  const [token] = useState(() => window.location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Entrance title={of === 'reset' ? t`Done` : t`Welcome`} hint={t`Your password is set.`}>
        <Button component="a" href="/console/" fullWidth>
          {t`Sign in`}
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title={title} hint={hint}>
      {token === '' ? (
        <Text size="sm">
          {rich`This link is incomplete. ${incomplete} ${<Anchor href="/console/">{t`Sign in`}</Anchor>}`}
        </Text>
      ) : (
        <ServerForm
          submit={t`Set password`}
          onSubmit={() =>
            of === 'invitation'
              ? api.POST('/staff/v1/staff/accept-invite', { body: { token, password } })
              : api.POST('/staff/v1/password-resets/redeem', { body: { token, password } })
          }
          onDone={() => setDone(true)}
        >
          <Field path="password">
            {(error) => (
              <PasswordInput
                label={t`Password`}
                description={t`At least 10 characters`}
                autoComplete="new-password"
                error={error}
                value={password}
                onChange={(event) => setPassword(event.currentTarget.value)}
              />
            )}
          </Field>
        </ServerForm>
      )}
    </Entrance>
  );
}
