import { failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import { refuseStaleEdit } from '../../platform/database/context.ts';
import { announce } from '../../platform/events/announce.ts';
import { changesOf } from '../../platform/events/changes-of.ts';
import { readMapping } from './column-mapping.ts';
import type { ImportFields } from './import-kind.ts';
import {
  deleteFormerFiles,
  insertMenuImportFiles,
  insertMenuImports,
  lockMenuImport,
  type MenuImportRow,
  selectMenuImport,
  updateImportMapping,
} from './menu-import-queries.ts';
import { productImport } from './product-import.ts';
import type { SentMapping } from './sent-mapping.ts';
import { requestReaders } from './thread-readers.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** 50,000 products of two options, or more. */
export const menuBytesMax = 16 * 1_048_576;
/** Imports that were not run keep their files so long as they are among the newest. */
const filesKept = 5;

/**
 * Takes a menu and guesses its shape and columns; nothing of it is imported yet. Fails with INVALID_MENU_FILE if it cannot
 * be read as a whole.
 */
export async function uploadMenu(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  {
    staffId,
    fileName,
    content,
  }: { readonly staffId: number; readonly fileName: string; readonly content: Buffer },
): Promise<MenuImportRow> {
  const { recordCount, mapping } = await readable(() =>
    requestReaders.read(organization, { name: fileName, content }, (reader) => reader.outline()),
  );
  const stored = mapping === null ? null : storable(mapping);
  const nowMs = context.clock.now();
  const at = isoTimestamp(nowMs);
  const id = await context.ids.takeOne();
  return context.database.write(organization, async (tx) => {
    await announce(tx, context, origin, nowMs, {
      event: 'menu_import.created',
      ...subject(id),
      payload: { menuImportId: id, status: 'uploaded' },
      details: { menuImportId: id, fileName, fileBytes: content.length, recordCount },
    });
    const results = await tx.run(
      ...insertMenuImports([
        {
          id,
          fileName,
          fileBytes: content.length,
          recordCount,
          mapping: stored,
          mode: 'change',
          status: 'uploaded',
          createdBy: staffId,
          runBy: staffId,
          createdAt: at,
          updatedAt: at,
        },
      ]),
      ...insertMenuImportFiles([{ menuImportId: id, content }]),
      deleteFormerFiles({ kept: filesKept }),
      selectMenuImport({ id }),
    );
    return (results.at(-1) as unknown as MenuImportRow[])[0]!;
  });
}

/** The subject of an announcement. */
export function subject(id: number) {
  return { subjectType: 'menu_import' as const, subjectId: id };
}

/** The result, with what makes a file unreadable as a refusal. */
export async function readable<Result>(read: () => Promise<Result>): Promise<Result> {
  try {
    return await read();
  } catch (problem) {
    if (problem instanceof UnreadableFile) throw failure('INVALID_MENU_FILE', problem.message.slice(0, 1000));
    throw problem;
  }
}

/** As JSON. Names of columns come from the file, and the database keeps no text with zero characters. */
export function storable(mapping: SentMapping): string {
  const text = JSON.stringify(mapping);
  if (/\\u0000|\\ud[89ab]|\\ud[cdef]/i.test(text) || text.length > 500_000) {
    throw failure('INVALID_MENU_FILE', 'The names of the columns must be plain text.');
  }
  return text;
}

/** Sets the meaning of the columns. Fails with MENU_IMPORT_NOT_FOUND, MENU_IMPORT_NOT_READY and INVALID_PARAMS. */
export async function changeMapping(
  context: Context,
  origin: Origin,
  organization: OrganizationId,
  id: number,
  mapping: SentMapping | null,
): Promise<MenuImportRow> {
  if (mapping !== null) checkMapping(mapping, productImport.fields);
  const stored = mapping === null ? null : storable(mapping);
  const nowMs = context.clock.now();
  return context.database.write(organization, async (tx) => {
    const [[row]] = await tx.run(lockMenuImport({ id }));
    if (row === undefined) throw importNotFound();
    refuseStaleEdit(origin, row.updated_at);
    if (!isOpen(row)) throw notReady('its mapping can no longer change', row);
    if (sameMapping(row.mapping, stored)) return row;
    await announce(tx, context, origin, nowMs, {
      event: 'menu_import.updated',
      ...subject(id),
      payload: { menuImportId: id, status: 'uploaded' },
      details: {
        menuImportId: id,
        ...changesOf({ mapping: row.mapping }, { mapping: stored }),
      },
    });
    const [, [changed]] = await tx.run(
      updateImportMapping({ id, mapping: stored, at: isoTimestamp(nowMs) }),
      selectMenuImport({ id }),
    );
    return changed!;
  });
}

/** Fails with INVALID_PARAMS that says what is wrong with a mapping. */
export function checkMapping(mapping: SentMapping, fields: ImportFields): void {
  try {
    readMapping(mapping, fields);
  } catch (problem) {
    if (problem instanceof UnreadableFile) {
      throw failure('INVALID_PARAMS', `mapping ${problem.message.replace(/^The mapping: /, 'is wrong: ')}`);
    }
    throw problem;
  }
}

function sameMapping(stored: string | null, sent: string | null): boolean {
  if (stored === null || sent === null) return stored === sent;
  return JSON.stringify(sorted(JSON.parse(stored))) === JSON.stringify(sorted(JSON.parse(sent)));
}

/** The database keeps the names of an object in an order of its own. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}

/** Whether it can still be mapped, checked and run. */
export function isOpen({ status, has_file: hasFile }: MenuImportRow): boolean {
  return hasFile && ['uploaded', 'checked', 'failed', 'canceled'].includes(status);
}

/** The failure of an unknown import. */
export function importNotFound() {
  return failure('MENU_IMPORT_NOT_FOUND', 'There is no such import.');
}

/** The failure of a request that the state of an import does not allow. */
export function notReady(what: string, { status }: Pick<MenuImportRow, 'status'>) {
  return failure('MENU_IMPORT_NOT_READY', `The import is ${status}: ${what}.`);
}
