import { Alert, Button, Stack, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { api, dataOf } from '../api.ts';
import { messageOf } from '../parts/load-failure.tsx';
import { useWrite } from '../parts/use-write.ts';
import { t } from '../words/words.ts';
import { knownCompany, rememberCompany } from './company-link.ts';

/**
 * Leads to the identity provider of the company, which leads back. `isFresh`: the person proves there who they are, even if they
 * are signed in there.
 */
export function CompanyButton({ label, isFresh = false }: { label: string; isFresh?: boolean }) {
  const known = knownCompany();
  const [isAsked, setAsked] = useState(false);
  const [number, setNumber] = useState('');
  const begin = useWrite({
    mutationFn: (organizationId: number) =>
      dataOf(
        api.POST('/staff/v1/identity-sign-ins', { body: { organizationId, ...(isFresh && { isFresh }) } }),
      ).then(({ url }) => ({ url, organizationId })),
    onSuccess: ({ url, organizationId }) => {
      rememberCompany(organizationId);
      window.location.assign(url);
    },
  });
  const send = (event: SubmitEvent) => {
    event.preventDefault();
    begin.mutate(Number(number));
  };
  return (
    <form onSubmit={send}>
      <Stack gap="xs">
        {begin.error && (
          <Alert color="red" role="alert" title={t`Not signed in`}>
            {messageOf(begin.error)}
          </Alert>
        )}
        {isAsked && (
          <TextInput
            label={t`Organization number`}
            description={t`An owner finds it under Settings, Sign-in.`}
            inputMode="numeric"
            autoComplete="off"
            required
            data-autofocus
            value={number}
            onChange={(event) => setNumber(event.currentTarget.value.replace(/\D/g, ''))}
          />
        )}
        <Button
          type={isAsked ? 'submit' : 'button'}
          variant="default"
          fullWidth
          loading={begin.isPending}
          onClick={isAsked ? undefined : () => (known === null ? setAsked(true) : begin.mutate(known))}
        >
          {label}
        </Button>
      </Stack>
    </form>
  );
}
