import { Badge, Button, FileButton, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { MoveFileColumns } from './move-file-columns.tsx';
import { fileKindWords, moveKey, runWords, uploadColors, uploadWords } from './move-words.ts';

type Upload = Schema['MoveFile'];
type Kind = Upload['kind'];

const kinds = Object.entries(fileKindWords).map(([value, label]) => ({ value, label }));

/** Files of the previous system: sent, their columns corrected, checked or loaded in the background, with every refused row. */
export function MoveUploads({ of: uploads, isOpen }: { of: readonly Upload[]; isOpen: boolean }) {
  const isBusy = uploads.some(({ status }) => status === 'loading');
  return (
    <SectionCard
      title={t`Load files`}
      hint={t`CSV or JSON, as the previous system exports it. Rows that are already here stay as they are; load products before packages.`}
    >
      <Stack>
        {isOpen && <Send />}
        {uploads.map((upload) => (
          <Shown key={upload.id} of={upload} isBusy={isBusy} />
        ))}
      </Stack>
    </SectionCard>
  );
}

function Send() {
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>('products');
  const upload = useWrite({
    mutationFn: (file: File) =>
      dataOf(
        api.POST('/staff/v1/move/files', {
          params: { query: { kind, fileName: file.name } },
          // The request body is the file itself.
          body: file as unknown as string,
          bodySerializer: (body: unknown) => body as File,
          headers: { 'Content-Type': 'application/octet-stream' },
        }),
      ),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: moveKey }),
  });
  return (
    <Group align="end">
      <Select
        label={t`What is in the file?`}
        data={kinds}
        value={kind}
        allowDeselect={false}
        onChange={(value) => setKind((value ?? 'products') as Kind)}
      />
      <FileButton
        accept=".csv,.tsv,.tab,.txt,.json,.ndjson,.jsonl"
        onChange={(file) => file && upload.mutate(file)}
        inputProps={{ 'aria-label': t`File` }}
      >
        {(props) => (
          <Button {...props} variant="default" loading={upload.isPending}>
            {t`Choose a file`}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

const problemsShownMax = 50;

function Shown({ of: upload, isBusy }: { of: Upload; isBusy: boolean }) {
  const { kind, name, status, run, progress, failure, problems, ...counts } = upload;
  const [showsColumns, setShowsColumns] = useState(false);
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Text size="sm">{fileKindWords[kind]}</Text>
        <Badge size="sm" radius="sm" variant="light" color={uploadColors[status]}>
          {status === 'loading' ? `${progress} %` : status === 'done' ? runWords[run!] : uploadWords[status]}
        </Badge>
        {upload.hasContent && status !== 'loading' && (
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={showsColumns}
              onClick={() => setShowsColumns(!showsColumns)}
            >
              {t`Columns`}
            </Button>
            <Runs of={upload} isBusy={isBusy} />
          </>
        )}
      </Group>
      {status !== 'ready' && (
        <Text size="sm" c="dimmed">
          {t`Read`} {counts.read} · {t`New`} {counts.created} · {t`Here already`} {counts.known} ·{' '}
          {t`Refused`} {counts.refused}
        </Text>
      )}
      {failure !== null && <Text size="sm">{failure}</Text>}
      {showsColumns && upload.hasContent && <MoveFileColumns of={upload} />}
      {problems.length > 0 && (
        <Table withTableBorder>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Line`}</Table.Th>
              <Table.Th>{t`Column`}</Table.Th>
              <Table.Th>{t`What is wrong`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {problems.slice(0, problemsShownMax).map(({ line, column, message }) => (
              <Table.Tr key={`${line} ${column} ${message}`}>
                <Table.Td>{line}</Table.Td>
                <Table.Td>{column}</Table.Td>
                <Table.Td>{message}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </div>
  );
}

function Runs({ of: { id }, isBusy }: { of: Upload; isBusy: boolean }) {
  const client = useQueryClient();
  const start = useWrite({
    mutationFn: (dryRun: boolean) =>
      dataOf(
        api.POST('/staff/v1/move/files/{moveFileId}/runs', {
          params: { path: { moveFileId: id } },
          body: { dryRun },
        }),
      ),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: moveKey }),
  });
  return (
    <>
      <Button size="compact-sm" variant="subtle" disabled={isBusy} onClick={() => start.mutate(true)}>
        {t`Check only`}
      </Button>
      <Button size="compact-sm" variant="light" disabled={isBusy} onClick={() => start.mutate(false)}>
        {t`Load into the shop`}
      </Button>
    </>
  );
}
