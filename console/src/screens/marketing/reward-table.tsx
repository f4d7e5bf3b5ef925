import { Menu, SegmentedControl, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { RowMenu } from '../../parts/row-menu.tsx';
import { ShopTime } from '../../parts/shop-time.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useCan } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { optionNamesQuery } from './option-names.ts';
import { type Reward, rewardDraftOf, rewardInWords } from './reward-draft.ts';

const typeNames: Readonly<Record<Reward['type'], string>> = {
  'cash-back': t`Cash back`,
  flat: t`Amount`,
  percent: t`Percent`,
  'free-product': t`Free product`,
};

const endedColumn: Column<Reward> = {
  id: 'ended',
  header: t`Ended`,
  width: 144,
  align: 'end',
  cell: ({ endedAt }) => <ShopTime at={endedAt} style="date" />,
};

/** The rewards, live or ended. */
export function RewardTable({ onOpen }: { onOpen: (reward: Reward) => void }) {
  const mayEdit = useCan('updateLoyaltyReward');
  const [filters, setFilters] = useFilters(['ended']);
  const isEnded = filters.ended === 'true';
  const [ending, setEnding] = useState<Reward | null>(null);
  const rewards = useQuery({
    queryKey: ['loyalty-rewards', { ended: isEnded }],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/staff/v1/loyalty-rewards', { params: { query: isEnded ? { ended: true } : {} }, signal }),
      ),
  });
  const list = listOf(rewards, (all) => all.filter(({ endedAt }) => (endedAt !== null) === isEnded));
  const freeIds = list.rows.flatMap(({ productOptionId }) =>
    productOptionId === null ? [] : [productOptionId],
  );
  const names = useQuery({ ...optionNamesQuery(freeIds), enabled: freeIds.length > 0 });
  const columns: readonly Column<Reward>[] = [
    {
      id: 'name',
      header: t`Reward`,
      wraps: true,
      cell: ({ name }) => (
        <Text span inherit fw={600}>
          {name}
        </Text>
      ),
    },
    { id: 'type', header: t`Type`, width: 136, wideOnly: true, cell: ({ type }) => typeNames[type] },
    {
      id: 'gives',
      header: t`Value`,
      cell: (reward) => rewardInWords(rewardDraftOf(reward), (id) => names.data?.get(id) ?? t`option #${id}`),
    },
    {
      id: 'costs',
      header: t`Points`,
      width: 112,
      align: 'end',
      cell: ({ type, pointsRequirement }) =>
        type === 'cash-back' ? t`from ${pointsRequirement}` : pointsRequirement,
    },
    ...(isEnded ? [endedColumn] : []),
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 72,
      align: 'end',
      cell: (reward) =>
        mayEdit &&
        !isEnded && (
          <RowMenu label={t`More for ${reward.name}`}>
            <Menu.Item onClick={() => onOpen(reward)}>{t`Edit`}</Menu.Item>
            <Menu.Item c="var(--mantine-color-error)" onClick={() => setEnding(reward)}>
              {t`End now`}
            </Menu.Item>
          </RowMenu>
        ),
    },
  ];
  return (
    <>
      <FilterBar>
        <SegmentedControl
          aria-label={t`State`}
          data={[
            { value: '', label: t`Live` },
            { value: 'true', label: t`Ended` },
          ]}
          value={filters.ended ?? ''}
          onChange={(ended) => setFilters({ ended })}
        />
      </FilterBar>
      <DataTable
        label={t`Rewards`}
        list={list}
        columns={columns}
        {...(mayEdit && !isEnded && { onOpen })}
        maxHeight={480}
        empty={
          <EmptyState title={isEnded ? t`No ended rewards` : t`No rewards yet`}>
            {!isEnded && t`Customers spend points on rewards; staff choose them on an order.`}
          </EmptyState>
        }
      />
      {ending && <EndReward reward={ending} onClose={() => setEnding(null)} />}
    </>
  );
}

function EndReward({ reward, onClose }: { reward: Reward; onClose: () => void }) {
  const queryClient = useQueryClient();
  const end = async () => {
    const params = { path: { loyaltyRewardId: reward.id } };
    await dataOf(api.DELETE('/staff/v1/loyalty-rewards/{loyaltyRewardId}', { params }));
    notifyDone(t`${reward.name} has ended.`);
    void queryClient.invalidateQueries({ queryKey: ['loyalty-rewards'] });
  };
  return (
    <ConfirmDialog
      opened
      title={t`End ${reward.name}`}
      action={t`End now`}
      isDangerous
      onConfirm={end}
      onClose={onClose}
    >
      {t`New orders cannot redeem it. Orders that redeemed it do not change.`}
    </ConfirmDialog>
  );
}
