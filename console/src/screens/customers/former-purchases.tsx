import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { RoleGate } from '../../session/session.tsx';
import { plural, t } from '../../words/words.ts';

/** What the customer bought before the shop moved here; nothing when there is none. */
export function FormerPurchases({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  return (
    <RoleGate right="staffGetFormerSales">
      <PurchasesCard customer={customer} />
    </RoleGate>
  );
}

function PurchasesCard({ customer }: { customer: Schema['StaffCustomerDetail'] }) {
  const { data } = useQuery({
    queryKey: ['customers', customer.id, 'former-sales'],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/customers/{customerId}/former-sales', {
          params: { path: { customerId: customer.id } },
          signal,
        }),
      ),
  });
  if (data === undefined || data.count === 0) return null;
  return (
    <SectionCard
      title={t`At your previous system`}
      hint={plural(data.count, {
        one: t`1 purchase before the shop moved here`,
        other: t`${data.count} purchases before the shop moved here`,
      })}
    >
      <Table.ScrollContainer minWidth={480}>
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t`Ticket`}</Table.Th>
              <Table.Th>{t`Goods`}</Table.Th>
              <Table.Th ta="end">{t`Before taxes`}</Table.Th>
              <Table.Th ta="end">{t`Sold`}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.latest.map(({ till, number, soldAt, net, lines, refundOf }) => (
              <Table.Tr key={`${till} ${number} ${soldAt}`}>
                <Table.Td>{refundOf === null ? number : t`${number}, gives back ${refundOf}`}</Table.Td>
                <Table.Td>
                  {lines.map(({ quantity, productName }) => `${quantity} × ${productName}`).join(', ')}
                </Table.Td>
                <Table.Td ta="end">
                  <Money cents={net} />
                </Table.Td>
                <Table.Td ta="end">
                  <ShopTime at={soldAt} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </SectionCard>
  );
}
