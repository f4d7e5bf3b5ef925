import { Anchor, Stack, Text } from '@mantine/core';
import { api } from '../api.ts';
import { reloadWithoutAsking } from '../parts/unsaved-work.ts';
import { Entrance } from './entrance.tsx';
import { tellOtherTabs } from './session-news.ts';
import { SetUpApp } from './set-up-app.tsx';

/** For people whose role needs a second factor and who have none: nothing else is open to them. */
export default function MustSetUpPage({ name, onDone }: { name: string; onDone: () => Promise<void> }) {
  const signOut = async () => {
    await api.DELETE('/staff/v1/sessions/current');
    tellOtherTabs();
    reloadWithoutAsking();
  };
  return (
    <Entrance title="Set up a second factor" hint={`${name}, your shop asks for it.`}>
      <Stack>
        <SetUpApp onDone={() => void onDone()} />
        <Text size="sm" c="dimmed">
          Until then you cannot do anything else.{' '}
          <Anchor component="button" type="button" size="sm" onClick={() => void signOut()}>
            Sign out
          </Anchor>
        </Text>
      </Stack>
    </Entrance>
  );
}
