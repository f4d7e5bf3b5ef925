import { createHash } from 'node:crypto';
import { listOrganizations } from '../access/organizations.ts';
import type { Context, Origin } from '../database/context.ts';
import type { ConnectionConfig, Database } from '../database/database.ts';
import type { BoundStatement } from '../database/statement.ts';
import { writeAcross } from '../database/write-across.ts';
import { announce } from '../events/announce.ts';
import { type LawChange, lawChanges } from '../jurisdictions/law-changes.ts';
import { isLater, type LawEdition } from '../jurisdictions/law-edition.ts';
import { shippedEdition } from '../jurisdictions/shipped-edition.ts';
import { type OrganizationId, organizationId } from '../kernel/ids.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { readEdition } from './edition-schema.ts';
import { type EditionInForce, readEditionInForce, UnreadableEdition } from './follow-law.ts';
import { insertLawEdition } from './law-edition-queries.ts';
import { findLawFaults, type LawFault } from './law-faults.ts';

/** The operator's file, and the result of its signature check. */
export interface EditionFile {
  readonly bytes: Uint8Array;
  /** Text of the signature file and the id of its trusted key; null: imported without signature. */
  readonly signature: { readonly text: string; readonly keyId: string } | null;
}

/** The effects of an import. */
export interface ImportPlan {
  readonly file: EditionFile;
  readonly edition: LawEdition;
  readonly former: LawEdition;
  /** The number of the row that the import writes. */
  readonly number: number;
  /** Organizations whose law changes, each with its changes. */
  readonly organizations: readonly ChangedOrganization[];
}

export interface ChangedOrganization {
  readonly id: OrganizationId;
  readonly name: string;
  readonly state: string;
  readonly tz: string;
  readonly changes: readonly LawChange[];
}

/** An edition that cannot be imported, with its faults. */
export class EditionRefused extends Error {
  override name = 'EditionRefused';
  readonly faults: readonly LawFault[];

  constructor(message: string, faults: readonly LawFault[] = []) {
    super(message);
    this.faults = faults;
  }
}

/** Parses a file and checks its form and the consistency of its facts. Throws EditionRefused. */
export function checkedEdition(bytes: Uint8Array): LawEdition {
  const edition = readEdition(bytes);
  const faults = 'faults' in edition ? edition.faults : findLawFaults(edition);
  if ('faults' in edition || faults.length > 0) {
    throw new EditionRefused(`The edition has ${faults.length} faults.`, faults);
  }
  return edition;
}

/**
 * Computes the changes of an import, and writes nothing. `operator` is connected as the owner. An older edition is
 * refused, unless `goesBack`. Throws EditionRefused.
 */
export async function planImport(
  operator: Database,
  file: EditionFile,
  goesBack: boolean,
): Promise<ImportPlan> {
  const edition = checkedEdition(file.bytes);
  const { edition: former, newest } = await readFormer(operator);
  if (edition.edition === former.edition) {
    throw new EditionRefused(
      `The edition ${edition.edition} is already in force. A changed file needs a new edition.`,
    );
  }
  if (!goesBack && !isLater(edition.edition, former.edition)) {
    throw new EditionRefused(
      `The edition ${edition.edition} is older than ${former.edition}, which is in force. --force imports it anyway.`,
    );
  }
  const organizations = (await listOrganizations(operator)).map(({ id, name, state, tz }) => ({
    ...{ id: organizationId(id), name, state, tz },
    changes: changesOfState(former, edition, state),
  }));
  return {
    ...{ file, edition, former, number: (newest?.number ?? 0) + 1 },
    organizations: organizations.filter(({ changes }) => changes.length > 0),
  };
}

/** An unreadable current edition does not block the next one. */
async function readFormer(operator: Database): Promise<Pick<EditionInForce, 'edition' | 'newest'>> {
  try {
    return await readEditionInForce(operator);
  } catch (error) {
    if (error instanceof UnreadableEdition) return { edition: shippedEdition, newest: error.newest };
    throw error;
  }
}

function changesOfState(former: LawEdition, edition: LawEdition, state: string): LawChange[] {
  const find = ({ jurisdictions }: LawEdition) => jurisdictions.find((it) => it.state === state) ?? null;
  return lawChanges(find(former), find(edition));
}

/** PostgreSQL's code for a unique violation. */
const uniqueViolation = '23505';
/** The maximum number of changes in an event and in the audit entry. */
const announcedChangesMax = 200;

/**
 * Puts an edition in force: writes its row, and the event and audit entry of every organization whose law changes, in
 * one transaction. Running processes apply it within a second or two. Of two concurrent imports, the second fails with
 * EditionRefused. `owner` is the operator's connection.
 */
export async function importEdition(
  owner: ConnectionConfig,
  context: Pick<Context, 'ids' | 'clock'>,
  origin: Origin,
  { file, edition, former, number, organizations }: ImportPlan,
  importedBy: string,
): Promise<void> {
  const { bytes, signature } = file;
  const nowMs = context.clock.now();
  const digest = createHash('sha256').update(bytes).digest();
  const states = new Set([...former.jurisdictions, ...edition.jurisdictions].map(({ state }) => state));
  const changes = Object.fromEntries(
    [...states].sort().flatMap((state) => {
      const words = changesOfState(former, edition, state).map((change) => change.words);
      return words.length === 0 ? [] : [[state, words]];
    }),
  );
  const written = new Map<OrganizationId, BoundStatement<unknown>[]>();
  for (const organization of organizations) {
    const statements: BoundStatement<unknown>[] = [];
    const payload = {
      edition: edition.edition,
      formerEdition: former.edition,
      changes: organization.changes.slice(0, announcedChangesMax),
    };
    await announce({ queue: (...bound) => void statements.push(...bound) }, context, origin, nowMs, {
      event: 'law.changed',
      subjectType: 'organization',
      subjectId: organization.id,
      payload,
      details: {
        ...payload,
        importedBy,
        digest: digest.toString('hex'),
        signedBy: signature?.keyId ?? null,
      },
    });
    written.set(organization.id, statements);
  }
  const later = isLater(shippedEdition.edition, edition.edition) ? shippedEdition : edition;
  const writing = writeAcross(
    owner,
    [
      insertLawEdition({
        number,
        edition: edition.edition,
        outranks: later.edition,
        content: bytes,
        digest,
        signature: signature?.text ?? null,
        keyId: signature?.keyId ?? null,
        changes: JSON.stringify(changes),
        at: isoTimestamp(nowMs),
        importedBy,
      }),
    ],
    written,
  );
  await writing.catch((error: unknown) => {
    if ((error as { code?: string }).code !== uniqueViolation) throw error;
    throw new EditionRefused(
      'Another import came first: check it (law show), and import again if still needed.',
    );
  });
}
