import { concerns } from '../../kernel/concerns.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../database/context.ts';
import type { Database } from '../database/database.ts';
import { type RunningJob, startForEachOrganization } from '../upkeep/each-organization.ts';
import { noteAuditAnchor, selectAuditChain, selectOrganizationsToAnchor } from './audit-chain-queries.ts';
import type { AuditAnchor } from './prove-audit-chain.ts';

/** A new organization does not wait an hour for its first anchor. */
const lookEveryMs = 60_000;
const periodMs = 3_600_000;

/** A place outside of the database that keeps anchors (D73). */
export interface AnchorStore {
  /** Durable when it resolves. The same anchor may come twice. */
  write(anchor: AuditAnchor): Promise<void>;
  /** All anchors of an organization, oldest first. */
  read(organization: number): Promise<readonly AuditAnchor[]>;
}

/** Writes down where the chain of an organization stands, if it has grown since the last time. */
export async function anchorAudit(
  { database, wallClock }: Pick<Context, 'database' | 'wallClock'>,
  stores: readonly AnchorStore[],
  organization: OrganizationId,
): Promise<void> {
  const [[chain]] = await database.read(organization, selectAuditChain({}));
  if (chain === undefined || chain.entries <= chain.anchored) return;
  const { entries, head } = chain;
  const at = isoTimestamp(wallClock.now());
  const anchor = { organizationId: organization, at, entries, hash: head.toString('hex') };
  for (const store of stores) await store.write(anchor);
  await database.write(organization, async (tx) => tx.queue(noteAuditAnchor({ entries, at })), {
    countsAsChange: false,
  });
}

const concern =
  'Where the audit log stands could not be written down outside of the database. Its operator finds the reason in the log.';

/** Writes an anchor every hour for each organization whose log has grown, the first one soon. `operator` is connected as the owner. */
export function startAnchoringAudit(
  context: Context,
  operator: Pick<Database, 'global'>,
  stores: readonly AnchorStore[],
  logger: Parameters<typeof startForEachOrganization>[0]['logger'],
): RunningJob {
  return startForEachOrganization({
    failureMessage: 'an anchor of the audit log was not written',
    periodMs: lookEveryMs,
    listOrganizations: () =>
      operator.global(
        selectOrganizationsToAnchor({ before: isoTimestamp(context.wallClock.now() - periodMs) }),
      ),
    logger,
    work: async (organization) => {
      try {
        await anchorAudit(context, stores, organization);
        concerns.set('audit-anchors', null);
      } catch (error) {
        concerns.set('audit-anchors', concern);
        throw error;
      }
    },
  });
}
