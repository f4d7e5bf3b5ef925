import type { Context } from '../database/context.ts';
import type { Database } from '../database/database.ts';
import type { LawOrigin } from '../jurisdictions/law-book.ts';
import { isLater, type LawEdition } from '../jurisdictions/law-edition.ts';
import { lawNoticeMs } from '../jurisdictions/law-notices.ts';
import { shippedEdition } from '../jurisdictions/shipped-edition.ts';
import { assert } from '../kernel/assert.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
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

/** The imported edition is of a form that this release does not read. */
export class UnreadableEdition extends Error {
  override name = 'UnreadableEdition';
  readonly newest: NewestImportRow;

  constructor(edition: string, newest: NewestImportRow) {
    super(
      `The edition ${edition} of the law, which was imported, cannot be read by this release: import one that it reads ` +
        '(dispensary law import), or go on with the former release.',
    );
    this.newest = newest;
  }
}

/** How often a process asks for a newer edition. */
const lookEveryMs = 1_000;

/**
 * Reads which edition is in force: the last import, unless the program ships a later one. Throws UnreadableEdition: to sell by
 * other facts than the operator has put in force would be a guess.
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

/** An edition as a file has it. */
export function editionText(edition: LawEdition): string {
  return `${JSON.stringify(edition, null, 1)}\n`;
}

/** The file of the edition in force: of an import to the byte, so that its signature holds. */
export async function editionBytes(database: Database): Promise<Uint8Array> {
  const { edition, origin, newest } = await readEditionInForce(database);
  if (origin.kind === 'shipped') return Buffer.from(editionText(edition));
  const [row] = await database.global(selectImportedContent({ number: newest!.number }));
  return row!.content;
}

/** Has the process go by the edition that is in force. Answers the number of the last import; 0: there was none. */
export async function takeUpLaw({ database, clock, law }: Context): Promise<number> {
  const { edition, origin, newest } = await readEditionInForce(database);
  if (newest === null) return 0;
  const since = isoTimestamp(clock.now() - lawNoticeMs);
  const rows = await database.global(selectLawNotices({ since }));
  const notices = rows.map(({ edition, imported_at: importedAtMs, changes }) => ({
    edition,
    importedAtMs,
    changes,
  }));
  law.takeUp(edition, origin, notices);
  return newest.number;
}

interface FollowLog {
  info(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Takes up what is imported from now on, within about a second. `number` is what `takeUpLaw` answered. A process that
 * cannot ask keeps its edition, says so once, and goes on asking.
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
      if (!fails) logger.error({ err: error }, 'the edition of the law could not be looked up');
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
