import { Anchor, Stack } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../query-client.ts';
import { Entrance } from './entrance.tsx';
import { ForgotPassword } from './forgot-password.tsx';
import { forgetSessionEnd } from './session-end.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Shown for every address while there is no session. */
export function SignInPage() {
  const [hasForgotten, setForgotten] = useState(false);
  const onDone = () => {
    forgetSessionEnd();
    void queryClient.resetQueries();
  };
  if (hasForgotten) {
    return (
      <Entrance title="Forgot your password?" hint="The staff console of your shop.">
        <ForgotPassword onBack={() => setForgotten(false)} />
      </Entrance>
    );
  }
  return (
    <Entrance title="Sign in" hint="The staff console of your shop.">
      <Stack gap="md">
        <SignInForm onDone={onDone} />
        <Anchor component="button" type="button" size="sm" onClick={() => setForgotten(true)}>
          Forgot your password?
        </Anchor>
      </Stack>
    </Entrance>
  );
}
