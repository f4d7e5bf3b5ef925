import { Button, Group, Skeleton, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { DecimalInput } from '../../parts/decimal-input.tsx';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { SectionCard } from '../../parts/section-card.tsx';
import { Field, ServerForm } from '../../parts/server-form.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useUnsavedWork } from '../../parts/unsaved-work.ts';
import { useLive } from '../../parts/use-live.ts';
import { RoleGate, useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import classes from './marketing.module.css';
import { MarketingTabs } from './marketing-tabs.tsx';
import { RewardDialog } from './reward-dialog.tsx';
import type { Reward } from './reward-draft.ts';
import { RewardTable } from './reward-table.tsx';

/** The earning rule and the rewards of the loyalty program. */
export function Component() {
  const [edited, setEdited] = useState<Reward | 'new' | null>(null);
  useLive(['loyalty-program', 'loyalty-rewards']);
  return (
    <Page>
      <PageHeader
        title={t`Marketing`}
        actions={
          <RoleGate right="createLoyaltyReward">
            <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
              {t`New reward`}
            </Button>
          </RoleGate>
        }
      />
      <MarketingTabs />
      <EarningRule />
      <RewardTable onOpen={setEdited} />
      {edited && <RewardDialog reward={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />}
    </Page>
  );
}

const programQuery = {
  queryKey: ['loyalty-program'],
  queryFn: () => dataOf(api.GET('/staff/v1/loyalty-program')),
};

function EarningRule() {
  const program = useQuery(programQuery);
  return (
    <SectionCard
      title={t`Earning`}
      hint={t`Applies to orders fulfilled from now on. Existing points do not change.`}
    >
      {program.isPending && <Skeleton height={64} />}
      {program.error && !program.data && (
        <LoadFailure error={program.error} onRetry={() => program.refetch()} />
      )}
      {program.data && (
        <div className={classes.inCard}>
          <EarningForm key={program.data.pointsPerDollar} saved={program.data.pointsPerDollar} />
        </div>
      )}
    </SectionCard>
  );
}

function EarningForm({ saved }: { saved: string }) {
  const queryClient = useQueryClient();
  const mayEdit = useCan('setLoyaltyProgram');
  const [typed, setTyped] = useState(saved);
  useUnsavedWork(typed !== saved);
  const save = async () =>
    queryClient.setQueryData(
      programQuery.queryKey,
      await dataOf(api.PUT('/staff/v1/loyalty-program', { body: { pointsPerDollar: typed } })),
    );
  return (
    <ServerForm
      onSubmit={save}
      onDone={() => notifyDone(t`The earning rule is saved.`)}
      isReadOnly={!mayEdit}
    >
      <Group align="flex-end">
        <Field path="pointsPerDollar">
          {(error) => (
            <DecimalInput
              label={t`Points per dollar`}
              description={t`Per dollar of merchandise after discounts; 0 disables earning`}
              w={320}
              error={error}
              value={typed}
              onChange={setTyped}
            />
          )}
        </Field>
        {typed === '0' && (
          <Text size="sm" c="dimmed">
            {t`Customers earn no points.`}
          </Text>
        )}
      </Group>
    </ServerForm>
  );
}
