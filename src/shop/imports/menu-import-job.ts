import { performance } from 'node:perf_hooks';
import { v4 as uuidV4 } from 'uuid';
import { Failure } from '../../kernel/failure.ts';
import type { Context } from '../../platform/database/context.ts';
import { type JobRun, type Task, TryLater } from '../../platform/jobs/job-runner.ts';
import { productsToRetire, retireProduct } from '../catalog/products.ts';
import { HeldRun } from './held-run.ts';
import type { ImportItem } from './import-items.ts';
import { importPart } from './import-part.ts';
import {
  countImportProblems,
  insertImportProblems,
  isRunning,
  noteImportedProducts,
  problemsMax,
  selectImportFile,
  selectMenuImport,
  selectNotedProducts,
} from './menu-import-queries.ts';
import { endImport, type MenuRun, moveOn, TakenOver } from './menu-run.ts';
import { type MenuJob, menuJobs, menuTask } from './run-menu-import.ts';
import type { SentMapping } from './sent-mapping.ts';
import { runReaders } from './thread-readers.ts';
import { undoPart } from './undo-part.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** Products that are written before progress is noted. */
const partSize = 200;
/** A job goes on in another one after this time, because a single run may not take long. */
const runMs = 60_000;
/** Errors since a run last moved on that end it; two equal ones do so, too. */
const triesMax = 3;

/**
 * Checks, imports or undoes menus. Progress is noted with each part, and what a part has written before is recognized. A run goes on
 * in another process when this one stops; when it dies, the run ends (menu-import-watch.ts).
 */
export function menuImporting(context: Context): Task<MenuJob> {
  let processId: string | null = null;
  return {
    name: menuTask,
    run: async ({ organization, payload, signal }: JobRun<MenuJob>) => {
      const [[row]] = await context.database.read(
        organization,
        selectMenuImport({ id: payload.menuImportId }),
      );
      if (row === undefined || row.run_number !== payload.run || !isRunning(row)) return;
      processId ??= uuidV4({ random: context.randomBytes(16) });
      const origin = { actor: `staff:${row.run_by}` as const, requestId: null };
      const held = await HeldRun.take(context, organization, row, processId);
      const run: MenuRun = { context, organization, origin, row, signal: held.signalWith(signal) };
      const until = performance.now() + runMs;
      try {
        if (row.status === 'undoing') await undoAll(run, until);
        else await importAll(run, until);
      } catch (problem) {
        await endOrTryAgain(run, held, problem);
      } finally {
        await held.leave();
      }
    },
  };
}

/** Fails with the problem if another try may succeed. */
async function endOrTryAgain(run: MenuRun, held: HeldRun, problem: unknown): Promise<void> {
  if (problem instanceof TakenOver) return;
  if (problem instanceof UnreadableFile) {
    await endImport(run, 'failed', problem.message.slice(0, 1000));
    return;
  }
  if (isPassing(problem)) throw problem;
  const noted = await held.noteError(problem);
  if (noted !== null && (noted.isSame || noted.tries >= triesMax))
    await endImport(run, 'failed', failedByError);
  // The operator's log has it.
  throw problem;
}

const failedByError =
  'Errors came again that are not about the rows. What was done so far stays. The log of the service has them; tell the person who operates it.';

/** The process stops, or the database is away: the file has no part in it. */
function isPassing(problem: unknown): boolean {
  return (
    problem instanceof TryLater ||
    (problem instanceof Failure &&
      (problem.code === 'SERVICE_UNAVAILABLE' || problem.code === 'STORAGE_FULL'))
  );
}

async function importAll(run: MenuRun, until: number): Promise<void> {
  const { context, organization, row, signal } = run;
  const [[stored], [problems]] = await context.database.read(
    organization,
    selectImportFile({ id: row.id }),
    countImportProblems({ id: row.id }),
  );
  if (stored === undefined) throw new UnreadableFile('The file is no longer there; upload it again.');
  const mapping = row.mapping === null ? null : (JSON.parse(row.mapping) as SentMapping);
  const progress = { done: row.done_count, refused: row.refused_count, problems: problems!.count };
  const file = { name: row.file_name, content: stored.content };
  const isDone = await runReaders.read(
    organization,
    file,
    async (reader) => {
      let part: ImportItem[] = [];
      for await (const item of reader.items(mapping, { skipped: row.done_count })) {
        part.push(item);
        if (part.length < partSize) continue;
        await writePart(run, part, progress);
        part = [];
        signal.throwIfAborted();
        if (performance.now() > until) return false;
      }
      if (part.length > 0) await writePart(run, part, progress);
      return true;
    },
    signal,
  );
  if (isDone) await finish(run, progress);
  else await goOnLater(run);
}

interface Progress {
  done: number;
  refused: number;
  /** Noted problems of refused rows, and remarks. */
  problems: number;
}

async function writePart(run: MenuRun, part: readonly ImportItem[], progress: Progress): Promise<void> {
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
    {
      from: progress.done,
      done: progress.done + part.length,
      share: Math.floor(part.at(-1)!.share * 1000),
      ...counts,
    },
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
  await endImport(run, isTrial ? 'checked' : 'done', null);
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
  await endImport(run, 'undone', null);
}
