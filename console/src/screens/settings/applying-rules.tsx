import { Alert, Anchor, List, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, dataOf, type Schema } from '../../api.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { amountInWords, countsInWords, customerTypes, windowInWords } from './limit-words.ts';
import { localityInWords, ownSourceInWords } from './locality-fields.tsx';
import { taxedCustomers } from './tax-words.ts';

type Rules = Schema['ApplyingRules'];

/** The taxes and the shop's own limits that apply at an address or at the shop. */
export function Component() {
  const [address, setAddress] = useState('');
  const [rules, setRules] = useState<Rules | null>(null);
  const ask = async () => {
    const postalCode = address.trim();
    const query = postalCode === '' ? {} : { postalCode };
    setRules(await dataOf(api.GET('/staff/v1/localities/applying', { params: { query } })));
  };
  return (
    <Page>
      <PageHeader title={t`What applies`}>
        {t`The taxes and the shop's own limits that apply, by place of sale. State limits apply everywhere.`}
      </PageHeader>
      <Stack gap="lg">
        <ServerForm onSubmit={ask} submit={t`Show rules`} refused={t`Could not be checked`}>
          <SectionCard title={t`Place`}>
            <Field path="postalCode">
              {(error) => (
                <TextInput
                  label={t`Address or ZIP code of a delivery`}
                  description={t`Leave empty for a sale at the shop`}
                  maxLength={300}
                  error={error}
                  value={address}
                  onChange={(event) => setAddress(event.currentTarget.value)}
                />
              )}
            </Field>
          </SectionCard>
        </ServerForm>
        <div aria-live="polite">{rules && <Shown rules={rules} />}</div>
      </Stack>
    </Page>
  );
}

function Shown({ rules }: { rules: Rules }) {
  const { postalCode, deliveryZone, isServed, taxes, limits } = rules;
  return (
    <Stack gap="lg">
      <Alert
        color={isServed ? 'blue' : 'yellow'}
        title={postalCode === null ? t`A sale at the shop` : t`A delivery to ${postalCode}`}
      >
        {!isServed && t`No delivery zone covers it. Orders to this address are refused.`}
        {deliveryZone && t`Delivery zone: ${deliveryZone.name}.`}
        {isServed && !deliveryZone && t`No delivery zone changes the taxes.`}
      </Alert>
      <section>
        <Title order={2} size="h3" mb="sm">
          {t`Taxes`}
        </Title>
        {taxes.length === 0 && <Text size="sm">{t`None.`}</Text>}
        <List size="sm" spacing="sm">
          {taxes.map(({ id, description, rate, basis, customerType, locality, ownSource, patients }) => (
            <List.Item key={id}>
              {description}, {taxChargeInWords({ rate, basis })}. {taxedCustomers[customerType]}.{' '}
              {localityInWords(locality)}.
              <Text size="sm" c="dimmed">
                {rich`Source: ${
                  patients === null ? (
                    <SourceLink source={ownSource} />
                  ) : (
                    <Anchor component={Link} to="/settings/state-law" fz="sm" underline="always">
                      {t`state law`}
                    </Anchor>
                  )
                }`}
              </Text>
            </List.Item>
          ))}
        </List>
      </section>
      <section>
        <Title order={2} size="h3" mb="sm">
          {t`Limits of this shop`}
        </Title>
        {limits.length === 0 && <Text size="sm">{t`None.`}</Text>}
        <List size="sm" spacing="sm">
          {limits.map((limit) => (
            <List.Item key={limit.id}>
              {t`${limit.name}: ${amountInWords(limit.limit, limit.unit)} ${windowInWords(limit).toLowerCase()} of ${countsInWords(limit.counts)}. ${customerTypes[limit.customerType]}. ${localityInWords(limit.locality)}.`}
              <Text size="sm" c="dimmed">
                {rich`Source: ${<SourceLink source={limit.ownSource} />}`}
              </Text>
            </List.Item>
          ))}
        </List>
      </section>
    </Stack>
  );
}

/** A link to the source, if it has one. */
function SourceLink({ source }: { source: Rules['taxes'][number]['ownSource'] }) {
  const words = ownSourceInWords(source);
  if (source === null || source.link === null) return words;
  return (
    <Anchor fz="sm" underline="always" href={source.link} target="_blank" rel="noopener noreferrer">
      {words}
    </Anchor>
  );
}
