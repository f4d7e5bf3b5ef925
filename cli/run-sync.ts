import type { ImportedProduct } from '../src/shop/catalog/import-product-rows.ts';
import {
  importProductRows,
  productsToRetire,
  retireProduct,
  syncProduct,
} from '../src/shop/catalog/products.ts';
import {
  type ImportItem,
  KeyTable,
  parseItem,
  problemsOf,
  productImport,
  type RowProblem,
  readItems,
  warningsOf,
} from '../src/shop/imports/imports.ts';
import { fileAt } from './file-at.ts';
import { type ImportRun, itemsPerBatch, problemsKeptMax } from './run-import.ts';

export type SyncRun = Pick<
  ImportRun,
  'context' | 'origin' | 'organization' | 'path' | 'mapping' | 'isTrial' | 'onProgress'
> & {
  /** Called with what will be done, before anything is written. */
  onPlan(plan: SyncPlan): void;
};

/** What a synchronization does; names of products. */
export interface SyncPlan {
  readonly create: readonly string[];
  readonly change: readonly string[];
  readonly retire: readonly string[];
  /** The number of products that are equal already. */
  readonly same: number;
  readonly refused: number;
  /** The problems of the refused rows, the first 10,000. */
  readonly problems: readonly RowProblem[];
  /** Remarks on rows, the first 10,000. */
  readonly warnings: readonly RowProblem[];
}

interface Parsed {
  readonly item: ImportItem;
  readonly row: ImportedProduct;
}

/**
 * Makes the catalog equal to a file: creates its new products, changes the others, and takes off the menu what the file
 * lacks. It finds all of it first, in trials, and then does it; a second run changes nothing. While rows are refused
 * nothing is taken off the menu: a refused row may be the product. Fails with a UsageError if the file cannot be read.
 */
export async function runSync(run: SyncRun): Promise<SyncPlan> {
  const { parsed, problems, notes, refused } = await parseFile(run);
  const found = await apply(run, parsed, true);
  const plan: SyncPlan = {
    ...found.names,
    same: found.same,
    retire: [],
    refused: refused + found.refused,
    problems: [...problems, ...found.problems].slice(0, problemsKeptMax),
    warnings: [...notes, ...found.warnings].slice(0, problemsKeptMax),
  };
  const retired = plan.refused > 0 ? [] : await productsToRetire(run.context, run.organization, found.ids);
  const whole = { ...plan, retire: retired.map(({ name }) => name) };
  run.onPlan(whole);
  if (run.isTrial) return whole;
  const done = await apply(run, parsed, false);
  for (const { id } of retired) await retireProduct(run.context, run.origin, run.organization, id);
  return {
    ...whole,
    ...done.names,
    same: done.same,
    refused: refused + done.refused,
    problems: [...problems, ...done.problems].slice(0, problemsKeptMax),
  };
}

async function parseFile({ path, mapping }: SyncRun) {
  const parsed: Parsed[] = [];
  const problems: RowProblem[] = [];
  const notes: RowProblem[] = [];
  let refused = 0;
  const change = await productImport.loadChange();
  const lineOfKey = new KeyTable();
  for await (const item of readItems(fileAt(path), productImport, mapping)) {
    notes.push(...item.notes);
    const read = parseItem(productImport, { ...item, body: change(item.body) }, lineOfKey);
    if ('row' in read) parsed.push({ item, row: read.row });
    else {
      refused++;
      problems.push(...read.problems);
    }
  }
  return { parsed, problems, notes, refused };
}

/** Does it, or finds what it would do. */
async function apply(
  { context, origin, organization, onProgress }: SyncRun,
  parsed: readonly Parsed[],
  isTrial: boolean,
) {
  const names = { create: [] as string[], change: [] as string[] };
  const ids = new Set<number>();
  const problems: RowProblem[] = [];
  const warnings: RowProblem[] = [];
  let [same, refused] = [0, 0];
  for (let start = 0; start < parsed.length; start += itemsPerBatch) {
    const batch = parsed.slice(start, start + itemsPerBatch);
    const rows = batch.map(({ row }) => row);
    const outcomes = await importProductRows(context, origin, organization, rows, { isTrial });
    for (const [index, { item, row }] of batch.entries()) {
      const outcome = outcomes[index]!;
      warnings.push(...warningsOf(item, outcome, productImport.fields));
      if (outcome.kind === 'created') names.create.push(row.request.name);
      if (outcome.kind === 'created' || outcome.kind === 'known') ids.add(outcome.id);
      const synced =
        outcome.kind === 'known'
          ? await syncProduct(context, origin, organization, outcome.id, row, { isTrial })
          : outcome;
      if (synced.kind === 'changed') names.change.push(row.request.name);
      if (synced.kind === 'same') same++;
      if (synced.kind !== 'refused') continue;
      refused++;
      problems.push(...problemsOf(item, synced.problem, productImport.fields));
    }
    const done = start + batch.length;
    const counts = { created: names.create.length, known: same + names.change.length, refused };
    // The trial is the first half.
    onProgress((isTrial ? 0 : 0.5) + done / parsed.length / 2, { ...counts, done });
  }
  return { names, ids, same, refused, problems, warnings };
}
