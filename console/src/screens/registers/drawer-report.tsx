import { Badge, Stack, Table, Text } from '@mantine/core';
import { dollars } from '../../parts/dollars.ts';
import { Money } from '../../parts/money.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import type { DrawerReport as Report } from './registers-query.ts';

type Payment = NonNullable<Report['payments']>[number];

const kindWords = { 'paid-in': t`Paid in`, 'paid-out': t`Paid out`, drop: t`Drop to safe` } as const;

/** The X report of an open session, or the Z report of a closed one. */
export function DrawerReport({ report }: { report: Report }) {
  const { payments, movements, openedBy, closedBy } = report;
  return (
    <Stack gap="md">
      <div>
        <Text size="sm">
          {rich`Opened ${<ShopTime at={report.openedAt} />} by ${openedBy.firstName} ${openedBy.lastName} with ${<Money cents={report.float} />}`}
        </Text>
        {closedBy && (
          <Text size="sm">
            {rich`Closed ${<ShopTime at={report.closedAt} />} by ${closedBy.firstName} ${closedBy.lastName}`}
          </Text>
        )}
        {report.note && <Text size="sm">{t`Reason of the difference: ${report.note}`}</Text>}
      </div>
      {report.sales && <Sales sales={report.sales} />}
      {payments === null ? (
        <Text size="sm" c="dimmed">
          {t`Amounts are shown once the drawer is counted.`}
        </Text>
      ) : (
        payments.map((payment) => <PaymentSums key={payment.paymentTypeId ?? 0} payment={payment} />)
      )}
      {movements.length > 0 && (
        <Table className="numbers" captionSide="top">
          <Table.Caption ta="start">{t`Cash in and out`}</Table.Caption>
          <Table.Tbody>
            {movements.map((it) => (
              <Table.Tr key={it.id}>
                <Table.Td>
                  {kindWords[it.kind]}: {it.reason}
                  <Text size="xs" c="dimmed">
                    {rich`${<ShopTime at={it.at} />} by ${it.by.firstName} ${it.by.lastName}`}
                  </Text>
                </Table.Td>
                <Table.Td ta="end">
                  <Money cents={it.amount} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </Stack>
  );
}

/** What was sold and returned at the drawer, by whichever tender. */
function Sales({ sales }: { sales: NonNullable<Report['sales']> }) {
  const { orders, gross, discounts, priceOverrides, net, tax, total } = sales;
  const { cashRounding, returns, refunds, voids } = sales;
  const rows: readonly (readonly [label: string, cents: number])[] = [
    [t`Gross sales`, gross],
    [t`Discounts`, -discounts],
    [t`Net sales`, net],
    [t`Tax`, tax],
    [t`Total of ${orders} sales`, total],
    ...(cashRounding === 0 ? [] : [[t`Cash rounding`, cashRounding] as const]),
    [t`Returns (${returns})`, -refunds],
    // Beside the sums above: gross sales are after it.
    ...(priceOverrides === 0 ? [] : [[t`Price overrides by staff`, -priceOverrides] as const]),
  ];
  return (
    <Table className="numbers" captionSide="top">
      <Table.Caption ta="start">
        <Text span fw={600} c="var(--mantine-color-text)">
          {t`Sales`}
        </Text>
      </Table.Caption>
      <Table.Tbody>
        {rows.map(([label, cents]) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="end">
              <Money cents={cents} />
            </Table.Td>
          </Table.Tr>
        ))}
        {voids > 0 && (
          <Table.Tr>
            <Table.Td>{t`Voided sales`}</Table.Td>
            <Table.Td ta="end">{voids}</Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

function PaymentSums({ payment }: { payment: Payment }) {
  const sales = t`Sales (${payment.orders})`;
  const rows: readonly (readonly [label: string, cents: number])[] = [
    [t`Opened with`, payment.float],
    [sales, payment.sales],
    [t`Refunds`, payment.refunds],
    [t`Gift cards`, payment.giftCards],
    [t`Paid in`, payment.paidIn],
    [t`Paid out`, payment.paidOut],
    [t`Safe drops`, payment.drops],
  ];
  const shown = rows.filter(([label, cents]) => cents !== 0 || label === sales);
  return (
    <Table className="numbers" captionSide="top">
      <Table.Caption ta="start">
        <Text span fw={600} c="var(--mantine-color-text)">
          {payment.name}
        </Text>
      </Table.Caption>
      <Table.Tbody>
        {shown.map(([label, cents]) => (
          <Table.Tr key={label}>
            <Table.Td>{label}</Table.Td>
            <Table.Td ta="end">
              <Money cents={cents} />
            </Table.Td>
          </Table.Tr>
        ))}
        <Table.Tr fw={600}>
          <Table.Td>{t`Expected in drawer`}</Table.Td>
          <Table.Td ta="end">
            <Money cents={payment.expected} />
          </Table.Td>
        </Table.Tr>
        {payment.counted !== null && (
          <Table.Tr fw={600}>
            <Table.Td>{t`Counted in drawer`}</Table.Td>
            <Table.Td ta="end">
              <Money cents={payment.counted} />
              <div>
                <OverShort cents={payment.overShort} />
              </div>
            </Table.Td>
          </Table.Tr>
        )}
      </Table.Tbody>
    </Table>
  );
}

/** `Exact`, `$0.25 over` or `$0.25 short`; nothing before the count. */
export function OverShort({ cents }: { cents: number | null }) {
  if (cents === null) return null;
  if (cents === 0)
    return (
      <Badge tt="none" variant="light" color="green">
        {t`Exact`}
      </Badge>
    );
  return (
    <Badge tt="none" variant="light" color={cents > 0 ? 'yellow' : 'red'}>
      {cents > 0 ? t`${dollars(cents)} over` : t`${dollars(-cents)} short`}
    </Badge>
  );
}
