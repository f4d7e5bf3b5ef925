import { Alert, Button, Group, List, Modal, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import { useSession } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { LawSource } from './law-source.tsx';
import { taxesQuery, zonesQuery } from './setting-lists.ts';
import { patientsInWords } from './tax-words.ts';

type Preview = Schema['TaxPresetPreview'];
type ShownTax = Preview['begins'][number];

/** Previews which taxes the preset of the shop's state would start and end, then applies it. */
export function TaxPresetDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { state } = useSession().organization;
  return (
    <Modal opened={opened} onClose={onClose} title={t`Taxes of ${state}`} size="lg">
      <Preset onClose={onClose} />
    </Modal>
  );
}

function Preset({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const taxes = useQuery(taxesQuery);
  const preview = useQuery({
    // Under the key of the taxes: invalidated with them.
    queryKey: [...taxesQuery.queryKey, 'preset'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/taxes/preset', { signal })),
    staleTime: 0,
  });
  if (preview.isError) return <LoadFailure error={preview.error} onRetry={() => void preview.refetch()} />;
  if (preview.data === undefined) return <Skeleton h={240} />;
  const { state, asOf, begins, ends, keeps } = preview.data;
  const isSame = ({ id, endsAt }: Schema['Tax']) =>
    taxes.data?.find((tax) => tax.id === id)?.endsAt === endsAt;
  const moved = keeps.filter((tax) => !isSame(tax));
  const apply = async () => {
    await dataOf(api.POST('/staff/v1/taxes/apply-preset', { body: { state } }));
    notifyDone(t`The taxes of ${state} are set up.`);
    void queryClient.invalidateQueries({ queryKey: taxesQuery.queryKey });
    void queryClient.invalidateQueries({ queryKey: zonesQuery.queryKey });
  };
  const content = (
    <Stack>
      <Text size="sm">
        {t`Based on the law of ${state}; its oldest fact was read on ${dayInWords(asOf)}. Taxes with other names do not change. Add local taxes yourself.`}
      </Text>
      {preview.data.warnings.length > 0 && (
        <Alert color="yellow" title={t`Needs attention`}>
          {preview.data.warnings.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Alert>
      )}
      <Taxes title={t`Start¦taxes`} taxes={begins} />
      <Taxes title={t`End¦taxes`} taxes={ends} />
      <Taxes title={t`Change their end date`} taxes={moved} />
      <Taxes title={t`Do not change`} taxes={keeps.filter(isSame)} />
      <Sources sources={preview.data.sources} />
      <NotCovered notCovered={preview.data.notCovered} />
    </Stack>
  );
  if (begins.length === 0 && ends.length === 0 && moved.length === 0) {
    return (
      <Stack>
        {content}
        <Group justify="flex-end">
          <Button onClick={onClose}>{t`No changes needed`}</Button>
        </Group>
      </Stack>
    );
  }
  return (
    <ServerForm submit={t`Set up taxes`} onCancel={onClose} onSubmit={apply} onDone={onClose}>
      {content}
    </ServerForm>
  );
}

function Taxes({ title, taxes }: { title: string; taxes: readonly ShownTax[] }) {
  if (taxes.length === 0) return null;
  return (
    <Table withTableBorder layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{title}</Table.Th>
          <Table.Th w={80} ta="end">
            {t`Rate`}
          </Table.Th>
          <Table.Th w="32%">{t`In force`}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {taxes.map((tax, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: new taxes have no id, and the list only changes as a whole
          <Table.Tr key={index}>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {tax.description}
              {tax.patients && (
                <Text fz="xs" c="dimmed">
                  {patientsInWords(tax.patients)}
                </Text>
              )}
            </Table.Td>
            <Table.Td ta="end">{taxChargeInWords(tax)}</Table.Td>
            <Table.Td>
              <Times tax={tax} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Times({ tax: { startsAt, endsAt } }: { tax: ShownTax }) {
  const isAhead = startsAt !== null && Date.parse(startsAt) > shopNow();
  if (!isAhead && endsAt === null) return t`Now`;
  return (
    <>
      {isAhead && <>{rich`From ${<ShopTime at={startsAt} style="date" />}`}</>}
      {isAhead && endsAt !== null && ', '}
      {endsAt !== null && (
        <>
          {isAhead ? t`until ` : t`Until `}
          <ShopTime at={endsAt} style="date" />
        </>
      )}
    </>
  );
}

function Sources({ sources }: Pick<Preview, 'sources'>) {
  return (
    <section>
      <Title order={3} size="h4" mb="xs">
        {t`Sources`}
      </Title>
      <Stack gap="xs">
        {sources.map(({ description, rate, basis, source }) => (
          <div key={`${description} ${rate} ${source.effectiveFrom}`}>
            <Text size="sm">
              {description}, {taxChargeInWords({ rate, basis })}
            </Text>
            <LawSource source={source} />
          </div>
        ))}
      </Stack>
    </section>
  );
}

function NotCovered({ notCovered }: { notCovered: readonly string[] }) {
  if (notCovered.length === 0) return null;
  return (
    <Alert color="yellow">
      <Title order={3} size="h4" mb="xs">
        {t`Not covered`}
      </Title>
      <List size="sm" spacing="xs">
        {notCovered.map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
