import { Select } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { LoadFailure } from '../../parts/load-failure.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { readAgain } from '../../parts/read-again.ts';
import { shopClockAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { useFilters } from '../../parts/use-filters.ts';
import { useLive } from '../../parts/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { locale, t } from '../../words/words.ts';
import { locationChoices, locationsQuery } from '../inventory/stock-words.ts';
import { Drawers } from './drawer-tile.tsx';
import { SalesByHour, SalesParts } from './sales-tiles.tsx';
import { ExpiringPackages, LowStock, WaitingOrders } from './stock-tiles.tsx';
import classes from './today.module.css';

const weekday = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', weekday: 'long' });
const fullDay = new Intl.DateTimeFormat(locale(), {
  ...{ timeZone: 'UTC', weekday: 'long' },
  ...{ month: 'long', day: 'numeric' },
});

/** The day of the shop so far, kept up to date by what happens in it. Every tile leads to its list. */
export function Component() {
  const { tz } = useSession().organization;
  const clock = useShopClock(tz);
  const day = clock.slice(0, 10);
  const [filters, setFilters] = useFilters(['location']);
  const locations = useQuery(locationsQuery);
  const choices = locationChoices(locations.data);
  const location = choices.find(({ value }) => value === filters.location) ?? null;
  const inventoryLocationId = location === null ? undefined : Number(location.value);
  const today = useQuery({
    // Of orders, whose events are the most. The day is part of the key: at midnight the shop begins another.
    queryKey: ['orders', 'today', { day, inventoryLocationId }],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/staff/v1/reports/today', { params: { query: { inventoryLocationId } }, signal })),
    placeholderData: keepPreviousData,
  });
  const client = useQueryClient();
  const reread = useCallback(() => readAgain(client, { queryKey: ['orders', 'today'] }, 'shown'), [client]);
  useLive(['orders', 'inventory', 'packages', 'products', 'registers', 'drawer-sessions'], reread);
  const { data } = today;
  const search = location === null ? '' : `location=${location.value}`;
  return (
    <Page>
      <PageHeader
        title={t`Today`}
        actions={
          choices.length > 1 && (
            <Select
              aria-label={t`Location`}
              w={200}
              data={[{ value: '', label: t`All locations` }, ...choices]}
              value={location?.value ?? ''}
              onChange={(value) => setFilters({ location: value })}
            />
          )
        }
      >
        {fullDay.format(new Date(`${day}T00:00:00Z`))}
      </PageHeader>
      {today.error && !data ? (
        <LoadFailure error={today.error} onRetry={() => today.refetch()} />
      ) : (
        <div className={classes.tiles} aria-busy={today.isPlaceholderData}>
          <SalesByHour
            data={data}
            hour={clock.slice(11, 13)}
            former={weekday.format(new Date(`${day}T00:00:00Z`))}
            location={location}
          />
          <WaitingOrders data={data} search={search} />
          <LowStock data={data} search={search} />
          <ExpiringPackages data={data} />
          <SalesParts data={data} part="payments" isOfAll={location !== null} />
          <SalesParts data={data} part="staff" isOfAll={location !== null} />
          <Drawers locationId={inventoryLocationId ?? null} />
        </div>
      )}
    </Page>
  );
}

/** The shop's date and time, `2026-03-08T16:00`, by the minute. */
function useShopClock(tz: string): string {
  const [clock, setClock] = useState(() => shopClockAt(shopNow(), tz));
  useInterval(() => setClock(shopClockAt(shopNow(), tz)), 10_000, { autoInvoke: true });
  return clock;
}
