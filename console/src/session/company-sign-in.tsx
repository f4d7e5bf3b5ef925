import { Alert, Button, Loader, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { ApiFailure, api, dataOf } from '../api.ts';
import { messageOf } from '../parts/load-failure.tsx';
import { t } from '../words/words.ts';
import { Entrance } from './entrance.tsx';
import { tellOtherTabs } from './session-news.ts';

const SecondStep = lazy(() => import('./second-step.tsx'));

const start = '/console/';

/** Sends what the identity provider has answered, once, and opens the console. */
export function CompanySignIn() {
  // The address keeps the answer no longer than that.
  const [answer] = useState(() => {
    const { searchParams } = new URL(window.location.href);
    window.history.replaceState(null, '', window.location.pathname);
    return searchParams;
  });
  const text = (name: string) => answer.get(name) ?? undefined;
  const finish = useQuery({
    queryKey: ['company-sign-in'],
    queryFn: () => {
      const [state = '', code, iss, error] = ['state', 'code', 'iss', 'error'].map(text);
      const body = { state, ...(code && { code }), ...(iss && { iss }), ...(error && { error }) };
      return dataOf(api.POST('/staff/v1/sessions/identity', { body })).then((signed) => {
        done();
        return signed;
      });
    },
    // It works once.
    ...{ retry: false, staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    ...{ refetchOnWindowFocus: false, refetchOnReconnect: false },
  });
  const done = () => {
    tellOtherTabs();
    window.location.replace(start);
  };
  const half = finish.error instanceof ApiFailure && finish.error.code === 'SECOND_FACTOR_REQUIRED';
  const [overReason, setOverReason] = useState<string | null>(null);
  if (half && overReason === null) {
    const { meta } = finish.error as ApiFailure;
    return (
      <Entrance title={t`Sign in`} hint={t`The staff console of your shop.`}>
        <Suspense>
          <SecondStep
            signInToken={String(meta.signInToken)}
            hasPasskey={meta.passkey === true}
            onDone={done}
            onOver={(reason) => setOverReason(reason ?? t`You are not signed in.`)}
          />
        </Suspense>
      </Entrance>
    );
  }
  return (
    <Entrance title={t`Sign in`} hint={t`With your company's account.`}>
      {finish.error ? (
        <Stack>
          <Alert color="red" role="alert" title={t`Not signed in`}>
            {overReason ?? messageOf(finish.error)}
          </Alert>
          <Button component="a" href={start} fullWidth>
            {t`Back to sign-in`}
          </Button>
        </Stack>
      ) : (
        <Loader aria-label={t`Signing in`} />
      )}
    </Entrance>
  );
}
