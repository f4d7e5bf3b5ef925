import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';

type OpenSession = Schema['StaffSession'];

const key = ['me', 'sessions'];

/** Where the person is signed in now; each other session can be ended. */
export function SessionCard() {
  const sessions = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/me/sessions', { signal })),
  });
  return (
    <SectionCard
      title={t`Where you are signed in`}
      hint={t`End any session you do not know, and change your password.`}
    >
      {sessions.error && <LoadFailure error={sessions.error} onRetry={() => sessions.refetch()} />}
      {!sessions.error && !sessions.data && <Skeleton height={72} />}
      <Stack>
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} queryKey={key} />
        ))}
      </Stack>
    </SectionCard>
  );
}

/** A session with its device and place, and a button that ends it; `queryKey` is that of the list. */
export function SessionRow({ session, queryKey }: { session: OpenSession; queryKey: readonly unknown[] }) {
  const queryClient = useQueryClient();
  const device = deviceInWords(session.userAgent);
  const end = useWrite({
    mutationFn: () =>
      api.DELETE('/staff/v1/staff-sessions/{sessionId}', { params: { path: { sessionId: session.id } } }),
    onSuccess: () => {
      notifyDone(t`The session is ended.`);
      void queryClient.invalidateQueries({ queryKey });
    },
    onError: notifyError,
  });
  return (
    <Group justify="space-between" wrap="nowrap">
      <div>
        <Text size="sm">
          {device}
          {session.isCurrent && t`, this one`}
        </Text>
        <Text size="sm" c="dimmed">
          {rich`${session.networkAddress ?? t`Address not known`}, last used ${<ShopTime at={session.lastUsedAt} />}`}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button variant="default" size="sm" loading={end.isPending} onClick={() => end.mutate()}>
          {t`End`}
        </Button>
      )}
    </Group>
  );
}

const browsers = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const;
const systems = [
  [/\b(?:iPhone|iPad)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
] as const;

/** `Chrome on Windows`; a program by its own name. */
function deviceInWords(userAgent: string | null): string {
  if (userAgent === null) return t`Unknown device`;
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser === undefined) return userAgent.slice(0, 60);
  return system === undefined ? browser : t`${browser} on ${system}`;
}
