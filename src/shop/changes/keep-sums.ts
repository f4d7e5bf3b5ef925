import type { OrganizationId } from '../../kernel/ids.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { type RunningJob, startForEachOrganization } from '../../platform/upkeep/each-organization.ts';
import type { ChecksummedCollection } from './checksummed-collection.ts';
import {
  countUnsummedChanges,
  selectOrganizationsWithUnsummed,
  selectSumStates,
} from './record-sum-queries.ts';
import { recountSums, takeChangesIntoSums } from './record-sums.ts';

const periodMs = 300_000;
/** After fewer changes, the next ones are left to the next time. */
const takenOneByOne = 1_000;

/**
 * Makes the sums of an organization that are not there yet, and takes changes into those that are, so that the changes
 * stay few. One round trip where nothing changed.
 */
export async function bringSumsUpToDate(
  context: Pick<Context, 'database'>,
  collections: readonly ChecksummedCollection[],
  organization: OrganizationId,
): Promise<void> {
  const own = collections.flatMap(({ ownChanges }) => ownChanges?.select() ?? []);
  const [states, waiting, ...ownChanges] = await context.database.read(
    organization,
    selectSumStates({}),
    countUnsummedChanges({}),
    ...own,
  );
  const isCounted = new Set(states.map(({ collection }) => collection));
  const hasChanges = new Set(waiting.map(({ collection }) => collection));
  const hasOwnChanges = ownChanges.flat().some(({ changes }) => changes > 0);
  for (const collection of collections) {
    if (!isCounted.has(collection.collection)) await recountSums(context, collection, organization);
    if (collection.ownChanges ? hasOwnChanges : hasChanges.has(collection.collection)) {
      // The last changes may be those of sales that are under way.
      while ((await takeChangesIntoSums(context, collection, organization)) > takenOneByOne);
    }
  }
}

/** The organizations of which `bringSumsUpToDate` has something to do, in one statement. `operator` is connected as the owner. */
export function organizationsWithUnsummed(
  operator: Pick<Database, 'global'>,
  collections: readonly ChecksummedCollection[],
): Promise<{ readonly id: number }[]> {
  const names = collections.map(({ collection }) => collection);
  return operator.global(selectOrganizationsWithUnsummed({ collections: names }));
}

/** Does it now and every five minutes, for the organizations that have changes. */
export function startKeepingSums(
  context: Context,
  collections: readonly ChecksummedCollection[],
  operator: Pick<Database, 'global'>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'],
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'the sums of checksums were not brought up to date',
    periodMs,
    listOrganizations: () => organizationsWithUnsummed(operator, collections),
    logger,
    work: (organization) => bringSumsUpToDate(context, collections, organization),
  });
}
