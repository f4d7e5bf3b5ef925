import { createHash } from 'node:crypto';
import { isLater, type LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { shippedEdition } from '../../engines/jurisdictions/shipped-edition.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { ConnectionConfig, Database } from '../../platform/database/database.ts';
import { writeAcross } from '../../platform/distribution/write-across.ts';
import { readEdition } from './edition-schema.ts';
import { type EditionInForce, readEditionInForce, UnreadableEdition } from './follow-law.ts';
import { insertLawEdition } from './law-edition-queries.ts';
import { findLawFaults, type LawFault } from './law-faults.ts';
import { lineOfField } from './line-of-field.ts';
import {
  announcementsTo,
  type ChangedOrganization,
  changedOrganizations,
  changesByState,
  changesInWords,
} from './tell-owners.ts';

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
    throw new EditionRefused(`The edition has ${faults.length} faults.`, withLines(faults, bytes));
  }
  return edition;
}

/** The faults with their lines; a file that is no JSON has none. */
function withLines(faults: readonly LawFault[], bytes: Uint8Array): readonly LawFault[] {
  const text = new TextDecoder().decode(bytes);
  let states: readonly { readonly state?: unknown }[];
  try {
    states = (JSON.parse(text) as { readonly jurisdictions: typeof states }).jurisdictions;
  } catch {
    return faults;
  }
  return faults.map((fault) => {
    const { state, field } = fault;
    const names = field.match(/[^.[\]]+/g) ?? [];
    const path = names.map((name) => (/^\d+$/.test(name) ? Number(name) : name));
    const index = state === null ? -1 : states.findIndex((it) => it.state === state);
    return { ...fault, line: lineOfField(text, index < 0 ? path : ['jurisdictions', index, ...path]) };
  });
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
  const organizations = await changedOrganizations(operator, changesByState(former, edition));
  return { file, edition, former, number: (newest?.number ?? 0) + 1, organizations };
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

/** PostgreSQL's code for a unique violation. */
const uniqueViolation = '23505';

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
  const written = await announcementsTo(context, origin, nowMs, organizations, {
    ...{ edition: edition.edition, formerEdition: former.edition, inForce: true },
    details: { importedBy, digest: digest.toString('hex'), signedBy: signature?.keyId ?? null },
  });
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
        changes: changesInWords(changesByState(former, edition)),
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
