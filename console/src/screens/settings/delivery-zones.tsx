import { Alert, Button, Menu, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf, type Schema } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Money } from '../../parts/money.tsx';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { DeliveryZoneDialog } from './delivery-zone-dialog.tsx';
import { taxesQuery, zonesQuery } from './setting-lists.ts';
import { exceptionInWords, zoneExceptions } from './zone-conflicts.ts';

type Zone = Schema['DeliveryZone'];

/** The delivery zones by ZIP code, with their fees. */
export function Component() {
  const queryClient = useQueryClient();
  const zones = useQuery(zonesQuery);
  const taxes = useQuery(taxesQuery).data ?? [];
  const [edited, setEdited] = useState<Zone | 'new' | null>(null);
  const [removed, setRemoved] = useState<Zone | null>(null);
  useLive(['delivery-zones', 'taxes']);
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t`Add zone`}
    </Button>
  );
  const exceptions = zoneExceptions(zones.data ?? []).map((it) => exceptionInWords(it));
  return (
    <Page>
      <PageHeader title={t`Delivery zones`} actions={add}>
        {t`If there are zones, deliveries outside all zones are refused.`}
      </PageHeader>
      {exceptions.length > 0 && (
        <Alert color="blue" title={t`Overlapping zones`}>
          {exceptions.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Alert>
      )}
      <DataTable
        label={t`Delivery zones`}
        list={listOf(zones, (rows) => rows)}
        columns={columnsWith(taxes, setEdited, setRemoved)}
        onOpen={setEdited}
        maxHeight={640}
        empty={
          <EmptyState title={t`No delivery zones`} action={add}>
            {t`Without zones, deliveries go everywhere.`}
          </EmptyState>
        }
      />
      <DeliveryZoneDialog edited={edited} zones={zones.data ?? []} onClose={() => setEdited(null)} />
      <ConfirmDialog
        opened={removed !== null}
        title={t`Remove ${removed?.name}?`}
        action={t`Remove zone`}
        isDangerous
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          if (removed === null) return;
          const path = { deliveryZoneId: removed.id };
          await dataOf(api.DELETE('/staff/v1/delivery-zones/{deliveryZoneId}', { params: { path } }));
          notifyDone(t`${removed.name} is removed.`);
          void queryClient.invalidateQueries({ queryKey: zonesQuery.queryKey });
        }}
      >
        {t`${
          zones.data?.length === 1
            ? t`This is the last zone. Without zones, deliveries go everywhere.`
            : t`Deliveries to its ZIP codes will be refused.`
        } Existing orders do not change.`}
      </ConfirmDialog>
    </Page>
  );
}

function columnsWith(
  taxes: readonly Schema['Tax'][],
  edit: (zone: Zone) => void,
  remove: (zone: Zone) => void,
): readonly Column<Zone>[] {
  const taxNames = (zone: Zone) => {
    if (zone.taxIds === null) return t`Default taxes`;
    const names = zone.taxIds.map((id) => taxes.find((tax) => tax.id === id)?.description ?? String(id));
    return names.join(', ') || t`None`;
  };
  return [
    {
      id: 'name',
      header: t`Zone`,
      width: '26%',
      wraps: true,
      cell: (zone) => (
        <Text span inherit fw={600}>
          {zone.name}
        </Text>
      ),
    },
    {
      id: 'codes',
      header: t`ZIP codes`,
      wraps: true,
      cell: (zone) => <span title={zone.postalCodes.join(', ')}>{zone.postalCodes.join(', ')}</span>,
    },
    {
      id: 'minimum',
      header: t`Minimum`,
      width: 96,
      align: 'end',
      cell: (zone) => <Money cents={zone.orderMinimum} />,
    },
    {
      id: 'fee',
      header: t`Fee`,
      width: 88,
      align: 'end',
      cell: (zone) => <Money cents={zone.deliveryFee} />,
    },
    { id: 'taxes', header: t`Taxes`, width: '18%', wideOnly: true, cell: (zone) => taxNames(zone) },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 64,
      align: 'end',
      cell: (zone) => (
        <RowMenu label={t`Actions for ${zone.name}`}>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit(zone)}>
            {t`Edit`}
          </Menu.Item>
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => remove(zone)}
          >
            {t`Remove`}
          </Menu.Item>
        </RowMenu>
      ),
    },
  ];
}
