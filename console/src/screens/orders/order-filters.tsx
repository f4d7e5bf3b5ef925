import { SegmentedControl, Select } from '@mantine/core';
import { IconLayoutKanban, IconList } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { DayInput } from '../../parts/day-input.tsx';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { businessDayAt } from '../../parts/shop-moment.ts';
import { shopNow } from '../../parts/shop-now.ts';
import { sentence } from '../../parts/status-badge.tsx';
import { useSession } from '../../session/session.tsx';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../inventory/stock-words.ts';
import { usualRanges } from '../reports/report-days.ts';
import { orderStatuses, orderTypes } from './order-words.ts';

const filterNames = ['view', 'status', 'type', 'search', 'from', 'to', 'location'] as const;

export type OrderFilterName = (typeof filterNames)[number];
export type OrderFilterValues = Readonly<Partial<Record<OrderFilterName, string>>>;

export { filterNames as orderFilterNames };

/** The filters and the view. A status filter switches to the list, because the board shows all statuses. */
export function OrderFilters({
  values,
  onChange,
  isBoard,
}: {
  values: OrderFilterValues;
  onChange: OnChange;
  isBoard: boolean;
}) {
  return (
    <FilterBar>
      <SearchField
        label={t`Search by number or customer`}
        value={values.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
        width={312}
      />
      <Select
        aria-label={t`Type`}
        w={136}
        data={[
          { value: '', label: t`All types` },
          ...orderTypes.map((value) => ({ value, label: sentence(value) })),
        ]}
        value={values.type ?? ''}
        onChange={(type) => onChange({ type })}
      />
      {!isBoard && (
        <Select
          aria-label={t`Status`}
          w={144}
          data={[
            { value: '', label: t`All statuses` },
            ...orderStatuses.map((value) => ({ value, label: sentence(value) })),
          ]}
          value={values.status ?? ''}
          onChange={(status) => onChange({ status })}
        />
      )}
      <LocationFilter value={values.location} onChange={(location) => onChange({ location })} />
      <PlacedDays values={values} onChange={onChange} />
      <SegmentedControl
        aria-label={t`View`}
        ml="auto"
        data={[
          { value: 'board', label: <ViewLabel icon={IconLayoutKanban} text={t`Board`} /> },
          { value: 'list', label: <ViewLabel icon={IconList} text={t`List`} /> },
        ]}
        value={isBoard ? 'board' : 'list'}
        onChange={(view) => onChange(view === 'list' ? { view } : { view: null, status: null })}
      />
    </FilterBar>
  );
}

type OnChange = (changes: Partial<Record<OrderFilterName, string | null>>) => void;

/** The date filter: a usual range, any two days, or none. */
function PlacedDays({ values: { from, to }, onChange }: { values: OrderFilterValues; onChange: OnChange }) {
  const { organization } = useSession();
  const usual = usualRanges(businessDayAt(shopNow(), organization));
  const present = usual.find(({ range }) => range.from === from && range.to === to)?.name;
  const isDated = from !== undefined || to !== undefined;
  return (
    <>
      <Select
        aria-label={t`Placed`}
        w={136}
        data={[
          { value: '', label: t`All dates` },
          ...[...usual.map(({ name }) => name), ...(isDated && !present ? [t`Custom range`] : [])].map(
            (name) => ({
              value: name,
              label: name,
            }),
          ),
        ]}
        value={isDated ? (present ?? t`Custom range`) : ''}
        onChange={(name) => {
          const chosen = usual.find((it) => it.name === name);
          if (chosen) onChange({ ...chosen.range });
          else if (name === '') onChange({ from: null, to: null });
        }}
      />
      {isDated && (
        <>
          <DayInput
            aria-label={t`Placed from`}
            w={152}
            day={from ?? null}
            onChange={(day) => onChange({ from: day, ...(day && to && day > to && { to: day }) })}
          />
          <DayInput
            aria-label={t`Placed until`}
            w={152}
            day={to ?? null}
            onChange={(day) => onChange({ to: day, ...(day && from && day < from && { from: day }) })}
          />
        </>
      )}
    </>
  );
}

/** The location filter; hidden in a shop with one location. */
function LocationFilter({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (location: string | null) => void;
}) {
  const locations = useQuery(locationsQuery).data ?? [];
  if (locations.length < 2 && value === undefined) return null;
  return (
    <Select
      aria-label={t`Location`}
      w={160}
      data={[
        { value: '', label: t`All locations` },
        ...locations.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={value ?? ''}
      onChange={onChange}
    />
  );
}

function ViewLabel({ icon: Icon, text }: { icon: typeof IconList; text: string }) {
  return (
    <span style={{ display: 'flex', alignItems: 'center', gap: 6 }}>
      <Icon size={16} aria-hidden />
      {text}
    </span>
  );
}
