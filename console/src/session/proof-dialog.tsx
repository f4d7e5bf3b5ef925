import { Modal, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { Field, ServerForm } from '../parts/server-form.tsx';
import { CodeInput } from './code-input.tsx';
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
    </Modal>
  );
}
