/**
 * The audit log as a chain (D73): every entry gets a number and a hash that is made of the entry and of the hash before it.
 *
 * A write does not link its entry: the links of an organization follow each other, so its writes would wait for each other. The
 * event of the same write names the entry, and the links are made behind the feed, in its order, which respects commits. An entry
 * waits up to half a minute for its link.
 *
 * Owns `audit_chains`, `audit_links` and `audit_entries_to_link`.
 */

import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import type { Database, TenantTransaction } from '../database/database.ts';
import { type RunningJob, startForEachOrganization } from '../upkeep/each-organization.ts';
import { chainStart, hashAt, hashesBehind } from './audit-chain-hash.ts';
import {
  type AuditChainRow,
  beginAuditChain,
  deleteFormerEntriesToLink,
  type EntryToLinkRow,
  insertAuditLinks,
  linkedAtOnce,
  lockAuditChain,
  moveAuditChain,
  selectAuditChain,
  selectEntriesToLink,
  selectFormerEntriesToLink,
  selectOrganizationsToLink,
} from './audit-chain-queries.ts';
import { eventFeedOf } from './event-feed.ts';
import { lockFeed } from './event-feed-queries.ts';

const periodMs = 30_000;

type ChainContext = Pick<Context, 'database' | 'wallClock'>;

/** Links are shown to no caller, so no cache waits for them. */
const silently = { countsAsChange: false } as const;

/** Links all entries that have committed, and begins the chain of an organization that has none. */
export async function linkAuditEntries(
  context: ChainContext,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<void> {
  const { database } = context;
  await eventFeedOf(database).publish(organization);
  const [[chain]] = await database.read(organization, selectAuditChain({}));
  if (chain === undefined) await begin(database, organization);
  await linkFurther(context, organization, isStopping);
}

/** Links the entries whose events have positions, if the organization has a chain. Before events are deleted. */
export async function linkFurther(
  context: ChainContext,
  organization: OrganizationId,
  isStopping: () => boolean = () => false,
): Promise<void> {
  while (!isStopping() && (await linkSome(context, organization)));
}

function begin(database: Database, organization: OrganizationId): Promise<void> {
  return database.write(
    organization,
    async (tx) => {
      await tx.run(lockFeed({}), beginAuditChain({ start: chainStart(organization) }));
    },
    { ...silently, isLong: true },
  );
}

/** One transaction; resolves to whether there may be more. */
function linkSome(context: ChainContext, organization: OrganizationId): Promise<boolean> {
  return context.database.write(
    organization,
    async (tx) => {
      const [[chain]] = await tx.run(lockAuditChain({}));
      if (chain === undefined) return false;
      const [former, next] = await tx.run(
        selectFormerEntriesToLink({}),
        selectEntriesToLink({ after: chain.event_position }),
      );
      const at = isoTimestamp(context.wallClock.now());
      if (former.length > 0) {
        tx.queue(deleteFormerEntriesToLink({}));
        link(tx, chain, former, chain.event_position, at);
        return true;
      }
      const position = next.at(-1)?.position;
      if (position === undefined) return false;
      link(tx, chain, next.filter(hasEntry), position, at);
      return next.length === linkedAtOnce;
    },
    silently,
  );
}

function hasEntry<Row extends { readonly id: number | null }>(row: Row): row is Row & { id: number } {
  return row.id !== null;
}

/** Queues the links of entries behind a chain, and the chain as it is then. */
function link(
  tx: TenantTransaction,
  { entries, head }: AuditChainRow,
  linked: readonly EntryToLinkRow[],
  position: number,
  linkedAt: string,
): void {
  if (linked.length === 0) {
    tx.queue(moveAuditChain({ entries, head, position }));
    return;
  }
  const hashes = hashesBehind(
    head,
    linked.map(({ text }) => text),
  );
  tx.queue(
    insertAuditLinks({ firstNumber: entries + 1, ids: linked.map(({ id }) => id), hashes, linkedAt }),
    moveAuditChain({
      entries: entries + linked.length,
      head: hashAt(hashes, linked.length - 1),
      position,
    }),
  );
}

/** Links entries now and every half minute, of all organizations that have some. `operator` is connected as the owner. */
export function startLinkingAudit(
  context: Context,
  operator: Pick<Database, 'global'>,
  logger: Parameters<typeof startForEachOrganization>[0]['logger'],
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'entries of the audit log were not linked',
    periodMs,
    listOrganizations: () => operator.global(selectOrganizationsToLink({})),
    logger,
    work: (organization, isStopping) => linkAuditEntries(context, organization, isStopping),
  });
}
