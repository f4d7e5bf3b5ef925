import { Button, Menu, Stack, Switch, Text } from '@mantine/core';
import { IconBan, IconMapPin, IconPencil, IconPlus, IconScale } from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, dataOf } from '../../api.ts';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { Page } from '../../parts/page.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import { shopNow } from '../../parts/shop-now.ts';
import { ShopTime } from '../../parts/shop-time.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { taxChargeInWords } from '../../parts/tax-charge.ts';
import { notifyDone } from '../../parts/toasts.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useAsked } from '../../parts/use-asked.ts';
import { useLive } from '../../parts/use-live.ts';
import { useCan } from '../../session/session.tsx';
import { rich } from '../../words/rich.ts';
import { t } from '../../words/words.ts';
import { LeftTaxes } from './left-taxes.tsx';
import { PatientsDialog } from './patients-dialog.tsx';
import { taxesQuery } from './setting-lists.ts';
import { TaxDialog } from './tax-dialog.tsx';
import { TaxPresetDialog } from './tax-preset-dialog.tsx';
import { isPast, isUndecided, type Tax, taxState, traitsOf } from './tax-words.ts';

/** The shop's taxes with their periods, by tier. */
export function Component() {
  const queryClient = useQueryClient();
  const taxes = useQuery(taxesQuery);
  const [edited, setEdited] = useState<Tax | 'new' | null>(null);
  const [ending, setEnding] = useState<Tax | null>(null);
  const [decided, setDecided] = useState<Tax | null>(null);
  const mayDecide = useCan('decidePatientsTax');
  const [isPresetOpen, setPresetOpen] = useState(false);
  const [withEnded, setWithEnded] = useState(false);
  useLive(['taxes']);
  useAsked('preset', () => setPresetOpen(true));
  const now = shopNow();
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t`Add tax`}
    </Button>
  );
  const preset = (
    <Button
      variant="default"
      leftSection={<IconMapPin size={18} aria-hidden />}
      onClick={() => setPresetOpen(true)}
    >
      {t`State preset`}
    </Button>
  );
  return (
    <Page>
      <PageHeader
        title={t`Taxes`}
        actions={
          <>
            {preset}
            {add}
          </>
        }
      >
        {t`Taxes are charged tier by tier.`}
      </PageHeader>
      <LeftTaxes />
      {taxes.data?.some((tax) => isPast(tax, now)) && (
        <Switch
          label={t`Show ended`}
          checked={withEnded}
          onChange={(event) => setWithEnded(event.currentTarget.checked)}
        />
      )}
      <DataTable
        label={t`Taxes`}
        list={listOf(taxes, (rows) => rows.filter((tax) => withEnded || !isPast(tax, now)))}
        columns={columnsWith(setEdited, setEnding, mayDecide ? setDecided : null)}
        onOpen={(tax) => !isPast(tax, now) && setEdited(tax)}
        maxHeight={640}
        empty={
          <EmptyState title={t`No taxes`} action={preset}>
            {t`No taxes are charged. The preset adds the taxes of your state.`}
          </EmptyState>
        }
      />
      <TaxDialog edited={edited} onClose={() => setEdited(null)} />
      <PatientsDialog tax={decided} onClose={() => setDecided(null)} />
      <TaxPresetDialog opened={isPresetOpen} onClose={() => setPresetOpen(false)} />
      <ConfirmDialog
        opened={ending !== null}
        title={t`End ${ending?.description}?`}
        action={t`End tax`}
        isDangerous
        onClose={() => setEnding(null)}
        onConfirm={async () => {
          if (ending === null) return;
          const path = { taxId: ending.id };
          await dataOf(api.DELETE('/staff/v1/taxes/{taxId}', { params: { path } }));
          notifyDone(t`${ending.description} has ended.`);
          void queryClient.invalidateQueries({ queryKey: taxesQuery.queryKey });
        }}
      >
        {t`Carts are no longer charged this tax. It stays listed, and existing orders do not change.`}
      </ConfirmDialog>
    </Page>
  );
}

function columnsWith(
  edit: (tax: Tax) => void,
  end: (tax: Tax) => void,
  decide: ((tax: Tax) => void) | null,
): readonly Column<Tax>[] {
  return [
    { id: 'tier', header: t`Tier`, width: 72, cell: (tax) => tax.tier },
    {
      id: 'name',
      header: t`Tax`,
      cell: (tax) => (
        <TwoLines name={tax.description}>
          {isUndecided(tax) ? t`Not charged to patients until the owner decides` : traitsOf(tax)}
          {isUndecided(tax) && decide && (
            <>
              {' '}
              <Button
                size="compact-xs"
                variant="light"
                aria-label={t`Decide whether patients owe ${tax.description}`}
                onClick={(event) => {
                  // A click on the row edits the tax.
                  event.stopPropagation();
                  decide(tax);
                }}
              >
                {t`Decide`}
              </Button>
            </>
          )}
        </TwoLines>
      ),
    },
    { id: 'rate', header: t`Rate`, width: 88, align: 'end', cell: taxChargeInWords },
    { id: 'state', header: t`In force`, width: 232, cell: (tax) => <InForce tax={tax} /> },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 64,
      align: 'end',
      cell: (tax) =>
        !isPast(tax, shopNow()) && (
          <RowMenu label={t`Actions for ${tax.description}`}>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit(tax)}>
              {t`Edit`}
            </Menu.Item>
            {decide && tax.customerType === 'all' && (
              <Menu.Item leftSection={<IconScale size={16} aria-hidden />} onClick={() => decide(tax)}>
                {t`Decide on patients`}
              </Menu.Item>
            )}
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconBan size={16} aria-hidden />}
              onClick={() => end(tax)}
            >
              {t`End now`}
            </Menu.Item>
          </RowMenu>
        ),
    },
  ];
}

function InForce({ tax }: { tax: Tax }) {
  const state = taxState(tax, shopNow());
  return (
    <Stack gap={4} py={4} align="flex-start">
      <StatusBadge status={state} {...(state === 'coming' && { tone: 'waiting' as const })} />
      {tax.startsAt !== null && (
        <Text span fz="xs" c="dimmed">
          {rich`From ${<ShopTime at={tax.startsAt} />}`}
        </Text>
      )}
      {tax.endsAt !== null && (
        <Text span fz="xs" c="dimmed">
          {rich`Until ${<ShopTime at={tax.endsAt} />}`}
        </Text>
      )}
    </Stack>
  );
}
