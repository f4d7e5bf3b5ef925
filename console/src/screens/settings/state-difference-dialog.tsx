import { Button, Group, Modal, Radio, Stack, Table, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { differenceWords, historyWords } from './state-difference-words.ts';

type Difference = Schema['StateDifference'];
type Answer = Difference['answers'][number];

/** A difference with what explains it, and what a person can answer. */
export function StateDifferenceDialog({
  difference: it,
  onOpenReport,
  onClose,
}: {
  difference: Difference;
  onOpenReport: (id: number) => void;
  onClose: () => void;
}) {
  const mayAnswer = useCan('answerStateDifference');
  return (
    <Modal opened onClose={onClose} size="lg" title={it.label ?? it.number ?? t`Receipt`}>
      <Stack>
        <Text size="sm">{differenceWords[it.kind]}</Text>
        {it.history.length > 0 && <History difference={it} />}
        {it.stateReportId !== null && (
          <Group>
            <Button variant="default" onClick={() => onOpenReport(it.stateReportId!)}>
              {t`Open the report`}
            </Button>
          </Group>
        )}
        {mayAnswer && it.answers.length > 0 && <Answers difference={it} onClose={onClose} />}
        {it.answers.length === 0 && (
          <Text size="sm">{t`Settle it on the state's website, or here. It disappears once both match.`}</Text>
        )}
      </Stack>
    </Modal>
  );
}

function History({ difference }: { difference: Difference }) {
  return (
    <Table aria-label={t`What happened to it`}>
      <Table.Tbody>
        {difference.history.map(({ what, at, quantity, words }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is shown as it was read
          <Table.Tr key={index}>
            <Table.Td>{at.length > 10 ? <ShopTime at={at} /> : at}</Table.Td>
            <Table.Td>{historyWords[what]}</Table.Td>
            <Table.Td ta="end">{quantity}</Table.Td>
            <Table.Td>{words}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Answers({ difference: it, onClose }: { difference: Difference; onClose: () => void }) {
  const queryClient = useQueryClient();
  const [answer, setAnswer] = useState<Answer>(it.answers[0]!);
  const [note, setNote] = useState('');
  const isPackage = it.label !== null;
  const answerWords: Readonly<Record<Answer, string>> = {
    'state-is-right': isPackage
      ? t`The state is right: change the stock here`
      : t`The state is right: leave its receipt`,
    'we-are-right': isPackage
      ? t`We are right: adjust the package at the state`
      : t`We are right: send the report again`,
  };
  const submit = async () => {
    const { stateConnectionId, kind, ours, theirs } = it;
    const subject = it.label ?? String(it.stateRecordId);
    const body = { stateConnectionId, kind, subject, ours, theirs, answer, note };
    await dataOf(api.POST('/staff/v1/state-differences/answers', { body }));
    notifyDone(t`The difference is answered.`);
    await queryClient.invalidateQueries({ queryKey: ['state-reports'] });
  };
  return (
    <ServerForm onSubmit={submit} onDone={onClose} onCancel={onClose} submit={t`Answer`}>
      <Radio.Group label={t`Who is right?`} value={answer} onChange={(value) => setAnswer(value as Answer)}>
        <Stack mt="xs">
          {it.answers.map((value) => (
            <Radio key={value} value={value} label={answerWords[value]} />
          ))}
        </Stack>
      </Radio.Group>
      <Field path="note">
        {(error) => (
          <TextInput
            label={t`Why`}
            required
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
