import { Alert, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { lazy, type SubmitEvent, Suspense, useState } from 'react';
import { ApiFailure, api, dataOf } from '../api.ts';
import { messageOf } from '../parts/load-failure.tsx';
import { useWrite } from '../parts/use-write.ts';
import { t } from '../words/words.ts';
import { tellOtherTabs } from './session-news.ts';

// Few people have a second factor at first, and the sign-in page is the first screen.
const SecondStep = lazy(() => import('./second-step.tsx'));

interface Credentials {
  readonly email: string;
  readonly password: string;
  readonly organizationId?: number;
}

/** Email and password; also the organization's number when the credentials match several organizations. */
export function SignInForm({ email: knownEmail, onDone }: { email?: string; onDone: () => void }) {
  const [email, setEmail] = useState(knownEmail ?? '');
  const [password, setPassword] = useState('');
  const [organizationId, setOrganizationId] = useState('');
  const [asksOrganization, setAsksOrganization] = useState(false);
  const [half, setHalf] = useState<ApiFailure['meta'] | null>(null);
  const [overReason, setOverReason] = useState<string | null>(null);
  const done = () => {
    tellOtherTabs();
    onDone();
  };
  const signIn = useWrite({
    mutationFn: (body: Credentials) => dataOf(api.POST('/staff/v1/sessions', { body })),
    onSuccess: done,
    onError: (error) => {
      if (!(error instanceof ApiFailure)) return;
      setOverReason(null);
      if (error.message.includes('organizationId')) setAsksOrganization(true);
      if (isHalfSignedIn(error)) setHalf(error.meta);
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    signIn.mutate({
      email,
      password,
      ...(organizationId !== '' && { organizationId: Number(organizationId) }),
    });
  };
  if (half !== null) {
    return (
      <Suspense>
        <SecondStep
          signInToken={String(half.signInToken)}
          hasPasskey={half.passkey === true}
          onDone={done}
          onOver={(reason) => {
            setHalf(null);
            setOverReason(reason);
          }}
        />
      </Suspense>
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {overReason && <Alert color="yellow">{overReason}</Alert>}
        {signIn.error && !isHalfSignedIn(signIn.error) && (
          <Alert color="red" role="alert" title={t`Not signed in`}>
            {signInMessage(signIn.error)}
          </Alert>
        )}
        <TextInput
          label={t`Email`}
          type="email"
          autoComplete="username"
          required
          data-autofocus={knownEmail === undefined || undefined}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
        <PasswordInput
          label={t`Password`}
          autoComplete="current-password"
          required
          data-autofocus={knownEmail !== undefined || undefined}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        {asksOrganization && (
          <TextInput
            label={t`Organization number`}
            description={t`This email and password work for several organizations.`}
            inputMode="numeric"
            autoComplete="off"
            value={organizationId}
            onChange={(event) => setOrganizationId(event.currentTarget.value.replace(/\D/g, ''))}
          />
        )}
        <Button type="submit" loading={signIn.isPending} fullWidth>
          {t`Sign in`}
        </Button>
      </Stack>
    </form>
  );
}

/** The password was right, and a code is needed too. */
function isHalfSignedIn(error: Error): boolean {
  return error instanceof ApiFailure && error.code === 'SECOND_FACTOR_REQUIRED';
}

function signInMessage(error: Error): string {
  if (error instanceof ApiFailure && error.status === 401) return t`Email or password is wrong.`;
  return messageOf(error);
}
