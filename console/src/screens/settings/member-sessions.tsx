import { Modal, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { t } from '../../words/words.ts';
import { SessionRow } from '../account/session-card.tsx';

/** Where a colleague is signed in; an owner ends what should not be. */
export function MemberSessions({
  staffId,
  name,
  onClose,
}: {
  staffId: number;
  name: string;
  onClose: () => void;
}) {
  const queryKey = ['staff-sessions', staffId];
  const sessions = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/staff/{staffId}/sessions', { params: { path: { staffId } }, signal })),
  });
  return (
    <Modal opened onClose={onClose} title={t`Where ${name} is signed in`} size="lg">
      {sessions.error && <LoadFailure error={sessions.error} onRetry={() => sessions.refetch()} />}
      {!sessions.error && !sessions.data && <Skeleton height={72} />}
      {sessions.data?.length === 0 && <Text size="sm">{t`Not signed in anywhere.`}</Text>}
      <Stack>
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} queryKey={queryKey} />
        ))}
      </Stack>
    </Modal>
  );
}
