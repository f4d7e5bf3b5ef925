import { Gauge, type Registry } from 'prom-client';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { selectOwnerEmails } from '../../access/staff/staff.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { RequestLog } from '../../platform/http/endpoint.ts';
import { queueMail } from '../../platform/mail/mail.ts';
import { statement } from '../../platform/statements/statement.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';

const periodMs = 5 * 60_000;
/** Owners hear again after that, while there is something to hear of. */
const againMs = 20 * 3_600_000;
const ownersMax = 20;

const late = `r.state in ('waiting', 'sending', 'unknown', 'refused') and (r.alarm_at <= :at or r.state = 'refused')`;

/** Notes that owners are told of the licenses with late reports, and answers what to tell. */
const noteLateTold = statement<
  { at: string; toldBefore: string },
  { id: number; license_number: string; count: number; oldest_at: number }
>(
  'note_late_state_reports_told',
  `update state_connections c set late_told_at = :at
     from (select r.connection_id, count(*)::integer as count, min(r.occurred_at) as oldest_at from state_reports r
            where r.organization_id = :organizationId and ${late} group by r.connection_id) as l
    where c.organization_id = :organizationId and c.id = l.connection_id
      and (c.late_told_at is null or c.late_told_at < :toldBefore)
   returning c.id, c.license_number, l.count, l.oldest_at`,
);

/** Mails the owners about licenses whose reports are late or refused: at once, and then once a day. */
export async function remindOfReports(context: Context, organization: OrganizationId): Promise<void> {
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const toldBefore = isoTimestamp(nowMs - againMs);
  await context.database.write(
    organization,
    async (tx) => {
      const [licenses] = await tx.run(noteLateTold({ at, toldBefore }));
      if (licenses.length === 0) return;
      const [[shop], owners] = await tx.run(selectOrganization({}), selectOwnerEmails({ limit: ownersMax }));
      const lines = licenses.map(
        ({ license_number: license, count, oldest_at: oldestMs }) =>
          `License ${license}: ${count} ${count === 1 ? 'report' : 'reports'}, the oldest of ${isoTimestamp(oldestMs).slice(0, 10)}.`,
      );
      for (const owner of owners) {
        await queueMail(tx, context, nowMs, {
          ...{ kind: 'state-reports-late', from: shop!.name, to: owner.email, expiresAtMs: null },
          subject: `The state does not know everything that ${shop!.name} sold`,
          paragraphs: [
            ...lines,
            'They are refused, or half of the time in which the state wants them is over. The page State reports of the staff console says why, and has them as a file.',
          ],
          cause: `state-reports-late:${licenses[0]!.id}:${owner.id}:${at}`,
        });
      }
    },
    { countsAsChange: false },
  );
}

/** Looks for late reports of all organizations every five minutes: for the metric, and for mails to owners. */
export function startRemindingOfReports(
  context: Context,
  withWork: (before: string) => Promise<readonly { readonly id: number }[]>,
  registry: Registry,
  logger: RequestLog,
): RunningJob {
  const gauge = new Gauge({
    name: 'shops_with_late_state_reports',
    help: 'Shops with reports to a state that are refused, or late by half of their time; read every five minutes.',
    registers: [registry],
  });
  return startForEachOrganization({
    failureMessage: 'owners could not be told of reports that the state does not have',
    periodMs,
    listOrganizations: async () => {
      const found = await withWork(isoTimestamp(context.clock.now()));
      gauge.set(found.length);
      return found;
    },
    logger,
    work: (organization) => remindOfReports(context, organization),
  });
}
