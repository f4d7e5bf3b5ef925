import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import { pruneFormerOrganization } from './organization-queries.ts';

const rowsPerTransaction = 200;
const periodMs = 3_600_000;

/**
 * Deletes an organization that is over with all its rows: the former one of a sandbox that was reset more than seven days ago, and one
 * whose time the operator has set. It does so in transactions of 200 rows; an interrupted run is continued by the next. Resolves to
 * the number of deleted rows, 0 for every other organization. One with customers' documents waits until the retention of documents has
 * deleted their files, a day later. `operator` is a connection of the owner: the serving role has no right to delete history.
 */
export async function pruneOrganization(
  { wallClock }: Pick<Context, 'wallClock'>,
  operator: Pick<Database, 'write'>,
  organization: OrganizationId,
): Promise<number> {
  const at = isoTimestamp(wallClock.now());
  for (let count = 0; ; ) {
    const deleted = await operator.write(
      organization,
      async (tx) => (await tx.run(pruneFormerOrganization({ at, limit: rowsPerTransaction })))[0][0]!.deleted,
      { countsAsChange: false },
    );
    if (deleted === 0) return count;
    count += deleted;
  }
}

/** Prunes all of them now and every hour. `over` names those that are over at a time. */
export function startPruningOrganizations(
  context: Pick<Context, 'wallClock'>,
  operator: Database,
  over: (at: string) => Promise<readonly { readonly id: number }[]>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'] & {
    info(fields: object, message: string): void;
  },
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'an organization that is over could not be pruned',
    periodMs,
    listOrganizations: () => over(isoTimestamp(context.wallClock.now())),
    logger,
    work: async (organization) => {
      const count = await pruneOrganization(context, operator, organization);
      if (count > 0) logger.info({ organizationId: organization, count }, 'organization pruned');
    },
  });
}
