import { createHash } from 'node:crypto';
import type { LawChange } from '../../engines/jurisdictions/law-changes.ts';
import { isLater, type LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { shippedEdition } from '../../engines/jurisdictions/shipped-edition.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ConnectionConfig, Database } from '../../platform/database/database.ts';
import { writeAcross } from '../../platform/distribution/write-across.ts';
import { readEdition } from './edition-schema.ts';
import { editionText } from './follow-law.ts';
import {
  insertLawRelease,
  type NewestImportRow,
  selectImportedContent,
  selectLastRelease,
  selectNewestImport,
} from './law-edition-queries.ts';
import {
  announcementsTo,
  type ChangedOrganization,
  changedOrganizations,
  changesByState,
  changesInWords,
} from './tell-owners.ts';

/** What the start of a release changed for owners. */
interface ReleaseTakenUp {
  /** False: an edition that the operator imported stays in force. */
  readonly inForce: boolean;
  readonly organizations: readonly ChangedOrganization[];
}

const releaseOrigin: Origin = { actor: 'job:release', requestId: null };

/** PostgreSQL's code for a unique violation. */
const uniqueViolation = '23505';

/**
 * Tells owners what the facts of this release change, at its first start: the same notices, events and audit entries as
 * those of an import, in one transaction. It compares the facts that were in force before with those in force now, so a
 * notice of an import does not come a second time. If an import stays in force, owners are told what the release knows and the
 * import does not. Facts that were shipped before tell nothing, also after a step back to a former release; nor do the
 * facts with which the record begins. `owner` is the owner of the database, `operator` a connection of it. Null: nothing
 * was new.
 */
export async function takeUpRelease(
  owner: ConnectionConfig,
  operator: Database,
  context: Pick<Context, 'ids' | 'clock'>,
  release: LawEdition = shippedEdition,
): Promise<ReleaseTakenUp | null> {
  const content = Buffer.from(editionText(release));
  const digest = createHash('sha256').update(content).digest();
  const [last] = await operator.global(selectLastRelease({ digest }));
  if (last?.is_known) return null;
  const { inForce, former, changes } = await changesBy(operator, release, last?.content ?? null);
  const organizations = await changedOrganizations(operator, changes);
  const nowMs = context.clock.now();
  const written = await announcementsTo(context, releaseOrigin, nowMs, organizations, {
    ...{ edition: release.edition, formerEdition: former.edition, inForce },
    details: { digest: digest.toString('hex') },
  });
  const row = {
    ...{ number: (last?.number ?? 0) + 1, edition: release.edition, content, digest, inForce },
    ...{ changes: changesInWords(changes), at: isoTimestamp(nowMs) },
  };
  try {
    await writeAcross(owner, [insertLawRelease(row)], written);
  } catch (error) {
    // Another process of this release started at the same time, and told the owners.
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    return null;
  }
  return { inForce, organizations };
}

interface ReleaseChanges {
  readonly inForce: boolean;
  /** What it is compared with. */
  readonly former: LawEdition;
  readonly changes: ReadonlyMap<string, LawChange[]>;
}

async function changesBy(
  operator: Database,
  release: LawEdition,
  lastContent: Uint8Array | null,
): Promise<ReleaseChanges> {
  const [newest = null] = await operator.global(selectNewestImport({}));
  const outranks = (edition: LawEdition) => newest === null || isLater(edition.edition, newest.outranks);
  const inForce = outranks(release);
  const lastRelease = lastContent === null ? null : readable(lastContent);
  if (lastRelease === null) return { inForce, former: release, changes: new Map() };
  const imported = newest === null ? null : await readImport(operator, newest);
  if (inForce || imported === null) {
    const former = outranks(lastRelease) ? lastRelease : (imported ?? lastRelease);
    return { inForce, former, changes: changesByState(former, release) };
  }
  const unknownToImport = changesByState(imported, release);
  const changes = [...changesByState(lastRelease, release)].flatMap(([state, its]) => {
    const lacking = unknownToImport.get(state) ?? [];
    const left = its.filter((it) => lacking.some(({ words }) => words === it.words));
    return left.length === 0 ? [] : [[state, left] as const];
  });
  return { inForce, former: lastRelease, changes: new Map(changes) };
}

async function readImport(operator: Database, { number }: NewestImportRow): Promise<LawEdition | null> {
  const [row] = await operator.global(selectImportedContent({ number }));
  return row === undefined ? null : readable(row.content);
}

/** Null: this release cannot read it. */
function readable(content: Uint8Array): LawEdition | null {
  const edition = readEdition(content);
  return 'faults' in edition ? null : edition;
}
