import { Alert, Button, Paper, Select, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { CustomerPicker } from '../../parts/customer-picker.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ServerForm } from '../../parts/server-form.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { TextField } from '../../parts/text-field.tsx';
import { t } from '../../words/words.ts';
import { ageInWords, EquivalenceSources, LawSource } from '../settings/law-source.tsx';
import { amountInWords } from '../settings/limit-words.ts';

type Left = Schema['LimitsLeft'];
type Limit = Left['limits'][number];
type CannabisType = Schema['LimitGoods']['cannabisType'];

const forms: Readonly<Record<CannabisType, { readonly label: string; readonly example: string }>> = {
  'non-concentrated': { label: t`Flower`, example: t`3.5 g or 1/8 oz` },
  concentrated: { label: t`Concentrate`, example: t`1 g or 500 mg` },
  edibles: { label: t`Edibles (THC)`, example: t`100 mg` },
  'mi-infused-solids': { label: t`Infused solids`, example: t`4 oz` },
  'mi-infused-fluids': { label: t`Infused fluids`, example: t`12 fl oz` },
  'immature-plant': { label: t`Immature plants`, example: t`2 plants` },
  seeds: { label: t`Seeds`, example: '5' },
  inhalables: { label: t`Inhalable products`, example: t`1 g or 500 mg` },
  'low-dose-drinks': { label: t`Low-dose drinks (THC)`, example: t`4 mg` },
  'other-units': { label: t`Other infused units`, example: '2' },
};
const cannabisTypes = Object.keys(forms) as CannabisType[];

const customerTypes: Readonly<Record<Left['customerType'], string>> = {
  'adult-use': t`Adult use`,
  'adult-use-non-resident': t`Adult use, not a resident`,
  medical: t`Medical patient`,
  'medical-under-21': t`Medical patient under 21`,
};

/** The remaining purchase limits of a customer, without a cart. */
export function Component() {
  const [customer, setCustomer] = useState<Schema['StaffCustomer'] | null>(null);
  const [customerType, setCustomerType] = useState<Left['customerType'] | null>(null);
  const [amounts, setAmounts] = useState<Partial<Record<CannabisType, string>>>({});
  const [left, setLeft] = useState<Left | null>(null);
  const answer = useRef<HTMLDivElement>(null);
  // On a phone the answer is below the form.
  useEffect(() => {
    if (left === null || answer.current === null) return;
    const isBelow = answer.current.getBoundingClientRect().top > window.innerHeight / 2;
    if (isBelow) answer.current.scrollIntoView();
  }, [left]);
  const sent = cannabisTypes.filter((type) => (amounts[type] ?? '').trim() !== '');
  const ask = async () => {
    const body = {
      customerId: customer?.id ?? null,
      ...(customerType && { customerType }),
      goods: sent.map((cannabisType) => ({ cannabisType, amount: amounts[cannabisType]!.trim() })),
    };
    setLeft(await dataOf(api.POST('/staff/v1/law/limits', { body })));
  };
  return (
    <Page>
      <PageHeader
        title={t`Purchase limits`}
        actions={
          <Button component={Link} to="/point-of-sale" variant="default">
            {t`Back to the sale`}
          </Button>
        }
      >
        {t`What a customer can still buy today, and why. Not legal advice.`}
      </PageHeader>
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <ServerForm onSubmit={ask} submit={t`Show remaining limits`} refused={t`Could not be calculated`}>
          <SectionCard title={t`Customer and goods`}>
            <Stack gap="md">
              <CustomerPicker
                label={t`Customer`}
                description={t`Purchases within the period of a limit count`}
                customer={customer}
                onChange={setCustomer}
              />
              <Select
                label={t`Kind of customer`}
                placeholder={customer ? t`From the customer profile` : customerTypes['adult-use']}
                clearable
                data={Object.entries(customerTypes).map(([value, label]) => ({ value, label }))}
                value={customerType}
                onChange={(value) => setCustomerType(value as Left['customerType'] | null)}
              />
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
                {cannabisTypes.map((type) => (
                  <TextField
                    key={type}
                    path={sent.includes(type) ? `goods[${sent.indexOf(type)}].amount` : `goods.${type}`}
                    label={forms[type].label}
                    placeholder={forms[type].example}
                    maxLength={40}
                    value={amounts[type] ?? ''}
                    onChange={(amount) => setAmounts((before) => ({ ...before, [type]: amount }))}
                  />
                ))}
              </SimpleGrid>
            </Stack>
          </SectionCard>
        </ServerForm>
        <div ref={answer} aria-live="polite">
          {left && <LimitsLeft left={left} />}
        </div>
      </SimpleGrid>
    </Page>
  );
}

function LimitsLeft({ left }: { left: Left }) {
  const { limits, mayBeSold, uncounted, customerType, day, warnings } = left;
  const names = uncounted.map((type) => forms[type].label).join(', ');
  return (
    <Stack gap="md">
      <Alert
        color={mayBeSold ? 'teal' : 'red'}
        title={mayBeSold ? t`Within the known limits` : t`Over a limit: do not sell`}
      >
        {customerTypes[customerType]}, {dayInWords(day)}.
        {limits.length === 0 && t` No limits are known for this customer.`}
        {names !== '' && t` Not counted by any limit: ${names}.`}
      </Alert>
      {limits.map((limit) => (
        <LimitCard key={`${limit.name} ${limit.words} ${limit.law?.citation}`} limit={limit} />
      ))}
      {warnings.map((line) => (
        <Text size="sm" c="dimmed" key={line}>
          {line}
        </Text>
      ))}
    </Stack>
  );
}

function LimitCard({ limit }: { limit: Limit }) {
  const { name, words, unit, used, remaining, exceeded, counted, roomFor, law } = limit;
  const rooms = roomFor.map(
    (room) => `${amountInWords(room.amount, room.unit)} ${forms[room.cannabisType].label}`,
  );
  return (
    <Paper component="section" withBorder p="md" radius="md" aria-label={name}>
      <Title order={3} size="h5">
        {name}
      </Title>
      <Text size="sm" c="dimmed">
        {words}
      </Text>
      <Table withRowBorders={false} verticalSpacing={4} horizontalSpacing={0} my="xs" className="numbers">
        <Table.Tbody>
          {counted.map((goods) => (
            <Table.Tr key={`${goods.cannabisType} ${goods.isFromBefore}`}>
              <Table.Td>
                {amountInWords(goods.amount, goods.unit)} {forms[goods.cannabisType].label}
                {goods.isFromBefore && t`, bought before`}
              </Table.Td>
              <Table.Td ta="right">{amountInWords(goods.uses, unit)}</Table.Td>
            </Table.Tr>
          ))}
          <Table.Tr>
            <Table.Td>{t`Used`}</Table.Td>
            <Table.Td ta="right">{amountInWords(used, unit)}</Table.Td>
          </Table.Tr>
          <Table.Tr>
            <Table.Th scope="row">{t`Left¦to spend`}</Table.Th>
            <Table.Td ta="right" fw={650} c={exceeded ? 'var(--mantine-color-error)' : undefined}>
              {exceeded ? t`Over the limit` : amountInWords(remaining, unit)}
            </Table.Td>
          </Table.Tr>
        </Table.Tbody>
      </Table>
      {!exceeded && (roomFor.length > 1 || roomFor[0]?.unit !== unit) && (
        <Text size="sm" mb="xs">
          {t`Enough for ${rooms.join(', or ')}.`}
        </Text>
      )}
      {law === null ? (
        <Text size="sm" c="dimmed">
          {t`A limit of this shop.`}
        </Text>
      ) : (
        <>
          <LawSource source={law} />
          <Text fz="xs" c="dimmed">
            {ageInWords(law)}
          </Text>
          <EquivalenceSources equivalences={limit.equivalences} />
        </>
      )}
    </Paper>
  );
}
