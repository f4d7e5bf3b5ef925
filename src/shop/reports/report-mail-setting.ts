import Type from 'typebox';
import { failure } from '../../kernel/failure.ts';
import { Id, List, Named, Nullable, OneOf, Timestamp, WholeNumber } from '../../platform/http/schemas.ts';
import { settingResource } from '../../platform/resources/setting-resource.ts';
import {
  schemasOf,
  settingField,
  settingTable,
  uniqueNameField,
} from '../../platform/resources/setting-table.ts';
import { mailedReports } from './mailed-reports.ts';
import { forgetDue, selectReportReaders } from './report-mail-queries.ts';
import { weekdays } from './report-mail-times.ts';

const fields = {
  name: uniqueNameField(),
  reports: settingField(
    List(OneOf(mailedReports), { min: 1, max: mailedReports.length, description: 'What the mail has' }),
    'reports',
    { reads: (kinds) => mailedReports.filter((kind) => kinds.includes(kind)) },
  ),
  weekday: settingField(
    Nullable(
      OneOf(weekdays, {
        description:
          'The day of a mail about the seven business days before it; null: every day, about the day before',
      }),
    ),
    'weekday',
    { absent: null },
  ),
  hour: settingField(
    WholeNumber({ min: 0, max: 23, description: "In the shop's time zone; sent within some minutes" }),
    'hour',
    { absent: 7 },
  ),
  staffIds: settingField(
    List(Id(), { min: 1, max: 50, description: 'Owners and managers; who is disabled gets none' }),
    'staff_ids',
    { reads: (ids) => [...new Set(ids)] },
  ),
};

const requestExample = {
  name: 'Every morning',
  reports: ['sales', 'categories'] as ('sales' | 'categories')[],
  weekday: null,
  hour: 7,
  staffIds: [31],
};

/** Which reports are mailed to which owners and managers, and when. The mail names sums, no customer. */
export const reportMails = settingResource({
  table: settingTable('report_mails', {
    fields,
    ends: 'archived',
    lock: 'for no key update',
    uniqueName: { key: 'name_key', constraint: 'report_mails_of_name' },
  }),
  noun: 'report mail',
  subject: 'report_mail',
  idName: 'reportMailId',
  notFound: 'REPORT_MAIL_NOT_FOUND',
  saving: async (tx, { former, next: { staffIds } }) => {
    // Who was named before may be disabled since: they get no mail, and the rest can be changed.
    const added = staffIds.filter((id) => !former?.staffIds.includes(id));
    const [readers] = await tx.run(selectReportReaders({ ids: added }));
    const unknown = added.find((id) => readers.every((reader) => reader.id !== id));
    if (unknown === undefined) return undefined;
    throw failure('INVALID_PARAMS', `staffIds must be ids of owners and managers; ${unknown} is none`);
  },
  beside: ({ id }) => [forgetDue({ id })],
  path: '/staff/v1/report-mails',
  tag: 'Reports',
  readers: ['owner', 'manager'],
  writers: ['owner', 'manager'],
  refusesUnknownNames: true,
  data: Named(
    'ReportMail',
    Type.Object({
      id: Id(),
      ...schemasOf(fields),
      createdAt: Timestamp(),
      updatedAt: Timestamp(),
      archivedAt: Nullable(Timestamp({ description: 'When it was archived' })),
    }),
  ),
  example: {
    id: 2901,
    ...requestExample,
    createdAt: '2026-03-01T17:05:09.123Z',
    updatedAt: '2026-03-01T17:05:09.123Z',
    archivedAt: null,
  },
  list: {
    id: 'listReportMails',
    summary: 'List report mails',
    description: 'All report mails, including archived ones, by id.',
    max: 10_000,
    sorts: { id: 'ascending', name: 'ascending', createdAt: 'descending' },
    emptyInDemo: 'a demo that mails its owner each day would be a nuisance',
  },
  create: {
    id: 'createReportMail',
    summary: 'Create a report mail',
    description:
      'The first mail comes at the next time that it names. Each recipient gets one mail for each time.',
    requestExample,
  },
  replace: {
    id: 'replaceReportMail',
    summary: 'Replace a report mail',
    description: 'Absent fields get their defaults. An archived one stays archived.',
    requestExample,
  },
  update: {
    id: 'updateReportMail',
    summary: 'Change a report mail',
    description: 'Changes the given fields only. `archived: false` restores an archived one.',
    requestExample: { hour: 9 },
    changed: { hour: 9 },
  },
  end: {
    id: 'archiveReportMail',
    summary: 'Archive a report mail',
    description: 'It stays listed. Archiving it again changes nothing.',
    changed: { archivedAt: '2026-05-01T17:05:09.123Z' },
  },
});
