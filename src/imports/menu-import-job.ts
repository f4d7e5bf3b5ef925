import { performance } from 'node:perf_hooks';
import { productsToRetire, retireProduct } from '../catalog/products.ts';
import type { Context } from '../database/context.ts';
import { announce } from '../events/announce.ts';
import type { JobRun, Task } from '../jobs/job-runner.ts';
import { isoTimestamp } from '../kernel/local-time.ts';
import { readMapping } from './column-mapping.ts';
import { readItems } from './import-items.ts';
import { type FilePart, importPart } from './import-part.ts';
import {
  countImportProblems,
  deleteImportFile,
  endImportRun,
  forgetSeenProducts,
  type ImportStatus,
  insertImportProblems,
  noteImportedProducts,
  problemsMax,
  selectImportFile,
  selectMenuImport,
  selectNotedProducts,
} from './menu-import-queries.ts';
import { type MenuRun, moveOn, TakenOver } from './menu-run.ts';
import { parseItem } from './parse-item.ts';
import { productImport } from './product-import.ts';
import { type MenuJob, menuJobs, menuTask } from './run-menu-import.ts';
import { undoPart } from './undo-part.ts';
import { UnreadableFile } from './unreadable-file.ts';
import { subject } from './upload-menu.ts';
import { uploadedFile } from './uploaded-file.ts';

/** Products that are written before progress is noted. */
const partSize = 200;
/** A job goes on in another one after this time, because a single run may not take long. */
const runMs = 60_000;

/**
 * Checks, imports or undoes menus. Progress is noted with each part, so a run that was killed goes on there; what the part
 * has written before is recognized.
 */
export function menuImporting(context: Context): Task<MenuJob> {
  return {
    name: menuTask,
    run: async ({ organization, payload, signal }: JobRun<MenuJob>) => {
      const [[row]] = await context.database.read(
        organization,
        selectMenuImport({ id: payload.menuImportId }),
      );
      if (row === undefined || row.run_number !== payload.run) return;
      const origin = { actor: `staff:${row.run_by}` as const, requestId: null };
      const run: MenuRun = { context, organization, origin, row, signal };
      const until = performance.now() + runMs;
      try {
        if (row.status === 'undoing') await undoAll(run, until);
        else if (row.status === 'checking' || row.status === 'importing') await importAll(run, until);
      } catch (problem) {
        if (problem instanceof TakenOver) return;
        if (!(problem instanceof UnreadableFile)) throw problem;
        await end(run, 'failed', problem.message.slice(0, 1000));
      }
    },
  };
}

async function importAll(run: MenuRun, until: number): Promise<void> {
  const { context, organization, row, signal } = run;
  const [[stored], [problems]] = await context.database.read(
    organization,
    selectImportFile({ id: row.id }),
    countImportProblems({ id: row.id }),
  );
  if (stored === undefined) throw new UnreadableFile('The file is no longer there; upload it again.');
  const mapping = row.mapping === null ? null : readMapping(JSON.parse(row.mapping), productImport.fields);
  const change = await productImport.loadChange();
  const progress = { done: row.done_count, refused: row.refused_count, problems: problems!.count };
  const lineOfKey = new Map<string, number>();
  let [read, share] = [0, 0];
  let part: FilePart[] = [];
  const write = async () => {
    await writePart(run, part, progress, share);
    part = [];
    signal.throwIfAborted();
  };
  for await (const item of readItems(uploadedFile(row.file_name, stored.content), productImport, mapping)) {
    // Also what is done already: a product may not occur twice in the file.
    const parsed = parseItem(productImport, { ...item, body: change(item.body) }, lineOfKey);
    if (read++ < row.done_count) continue;
    share = item.share;
    part.push({ item, parsed });
    if (part.length < partSize) continue;
    await write();
    if (performance.now() > until) {
      await goOnLater(run);
      return;
    }
  }
  if (part.length > 0) await write();
  await finish(run, progress);
}

interface Progress {
  done: number;
  refused: number;
  /** Noted problems of refused rows, and remarks. */
  problems: number;
}

async function writePart(
  run: MenuRun,
  part: readonly FilePart[],
  progress: Progress,
  share: number,
): Promise<void> {
  const { row } = run;
  const { counts, problems, notes, seen } = await importPart(run, part);
  const free = Math.max(0, problemsMax - progress.problems);
  // Remarks leave room for the problems of refused rows.
  const told = notes.slice(0, Math.max(0, free - problemsMax / 2));
  const noted = [
    ...problems.map((problem) => ({ ...problem, isNote: false })),
    ...told.map((note) => ({ ...note, isNote: true })),
  ].slice(0, free);
  await moveOn(
    run,
    { from: progress.done, done: progress.done + part.length, share: Math.floor(share * 1000), ...counts },
    (tx) => {
      tx.queue(
        ...insertImportProblems(
          noted.map(({ line, column, message, isNote }, at) => ({
            menuImportId: row.id,
            position: progress.problems + at,
            line,
            columnName: column === null ? null : plainText(column, 200),
            message: plainText(message, 1000),
            isNote,
          })),
        ),
      );
      if (seen.length > 0) tx.queue(noteImportedProducts({ id: row.id, kind: 'seen', productIds: seen }));
    },
  );
  progress.done += part.length;
  progress.refused += counts.refused;
  progress.problems += noted.length;
}

/** Text that the database can keep. */
function plainText(text: string, max: number): string {
  return Buffer.from(text.replaceAll('\u0000', ' ').slice(0, max)).toString();
}

async function goOnLater({ context, organization, row }: MenuRun): Promise<void> {
  await context.database.write(organization, async (tx) => {
    tx.queue(...menuJobs({ menuImportId: row.id, run: row.run_number }));
  });
}

async function finish(run: MenuRun, progress: Progress): Promise<void> {
  const { context, organization, row, origin, signal } = run;
  const isTrial = row.status === 'checking';
  if (row.mode === 'sync' && progress.refused === 0) {
    const [noted] = await context.database.read(organization, selectNotedProducts({ id: row.id }));
    const kept = noted.filter(({ kind }) => kind !== 'retired');
    const retired = await productsToRetire(
      context,
      organization,
      new Set(kept.map(({ product_id: id }) => id)),
    );
    if (!isTrial) {
      for (const { id } of retired) {
        signal.throwIfAborted();
        await retireProduct(context, origin, organization, id, (tx) =>
          tx.queue(noteImportedProducts({ id: row.id, kind: 'retired', productIds: [id] })),
        );
      }
    }
    const before = noted.length - kept.length;
    await moveOn(
      run,
      { from: progress.done, done: progress.done, share: 1000, retired: before + retired.length },
      () => {},
    );
  }
  await end(run, isTrial ? 'checked' : 'done', null);
}

async function undoAll(run: MenuRun, until: number): Promise<void> {
  let done = run.row.done_count;
  for (;;) {
    run.signal.throwIfAborted();
    const undone = await undoPart(run, done);
    if (undone === 0) break;
    done += undone;
    if (performance.now() > until) {
      await goOnLater(run);
      return;
    }
  }
  await end(run, 'undone', null);
}

async function end(run: MenuRun, status: ImportStatus, problem: string | null): Promise<void> {
  const { context, organization, origin, row } = run;
  const { id } = row;
  const nowMs = context.clock.now();
  await context.database.write(organization, async (tx) => {
    const [ended] = await tx.run(
      endImportRun({ id, run: row.run_number, status, failure: problem, at: isoTimestamp(nowMs) }),
      forgetSeenProducts({ id }),
      status === 'done' ? deleteImportFile({ id }) : null,
    );
    if (ended.length === 0) throw new TakenOver();
    const [[now]] = await tx.run(selectMenuImport({ id }));
    await announce(tx, context, origin, nowMs, {
      event: 'menu_import.updated',
      ...subject(id),
      payload: { menuImportId: id, status },
      details: {
        menuImportId: id,
        status,
        products: now!.done_count,
        created: now!.created_count,
        changed: now!.changed_count,
        retired: now!.retired_count,
        refused: now!.refused_count,
      },
    });
  });
}
