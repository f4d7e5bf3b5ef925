import type { OrganizationId } from '../src/kernel/ids.ts';
import type { Context, Origin } from '../src/platform/database/context.ts';
import {
  type ColumnMapping,
  type ImportItem,
  type ImportKind,
  KeyTable,
  parseItem,
  problemsOf,
  type RowProblem,
  readItems,
  warningsOf,
} from '../src/shop/imports/imports.ts';
import { fileAt } from './file-at.ts';
import type { ImportMark, ImportProgress } from './import-progress.ts';

/** The size of a transaction; the number of rows that one statement inserts. */
export const itemsPerBatch = 200;
/** Further problems are not stored; the counts continue. */
export const problemsKeptMax = 10_000;

export interface ImportRun {
  readonly context: Context;
  readonly origin: Origin;
  readonly organization: OrganizationId;
  readonly path: string;
  readonly mapping: ColumnMapping | null;
  readonly isTrial: boolean;
  /** The progress of an earlier run; null: start at the first line. */
  readonly from: ImportMark | null;
  /** Called for every committed batch; null in a trial. */
  readonly progress: ImportProgress | null;
  onProgress(share: number, mark: ImportMark): void;
}

export interface ImportReport extends ImportMark {
  /** Problems of the rows read in this run, the first 10,000. */
  readonly problems: readonly RowProblem[];
  /** Remarks on rows, the first 10,000. */
  readonly warnings: readonly RowProblem[];
}

interface Pending<Row> {
  readonly item: ImportItem;
  readonly row: Row;
}

/**
 * Imports a file in batches of one transaction each; refused rows write nothing. Fails with a UsageError if the file cannot be
 * read; committed batches stay.
 */
export async function runImport<Row>(kind: ImportKind<Row>, run: ImportRun): Promise<ImportReport> {
  const { context, origin, organization, isTrial } = run;
  const counts = { created: 0, known: 0, refused: 0, ...run.from, done: 0 };
  const skipped = run.from?.done ?? 0;
  const problems: RowProblem[] = [];
  const warnings: RowProblem[] = [];
  const lineOfKey = new KeyTable();
  let batch: Pending<Row>[] = [];
  let read = 0;

  const refuse = (found: readonly RowProblem[]) => {
    counts.refused++;
    problems.push(...found.slice(0, problemsKeptMax - problems.length));
  };
  const warn = (told: readonly RowProblem[]) =>
    warnings.push(...told.slice(0, problemsKeptMax - warnings.length));
  const write = async (share: number) => {
    const rows = batch.map(({ row }) => row);
    const outcomes =
      rows.length === 0 ? [] : await kind.write(context, origin, organization, rows, { isTrial });
    for (const [index, outcome] of outcomes.entries()) {
      const { item } = batch[index]!;
      if (outcome.kind === 'refused') {
        refuse(problemsOf(item, outcome.problem, kind.fields));
        continue;
      }
      counts[outcome.kind]++;
      warn(warningsOf(item, outcome, kind.fields));
    }
    batch = [];
    counts.done = read;
    run.progress?.write(counts);
    run.onProgress(share, counts);
  };

  const items = readItems(fileAt(run.path), kind, run.mapping);
  const change = await kind.loadChange();
  let share = 0;
  for await (const item of items) {
    read++;
    share = item.share;
    const parsedItem = parseItem(kind, { ...item, body: change(item.body) }, lineOfKey);
    if (read <= skipped) continue;
    warn(item.notes);
    if ('problems' in parsedItem) refuse(parsedItem.problems);
    else batch.push({ item, row: parsedItem.row });
    if (batch.length === itemsPerBatch) await write(share);
  }
  if (batch.length > 0 || read > counts.done) await write(share);
  return { ...counts, problems, warnings };
}
