import { Alert, Badge, Button, Group, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { MoveUploads } from './move-uploads.tsx';
import {
  checkWords,
  moveKey,
  resultColors,
  resultWords,
  statusWords,
  stepsOf,
  stepWords,
} from './move-words.ts';

type Move = Schema['Move'];
type Check = Move['checks'][number];

/** The move from another till: its files, the numbers of its checks, who signed them, and its steps. */
export function Component() {
  const move = useQuery({
    queryKey: moveKey,
    queryFn: () => dataOf(api.GET('/staff/v1/move', {})),
    // While a file is loading.
    refetchInterval: ({ state: { data } }) =>
      data?.uploads.some(({ status }) => status === 'loading') === true ? 1_000 : false,
  });
  return (
    <Page>
      <PageHeader title={t`Move from another system`}>
        {t`Every point, price and day is compared before your shop sells here.`}
      </PageHeader>
      {move.isError && <LoadFailure error={move.error} onRetry={() => void move.refetch()} />}
      {move.isPending && <Skeleton h={320} />}
      {move.data &&
        (move.data.move === null ? <Begin /> : <Shown of={move.data.move} uploads={move.data.uploads} />)}
    </Page>
  );
}

/** Writes, and shows the move as it is then. */
function useMoveWrite<Body>(write: (body: Body) => Promise<Move>) {
  const client = useQueryClient();
  return useWrite({
    mutationFn: write,
    onSuccess: () => client.invalidateQueries({ queryKey: moveKey }),
    onError: (error) => notifyError(error),
  });
}

function Begin() {
  const [till, setTill] = useState('');
  const begin = useMoveWrite((name: string) => dataOf(api.POST('/staff/v1/move', { body: { till: name } })));
  return (
    <SectionCard
      title={t`Begin`}
      hint={t`Then load the previous system's files, here or with the service operator's help.`}
    >
      <Group align="end">
        <TextInput
          label={t`Previous system`}
          value={till}
          maxLength={40}
          onChange={(event) => setTill(event.currentTarget.value)}
        />
        <Button disabled={till.trim() === ''} loading={begin.isPending} onClick={() => begin.mutate(till)}>
          {t`Begin the move`}
        </Button>
      </Group>
    </SectionCard>
  );
}

function Shown({ of: move, uploads }: { of: Move; uploads: readonly Schema['MoveFile'][] }) {
  const check = useMoveWrite((_: null) => dataOf(api.POST('/staff/v1/move/checks', {})));
  const step = useMoveWrite((name: (typeof stepsOf)[Move['status']][number]) =>
    dataOf(api.POST('/staff/v1/move/steps', { body: { step: name } })),
  );
  return (
    <Stack>
      <Alert color={move.status === 'live' ? 'teal' : 'blue'} title={move.till}>
        {statusWords[move.status]}
      </Alert>
      <Group>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate(null)}>
          {t`Compare now`}
        </Button>
        {stepsOf[move.status].map((name) => (
          <Button key={name} variant="light" loading={step.isPending} onClick={() => step.mutate(name)}>
            {stepWords[name]}
          </Button>
        ))}
        {move.checkedAt !== null && (
          <Text size="sm" c="dimmed">
            {t`Last compared`} <ShopTime at={move.checkedAt} />
          </Text>
        )}
      </Group>
      <MoveUploads of={uploads} isOpen={move.status === 'open' || move.status === 'frozen'} />
      <Trial of={move} uploads={uploads} />
      <Files of={move.files} />
      {move.checks.length > 0 && <Checks of={move.checks} />}
      {move.discounts.length > 0 && <Discounts of={move.discounts} />}
      {(move.status === 'returned' || move.status === 'canceled') && <Begin />}
    </Stack>
  );
}

/** The files in a sandbox of the shop, and the checks there. */
function Trial({ of: { trial, status }, uploads }: { of: Move; uploads: readonly Schema['MoveFile'][] }) {
  const start = useMoveWrite((_: null) => dataOf(api.POST('/staff/v1/move/trial', {})));
  const isOpen = status === 'open' || status === 'frozen';
  const isBusy = uploads.some((upload) => upload.status === 'loading');
  if (!isOpen && trial === null) return null;
  return (
    <SectionCard
      title={t`Trial in a sandbox`}
      hint={t`Every uploaded file is loaded into an empty copy of your shop, and compared there. Nothing of your shop changes.`}
    >
      <Stack>
        <Group>
          {isOpen && (
            <Button
              variant="default"
              disabled={isBusy || !uploads.some(({ hasContent }) => hasContent)}
              loading={start.isPending}
              onClick={() => start.mutate(null)}
            >
              {t`Try all files`}
            </Button>
          )}
          {trial !== null && (
            <Text size="sm" c="dimmed">
              {trial.checkedAt === null ? t`Under way since` : t`Tried`}{' '}
              <ShopTime at={trial.checkedAt ?? trial.startedAt} />
            </Text>
          )}
        </Group>
        {trial !== null && trial.files.length > 0 && <FileTable of={trial.files} />}
        {trial !== null && trial.checks.length > 0 && <CheckTable of={trial.checks} />}
      </Stack>
    </SectionCard>
  );
}

function Files({ of: files }: { of: Move['files'] }) {
  return (
    <SectionCard title={t`Files`} hint={t`A file that is loaded again replaces the earlier one.`}>
      <FileTable of={files} />
    </SectionCard>
  );
}

function FileTable({ of: files }: { of: Move['files'] }) {
  return (
    <Table withTableBorder>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`File`}</Table.Th>
          <Table.Th>{t`Rows`}</Table.Th>
          <Table.Th>{t`Refused`}</Table.Th>
          <Table.Th>{t`Points`}</Table.Th>
          <Table.Th>{t`Store credit`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {files.map((file) => (
          <Table.Tr key={`${file.kind} ${file.name}`}>
            <Table.Td>{file.name}</Table.Td>
            <Table.Td>{file.read}</Table.Td>
            <Table.Td>{file.refused}</Table.Td>
            <Table.Td>{file.points}</Table.Td>
            <Table.Td>{dollars(file.credit)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Discounts({ of: discounts }: { of: Move['discounts'] }) {
  return (
    <SectionCard
      title={t`Discounts of the previous system`}
      hint={t`No system exports a discount's whole rule. Set up under Discounts what you want to keep.`}
    >
      <Table withTableBorder>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Discount`}</Table.Th>
            <Table.Th>{t`Codes`}</Table.Th>
            <Table.Th>{t`Uses`}</Table.Th>
            <Table.Th>{t`Taken off`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {discounts.map(({ name, codes, uses, amount }) => (
            <Table.Tr key={name}>
              <Table.Td>{name}</Table.Td>
              <Table.Td>{codes.join(', ')}</Table.Td>
              <Table.Td>{uses}</Table.Td>
              <Table.Td>{dollars(amount)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}

function Checks({ of: checks }: { of: readonly Check[] }) {
  return (
    <SectionCard
      title={t`Checks`}
      hint={t`Each has to pass, or a person signs it, before your shop sells here.`}
    >
      <CheckTable of={checks} signature={(check) => <Signature of={check} />} />
    </SectionCard>
  );
}

type Compared = Omit<Check, 'signedBy' | 'signedAt' | 'note'>;

function CheckTable<Row extends Compared>({
  of: checks,
  signature,
}: {
  of: readonly Row[];
  signature?: (check: Row) => ReactNode;
}) {
  return (
    <Table withTableBorder>
      <Table.Tbody>
        {checks.map((check) => (
          <Table.Tr key={check.check}>
            <Table.Td>{checkWords[check.check]}</Table.Td>
            <Table.Td>
              <Badge size="sm" radius="sm" variant="light" color={resultColors[check.result]}>
                {resultWords[check.result]}
              </Badge>
            </Table.Td>
            <Table.Td>
              {check.expected} · {check.found}
              {check.differences.map((words) => (
                <Text key={words} size="sm" c="dimmed">
                  {words}
                </Text>
              ))}
            </Table.Td>
            {signature && <Table.Td>{signature(check)}</Table.Td>}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Signature({ of: { check, result, signedBy, note } }: { of: Check }) {
  const [why, setWhy] = useState('');
  const sign = useMoveWrite((words: string) =>
    dataOf(api.POST('/staff/v1/move/signatures', { body: { check, note: words } })),
  );
  if (signedBy !== null) return <Text size="sm">{`${signedBy}: ${note}`}</Text>;
  if (result === 'passed') return null;
  return (
    <Group gap="xs">
      <TextInput
        size="xs"
        aria-label={t`Why is it right?`}
        placeholder={t`Why is it right?`}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      <Button
        size="xs"
        disabled={why.trim() === ''}
        loading={sign.isPending}
        onClick={() => sign.mutate(why)}
      >
        {t`Sign`}
      </Button>
    </Group>
  );
}
