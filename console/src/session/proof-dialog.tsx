import { Box, Modal, PasswordInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { CodeInput } from './code-input.tsx';
import { CompanyButton } from './company-button.tsx';
import { knownCompany } from './company-link.ts';
import { proveByPasskey } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';
import type { ProofNeeds } from './proof-request.ts';

/** Asks for the password again, and for a code of people who have a second factor. */
export default function ProofDialog({
  needs,
  onAnswer,
}: {
  needs: ProofNeeds;
  onAnswer: (isProven: boolean) => void;
}) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const passkeys = useQuery({
    queryKey: ['me', 'passkeys'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/me/passkeys', { signal })),
  });
  const asksCode = needs === 'password-and-code';
  return (
    <Modal opened onClose={() => onAnswer(false)} title="Is it you?" zIndex={300}>
      <Text size="sm" mb="md">
        This needs your {asksCode ? 'password and a code' : 'password'} again. It then holds for ten minutes.
      </Text>
      <ServerForm
        submit="Continue"
        refused="Not confirmed"
        isReady={password !== '' && (!asksCode || code.trim().length >= 6)}
        onCancel={() => onAnswer(false)}
        onSubmit={() =>
          api.POST('/staff/v1/me/proof', {
            body: { password, ...(asksCode && { code: code.trim() }) },
          })
        }
        onDone={() => onAnswer(true)}
      >
        <Field path="password">
          {(error) => (
            <PasswordInput
              label="Password"
              autoComplete="current-password"
              data-autofocus
              error={error}
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
            />
          )}
        </Field>
        {asksCode && <CodeInput code={code} onChange={setCode} />}
      </ServerForm>
      {knownCompany() !== null && (
        <Box mt="md">
          <CompanyButton label="Sign in again with your company's account" isFresh />
          <Text size="sm" c="dimmed" mt="xs">
            It leaves this page: what is not saved is lost.
          </Text>
        </Box>
      )}
      {(passkeys.data?.length ?? 0) > 0 && (
        <Box mt="md">
          <PasskeyButton label="Use a passkey" onUse={proveByPasskey} onDone={() => onAnswer(true)} />
        </Box>
      )}
    </Modal>
  );
}
