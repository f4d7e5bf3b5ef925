import { Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../api.ts';
import { LoadFailure } from '../parts/load-failure.tsx';
import { ServerForm } from '../parts/server-form.tsx';
import { rich } from '../words/rich.ts';
import { t } from '../words/words.ts';
import { CodeInput } from './code-input.tsx';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodeList } from './recovery-code-list.tsx';

/** Sets up an authenticator app: its QR code, the first code, then the recovery codes. */
export function SetUpApp({ onDone, onCancel }: { onDone: () => void; onCancel?: () => void }) {
  // A secret is shown once: it is asked for when the form opens, and forgotten when it closes.
  const begun = useQuery({
    queryKey: ['totp-secret'],
    queryFn: () => dataOf(api.POST('/staff/v1/me/totp')),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodeList codes={codes} onDone={onDone} />;
  if (begun.error) return <LoadFailure error={begun.error} onRetry={() => begun.refetch()} />;
  if (!begun.data) return <Skeleton height={320} />;
  const { secret, uri } = begun.data;
  return (
    <Stack>
      <Text size="sm">
        {t`Scan this code with an authenticator app on your phone, then enter the six digits that it shows.`}
      </Text>
      <Group justify="center">
        <QrCode text={uri} label={t`QR code for your authenticator app`} />
      </Group>
      <Text size="sm">
        {rich`The camera does not work? Enter this key in the app: ${<Code>{secret.match(/.{1,4}/g)?.join(' ')}</Code>}`}
      </Text>
      <ServerForm
        submit={t`Turn on`}
        refused={t`Not turned on`}
        isReady={code.trim().length >= 6}
        {...(onCancel && { onCancel })}
        onSubmit={async () => {
          const body = { code: code.trim() };
          const confirmed = await dataOf(api.POST('/staff/v1/me/totp/confirm', { body }));
          setCodes(confirmed.recoveryCodes);
        }}
      >
        <CodeInput code={code} onChange={setCode} takesRecoveryCode={false} isFirst />
      </ServerForm>
    </Stack>
  );
}
