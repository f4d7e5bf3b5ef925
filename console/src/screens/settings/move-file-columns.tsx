import { Button, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { ColumnMeaning } from '../../parts/column-meaning.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { fieldOf, moveFieldWords, ownMapping, withField } from './move-field-words.ts';
import { moveKey } from './move-words.ts';

type Upload = Schema['MoveFile'];
type Look = Schema['MoveFileLook'];

/** What the columns of a file mean, with samples, as guessed or as people have said. */
export function MoveFileColumns({ of: upload }: { of: Upload }) {
  const look = useQuery({
    queryKey: ['move-file-looks', upload.id],
    queryFn: () =>
      dataOf(
        api.GET('/staff/v1/move/files/{moveFileId}/look', { params: { path: { moveFileId: upload.id } } }),
      ),
  });
  if (look.isPending) return <Skeleton h={160} />;
  if (look.error) return <LoadFailure error={look.error} onRetry={() => void look.refetch()} />;
  return <Columns key={upload.updatedAt} of={upload} look={look.data} />;
}

function Columns({ of: upload, look }: { of: Upload; look: Look }) {
  const client = useQueryClient();
  const saved = upload.mapping ?? ownMapping(look);
  const [draft, setDraft] = useState(saved);
  const save = useWrite({
    mutationFn: () =>
      dataOf(
        api.PUT('/staff/v1/move/files/{moveFileId}/mapping', {
          params: { path: { moveFileId: upload.id } },
          headers: ifUnchanged(upload.updatedAt),
          body: { mapping: draft },
        }),
      ),
    onSuccess: () => notifyDone(t`The columns are saved.`),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: moveKey }),
  });
  const fields = look.meanings.map(({ field }) => ({ value: field, label: moveFieldWords[field] }));
  return (
    <Stack gap="sm">
      {look.doubts
        .filter(({ column }) => !look.columns.some(({ name }) => name === column))
        .map(({ column, message }) => (
          <Text key={`${column} ${message}`} size="sm">
            <strong>{column ?? t`The file`}</strong> {message}
          </Text>
        ))}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {look.columns.map((column) => (
          <ColumnMeaning
            key={column.name}
            column={column}
            data={fields}
            value={fieldOf(draft, column.name)}
            onChange={(field) => setDraft(withField(draft, column.name, field, look.meanings))}
          />
        ))}
      </SimpleGrid>
      <Group>
        <Button
          size="xs"
          disabled={draft === saved || draft.columns.length === 0}
          loading={save.isPending}
          onClick={() => save.mutate()}
        >
          {t`Save the columns`}
        </Button>
        {draft !== saved && (
          <Button size="xs" variant="default" onClick={() => setDraft(saved)}>
            {t`Discard`}
          </Button>
        )}
      </Group>
    </Stack>
  );
}
