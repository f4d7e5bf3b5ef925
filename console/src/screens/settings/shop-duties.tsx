import { Alert, Checkbox, SimpleGrid, Stack, Table, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { MoneyInput } from '../../parts/money-input.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { dutiesQuery } from '../../parts/use-asks-for-id.ts';
import { useEdit } from '../../parts/use-edit.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { LawSource } from './law-source.tsx';
import classes from './state-law.module.css';

type Duties = Schema['ShopDuties'];
type Duty = Duties['duties'][number];
type Override = Duties['overrides'][number];

const standings: Readonly<Record<Duty['standing'], string>> = {
  enforced: t`Enforced`,
  recorded: t`Recorded`,
  shown: t`Shown`,
  'by-hand': t`By hand`,
  'not-found': t`Not found`,
  'not-looked-up': t`Not looked up`,
};

/** What the state's law asks of a shop, what becomes of it here, and what the owner answers for. */
export function ShopDuties() {
  const duties = useQuery(dutiesQuery);
  const maySet = useCan('setDuties');
  if (duties.isError) return <LoadFailure error={duties.error} onRetry={() => void duties.refetch()} />;
  if (!duties.data) return null;
  return (
    <>
      {duties.data.isPractice && (
        <Alert>{t`This is a practice shop: hours of sale and named buyers do not bind it.`}</Alert>
      )}
      <DutyTable duties={duties.data.duties} />
      {maySet && <DutyForm saved={duties.data} />}
    </>
  );
}

function DutyTable({ duties }: { duties: readonly Duty[] }) {
  const unknown = (standing: Duty['standing']) =>
    duties.filter((duty) => duty.standing === standing).map(({ name }) => name);
  const known = duties.filter(({ words }) => words !== null);
  return (
    <section aria-label={t`Duties of a shop`}>
      <Title order={2} size="h3" mb="sm">
        {t`Duties of a shop`}
      </Title>
      <Table withTableBorder layout="fixed" className={classes.facts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Duty`}</Table.Th>
            <Table.Th w={152}>{t`Here`}</Table.Th>
            <Table.Th w={264}>{t`Source`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {known.map(({ duty, name, words, standing, source }) => (
            <Table.Tr key={duty}>
              <Table.Td>
                {name}: {words}
              </Table.Td>
              <Table.Td>{standings[standing]}</Table.Td>
              <Table.Td>{source && <LawSource source={source} />}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {(['not-found', 'not-looked-up'] as const).map((standing) =>
        unknown(standing).length === 0 ? null : (
          <Text key={standing} size="sm" c="dimmed" mt="xs">
            {standings[standing]}: {unknown(standing).join(', ')}.
          </Text>
        ),
      )}
    </section>
  );
}

function DutyForm({ saved }: { saved: Duties }) {
  const queryClient = useQueryClient();
  const edit = useEdit({
    saleHours: saved.saleHours,
    overrides: saved.overrides,
    idCheck: saved.idCheck,
    vehicleValue: saved.vehicleValue,
  });
  const { draft, set, settle } = edit;
  const save = async () => {
    const told = await dataOf(api.PUT('/staff/v1/duties', { body: draft }));
    settle();
    queryClient.setQueryData(dutiesQuery.queryKey, told);
    notifyDone(t`How the shop meets its duties is saved.`);
  };
  const hours = draft.saleHours ?? { from: '', to: '' };
  const setHours = (next: typeof hours) => set('saleHours', next.from === '' && next.to === '' ? null : next);
  const answered = [
    {
      duty: 'buyer' as const,
      label: t`Named buyers`,
      hint: t`How the shop holds walk-ins to a limit of a day without knowing them`,
    },
    ...saved.duties.flatMap(({ duty, name, ownerMayOverride }) =>
      ownerMayOverride && (duty === 'saleHours' || duty === 'delivery')
        ? [{ duty, label: name, hint: t`Why this duty does not bind the shop` }]
        : [],
    ),
  ];
  const reasonOf = (name: Override['duty']) =>
    draft.overrides.find(({ duty }) => duty === name)?.reason ?? '';
  const setReason = (name: Override['duty'], reason: string) => {
    const others = draft.overrides.filter(({ duty }) => duty !== name);
    set('overrides', reason === '' ? others : [...others, { duty: name, reason }]);
  };
  return (
    <ServerForm onSubmit={save}>
      <Stack>
        <SectionCard
          title={t`Shorter hours of sale`}
          hint={t`Within those of the law. Leave empty to sell as long as the law allows.`}
        >
          <SimpleGrid cols={{ base: 1, xs: 2 }} maw={420}>
            {(['from', 'to'] as const).map((end) => (
              <Field key={end} path={`saleHours.${end}`}>
                {(error) => (
                  <TextInput
                    label={end === 'from' ? t`Opens at` : t`Closes at`}
                    placeholder={end === 'from' ? '09:00' : '21:00'}
                    error={error}
                    value={hours[end]}
                    onChange={(event) => setHours({ ...hours, [end]: event.currentTarget.value })}
                  />
                )}
              </Field>
            ))}
          </SimpleGrid>
        </SectionCard>
        <SectionCard title={t`ID check`}>
          <Checkbox
            label={t`Staff see an ID before cannabis is paid and handed over`}
            description={t`Also where the law does not ask for it`}
            checked={draft.idCheck}
            onChange={(event) => set('idCheck', event.currentTarget.checked)}
          />
        </SectionCard>
        <VehicleValueCard cents={draft.vehicleValue} onChange={(cents) => set('vehicleValue', cents)} />
        <SectionCard
          title={t`What you answer for`}
          hint={t`The reason is kept in the audit log. Leave empty to have the duty enforced.`}
        >
          <Stack>
            {answered.map(({ duty, label, hint }) => (
              <Textarea
                key={duty}
                label={label}
                description={hint}
                autosize
                value={reasonOf(duty)}
                onChange={(event) => setReason(duty, event.currentTarget.value)}
              />
            ))}
          </Stack>
        </SectionCard>
      </Stack>
    </ServerForm>
  );
}

function VehicleValueCard({
  cents,
  onChange,
}: {
  cents: number | null;
  onChange: (cents: number | null) => void;
}) {
  return (
    <SectionCard
      title={t`Goods in a vehicle`}
      hint={t`The most cannabis that a vehicle carries: less than the law allows, or your own limit where no value is known. Leave empty for what the law says.`}
    >
      <Field path="vehicleValue">
        {(error) => (
          <MoneyInput label={t`Value at most`} maw={200} error={error} cents={cents} onChange={onChange} />
        )}
      </Field>
    </SectionCard>
  );
}
