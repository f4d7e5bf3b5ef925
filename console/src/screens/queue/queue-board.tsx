import { Button, SimpleGrid, Skeleton } from '@mantine/core';
import { useDisclosure, useInterval } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useScreenKeys } from '../../parts/screen-keys.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { useLive } from '../../parts/use-live.ts';
import { plural, t } from '../../words/words.ts';
import { CheckInDialog } from './check-in-dialog.tsx';
import { QueueLine } from './queue-line.tsx';

/** The customers in the shop: at the front desk and on the sales floor. Changes by all staff show at once. */
export function Component() {
  useLive(['instore-queues']);
  const nowMs = useNow();
  const [isCheckingIn, checkIn] = useDisclosure(false);
  // Not a letter that opens a section after `g`.
  useScreenKeys([{ key: 'a', meaning: t`Check in a customer`, press: checkIn.open }]);
  const queues = useQuery({
    queryKey: ['instore-queues'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/instore-queues', { signal })),
  });
  const { data } = queues;
  return (
    <Page>
      <PageHeader
        title={t`Queue`}
        actions={
          <Button
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={checkIn.open}
            aria-keyshortcuts="a"
          >
            {t`Check in`}
          </Button>
        }
      >
        {data ? inWords(data.intake.length + data.pos.length) : t`The customers in the shop.`}
      </PageHeader>
      {queues.error && !data ? (
        <LoadFailure error={queues.error} onRetry={() => queues.refetch()} />
      ) : (
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          {data ? (
            <>
              <QueueLine
                title={t`Front desk`}
                hint={t`Checked in, waiting for admission`}
                entries={data.intake}
                nowMs={nowMs}
              />
              <QueueLine
                title={t`Sales floor`}
                hint={t`Admitted, waiting for service`}
                entries={data.pos}
                nowMs={nowMs}
              />
            </>
          ) : (
            [1, 2].map((line) => <Skeleton key={line} height={240} radius="md" />)
          )}
        </SimpleGrid>
      )}
      <CheckInDialog opened={isCheckingIn} onClose={checkIn.close} />
    </Page>
  );
}

function inWords(people: number): string {
  if (people === 0) return t`No customers waiting.`;
  return plural(people, { one: t`1 customer waiting.`, other: t`${people} customers waiting.` });
}

/** The current time, updated every few seconds: enough for minutes of waiting. */
function useNow(): number {
  const [nowMs, setNowMs] = useState(() => shopNow());
  useInterval(() => setNowMs(shopNow()), 10_000, { autoInvoke: true });
  return nowMs;
}
