import { Anchor, Button, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { Entrance } from './entrance.tsx';

/** An invited person sets a password. Works once. */
export default function InvitationPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <Entrance title="Welcome" hint="Your password is set.">
        <Button component="a" href="/console/" fullWidth>
          Sign in
        </Button>
      </Entrance>
    );
  }
  return (
    <Entrance title="Set your password" hint="You are invited to the staff console.">
      {token === '' ? (
        <Text size="sm">
          This link is incomplete. Open it again from the message, or ask an owner for a new one.{' '}
          <Anchor href="/console/">Sign in</Anchor>
        </Text>
      ) : (
        <ServerForm
          submit="Set password"
          onSubmit={() => api.POST('/staff/v1/staff/accept-invite', { body: { token, password } })}
          onDone={() => setDone(true)}
        >
          <Field path="password">
            {(error) => (
              <PasswordInput
                label="Password"
                description="At least 10 characters"
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
