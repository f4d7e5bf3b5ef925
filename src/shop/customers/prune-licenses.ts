import { selectOrganization } from '../../access/organizations/organizations.ts';
import { idKeptDays } from '../../engines/duties/kept-papers.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp, localDateAt } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import { type PruneStep, pruneByStatement } from '../../platform/upkeep/prune-step.ts';
import { deleteOldLicenses, licensesAtOnce } from './license-queries.ts';

const dayMs = 86_400_000;

/**
 * Deletes some of the digests of scanned licenses that are older than the law of the state lets a shop keep what it read from an ID. Their
 * customers stay: the next scan finds them by name and birthday. Where the law sets no bound, none is deleted.
 */
export async function pruneLicenses(context: Context, organization: OrganizationId): Promise<PruneStep> {
  const { database, clock, law } = context;
  const nowMs = clock.now();
  const [[shop]] = await database.read(organization, selectOrganization({}));
  const days =
    shop === undefined ? null : idKeptDays(law.current.find(shop.state), localDateAt(nowMs, shop.tz));
  if (days === null) return { pruned: 0, hasMore: false };
  const before = isoTimestamp(nowMs - days * dayMs);
  return pruneByStatement(database, organization, deleteOldLicenses({ before }), licensesAtOnce);
}
