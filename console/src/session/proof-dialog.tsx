import { Box, Modal, PasswordInput, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { t } from '../words/words.ts';
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
    <Modal opened onClose={() => onAnswer(false)} title={t`Is it you?`} zIndex={300}>
      <Text size="sm" mb="md">
        {asksCode
          ? t`Confirm your password and a code. We won't ask again for 10 minutes.`
          : t`Confirm your password. We won't ask again for 10 minutes.`}
      </Text>
      <ServerForm
        submit={t`Continue`}
        refused={t`Not confirmed`}
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
              label={t`Password`}
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
          <CompanyButton label={t`Sign in again with your company's account`} isFresh />
          <Text size="sm" c="dimmed" mt="xs">
            {t`You will leave this page, and unsaved changes are lost.`}
          </Text>
        </Box>
      )}
      {(passkeys.data?.length ?? 0) > 0 && (
        <Box mt="md">
          <PasskeyButton label={t`Use a passkey`} onUse={proveByPasskey} onDone={() => onAnswer(true)} />
        </Box>
      )}
    </Modal>
  );
}
