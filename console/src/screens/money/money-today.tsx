import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf } from '../../api.ts';
import { Money } from '../../parts/money.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';

/** How the sales of today were paid, what moved at providers, and whose tips they are. */
export function MoneyToday() {
  const may = useCan('reportMoney');
  const { data } = useQuery({
    queryKey: ['orders', 'money-today'],
    queryFn: () => dataOf(api.GET('/staff/v1/reports/money')),
    enabled: may,
  });
  if (!data || data.tenders.length + data.providers.length === 0) return null;
  const sum = (cents: readonly number[]) => cents.reduce((total, it) => total + it, 0);
  const returned = sum(data.providers.map((it) => it.returned));
  const rows: readonly (readonly [string, number])[] = [
    ...data.tenders.flatMap(({ name, amount, fees, cashRounding }) => [
      [name, amount] as const,
      ...(fees === 0 ? [] : [[t`${name}: fees included`, fees] as const]),
      ...(cashRounding === 0 ? [] : [[t`${name}: cash rounding`, cashRounding] as const]),
    ]),
    ...data.tips.map(({ firstName, lastName, tips }) => {
      const name = [firstName, lastName].filter(Boolean).join(' ');
      return [name === '' ? t`Tips by link` : t`Tips of ${name}`, tips] as const;
    }),
    ...(returned === 0 ? [] : [[t`Taken back by banks`, returned] as const]),
  ];
  return (
    <SectionCard title={t`Today`}>
      <Table aria-label={t`Today`} className="numbers">
        <Table.Tbody>
          {rows.map(([label, cents]) => (
            <Table.Tr key={label}>
              <Table.Th>{label}</Table.Th>
              <Table.Td ta="end">
                <Money cents={cents} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}
