import { Badge, Button, Checkbox, FileButton, Group, Select, Stack, Table, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { fileKindWords, moveKey, uploadColors, uploadWords } from './move-words.ts';

type Upload = Schema['MoveFile'];
type Kind = Upload['kind'];

const kinds = Object.entries(fileKindWords).map(([value, label]) => ({ value, label }));

/** Files of the former till: sent, checked or loaded in the background, with every refused row. */
export function MoveUploads({ of: uploads, isOpen }: { of: readonly Upload[]; isOpen: boolean }) {
  return (
    <SectionCard
      title={t`Load files`}
      hint={t`CSV or JSON, as the previous system exports it. Rows that are already here stay as they are; load products before packages.`}
    >
      <Stack>
        {isOpen && <Send isBusy={uploads.some(({ status }) => status === 'loading')} />}
        {uploads.map((upload) => (
          <Shown key={upload.id} of={upload} />
        ))}
      </Stack>
    </SectionCard>
  );
}

function Send({ isBusy }: { isBusy: boolean }) {
  const client = useQueryClient();
  const [kind, setKind] = useState<Kind>('products');
  const [dryRun, setDryRun] = useState(true);
  const upload = useWrite({
    mutationFn: (file: File) =>
      dataOf(
        api.POST('/staff/v1/move/files', {
          params: { query: { kind, fileName: file.name, dryRun } },
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
      <Checkbox
        mb="xs"
        label={t`Check only`}
        checked={dryRun}
        onChange={(event) => setDryRun(event.currentTarget.checked)}
      />
      <FileButton
        accept=".csv,.tsv,.tab,.txt,.json,.ndjson,.jsonl"
        onChange={(file) => file && upload.mutate(file)}
        inputProps={{ 'aria-label': t`File` }}
      >
        {(props) => (
          <Button {...props} variant="default" disabled={isBusy} loading={upload.isPending}>
            {t`Choose a file`}
          </Button>
        )}
      </FileButton>
    </Group>
  );
}

const problemsShownMax = 50;

function Shown({
  of: { kind, name, dryRun, status, progress, failure, problems, ...counts },
}: {
  of: Upload;
}) {
  return (
    <div>
      <Group gap="xs">
        <Text fw={600}>{name}</Text>
        <Text size="sm">{fileKindWords[kind]}</Text>
        <Badge size="sm" radius="sm" variant="light" color={uploadColors[status]}>
          {status === 'loading' ? `${progress} %` : dryRun ? t`Checked only` : uploadWords[status]}
        </Badge>
      </Group>
      <Text size="sm" c="dimmed">
        {t`Read`} {counts.read} · {t`New`} {counts.created} · {t`Here already`} {counts.known} · {t`Refused`}{' '}
        {counts.refused}
      </Text>
      {failure !== null && <Text size="sm">{failure}</Text>}
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
