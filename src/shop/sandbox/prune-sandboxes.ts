import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { pruneFormerSandbox } from './sandbox-queries.ts';

/** Long enough for an operator to look at what a test did. */
const keptMs = 7 * 86_400_000;
const rowsPerTransaction = 200;
const periodMs = 3_600_000;

/**
 * Deletes the former organization of a sandbox that was reset more than seven days ago, in transactions of 200 rows;
 * an interrupted run is continued by the next. Resolves to the number of deleted rows, 0 for every other organization. One
 * with customers' documents waits until the retention of documents has deleted their files, a day later. `operator` is a
 * connection of the owner: the serving role has no right to delete history.
 */
export async function pruneSandbox(
  { wallClock }: Pick<Context, 'wallClock'>,
  operator: Database,
  organization: OrganizationId,
): Promise<number> {
  const endedBefore = lastKeptEnd({ wallClock });
  for (let count = 0; ; ) {
    const deleted = await operator.write(
      organization,
      async (tx) =>
        (await tx.run(pruneFormerSandbox({ endedBefore, limit: rowsPerTransaction })))[0][0]!.deleted,
      { countsAsChange: false },
    );
    if (deleted === 0) return count;
    count += deleted;
  }
}

const lastKeptEnd = ({ wallClock }: Pick<Context, 'wallClock'>) => isoTimestamp(wallClock.now() - keptMs);

/** Prunes all of them now and every hour. `ended` names those that ended before a time. */
export function startSandboxRetention(
  context: Context,
  operator: Database,
  ended: (before: string) => Promise<readonly { readonly id: number }[]>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'] & {
    info(fields: object, message: string): void;
  },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'a former sandbox could not be pruned',
    periodMs,
    listOrganizations: () => ended(lastKeptEnd(context)),
    logger,
    work: async (organization) => {
      const count = await pruneSandbox(context, operator, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'former sandbox pruned');
    },
  });
}
