import { Button, SegmentedControl } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from 'react-router';
import { api, dataOf } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useFilters } from '../../parts/use-filters.ts';
import { useLive } from '../../parts/use-live.ts';
import { RoleGate } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { type Discount, draftOf, stateOf } from './discount-draft.ts';
import { discountSentence, type TargetNames } from './discount-sentence.ts';
import { MarketingTabs } from './marketing-tabs.tsx';
import { useTargetNames } from './use-target-names.ts';

function columnsWith(names: TargetNames, state: State): readonly Column<Discount>[] {
  return [
    {
      id: 'name',
      header: t`Discount`,
      width: '28%',
      cell: ({ name }) => <TwoLines name={name} />,
    },
    {
      id: 'does',
      header: t`What it does`,
      wraps: true,
      cell: (discount) => {
        const sentence = discountSentence(draftOf(discount), names);
        return <span title={sentence}>{sentence}</span>;
      },
    },
    ...(state === 'live' ? [] : [momentColumn(state)]),
    { id: 'uses', header: t`Used`, width: 88, align: 'end', cell: ({ uses }) => uses.total },
  ];
}

const states = ['live', 'coming', 'ended'] as const;
type State = (typeof states)[number];

/** When it starts or ended. */
function momentColumn(state: State): Column<Discount> {
  const isEnded = state === 'ended';
  return {
    id: 'moment',
    header: isEnded ? t`Ended` : t`Starts`,
    width: 184,
    align: 'end',
    cell: ({ conditions }) => <ShopTime at={isEnded ? conditions.endsAt : conditions.startsAt} />,
  };
}

/** The discounts: live, scheduled and ended. */
export function Component() {
  const navigate = useNavigate();
  const [filters, setFilters] = useFilters(['state']);
  const state = states.find((it) => it === filters.state) ?? 'live';
  const isEnded = state === 'ended';
  useLive(['discounts']);
  const discounts = useQuery({
    queryKey: ['discounts', { ended: isEnded }],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/discounts', { params: { query: isEnded ? { ended: true } : {} }, signal })),
  });
  const list = listOf(discounts, (all) => all.filter((discount) => stateOf(discount, shopNow()) === state));
  const names = useTargetNames(list.rows);
  return (
    <Page kind="list">
      <PageHeader
        title={t`Marketing`}
        actions={
          <RoleGate right="createDiscount">
            <Button
              component={Link}
              to="/marketing/discounts/new"
              leftSection={<IconPlus size={18} aria-hidden />}
            >
              {t`New discount`}
            </Button>
          </RoleGate>
        }
      />
      <MarketingTabs />
      <FilterBar>
        <SegmentedControl
          aria-label={t`State`}
          data={[
            { value: 'live', label: t`Live` },
            { value: 'coming', label: t`Scheduled` },
            { value: 'ended', label: t`Ended` },
          ]}
          value={state}
          onChange={(next) => setFilters({ state: next === 'live' ? null : next })}
        />
      </FilterBar>
      <DataTable
        label={t`Discounts`}
        list={list}
        columns={columnsWith(names, state)}
        onOpen={({ id }) => void navigate(`/marketing/discounts/${id}`)}
        empty={
          <EmptyState title={state === 'live' ? t`No live discounts` : t`None`}>
            {state === 'live' && t`Create a discount such as a happy hour, a code or a two-for-one offer.`}
          </EmptyState>
        }
      />
    </Page>
  );
}
