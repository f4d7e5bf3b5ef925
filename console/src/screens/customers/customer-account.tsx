import { Badge, Button, Group, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { RoleGate } from '../../session/session.tsx';
import { plural, t } from '../../words/words.ts';
import { AdjustPointsDialog } from './adjust-points-dialog.tsx';
import { CustomerPoints } from './customer-points.tsx';
import classes from './customers.module.css';
import { GiveCreditDialog } from './give-credit-dialog.tsx';

type Credit = Schema['CustomerCredit'];

/** A customer's credits with their remaining value, and points. */
export function CustomerAccount({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const [isAdjusting, adjusting] = useDisclosure(false);
  return (
    <Stack>
      <div className={classes.halves}>
        <CreditsCard customer={customer} />
        <SectionCard title={t`Points`} hint={t`Earned with fulfilled orders, spent on rewards.`}>
          <Group justify="space-between">
            <Text fz={28} fw={650} className="numbers">
              {customer.loyalty.pointsAmount}
            </Text>
            <RoleGate right="adjustLoyaltyPoints">
              <Button variant="default" onClick={adjusting.open}>
                {t`Adjust`}
              </Button>
            </RoleGate>
          </Group>
        </SectionCard>
      </div>
      <Title order={2} size="h4" mt="sm">
        {t`Points history`}
      </Title>
      <CustomerPoints customer={customer} />
      <AdjustPointsDialog customer={customer} opened={isAdjusting} onClose={adjusting.close} />
    </Stack>
  );
}

function CreditsCard({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const [isGiving, giving] = useDisclosure(false);
  const credits = useQuery({
    queryKey: ['customers', customer.id, 'credits'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/customers/{customerId}/credits', {
          params: { path: { customerId: customer.id } },
          signal,
        }),
      ),
  });
  return (
    <SectionCard
      title={t`Credits`}
      hint={t`Store credit is an amount. A promo code can be a percentage of one order.`}
    >
      <Stack>
        {credits.isPending && <Skeleton height={96} />}
        {credits.error && !credits.data && (
          <LoadFailure error={credits.error} onRetry={() => credits.refetch()} />
        )}
        {credits.data?.length === 0 && (
          <Text size="sm" c="dimmed">
            {t`No credits yet.`}
          </Text>
        )}
        {credits.data && credits.data.length > 0 && <CreditTable credits={credits.data} />}
        <RoleGate right="issueCustomerCredit">
          <Group>
            <Button variant="default" onClick={giving.open}>
              {t`Add credit`}
            </Button>
          </Group>
        </RoleGate>
      </Stack>
      <GiveCreditDialog customer={customer} opened={isGiving} onClose={giving.close} />
    </SectionCard>
  );
}

function CreditTable({ credits }: { credits: readonly Credit[] }) {
  return (
    <Table.ScrollContainer minWidth={480}>
      <Table horizontalSpacing="sm" className="numbers">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t`Description`}</Table.Th>
            <Table.Th>{t`State`}</Table.Th>
            <Table.Th ta="end">{t`Amount`}</Table.Th>
            <Table.Th ta="end">{t`Left¦to spend`}</Table.Th>
            <Table.Th ta="end">{t`Expires`}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {credits.toReversed().map((credit) => (
            <Table.Tr key={credit.id}>
              <Table.Td>
                <Text size="sm">{credit.description}</Text>
                <Text size="xs" c="dimmed">
                  {credit.type === 'store-credit' ? t`Store credit` : t`Promo code`},{' '}
                  <ShopTime at={credit.createdAt} style="date" />
                </Text>
              </Table.Td>
              <Table.Td>
                <CreditState credit={credit} />
              </Table.Td>
              <Table.Td ta="end">{worth(credit)}</Table.Td>
              <Table.Td ta="end">{left(credit)}</Table.Td>
              <Table.Td ta="end">
                {credit.expiresAt ? <ShopTime at={credit.expiresAt} style="date" /> : t`Never`}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

function CreditState({ credit }: { credit: Credit }) {
  const { remaining, remainingUses, expiresAt } = credit;
  const isUsedUp = remaining === 0 || (remaining === null && remainingUses === 0);
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= shopNow();
  const [word, color] = isUsedUp ? [t`Used up`, 'gray'] : isOver ? [t`Expired`, 'red'] : [t`Open`, 'teal'];
  return (
    <Badge variant="light" color={color} radius="sm" className="status">
      {word}
    </Badge>
  );
}

function worth({ amount, percent }: Credit): string {
  return amount === null ? `${percent}%` : dollars(amount);
}

function left({ remaining, remainingUses }: Credit) {
  if (remaining !== null) return <Money cents={remaining} />;
  return plural(remainingUses ?? 0, { one: t`1 use`, other: t`${remainingUses ?? 0} uses` });
}
