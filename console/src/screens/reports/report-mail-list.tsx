import { Checkbox, Select, SimpleGrid, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, dataOf, ifUnchanged, type Schema } from '../../api.ts';
import type { Column } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { listOf } from '../../parts/list-of.ts';
import { NameField } from '../../parts/name-field.tsx';
import { inUseColumn, nameColumn } from '../../parts/record-columns.tsx';
import type { RecordKind } from '../../parts/record-kind.ts';
import { RecordList } from '../../parts/record-list.tsx';
import { Field } from '../../parts/server-form.tsx';
import type { Edit } from '../../parts/use-edit.ts';
import { useCan, useSession } from '../../session/session.tsx';
import { locale, t } from '../../words/words.ts';
import { ReportTabs } from './report-tabs.tsx';

type ReportMail = Schema['ReportMail'];

const reportNames: Readonly<Record<ReportMail['reports'][number], string>> = {
  sales: t`Sales`,
  categories: t`Sales by category`,
  products: t`Sales by product`,
  brands: t`Sales by brand`,
  vendors: t`Sales by vendor`,
  discounts: t`Discounts given`,
  staff: t`Sales by staff`,
  payments: t`Payments collected`,
  taxes: t`Taxes`,
  'inventory-value': t`Inventory value`,
};
const reports = Object.keys(reportNames) as ReportMail['reports'];

const dayNames: Readonly<Record<NonNullable<ReportMail['weekday']>, string>> = {
  monday: t`Mondays`,
  tuesday: t`Tuesdays`,
  wednesday: t`Wednesdays`,
  thursday: t`Thursdays`,
  friday: t`Fridays`,
  saturday: t`Saturdays`,
  sunday: t`Sundays`,
};

const dayName = (weekday: ReportMail['weekday']) => (weekday === null ? t`Every day` : dayNames[weekday]);

const clock = new Intl.DateTimeFormat(locale(), { timeZone: 'UTC', hour: 'numeric', minute: '2-digit' });
/** `7:00 AM`. */
const hourName = (hour: number) => clock.format(Date.UTC(2026, 0, 1, hour));

const patch = (reportMailId: number, body: object, updatedAt?: string) =>
  dataOf(
    api.PATCH('/staff/v1/report-mails/{reportMailId}', {
      params: { path: { reportMailId } },
      headers: updatedAt === undefined ? {} : ifUnchanged(updatedAt),
      body,
    }),
  );

const fieldLabels: Readonly<Record<string, string>> = {
  name: t`Name`,
  reports: t`Reports`,
  weekday: t`Day`,
  hour: t`Time`,
  staffIds: t`Recipients`,
};

const reportMailKind: RecordKind<ReportMail> = {
  noun: t`email`,
  resources: ['report-mails'],
  blank: {
    ...{ id: 0, name: '', reports: ['sales'], weekday: null, hour: 7, staffIds: [] },
    ...{ createdAt: '', updatedAt: '', archivedAt: null },
  },
  create: ({ name, reports: kinds, weekday, hour, staffIds }) =>
    dataOf(api.POST('/staff/v1/report-mails', { body: { name, reports: kinds, weekday, hour, staffIds } })),
  save: (
    id,
    { id: _id, createdAt: _made, updatedAt: _changed, archivedAt: _archived, ...changes },
    updatedAt,
  ) => patch(id, changes, updatedAt),
  loadAll: () => dataOf(api.GET('/staff/v1/report-mails')),
  shown: (name, value) => ({ label: fieldLabels[name] ?? name, value: String(value) }),
  fields: (edit) => <ReportMailFields {...edit} />,
  removal: {
    verb: 'archive',
    send: (id) => patch(id, { archived: true }),
    warning: () => t`Nothing is emailed until it is restored.`,
  },
};

const columns: readonly Column<ReportMail>[] = [
  nameColumn(t`Email`, '24%'),
  {
    id: 'reports',
    header: t`Reports`,
    wraps: true,
    cell: ({ reports: kinds }) => kinds.map((kind) => reportNames[kind]).join(', '),
  },
  {
    id: 'when',
    header: t`When`,
    width: 216,
    cell: ({ weekday, hour }) => `${dayName(weekday)}, ${hourName(hour)}`,
  },
  { id: 'to', header: t`Recipients`, width: 112, align: 'end', cell: ({ staffIds }) => staffIds.length },
  inUseColumn,
];

/** Which reports are mailed, when, and to whom. */
export function Component() {
  const mails = useQuery({
    queryKey: ['report-mails'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/report-mails', { signal })),
  });
  return (
    <RecordList
      kind={reportMailKind}
      title={t`Reports by email`}
      hint={t`Each email has the totals of the day or week before. The console has the rest.`}
      tabs={<ReportTabs />}
      label={t`Reports by email`}
      list={listOf(mails, (rows) => rows)}
      columns={columns}
      empty={
        <EmptyState
          title={t`No reports are emailed`}
        >{t`Add one to get your numbers each morning.`}</EmptyState>
      }
      right="updateReportMail"
    />
  );
}

function ReportMailFields({ draft, set }: Edit<ReportMail>) {
  return (
    <Stack>
      <NameField value={draft.name} onChange={(name) => set('name', name)} />
      <Field path="reports">
        {(error) => (
          <Checkbox.Group
            label={t`Reports`}
            required
            error={error}
            value={draft.reports}
            onChange={(kinds) => set('reports', kinds as ReportMail['reports'])}
          >
            <SimpleGrid cols={2} spacing="xs" mt={4}>
              {reports.map((kind) => (
                <Checkbox key={kind} value={kind} label={reportNames[kind]} />
              ))}
            </SimpleGrid>
          </Checkbox.Group>
        )}
      </Field>
      <SimpleGrid cols={2}>
        <Field path="weekday">
          {(error) => (
            <Select
              label={t`Day`}
              error={error}
              data={[
                { value: '', label: t`Every day` },
                ...Object.entries(dayNames).map(([value, label]) => ({ value, label })),
              ]}
              value={draft.weekday ?? ''}
              onChange={(day) => set('weekday', day ? (day as ReportMail['weekday']) : null)}
            />
          )}
        </Field>
        <Field path="hour">
          {(error) => (
            <Select
              label={t`Time`}
              error={error}
              data={Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourName(hour) }))}
              value={String(draft.hour)}
              onChange={(hour) => hour !== null && set('hour', Number(hour))}
            />
          )}
        </Field>
      </SimpleGrid>
      <RecipientsField draft={draft} set={set} />
    </Stack>
  );
}

/** Owners and managers; who may not list the staff names themselves, and keeps the others. */
function RecipientsField({ draft, set }: Pick<Edit<ReportMail>, 'draft' | 'set'>) {
  const { staff } = useSession();
  const mayList = useCan('listStaff');
  const members = useQuery({
    queryKey: ['staff'],
    queryFn: ({ signal }) => dataOf(api.GET('/staff/v1/staff', { signal })),
    enabled: mayList,
  });
  const people = mayList
    ? (members.data ?? []).filter(
        ({ role, disabledAt }) => disabledAt === null && (role === 'owner' || role === 'manager'),
      )
    : [staff];
  return (
    <Field path="staffIds">
      {(error) => (
        <Checkbox.Group
          label={t`Recipients`}
          required
          error={error}
          value={draft.staffIds.map(String)}
          onChange={(ids) => set('staffIds', ids.map(Number))}
        >
          <Stack gap="xs" mt={4}>
            {people.map(({ id, firstName, lastName, email }) => (
              <Checkbox key={id} value={String(id)} label={`${firstName} ${lastName}`} description={email} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Field>
  );
}
