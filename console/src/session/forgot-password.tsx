import { Alert, Anchor, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { t } from '../words/words.ts';

/** Asks for a link to a new password. The answer is the same for every email. */
export function ForgotPassword({ onBack }: { onBack: () => void }) {
  const [email, setEmail] = useState('');
  const [isDone, setDone] = useState(false);
  return (
    <Stack gap="md">
      {isDone ? (
        <Alert color="green" role="status" title={t`Check your email`}>
          {t`If ${email.trim()} belongs to a member of staff, a link is on its way. It works once, within an hour. No email? Ask an owner for a new invitation.`}
        </Alert>
      ) : (
        <>
          <Text size="sm">{t`We send a link to set a new password to your email.`}</Text>
          <ServerForm
            submit={t`Send the link`}
            onSubmit={() => api.POST('/staff/v1/password-resets', { body: { email: email.trim() } })}
            onDone={() => setDone(true)}
          >
            <Field path="email">
              {(error) => (
                <TextInput
                  label={t`Email`}
                  type="email"
                  autoComplete="username"
                  required
                  data-autofocus
                  error={error}
                  value={email}
                  onChange={(event) => setEmail(event.currentTarget.value)}
                />
              )}
            </Field>
          </ServerForm>
        </>
      )}
      <Anchor component="button" type="button" size="sm" onClick={onBack}>
        {t`Back to sign-in`}
      </Anchor>
    </Stack>
  );
}
