import { SegmentedControl, Select } from '@mantine/core';
import { IconLayoutKanban, IconList } from '@tabler/icons-react';
import { FilterBar } from '../../parts/filter-bar.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { sentence } from '../../parts/status-badge.tsx';
import { orderStatuses, orderTypes } from './order-words.ts';

const filterNames = ['view', 'status', 'type', 'search'] as const;

export type OrderFilterName = (typeof filterNames)[number];
export type OrderFilterValues = Readonly<Partial<Record<OrderFilterName, string>>>;

export { filterNames as orderFilterNames };

/** Which orders are shown, and how. A status means the list: the board has them all. */
export function OrderFilters({
  values,
  onChange,
  isBoard,
}: {
  values: OrderFilterValues;
  onChange: (changes: Partial<Record<OrderFilterName, string | null>>) => void;
  isBoard: boolean;
}) {
  return (
    <FilterBar>
      <SearchField
        label="Search by number or customer"
        value={values.search ?? ''}
        onSearch={(text) => onChange({ search: text })}
        width={280}
      />
      <Select
        aria-label="Type"
        w={136}
        data={[
          { value: '', label: 'All types' },
          ...orderTypes.map((value) => ({ value, label: sentence(value) })),
        ]}
        value={values.type ?? ''}
        onChange={(type) => onChange({ type })}
      />
      {!isBoard && (
        <Select
          aria-label="Status"
          w={144}
          data={[
            { value: '', label: 'All statuses' },
            ...orderStatuses.map((value) => ({ value, label: sentence(value) })),
          ]}
          value={values.status ?? ''}
          onChange={(status) => onChange({ status })}
        />
      )}
      <SegmentedControl
        aria-label="View"
        ml="auto"
        data={[
          { value: 'board', label: <ViewLabel icon={IconLayoutKanban} text="Board" /> },
          { value: 'list', label: <ViewLabel icon={IconList} text="List" /> },
        ]}
        value={isBoard ? 'board' : 'list'}
        onChange={(view) => onChange(view === 'list' ? { view } : { view: null, status: null })}
      />
    </FilterBar>
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
