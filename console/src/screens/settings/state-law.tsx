import { Alert, List, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schema } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import { t } from '../../words/words.ts';
import { ageInWords, LawSource } from './law-source.tsx';
import { lawQuery } from './setting-lists.ts';
import { ShopDuties } from './shop-duties.tsx';
import classes from './state-law.module.css';
import { patientsInWords } from './tax-words.ts';

type Law = Schema['StateLaw'];
type Fact = {
  readonly words: string;
  readonly who: string;
  readonly source: Law['limits'][number]['source'];
};

const audiences: Readonly<Record<Law['limits'][number]['audience'], string>> = {
  'adult-use': t`Adult use`,
  'adult-use-non-resident': t`Adult use, non-resident`,
  medical: t`Patients`,
  'medical-under-21': t`Patients under 21`,
};

const payers: Readonly<Record<Law['taxes'][number]['customerType'], string>> = {
  all: t`All customers`,
  'adult-use': t`Adult use`,
  medical: t`Patients`,
};

/** The known facts of the state's law, each with its source and age. */
export function Component() {
  const law = useQuery(lawQuery);
  return (
    <Page>
      <PageHeader title={t`State law`}>
        {t`The legal facts behind prices and limits. Not legal advice: check a fact against its source before you rely on it.`}
      </PageHeader>
      {law.isError && <LoadFailure error={law.error} onRetry={() => void law.refetch()} />}
      {law.isPending && <Skeleton h={320} />}
      {law.data && <Facts law={law.data} />}
    </Page>
  );
}

function Facts({ law }: { law: Law }) {
  return (
    <Stack gap="xl">
      {law.warnings.length > 0 && (
        <Alert color="yellow" title={t`Needs attention`}>
          {law.warnings.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Alert>
      )}
      <Text size="sm">
        {t`${law.name}: edition ${law.edition} of the legal facts, issued on ${dayInWords(law.issuedOn)}`}
        {law.importedAt === null ? t`, included with the program` : t`, imported by the operator`}.
        {law.oldestReadOn !== null && t` The oldest fact was read on ${dayInWords(law.oldestReadOn)}.`}
      </Text>
      <ShopDuties />
      <FactTable
        title={t`Ages`}
        facts={law.minimumAges.map(({ audience, years, source }) => ({
          words: t`${years} years`,
          who: audiences[audience],
          source,
        }))}
      />
      <FactTable
        title={t`Purchase limits`}
        facts={law.limits.flatMap(({ audience, name, words, source, equivalences }) => [
          { words: `${name}: ${words}`, who: audiences[audience], source },
          ...equivalences.map((it) => ({
            words: t`${name}, equivalence: ${it.words}`,
            who: audiences[audience],
            source: it.source,
          })),
        ])}
      />
      <FactTable
        title={t`Taxes`}
        facts={law.taxes.map(({ description, customerType, patients, source, ...tax }) => ({
          words: `${description}, ${taxChargeInWords(tax)}. ${patientsInWords(patients)}`,
          who: payers[customerType],
          source,
        }))}
      />
      <FactTable
        title={t`Other rules`}
        facts={law.rules.map(({ words, source }) => ({ words, who: t`All customers`, source }))}
      />
      {law.gaps.length > 0 && (
        <section>
          <Title order={2} size="h3" mb="sm">
            {t`Missing`}
          </Title>
          <List size="sm" spacing="xs">
            {law.gaps.map(({ words }) => (
              <List.Item key={words}>{words}</List.Item>
            ))}
          </List>
        </section>
      )}
    </Stack>
  );
}

function FactTable({ title, facts }: { title: string; facts: readonly Fact[] }) {
  if (facts.length === 0) return null;
  return (
    <section>
      <Title order={2} size="h3" mb="sm">
        {title}
      </Title>
      <Table withTableBorder layout="fixed" className={classes.facts}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Fact`}</Table.Th>
            <Table.Th w={152}>{t`For`}</Table.Th>
            <Table.Th w={136}>{t`In force`}</Table.Th>
            <Table.Th w={264}>{t`Source`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {facts.map((fact) => (
            <Table.Tr key={`${fact.who} ${fact.words} ${fact.source.effectiveFrom}`}>
              <Table.Td>{fact.words}</Table.Td>
              <Table.Td>{fact.who}</Table.Td>
              <Table.Td>{inForce(fact.source)}</Table.Td>
              <Table.Td>
                <LawSource source={fact.source} />
                <Text fz="xs" c="dimmed">
                  {ageInWords(fact.source)}
                </Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

function inForce({ effectiveFrom, effectiveTo }: Fact['source']): string {
  const from = effectiveFrom === null ? null : t`From ${dayInWords(effectiveFrom)}`;
  const to = effectiveTo === null ? null : t`until ${dayInWords(effectiveTo)}`;
  if (from !== null && to !== null) return `${from} ${to}`;
  return from ?? (to === null ? t`Now` : `U${to.slice(1)}`);
}
