import type { LawOrigin } from '../../engines/jurisdictions/law-book.ts';
import { isLater, type LawEdition } from '../../engines/jurisdictions/law-edition.ts';
import { lawNoticeMs } from '../../engines/jurisdictions/law-notices.ts';
import { shippedEdition } from '../../engines/jurisdictions/shipped-edition.ts';
import { assert } from '../../kernel/assert.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context } from '../../platform/database/context.ts';
import type { Database } from '../../platform/database/database.ts';
import { readEdition } from './edition-schema.ts';
import {
  type NewestImportRow,
  selectImportedContent,
  selectLawNotices,
  selectNewestImport,
} from './law-edition-queries.ts';

/** The edition that is in force in a deployment. */
export interface EditionInForce {
  readonly edition: LawEdition;
  readonly origin: LawOrigin;
  /** The last import, in force or not; null: there was none. */
  readonly newest: NewestImportRow | null;
}

/** This release cannot read the form of the imported edition. */
export class UnreadableEdition extends Error {
  override name = 'UnreadableEdition';
  readonly newest: NewestImportRow;

  constructor(edition: string, newest: NewestImportRow) {
    super(
      `This release cannot read the imported edition ${edition} of the law: import one that it can read (dispensary law import), or go back to the former release.`,
    );
    this.newest = newest;
  }
}

/** How often a process checks for a newer edition. */
const lookEveryMs = 1_000;

/**
 * Reads which edition is in force: the last import, unless the release ships a later one. Throws UnreadableEdition
 * instead of falling back to other facts than the operator has chosen.
 */
export async function readEditionInForce(database: Database): Promise<EditionInForce> {
  const [newest = null] = await database.global(selectNewestImport({}));
  if (newest === null || isLater(shippedEdition.edition, newest.outranks)) {
    return { edition: shippedEdition, origin: { kind: 'shipped' }, newest };
  }
  const { number, edition: name, imported_at: importedAtMs } = newest;
  const [row] = await database.global(selectImportedContent({ number }));
  assert(row !== undefined, 'an edition is never deleted');
  const edition = readEdition(row.content);
  if ('faults' in edition) {
    throw new UnreadableEdition(name, newest);
  }
  return { edition, origin: { kind: 'imported', importedAtMs }, newest };
}

/** An edition with the bytes of its file. */
export function editionText(edition: LawEdition): string {
  return `${JSON.stringify(edition, null, 1)}\n`;
}

/** The file of the edition in force: an import's exact bytes, so that its signature stays valid. */
export async function editionBytes(database: Database): Promise<Uint8Array> {
  const { edition, origin, newest } = await readEditionInForce(database);
  if (origin.kind === 'shipped') return Buffer.from(editionText(edition));
  const [row] = await database.global(selectImportedContent({ number: newest!.number }));
  return row!.content;
}

/** Makes the process use the edition in force. Returns the number of the last import; 0: there was none. */
export async function takeUpLaw({ database, clock, law }: Context): Promise<number> {
  const { edition, origin, newest } = await readEditionInForce(database);
  const since = isoTimestamp(clock.now() - lawNoticeMs);
  const rows = await database.global(selectLawNotices({ since }));
  const notices = rows.map(({ edition, told_at: toldAtMs, in_force: inForce, changes }) => ({
    ...{ edition, toldAtMs, inForce, changes },
  }));
  law.takeUp(edition, origin, notices);
  return newest?.number ?? 0;
}

interface FollowLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Applies later imports within about a second. `number` is the result of `takeUpLaw`. A process that cannot read the
 * database keeps its edition, logs this once, and keeps trying.
 */
export function followLaw(
  context: Context,
  number: number,
  logger: FollowLog,
  everyMs = lookEveryMs,
): { stop(): Promise<void> } {
  let known = number;
  let fails = false;
  let looking: Promise<void> | undefined;
  async function look(): Promise<void> {
    try {
      const [newest] = await context.database.global(selectNewestImport({}));
      if (newest !== undefined && newest.number !== known) {
        known = await takeUpLaw(context);
        logger.info({ edition: context.law.current.edition.edition }, 'a new edition of the law is in force');
      }
      fails = false;
    } catch (error) {
      if (!fails) logger.error({ err: error }, 'the edition of the law could not be read');
      fails = true;
    }
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, everyMs);
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
