import { api } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmailText } from '../../parts/email-text.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { phoneInWords } from '../../parts/phone-in-words.ts';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import { RecordList } from '../../parts/record-list.tsx';
import { pageOf, useList } from '../../parts/use-list.ts';
import { useListSort } from '../../parts/use-sort.ts';
import { t } from '../../words/words.ts';
import type { Vendor } from './purchase-words.ts';
import { PurchasingTabs } from './purchasing-tabs.tsx';
import { vendorKind } from './vendor-kind.tsx';

/** What the service sorts by. */
const sorts = { name: 'name' } as const;

/** The vendors that goods are ordered from. */
export function Component() {
  const { order, serverSort } = useListSort(sorts);
  const list = useList<Vendor>({
    queryKey: ['inventory-vendors', 'list', order],
    page: (startingAfter, signal) =>
      pageOf(
        api.GET('/staff/v1/inventory-vendors', { params: { query: { ...order, startingAfter } }, signal }),
      ),
  });
  return (
    <RecordList
      kind={vendorKind}
      title={t`Vendors`}
      tabs={<PurchasingTabs />}
      label={t`Vendors`}
      list={list}
      serverSort={serverSort}
      columns={columns}
      empty={<EmptyState title={t`No vendors yet`}>{t`Add the vendors that you order from.`}</EmptyState>}
      right="replaceInventoryVendor"
    />
  );
}

const columns: readonly Column<Vendor>[] = [
  nameColumn(t`Vendor`),
  { id: 'email', header: t`Email`, wraps: true, cell: ({ email }) => <EmailText email={email} /> },
  { id: 'phone', header: t`Phone`, width: 144, cell: ({ phone }) => phoneInWords(phone) },
  {
    id: 'city',
    header: t`City`,
    width: 152,
    cell: ({ city, state }) => [city, state].filter(Boolean).join(', ') || '–',
  },
  inUseColumn,
];
