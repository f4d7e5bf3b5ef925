import { Button, FileButton, Group, List, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { categoriesQuery } from '../../parts/menu-query.ts';
import { saveFile } from '../../parts/save-file.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { stateFilingQuery } from './state-pages-queries.ts';

type Connection = Schema['StateConnection'];
type FilingFile = Schema['StateFiling']['files'][number];

/** Faults of a file that are shown; the service has more. */
const faultsShown = 5;

/** What a license without an interface has to file: its files with their faults, and what becomes of them. */
export function StateFiling({ connection }: { connection: Connection }) {
  const { id, licenseNumber, system } = connection;
  const filing = useQuery(stateFilingQuery(id));
  const mayChange = useCan('updateStateConnection');
  const isBook = system === 'by-hand';
  return (
    <SectionCard
      title={
        isBook ? t`Book to enter, license ${licenseNumber}` : t`Files to upload, license ${licenseNumber}`
      }
      hint={
        isBook
          ? t`Enter each row in the state's forms, and say so here.`
          : t`Upload the files of a step, wait for the state's emails, then go on with the next step.`
      }
    >
      {filing.error && <LoadFailure error={filing.error} onRetry={() => filing.refetch()} />}
      {filing.data && (
        <Stack>
          <Text size="sm">{t`${filing.data.waiting} reports to file, ${filing.data.uploaded} wait for the state's answer`}</Text>
          {filing.data.files.map((file) => (
            <OneFile key={file.type} connectionId={id} until={filing.data.until} file={file} />
          ))}
          <FilingActions connectionId={id} filing={filing.data} isBook={isBook} />
          {!isBook && mayChange && <FileSettings connection={connection} />}
        </Stack>
      )}
    </SectionCard>
  );
}

function OneFile({ connectionId, until, file }: { connectionId: number; until: string; file: FilingFile }) {
  const load = useWrite({
    mutationFn: async () => {
      const { data } = await api.GET('/staff/v1/state-connections/{stateConnectionId}/filing/{fileType}', {
        params: { path: { stateConnectionId: connectionId, fileType: file.type }, query: { until } },
        parseAs: 'blob',
      });
      return data as unknown as Blob;
    },
    onSuccess: (content) => saveFile(content, file.name),
    onError: notifyError,
  });
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">{t`Step ${file.step}: ${file.type}, ${file.rows} rows`}</Text>
        <Button
          size="xs"
          variant="default"
          disabled={file.faultCount > 0}
          loading={load.isPending}
          aria-label={t`Download ${file.name}`}
          onClick={() => load.mutate()}
        >
          {t`Download`}
        </Button>
      </Group>
      {file.faultCount > 0 && (
        <List size="sm" c="red">
          {file.faults.slice(0, faultsShown).map(({ row, field, words }) => (
            <List.Item key={`${row} ${field} ${words}`}>{t`Row ${row}, ${field}: ${words}`}</List.Item>
          ))}
          {file.faultCount > faultsShown && (
            <List.Item>{t`And ${file.faultCount - faultsShown} more`}</List.Item>
          )}
        </List>
      )}
    </Stack>
  );
}

function FilingActions({
  connectionId,
  filing,
  isBook,
}: {
  connectionId: number;
  filing: Schema['StateFiling'];
  isBook: boolean;
}) {
  const queryClient = useQueryClient();
  const params = { path: { stateConnectionId: connectionId } };
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['state-reports'] });
  const note = useWrite({
    mutationFn: () => {
      const body = { until: filing.until, digest: filing.digest };
      return dataOf(
        api.POST('/staff/v1/state-connections/{stateConnectionId}/filing/uploaded', { params, body }),
      );
    },
    onSuccess: () => notifyDone(isBook ? t`The book is entered.` : t`The files are uploaded.`),
    onError: notifyError,
    onSettled: refresh,
  });
  const answer = useWrite({
    mutationFn: async (file: File) => {
      const body = { fileName: file.name, text: await file.text() };
      return dataOf(
        api.POST('/staff/v1/state-connections/{stateConnectionId}/filing/replies', { params, body }),
      );
    },
    onSuccess: ({ file, isAccepted }) =>
      notifyDone(
        isAccepted
          ? t`The state has taken ${file}.`
          : t`The state refused ${file}: the next files have it again.`,
      ),
    onError: notifyError,
    onSettled: refresh,
  });
  const isFaulty = filing.files.some(({ faultCount }) => faultCount > 0);
  return (
    <Group>
      <Button
        disabled={isFaulty || filing.files.length === 0}
        loading={note.isPending}
        onClick={() => note.mutate()}
      >
        {isBook ? t`I have entered the book` : t`I have uploaded these files`}
      </Button>
      {!isBook && (
        <FileButton onChange={(file) => file !== null && answer.mutate(file)} accept=".csv,.txt,.eml">
          {(props) => (
            <Button {...props} variant="default" loading={answer.isPending}>
              {t`Read an answer of the state`}
            </Button>
          )}
        </FileButton>
      )}
    </Group>
  );
}

/** Who submits, the area, and what the state calls the goods of each category. */
function FileSettings({ connection }: { connection: Connection }) {
  const queryClient = useQueryClient();
  const { fileSettings: before } = connection;
  const categories = useQuery(categoriesQuery);
  const [submittedBy, setSubmittedBy] = useState(before.submittedBy ?? '');
  const [area, setArea] = useState(before.area ?? '');
  const [types, setTypes] = useState<Readonly<Record<string, string>>>(before.types ?? {});
  const save = async () => {
    const { id, updatedAt, state, licenseNumber, isSandbox, isOn, adjustmentReason } = connection;
    await dataOf(
      api.PUT('/staff/v1/state-connections/{stateConnectionId}', {
        params: { path: { stateConnectionId: id } },
        headers: ifUnchanged(updatedAt),
        body: {
          ...{ state, licenseNumber, isSandbox, isOn, adjustmentReason },
          fileSettings: { submittedBy, area, types },
        },
      }),
    );
    await queryClient.invalidateQueries({ queryKey: ['state-connections'] });
    await queryClient.invalidateQueries({ queryKey: ['state-reports'] });
    notifyDone(t`The license is saved.`);
  };
  return (
    <ServerForm onSubmit={save} submit={t`Save`}>
      <TextInput
        label={t`Who submits`}
        maxLength={35}
        value={submittedBy}
        onChange={(event) => setSubmittedBy(event.currentTarget.value)}
      />
      <TextInput
        label={t`Area of the stock`}
        maxLength={75}
        value={area}
        onChange={(event) => setArea(event.currentTarget.value)}
      />
      {(categories.data ?? []).map(({ id, name }) => (
        <TextInput
          key={id}
          label={t`The state's type of ${name}`}
          description={t`Such as Usable Cannabis`}
          maxLength={60}
          value={types[id] ?? ''}
          onChange={(event) => setTypes({ ...types, [id]: event.currentTarget.value })}
        />
      ))}
    </ServerForm>
  );
}
