import { Button, Table } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { api, dataOf, type Schema } from '../../api.ts';
import { dollars } from '../../parts/dollars.ts';
import { SectionCard } from '../../parts/section-card.tsx';
import { dayInWords } from '../../parts/shop-day.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useWrite } from '../../parts/use-write.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';

type Connection = Schema['PaymentConnection'];

/** The terminals, when their batches were compared, and a button that closes one now. */
export function Batches() {
  const queryClient = useQueryClient();
  const { data } = useQuery({
    queryKey: ['payment-connections'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/payment-connections', { signal })),
  });
  const may = useCan('settlePaymentDay');
  const close = useWrite({
    about: ({ id }) => id,
    mutationFn: ({ id }: Connection) =>
      dataOf(
        api.POST('/staff/v1/payment-connections/{paymentConnectionId}/settlements', {
          params: { path: { paymentConnectionId: id } },
          body: {},
        }),
      ),
    onSuccess: ({ net, differences }, { name }) => {
      notifyDone(
        differences === 0
          ? t`${name} closed its batch: ${dollars(net)}, as in your books.`
          : t`${name} closed its batch: ${dollars(net)}. Differences are listed below.`,
      );
      void queryClient.invalidateQueries({ queryKey: ['payment-tasks'] });
      void queryClient.invalidateQueries({ queryKey: ['payment-connections'] });
    },
    onError: notifyError,
  });
  const terminals = (data ?? []).filter(
    ({ provider, archivedAt }) => provider === 'terminal' && archivedAt === null,
  );
  if (terminals.length === 0) return null;
  return (
    <SectionCard
      title={t`Terminals`}
      hint={t`A batch closes by itself after the business day, and its total is compared with your books.`}
    >
      <Table aria-label={t`Terminals`}>
        <Table.Tbody>
          {terminals.map((terminal) => (
            <Table.Tr key={terminal.id}>
              <Table.Th>{terminal.name}</Table.Th>
              <Table.Td>
                {terminal.settledDay === null
                  ? t`Not compared yet`
                  : t`Compared for ${dayInWords(terminal.settledDay)}`}
              </Table.Td>
              <Table.Td ta="end">
                {may && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={close.isPending && close.variables.id === terminal.id}
                    aria-label={t`Close the batch of ${terminal.name}`}
                    onClick={() => close.mutate(terminal)}
                  >
                    {t`Close batch now`}
                  </Button>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </SectionCard>
  );
}
