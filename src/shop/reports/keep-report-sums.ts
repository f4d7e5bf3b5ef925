import { assert } from '../../kernel/assert.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import {
  countSomeEvents,
  deleteFormerSales,
  deleteFormerTaxes,
  foldReportChanges,
  insertReportState,
  lockReportState,
  restartReportSums,
  selectReportBacklog,
} from './report-sum-queries.ts';

const periodMs = 30_000;
/** What one transaction does at most, in a fraction of a second. */
const stepSizes = { changesMax: 500, eventsMax: 500, rowsMax: 5_000 };
/** The other organizations come after so many steps; the rest is done the next time. */
const stepsMax = 200;

type SumContext = Pick<Context, 'database'>;

/**
 * One step towards sums without changes beside them: takes changes into the sums, or counts events that are not in
 * them yet, latest first. Each step is a transaction after which every report is what it was before. Resolves to whether
 * there may be more to do.
 */
export function stepReportSums(
  { database }: SumContext,
  organization: OrganizationId,
  sizes: typeof stepSizes = stepSizes,
): Promise<boolean> {
  return database.write(
    organization,
    async (tx) => {
      const [, [state]] = await tx.run(insertReportState({}), lockReportState({}));
      assert(state !== undefined, 'an organization has a state of its reports');
      if (state.is_of_other_days) {
        await tx.run(restartReportSums({}));
        return true;
      }
      const [[folded]] = await tx.run(foldReportChanges({ changesMax: sizes.changesMax }));
      if (folded!.changes > 0) return true;
      if (!state.is_complete) {
        await tx.run(countSomeEvents({ eventsMax: sizes.eventsMax }));
        return true;
      }
      const deleted = await tx.run(
        deleteFormerSales({ rowsMax: sizes.rowsMax }),
        deleteFormerTaxes({ rowsMax: sizes.rowsMax }),
      );
      return deleted.some(([row]) => row!.deleted > 0);
    },
    { countsAsChange: false, isLong: true },
  );
}

/** Brings the sums of an organization up to date, step by step. One round trip where nothing changed. */
export async function bringReportSumsUpToDate(
  context: SumContext,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const [[state]] = await context.database.read(organization, selectReportBacklog({}));
  const isUpToDate = state?.is_complete && !(state.is_of_other_days || state.has_changes || state.has_former);
  if (isUpToDate) return;
  for (let steps = 0; steps < stepsMax && !isStopping(); steps += 1) {
    if (!(await stepReportSums(context, organization))) return;
  }
}

/** Does it now and every half minute, for all organizations. */
export function startKeepingReportSums(
  context: Context,
  listOrganizations: () => Promise<readonly { readonly id: number }[]>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'],
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'the sums of reports were not brought up to date',
    periodMs,
    listOrganizations,
    logger,
    work: (organization, isStopping) => bringReportSumsUpToDate(context, organization, isStopping),
  });
}

/** Makes the sums of an organization again from its orders, for sums that drifted. Until they are made, reports read the orders. */
export async function recountReportSums(context: SumContext, organization: OrganizationId): Promise<void> {
  await context.database.write(
    organization,
    async (tx) => {
      await tx.run(insertReportState({}), lockReportState({}));
      tx.queue(restartReportSums({}));
    },
    { countsAsChange: false },
  );
  await bringReportSumsUpToDate(context, organization);
}
