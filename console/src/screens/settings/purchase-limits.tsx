import { Alert, Button, Menu, Stack, Text } from '@mantine/core';
import { IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
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
import { dayInWords } from '../../parts/shop-day.tsx';
import { notifyDone } from '../../parts/toasts.tsx';
import { TwoLines } from '../../parts/two-lines.tsx';
import { useLive } from '../../parts/use-live.ts';
import { t } from '../../words/words.ts';
import { EquivalenceSources, LawSource } from './law-source.tsx';
import {
  amountInWords,
  cannabisTypes,
  countsInWords,
  customerTypes,
  type LimitRule,
  type OwnRule,
  windowInWords,
} from './limit-words.ts';
import { localityInWords } from './locality-fields.tsx';
import { PurchaseLimitDialog } from './purchase-limit-dialog.tsx';
import { limitsQuery } from './setting-lists.ts';

type Row = Omit<LimitRule, 'id'> & { readonly id: string; readonly own: OwnRule | null };

/** The purchase limits: those of state law and the shop's own. */
export function Component() {
  const queryClient = useQueryClient();
  const limits = useQuery(limitsQuery);
  const [edited, setEdited] = useState<OwnRule | 'new' | null>(null);
  const [removed, setRemoved] = useState<OwnRule | null>(null);
  useLive(['purchase-limit-rules']);
  const add = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited('new')}>
      {t`Add limit`}
    </Button>
  );
  return (
    <Page>
      <PageHeader title={t`Purchase limits`} actions={add}>
        {t`Every cart must comply with the state limits and the shop's own limits.`}
      </PageHeader>
      {(limits.data?.meta.warnings.length ?? 0) > 0 && (
        <Alert color="yellow" title={t`Not checked`}>
          {limits.data?.meta.warnings.map((line) => (
            <Text size="sm" key={line}>
              {line}
            </Text>
          ))}
        </Alert>
      )}
      <DataTable
        label={t`Purchase limits`}
        list={listOf(limits, ({ data }) => data.map(rowOf))}
        columns={columnsWith(setEdited, setRemoved)}
        onOpen={({ own }) => own && setEdited(own)}
        maxHeight={720}
        empty={
          <EmptyState title={t`No known limits`} action={add}>
            {t`The law of your state is not in the system. Add the limits that apply.`}
          </EmptyState>
        }
      />
      <PurchaseLimitDialog edited={edited} onClose={() => setEdited(null)} />
      <ConfirmDialog
        opened={removed !== null}
        title={t`Remove ${removed?.name}?`}
        action={t`Remove limit`}
        isDangerous
        onClose={() => setRemoved(null)}
        onConfirm={async () => {
          if (removed === null) return;
          const path = { purchaseLimitRuleId: removed.id };
          await dataOf(
            api.DELETE('/staff/v1/purchase-limit-rules/{purchaseLimitRuleId}', { params: { path } }),
          );
          notifyDone(t`${removed.name} is removed.`);
          void queryClient.invalidateQueries({ queryKey: limitsQuery.queryKey });
        }}
      >
        {t`Carts are no longer checked against it. State limits still apply.`}
      </ConfirmDialog>
    </Page>
  );
}

/** State rules have no id, so their position is the key. */
function rowOf(rule: LimitRule, index: number): Row {
  const own = rule.source === 'organization' ? (rule as OwnRule) : null;
  return { ...rule, id: own ? String(own.id) : t`state ${index}`, own };
}

function columnsWith(edit: (rule: OwnRule) => void, remove: (rule: OwnRule) => void): readonly Column<Row>[] {
  return [
    { id: 'name', header: t`Limit`, cell: (rule) => <Name rule={rule} /> },
    {
      id: 'amount',
      header: t`Maximum`,
      width: 96,
      align: 'end',
      cell: (rule) => (
        <Text span inherit fw={600}>
          {amountInWords(rule.limit, rule.unit)}
        </Text>
      ),
    },
    {
      id: 'customers',
      header: t`For`,
      width: 152,
      cell: (rule) => (
        <Stack gap={0}>
          <Text span inherit>
            {customerTypes[rule.customerType]}
          </Text>
          <Text span fz="xs" c="dimmed">
            {windowInWords(rule)}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'counts',
      header: t`Counts`,
      width: '32%',
      wraps: true,
      cell: (rule) => (
        <Stack gap={0}>
          <span title={countsInWords(rule.counts)}>{countsInWords(rule.counts)}</span>
          <EquivalenceSources equivalences={rule.equivalences} />
        </Stack>
      ),
    },
    {
      id: 'actions',
      header: <span className="unseen">{t`Actions`}</span>,
      width: 64,
      align: 'end',
      cell: ({ own }) =>
        own && (
          <RowMenu label={t`Actions for ${own.name}`}>
            <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => edit(own)}>
              {t`Edit`}
            </Menu.Item>
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => remove(own)}
            >
              {t`Remove`}
            </Menu.Item>
          </RowMenu>
        ),
    },
  ];
}

/** The place and period of the shop's own limit. */
function ownInWords({ locality, startsOn, endsOn, ownSource }: Row): string {
  const parts = [
    t`Own`,
    locality && localityInWords(locality),
    startsOn && t`from ${dayInWords(startsOn)}`,
    endsOn && t`until ${dayInWords(endsOn)}`,
    ownSource?.citation,
  ];
  return parts.filter(Boolean).join(' · ');
}

/** The origin of the rule, below its name: a state rule shows its law. */
function Name({ rule }: { rule: Row }) {
  return (
    <span title={cannabisTypes[rule.cannabisType]}>
      <TwoLines name={rule.name}>
        {rule.law === null ? ownInWords(rule) : <LawSource source={rule.law} />}
      </TwoLines>
    </span>
  );
}
