import { Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { queryClient } from '../query-client.ts';
import { t } from '../words/words.ts';
import { Entrance } from './entrance.tsx';
import { forgetSessionEnd } from './session-end.ts';
import { SignInForm } from './sign-in-form.tsx';

// Rarely used, or not at once, so the first page does not load it.
const ForgotPassword = lazy(async () => ({
  default: (await import('./forgot-password.tsx')).ForgotPassword,
}));

const OtherWays = lazy(() => import('./other-ways.tsx'));

/** Shown for every address while there is no session. */
export function SignInPage() {
  const [hasForgotten, setForgotten] = useState(false);
  const onDone = () => {
    forgetSessionEnd();
    void queryClient.resetQueries();
  };
  if (hasForgotten) {
    return (
      <Entrance title={t`Forgot your password?`} hint={t`The staff console of your shop.`}>
        <Suspense>
          <ForgotPassword onBack={() => setForgotten(false)} />
        </Suspense>
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Sign in`} hint={t`The staff console of your shop.`}>
      <Stack gap="md">
        <SignInForm onDone={onDone} />
        <Suspense>
          <OtherWays onDone={onDone} onForgotten={() => setForgotten(true)} />
        </Suspense>
      </Stack>
    </Entrance>
  );
}
