import type { OrganizationId } from '../../kernel/ids.ts';
import { addDays, businessDayAt, isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { type MailContent, type MailRow, queueMail } from '../../platform/mail/mail.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { mailedReports, mailedRows } from './mailed-reports.ts';
import {
  type DueReportMailRow,
  lockDueReportMail,
  selectDueReportMails,
  selectReportReaders,
  setDue,
} from './report-mail-queries.ts';
import { nextMailMs } from './report-mail-times.ts';

const periodMs = 60_000;

/**
 * Mails the reports of an organization that are due, each once: the mails and the next time are one transaction, so a process that
 * dies mails all of a time or nothing of it, and the mails are sent by the queue of mails. After a pause of days only the last
 * time is mailed. `consoleUrl`: where the console is; null: it is not known, and the mail has no link.
 */
export async function mailReports(
  context: Context,
  organization: OrganizationId,
  consoleUrl: string | null,
): Promise<void> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const [due] = await context.database.read(organization, selectDueReportMails({ at }));
  for (const schedule of due) {
    // Read before the lock: a report of a large shop takes seconds.
    const content =
      schedule.due_at === null ? null : await contentOf(context, organization, schedule, consoleUrl);
    await context.database.write(organization, async (tx) => {
      const [[locked]] = await tx.run(lockDueReportMail({ id: schedule.id, at }));
      // Mailed by another process, or changed, since it was read: a changed one is due again.
      if (locked === undefined || locked.due_at !== schedule.due_at) return;
      const [readers] = await tx.run(selectReportReaders({ ids: locked.staff_ids }));
      for (const { id, email } of content === null ? [] : readers) {
        await queueMail(tx, context, nowMs, {
          kind: 'report',
          to: email,
          expiresAtMs: null,
          cause: `report:${locked.id}:${isoTimestamp(locked.due_at!)}:${id}`,
          ...content!,
        });
      }
      tx.queue(setDue({ id: locked.id, dueAt: isoTimestamp(nextMailMs(nowMs, locked)) }));
    });
  }
}

/** The last time that was due: of a pause of days, only that one. */
async function contentOf(
  context: Context,
  organization: OrganizationId,
  schedule: DueReportMailRow,
  consoleUrl: string | null,
): Promise<MailContent> {
  const nowMs = context.clock.now();
  let dueMs = schedule.due_at!;
  for (let next = nextMailMs(dueMs, schedule); next <= nowMs; next = nextMailMs(dueMs, schedule))
    dueMs = next;
  const to = addDays(businessDayAt(dueMs, { tz: schedule.tz, dayStartsAt: schedule.day_starts_at }), -1);
  const range = { from: schedule.weekday === null ? to : addDays(to, -6), to };
  const days = range.from === to ? dayInWords(to) : `${dayInWords(range.from)} to ${dayInWords(to)}`;
  const rows: MailRow[] = [];
  for (const kind of mailedReports.filter((it) => schedule.reports.includes(it))) {
    rows.push(...(await mailedRows(kind, { context, organization, range })));
  }
  return {
    from: schedule.shop_name,
    subject: `${schedule.name}: ${days}`,
    paragraphs: [`The reports of ${schedule.shop_name} for ${days}.`],
    rows,
    ...(consoleUrl !== null && {
      link: {
        label: 'Open the reports in the console',
        url: `${consoleUrl}/reports?from=${range.from}&to=${range.to}`,
      },
    }),
    footnote: 'Owners and managers choose under Reports, By mail what comes, when and to whom.',
  };
}

const calendar = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  ...({ year: 'numeric', month: 'short', day: 'numeric' } as const),
});

/** `Nov 27, 2026`. */
function dayInWords(day: string): string {
  return calendar.format(new Date(`${day}T00:00:00Z`));
}

/** Mails reports every minute, for organizations that have some to mail. Returns the running job. */
export function startMailingReports(
  context: Context,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  { consoleUrl, logger }: { readonly consoleUrl: string | null; readonly logger: RequestLog },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'the reports of an organization could not be mailed',
    periodMs,
    listOrganizations,
    logger,
    work: (organization) => mailReports(context, organization, consoleUrl),
  });
}
