import { Anchor, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiFailure, api } from '../api.ts';
import { ServerForm } from '../parts/server-form.tsx';
import { t } from '../words/words.ts';
import { CodeInput } from './code-input.tsx';
import { signInWithPasskey } from './passkey.ts';
import { PasskeyButton } from './passkey-button.tsx';

/** The second step of signing in: a code. `onOver`: the time for it has passed, or the person goes back. */
export default function SecondStep({
  signInToken,
  hasPasskey,
  onDone,
  onOver,
}: {
  signInToken: string;
  hasPasskey: boolean;
  onDone: () => void;
  onOver: (reason: string | null) => void;
}) {
  const [code, setCode] = useState('');
  const send = async () => {
    try {
      await api.POST('/staff/v1/sessions/second-factor', { body: { signInToken, code: code.trim() } });
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.status !== 401) throw error;
      onOver(t`The code has timed out. Sign in again.`);
      return;
    }
    onDone();
  };
  return (
    <Stack gap="md">
      <Text size="sm">{t`Your password is right. Now enter a code to finish signing in.`}</Text>
      <ServerForm
        submit={t`Sign in`}
        refused={t`Not signed in`}
        isReady={code.trim().length >= 6}
        onSubmit={send}
      >
        <CodeInput code={code} onChange={setCode} isFirst />
      </ServerForm>
      {hasPasskey && (
        <PasskeyButton
          label={t`Use a passkey`}
          onUse={() => signInWithPasskey(signInToken)}
          onDone={onDone}
        />
      )}
      <Text size="sm" c="dimmed">
        {t`Lost your phone? Use a recovery code, or ask an owner to remove your second factor.`}
      </Text>
      <Anchor component="button" type="button" size="sm" onClick={() => onOver(null)}>
        {t`Back to sign-in`}
      </Anchor>
    </Stack>
  );
}
