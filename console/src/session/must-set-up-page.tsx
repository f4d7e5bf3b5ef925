import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../api.ts';
import { reloadWithoutAsking } from '../parts/unsaved-work.ts';
import { rich } from '../words/rich.ts';
import { t } from '../words/words.ts';
import { Entrance } from './entrance.tsx';
import { NewPasskey } from './new-passkey.tsx';
import { hasPasskeys } from './passkey.ts';
import { RecoveryCodeRenewal } from './recovery-code-renewal.tsx';
import { tellOtherTabs } from './session-news.ts';
import { SetUpApp } from './set-up-app.tsx';

/** For people whose role needs a second factor and who have none: nothing else is open to them. */
export default function MustSetUpPage({ name, onDone }: { name: string; onDone: () => Promise<void> }) {
  const [way, setWay] = useState<'app' | 'passkey' | 'codes'>('app');
  const signOut = async () => {
    await api.DELETE('/staff/v1/sessions/current');
    tellOtherTabs();
    reloadWithoutAsking();
  };
  return (
    <Entrance title={t`Set up a second factor`} hint={t`${name}, your shop requires it.`}>
      <Stack>
        {way === 'app' && <SetUpApp onDone={() => void onDone()} />}
        {way === 'passkey' && <NewPasskey onDone={() => setWay('codes')} onCancel={() => setWay('app')} />}
        {way === 'codes' && (
          <>
            <Text size="sm">
              {t`The passkey signs you in from now on. Make recovery codes for the day its device is lost.`}
            </Text>
            <RecoveryCodeRenewal onDone={() => void onDone()} />
            <Button onClick={() => void onDone()}>{t`Go on`}</Button>
          </>
        )}
        {way === 'app' && hasPasskeys() && (
          <Button variant="default" onClick={() => setWay('passkey')}>
            {t`Use a passkey instead`}
          </Button>
        )}
        <Text size="sm" c="dimmed">
          {rich`Until then you cannot do anything else. ${(
            <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
              {t`Sign out`}
            </Anchor>
          )}`}
        </Text>
      </Stack>
    </Entrance>
  );
}
