import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { codesInWords, RecoveryCodeRenewal } from '../../session/recovery-code-renewal.tsx';
import { SetUpApp } from '../../session/set-up-app.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { PasskeyCard } from './passkey-card.tsx';
import { PinCard } from './pin-card.tsx';
import { SessionCard } from './session-card.tsx';

/** How the signed-in person proves who they are. */
export function Component() {
  return (
    <Page kind="form">
      <PageHeader title={t`Your sign-in`}>{t`How you prove it is you.`}</PageHeader>
      <Stack>
        <PasskeyCard />
        <SecondFactorCard />
        <PinCard />
        <SessionCard />
      </Stack>
    </Page>
  );
}

const factorKey = ['me', 'second-factor'];

function SecondFactorCard() {
  const factor = useQuery({
    queryKey: factorKey,
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/me/second-factor', { signal })),
  });
  return (
    <SectionCard
      title={t`Authenticator app`}
      hint={t`Signing in then asks for your password and for a code from an app on your phone.`}
    >
      {factor.error && <LoadFailure error={factor.error} onRetry={() => factor.refetch()} />}
      {!factor.error && !factor.data && <Skeleton height={72} />}
      {factor.data && <SecondFactorState factor={factor.data} />}
    </SectionCard>
  );
}

type SecondFactor = Schema['SecondFactor'];
type Opened = 'set-up' | 'remove' | null;

function SecondFactorState({ factor }: { factor: SecondFactor }) {
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState<Opened>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: factorKey });
  const close = () => {
    setOpened(null);
    refresh();
  };
  return (
    <>
      {factor.totpAddedAt === null ? (
        <Group justify="space-between">
          <StatusBadge status="off" tone="waiting" />
          <Button onClick={() => setOpened('set-up')}>{t`Set up`}</Button>
        </Group>
      ) : (
        <Stack>
          <Group gap="sm">
            <StatusBadge status="on" tone="good" />
            <Text size="sm">
              {rich`Since ${<ShopTime at={factor.totpAddedAt} style="date" />}. ${codesInWords(factor.recoveryCodesLeft)}`}
            </Text>
          </Group>
          <Group justify="flex-end">
            <RecoveryCodeRenewal />
            <Button variant="default" onClick={() => setOpened('remove')}>
              {t`Remove`}
            </Button>
          </Group>
        </Stack>
      )}
      <Modal
        opened={opened === 'set-up'}
        onClose={close}
        title={t`Set up an authenticator app`}
        closeOnClickOutside={false}
      >
        {opened === 'set-up' && <SetUpApp onDone={close} onCancel={close} />}
      </Modal>
      <ConfirmDialog
        opened={opened === 'remove'}
        title={t`Remove the authenticator app?`}
        action={t`Remove`}
        isDangerous
        onClose={() => setOpened(null)}
        onConfirm={async () => {
          await api.DELETE('/staff/v1/me/totp');
          notifyDone(t`Your authenticator app is removed.`);
          refresh();
        }}
      >
        {t`Then your password alone signs you in, and the recovery codes no longer work.`}
      </ConfirmDialog>
    </>
  );
}
