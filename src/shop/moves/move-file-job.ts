import { performance } from 'node:perf_hooks';
import { selectOrganization } from '../../access/organizations/organizations.ts';
import { assert } from '../../kernel/assert.ts';
import { Failure } from '../../kernel/failure.ts';
import type { OrganizationId } from '../../kernel/ids.ts';
import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { JobRun, Task } from '../../platform/jobs/job-runner.ts';
import {
  type ImportItem,
  type ImportKind,
  KeyTable,
  parseItem,
  problemsOf,
  type RowProblem,
  readItems,
  readMapping,
  type SourceFile,
  UnreadableFile,
} from '../imports/imports.ts';
import { checkTrial } from './check-move.ts';
import { runOfKind } from './file-kind.ts';
import { moveFileContent } from './move-file-content.ts';
import {
  advanceMoveFile,
  endMoveFile,
  type MoveFileRow,
  selectFilesToTry,
  selectMove,
  selectMoveFile,
} from './move-queries.ts';
import { beginRun, type MoveFileJob, moveFileJobs, moveFileTask } from './run-move-file.ts';
import { noteMoveFile, noteSandbox, noteTrialFile, sandboxOf } from './step-move.ts';
import { SumsOfFile } from './sums-of-file.ts';
import { openTrialShop } from './trial-shop.ts';
import { fileAfter } from './try-move.ts';

/** Items that are written before it is noted how far the file is. */
const partSize = 200;
/**
 * A job goes on in another one after this time of writing, because a single run may not take long. Reading again what is here already
 * does not count: on a slow machine nothing else would be done.
 */
const runMs = 60_000;
const trialOrigin: Origin = { actor: 'job:try_move', requestId: null };
/** Further refused rows are only counted. */
const problemsMax = 500;

interface Loading {
  readonly context: Context;
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly signal: AbortSignal;
  readonly sums: SumsOfFile;
  /** The shop, or the sandbox of a trial. */
  into: OrganizationId;
  /** As it is now. */
  row: MoveFileRow;
}

/**
 * Loads the files of moves that staff upload. How far a file is stands beside it after each part, with what its rows add up to; a load
 * whose process dies goes on behind the last part, and what came in of the next one is known then.
 */
export function moveFileLoading(context: Context): Task<MoveFileJob> {
  return {
    name: moveFileTask,
    run: async ({ organization, payload, signal }: JobRun<MoveFileJob>) => {
      const [[row]] = await context.database.read(organization, selectMoveFile({ id: payload.moveFileId }));
      if (row?.status !== 'loading') return;
      const origin: Origin = { actor: `staff:${row.created_by}`, requestId: null };
      const loading = {
        context,
        origin,
        organization,
        signal,
        row,
        sums: new SumsOfFile(row.sums),
        into: organization,
      };
      try {
        await loadFile(loading, moveFileContent(context, organization, row));
      } catch (problem) {
        // The move was canceled meanwhile, or the file is none.
        const isOver = problem instanceof Failure && problem.code === 'MOVE_NOT_READY';
        if (!(problem instanceof UnreadableFile) && !isOver) throw problem;
        await end(loading, 'failed', (problem as Error).message.slice(0, 1000));
      }
    },
  };
}

async function loadFile(loading: Loading, file: SourceFile): Promise<void> {
  const { context, organization, row, sums } = loading;
  const [[shop], [move]] = await context.database.read(
    organization,
    selectOrganization({}),
    selectMove({ id: row.move_id }),
  );
  assert(shop !== undefined && move !== undefined, 'a file belongs to a move of a shop');
  if (row.run === 'trial') {
    const sandbox = sandboxOf(move) ?? (await openTrialShop(context, organization));
    if (sandboxOf(move) === null) await noteSandbox(context, loading.origin, organization, move.id, sandbox);
    loading.into = sandbox;
  }
  const isDone = await runOfKind(row.kind, { till: move.till, tz: shop.tz, sums }, (kind) =>
    loadItems(loading, file, kind),
  );
  if (isDone) await end(loading, 'done', null);
  else {
    await context.database.write(organization, async (tx) => {
      tx.queue(...moveFileJobs({ moveFileId: row.id }));
    });
  }
}

/** False: there is more, for another job. */
async function loadItems<Row>(loading: Loading, file: SourceFile, kind: ImportKind<Row>): Promise<boolean> {
  const { signal, row } = loading;
  let until: number | null = null;
  const items = readItems(
    file,
    kind,
    row.mapping === null ? null : readMapping(JSON.parse(row.mapping), kind.fields),
  );
  const change = await kind.loadChange();
  const lineOfKey = new KeyTable();
  const skipped = row.done_count;
  let part: Parsed<Row>[] = [];
  let read = 0;
  for await (const item of items) {
    read++;
    // A double is told by the lines before it, whichever run has read them.
    const parsed = parseItem(kind, { ...item, body: change(item.body) }, lineOfKey);
    if (read <= skipped) continue;
    until ??= performance.now() + runMs;
    part.push({ item, parsed });
    if (part.length < partSize) continue;
    await writePart(loading, kind, part);
    part = [];
    signal.throwIfAborted();
    if (performance.now() > until) return false;
  }
  if (part.length > 0) await writePart(loading, kind, part);
  return true;
}

interface Parsed<Row> {
  readonly item: ImportItem;
  readonly parsed: ReturnType<typeof parseItem<Row>>;
}

async function writePart<Row>(
  loading: Loading,
  kind: ImportKind<Row>,
  part: readonly Parsed<Row>[],
): Promise<void> {
  const { context, organization, sums, row } = loading;
  const problems: RowProblem[] = [];
  const counts = { created: 0, known: 0, refused: 0 };
  const valid = part.flatMap(({ item, parsed }) => {
    if ('row' in parsed) return [{ item, row: parsed.row }];
    counts.refused++;
    problems.push(...parsed.problems);
    return [];
  });
  const outcomes =
    valid.length === 0
      ? []
      : await kind.write(
          context,
          row.run === 'trial' ? trialOrigin : loading.origin,
          loading.into,
          valid.map((it) => it.row),
          { isTrial: row.run === 'check' },
        );
  for (const [at, outcome] of outcomes.entries()) {
    counts[outcome.kind]++;
    if (outcome.kind === 'refused')
      problems.push(...problemsOf(valid[at]!.item, outcome.problem, kind.fields));
  }
  const told = problems.slice(0, Math.max(0, problemsMax - row.problems.length)).map(plainProblem);
  const done = row.done_count + part.length;
  const share = Math.floor(part.at(-1)!.item.share * 1000);
  const [noted] = await context.database.write(organization, async (tx) => {
    const [rows] = await tx.run(
      advanceMoveFile({
        ...{ id: row.id, from: row.done_count, done, share, ...counts },
        ...{ sums: JSON.stringify(sums.sums), problems: JSON.stringify(told) },
        at: isoTimestamp(context.clock.now()),
      }),
    );
    return rows;
  });
  if (noted === undefined) throw new Error('another process loads this file');
  loading.row = {
    ...row,
    ...{ done_count: done, created_count: row.created_count + counts.created },
    ...{ known_count: row.known_count + counts.known, refused_count: row.refused_count + counts.refused },
    problems: [...row.problems, ...told],
  };
}

/** Names of columns and texts come from the file, and the database keeps no zero characters. */
function plainProblem({ line, column, message }: RowProblem): RowProblem {
  const plain = (text: string, max: number) =>
    Buffer.from(text.replaceAll('\u0000', ' ').slice(0, max)).toString();
  return { line, column: column === null ? null : plain(column, 200), message: plain(message, 1000) };
}

async function end(loading: Loading, status: 'done' | 'failed', failure: string | null): Promise<void> {
  const { context, origin, organization, row, sums } = loading;
  const at = isoTimestamp(context.clock.now());
  if (status === 'done' && row.run !== 'check') {
    const note = row.run === 'trial' ? noteTrialFile : noteMoveFile;
    await note(context, origin, organization, row.move_id, {
      ...{ kind: row.kind, name: row.file_name, sha256: row.sha256, loadedAt: at, sums: sums.sums },
      ...{ read: row.done_count, created: row.created_count, known: row.known_count },
      refused: row.refused_count,
    });
  }
  const next = row.run === 'trial' ? await nextToTry(loading) : null;
  await context.database.write(organization, async (tx) => {
    tx.queue(
      endMoveFile({ id: row.id, status, failure, at }),
      ...(next === null ? [] : beginRun(next, 'trial', at)),
    );
  });
}

/** The file that is tried after this one. Behind the last one the checks are made; null, too, when the move is over. */
async function nextToTry({ context, origin, organization, row }: Loading): Promise<number | null> {
  const [files, [move]] = await context.database.read(
    organization,
    selectFilesToTry({ moveId: row.move_id }),
    selectMove({ id: row.move_id }),
  );
  if (move!.status !== 'open' && move!.status !== 'frozen') return null;
  const next = fileAfter(files, row.id);
  if (next === null) await checkTrial(context, origin, organization, row.move_id);
  return next;
}
