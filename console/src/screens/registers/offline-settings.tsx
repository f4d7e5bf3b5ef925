import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { OfflineLimitsForm } from './offline-limits-form.tsx';
import { offlineSettingsQuery } from './offline-queries.ts';
import { OfflineReview } from './offline-review.tsx';

/** Sales without the service (D75): the owner's limits, and the sales that wait for a review. */
export function Component() {
  const mayChange = useCan('setOfflineSaleSettings');
  const settings = useQuery(offlineSettingsQuery);
  return (
    <Page kind="form">
      <PageHeader title={t`Offline sales`}>
        {t`What registers may sell while they cannot reach the service, and what became of it.`}
      </PageHeader>
      {settings.error && <LoadFailure error={settings.error} onRetry={() => settings.refetch()} />}
      {!settings.error && !settings.data && <Skeleton height={320} />}
      {settings.data && (
        <Stack>
          <OfflineReview />
          {mayChange && <OfflineLimitsForm saved={settings.data} />}
        </Stack>
      )}
    </Page>
  );
}
