import { Button, Menu, Switch } from '@mantine/core';
import { IconArchive, IconArchiveOff, IconPencil, IconPlus } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { notifyDone, notifyError } from '../../parts/toasts.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useLive } from '../../parts/use-live.ts';
import { useWrite } from '../../parts/use-write.ts';
import { t } from '../../words/words.ts';
import { methodInWords, PaymentTypeDialog } from './payment-type-dialog.tsx';

type PaymentType = Schema['PaymentTypeSetting'];

/** The payment types and their fees. */
export function Component() {
  const types = useQuery({
    queryKey: ['payment-types'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/payment-types', { signal })),
  });
  const [edited, setEdited] = useState<PaymentType | 'new' | null>(null);
  const [withArchived, setWithArchived] = useState(false);
  const archive = useArchive();
  useLive(['payment-types']);
  useAsked('new', () => setEdited('new'));
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t`Add payment type`}
    </Button>
  );
  return (
    <Page>
      <PageHeader title={t`Payment types`} actions={add}>
        {t`How customers can pay, and the fees they pay.`}
      </PageHeader>
      {types.data?.some(({ archivedAt }) => archivedAt !== null) && (
        <Switch
          label={t`Show archived`}
          checked={withArchived}
          onChange={(event) => setWithArchived(event.currentTarget.checked)}
        />
      )}
      <DataTable
        label={t`Payment types`}
        list={listOf(types, (rows) => rows.filter(({ archivedAt }) => withArchived || archivedAt === null))}
        columns={columnsWith(setEdited, archive)}
        onOpen={setEdited}
        maxHeight={640}
        empty={<EmptyState title={t`No payment types`} action={add} />}
      />
      <PaymentTypeDialog edited={edited} onClose={() => setEdited(null)} />
    </Page>
  );
}

function useArchive(): (type: PaymentType, archived: boolean) => void {
  const queryClient = useQueryClient();
  const change = useWrite({
    about: ({ type }) => type.id,
    mutationFn: ({ type, archived }: { type: PaymentType; archived: boolean }) =>
      dataOf(
        api.PATCH('/staff/v1/payment-types/{paymentTypeId}', {
          params: { path: { paymentTypeId: type.id } },
          body: { archived },
        }),
      ),
    onSuccess: (type) => {
      notifyDone(type.archivedAt === null ? t`${type.name} is restored.` : t`${type.name} is archived.`);
      void queryClient.invalidateQueries({ queryKey: ['payment-types'] });
    },
    onError: notifyError,
  });
  return (type, archived) => change.mutate({ type, archived });
}

function columnsWith(
  edit: (type: PaymentType) => void,
  archive: (type: PaymentType, archived: boolean) => void,
): readonly Column<PaymentType>[] {
  return [
    { id: 'name', header: t`Name`, cell: (type) => type.name },
    { id: 'method', header: t`Method`, width: 112, cell: (type) => methodInWords[type.method] },
    { id: 'fee', header: t`Fee`, width: 140, align: 'end', cell: (type) => <Fee type={type} /> },
    {
      id: 'delivery',
      header: t`Deliveries`,
      width: 104,
      cell: (type) => (type.availableDelivery ? t`Yes` : t`No`),
    },
    {
      id: 'state',
      header: t`State`,
      width: 104,
      cell: (type) => <StatusBadge status={type.archivedAt === null ? 'active' : 'archived'} />,
    },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 64,
      align: 'end',
      cell: (type) => (
        <RowMenu label={t`Actions for ${type.name}`}>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit(type)}>
            {t`Edit`}
          </Menu.Item>
          {type.archivedAt === null ? (
            <Menu.Item
              leftSection={<IconArchive size={16} aria-hidden />}
              onClick={() => archive(type, true)}
            >
              {t`Archive`}
            </Menu.Item>
          ) : (
            <Menu.Item
              leftSection={<IconArchiveOff size={16} aria-hidden />}
              onClick={() => archive(type, false)}
            >
              {t`Restore`}
            </Menu.Item>
          )}
        </RowMenu>
      ),
    },
  ];
}

/** A flat amount, a percentage, or both. */
function Fee({ type }: { type: PaymentType }) {
  const percent = type.feePercent === '0' ? null : `${type.feePercent}%`;
  if (percent === null) return type.fee === 0 ? t`None` : <Money cents={type.fee} />;
  if (type.fee === 0) return percent;
  return (
    <>
      <Money cents={type.fee} /> + {percent}
    </>
  );
}
