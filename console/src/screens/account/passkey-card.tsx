import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { NewPasskey } from '../../session/new-passkey.tsx';
import { hasPasskeys } from '../../session/passkey.ts';
import { codesInWords, RecoveryCodeRenewal } from '../../session/recovery-code-renewal.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type Passkey = Schema['Passkey'];

const key = ['me', 'passkeys'];

/** The passkeys of the person. */
export function PasskeyCard() {
  const queryClient = useQueryClient();
  const passkeys = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/me/passkeys', { signal })),
  });
  // With an app as well, its card has the codes.
  const factor = useQuery({
    queryKey: ['me', 'second-factor'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/me/second-factor', { signal })),
  });
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Passkey | null>(null);
  const refresh = () => void queryClient.invalidateQueries({ queryKey: ['me'] });
  return (
    <SectionCard
      title={t`Passkeys`}
      hint={t`Sign in with your fingerprint, face or a security key instead of password and code.`}
    >
      {passkeys.error && <LoadFailure error={passkeys.error} onRetry={() => passkeys.refetch()} />}
      {!passkeys.error && !passkeys.data && <Skeleton height={72} />}
      <Stack>
        {passkeys.data?.map((passkey) => (
          <Group key={passkey.id} justify="space-between" wrap="nowrap">
            <div>
              <Text size="sm">{passkey.name}</Text>
              <Text size="sm" c="dimmed">
                {passkey.lastUsedAt === null
                  ? t`Not used yet`
                  : rich`Last used ${<ShopTime at={passkey.lastUsedAt} />}`}
              </Text>
            </div>
            <Button
              variant="default"
              size="sm"
              aria-label={t`Remove the passkey ${passkey.name}`}
              onClick={() => setRemoved(passkey)}
            >
              {t`Remove`}
            </Button>
          </Group>
        ))}
        {(passkeys.data?.length ?? 0) > 0 && factor.data?.totpAddedAt === null && (
          <Group justify="space-between">
            <Text size="sm">{t`For when the device is lost: ${codesInWords(factor.data.recoveryCodesLeft)}`}</Text>
            <RecoveryCodeRenewal />
          </Group>
        )}
        {hasPasskeys() ? (
          <Group justify="flex-end">
            <Button variant="default" onClick={() => setAdding(true)}>
              {t`Add a passkey`}
            </Button>
          </Group>
        ) : (
          <Text size="sm">{t`This browser does not allow passkeys on this page.`}</Text>
        )}
      </Stack>
      <Modal opened={isAdding} onClose={() => setAdding(false)} title={t`Add a passkey`}>
        {isAdding && (
          <NewPasskey
            onCancel={() => setAdding(false)}
            onDone={() => {
              setAdding(false);
              notifyDone(t`The passkey signs you in from now on.`);
              refresh();
            }}
          />
        )}
      </Modal>
      <ConfirmDialog
        opened={removed !== null}
        title={t`Remove the passkey?`}
        action={t`Remove`}
        isDangerous
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          await api.DELETE('/staff/v1/me/passkeys/{passkeyId}', {
            params: { path: { passkeyId: removed!.id } },
          });
          notifyDone(t`The passkey is removed.`);
          refresh();
        }}
      >
        {t`It no longer signs you in. Delete it on the device as well.`}
      </ConfirmDialog>
    </SectionCard>
  );
}
