import { SegmentedControl, Select } from '@mantine/core';
import { IconLayoutKanban, IconList } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { t } from '../../words/words.ts';
import { locationsQuery } from '../inventory/stock-words.ts';
import { DaysFilter } from '../reports/days-filter.tsx';
import { orderStatuses, orderTypes } from './order-words.ts';

const filterNames = ['view', 'status', 'type', 'search', 'from', 'to', 'location'] as const;

type OrderFilterName = (typeof filterNames)[number];
type OrderFilterValues = Readonly<Partial<Record<OrderFilterName, string>>>;

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
      <DaysFilter
        labels={{ days: t`Placed`, from: t`Placed from`, to: t`Placed until` }}
        from={values.from}
        to={values.to}
        onChange={onChange}
      />
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
