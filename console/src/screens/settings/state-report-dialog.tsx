import { Button, Group, Modal, Skeleton, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { stateReportQuery } from './state-pages-queries.ts';

type Detail = Schema['StateReportDetail'];

/** A report with what it says, its life, and what a person can do. */
export function StateReportDialog({ id, onClose }: { id: number; onClose: () => void }) {
  const report = useQuery(stateReportQuery(id));
  return (
    <Modal opened onClose={onClose} size="lg" title={t`Report ${report.data?.number ?? ''}`}>
      {report.error && <LoadFailure error={report.error} onRetry={() => report.refetch()} />}
      {!report.error && !report.data && <Skeleton height={240} />}
      {report.data && (
        <Stack>
          <Sold report={report.data} />
          <Life report={report.data} />
          <Answers report={report.data} onClose={onClose} />
        </Stack>
      )}
    </Modal>
  );
}

function Sold({ report }: { report: Detail }) {
  if (report.lines.length === 0)
    return <Text size="sm">{t`Nothing is left of the sale: its receipt is voided.`}</Text>;
  return (
    <Table aria-label={t`What was sold`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t`Package`}</Table.Th>
          <Table.Th ta="end">{t`Quantity`}</Table.Th>
          <Table.Th ta="end">{t`Without taxes`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {report.lines.map(({ label, quantity, unit, amount }) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="end">{`${quantity} ${unit}`}</Table.Td>
            <Table.Td ta="end">
              <Money cents={amount} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Life({ report }: { report: Detail }) {
  return (
    <Table aria-label={t`What happened to it`}>
      <Table.Tbody>
        {report.steps.map(({ at, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are only added
          <Table.Tr key={index}>
            <Table.Td>
              <ShopTime at={at} />
            </Table.Td>
            <Table.Td>{words}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Answers({ report, onClose }: { report: Detail; onClose: () => void }) {
  const mayDecide = useCan('sendStateReportAgain');
  const queryClient = useQueryClient();
  const [note, setNote] = useState('');
  const [isByHand, setIsByHand] = useState(false);
  const path = { stateReportId: report.id };
  const done = (words: string) => {
    notifyDone(words);
    return queryClient.invalidateQueries({ queryKey: ['state-reports'] });
  };
  const sendAgain = async () => {
    await dataOf(api.POST('/staff/v1/state-reports/{stateReportId}/send-again', { params: { path } }));
    await done(t`The report is sent again.`);
  };
  const enterByHand = async () => {
    await dataOf(
      api.POST('/staff/v1/state-reports/{stateReportId}/enter-by-hand', { params: { path }, body: { note } }),
    );
    await done(t`The report is marked as entered by hand.`);
  };
  if (!mayDecide) return null;
  if (isByHand) {
    return (
      <ServerForm
        onSubmit={enterByHand}
        onDone={onClose}
        onCancel={() => setIsByHand(false)}
        submit={t`Mark as entered`}
      >
        <Text size="sm">{t`Enter it on the state's website first. It is not sent any more.`}</Text>
        <Field path="note">
          {(error) => (
            <TextInput
              label={t`Number of the state, or what was entered`}
              data-autofocus
              maxLength={500}
              error={error}
              value={note}
              onChange={(event) => setNote(event.currentTarget.value)}
            />
          )}
        </Field>
      </ServerForm>
    );
  }
  const canSendAgain = ['refused', 'accepted', 'done-by-hand'].includes(report.state);
  const canEnter = report.isOpen && report.state !== 'sending';
  return (
    <Group>
      {canEnter && (
        <Button variant="default" onClick={() => setIsByHand(true)}>
          {t`Entered by hand`}
        </Button>
      )}
      {canSendAgain && (
        <ServerForm onSubmit={sendAgain} onDone={onClose} onCancel={onClose} submit={t`Send again`}>
          {null}
        </ServerForm>
      )}
    </Group>
  );
}
