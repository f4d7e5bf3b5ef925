import { Alert, Badge, Button, Skeleton, Stack, Table, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { readinessQuery } from '../../shell/first-steps-query.ts';
import { said, t } from '../../words/words.ts';
import { LawSource } from './law-source.tsx';
import { standingColors, standingNames } from './readiness-words.ts';
import classes from './state-law.module.css';

type Readiness = Schema['Readiness'];
type Line = Readiness['lines'][number];

/** What the law asks of the shop today, and how the shop meets it. */
export function Component() {
  const readiness = useQuery(readinessQuery);
  return (
    <Page>
      <PageHeader title={t`Ready to open`}>
        {t`What the law of your state asks, and how your shop meets it. Not legal advice.`}
      </PageHeader>
      {readiness.isError && <LoadFailure error={readiness.error} onRetry={() => void readiness.refetch()} />}
      {readiness.isPending && <Skeleton h={320} />}
      {readiness.data && <Lines of={readiness.data} />}
    </Page>
  );
}

function Lines({ of: { reporting, lastReadOn, lines } }: { of: Readiness }) {
  return (
    <Stack>
      <Alert color={reporting.isSetUp ? 'teal' : 'yellow'}>{said(reporting.words)}</Alert>
      <Text size="sm">
        {lastReadOn === null
          ? t`Nothing was read about the law of this state.`
          : t`The newest fact about this state was read on ${dayInWords(lastReadOn)}. What is unknown is as old as that.`}
      </Text>
      <Table withTableBorder layout="fixed" className={classes.facts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Duty`}</Table.Th>
            <Table.Th w={120}>{t`Here`}</Table.Th>
            <Table.Th w={200}>{t`Last done`}</Table.Th>
            <Table.Th w={240}>{t`Source`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {lines.map((line) => (
            <Table.Tr key={line.item}>
              <Table.Td>
                {said(line.name)}
                {line.words !== null && `: ${line.words}`}
                {line.unknown !== null && <UnknownWords why={line.unknown} />}
              </Table.Td>
              <Table.Td>
                <Badge size="sm" radius="sm" variant="light" color={standingColors[line.standing]}>
                  {standingNames[line.standing]}
                </Badge>
              </Table.Td>
              <Table.Td>
                <LastDone of={line} />
              </Table.Td>
              <Table.Td>{line.source && <LawSource source={line.source} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Stack>
  );
}

function UnknownWords({ why }: { why: NonNullable<Line['unknown']> }) {
  const words = {
    'not-found': t`It was looked for, and not found.`,
    'not-looked-up': t`No source was searched for it.`,
    'not-in-force': t`Nothing is known to be in force today.`,
  };
  return (
    <Text size="xs" c="dimmed">
      {words[why]}
    </Text>
  );
}

function LastDone({ of: { item, name, canBeMarked, lastDone } }: { of: Line }) {
  const queryClient = useQueryClient();
  const mark = useWrite({
    mutationFn: (duty: Schema['ShopDuties']['duties'][number]['duty']) =>
      dataOf(api.POST('/staff/v1/readiness', { body: { duty } })),
    onSuccess: (told) => {
      queryClient.setQueryData(readinessQuery.queryKey, told);
      notifyDone(t`This is recorded as done.`);
    },
    onError: notifyError,
  });
  if (!canBeMarked) return null;
  return (
    <Stack gap={4} align="start">
      {lastDone !== null && (
        <Text size="xs">
          <ShopTime at={lastDone.at} /> {lastDone.by}
        </Text>
      )}
      <Button
        size="compact-xs"
        variant="default"
        loading={mark.isPending}
        aria-label={t`Mark as done: ${said(name)}`}
        // Only duties can be marked.
        onClick={() => mark.mutate(item as Parameters<typeof mark.mutate>[0])}
      >
        {t`Mark as done`}
      </Button>
    </Stack>
  );
}
