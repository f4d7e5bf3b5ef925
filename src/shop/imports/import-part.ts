import type { ImportedProduct } from '../catalog/import-product-rows.ts';
import type { ProductSnapshot } from '../catalog/product-snapshot.ts';
import { importProductRows, syncProduct } from '../catalog/products.ts';
import type { RowProblem } from './column-mapping.ts';
import { type ImportItem, problemsOf, warningsOf } from './import-items.ts';
import { noteChangedProduct, noteImportedProducts, selectNotedAmong } from './menu-import-queries.ts';
import type { MenuRun } from './menu-run.ts';
import { productImport } from './product-import.ts';

interface PartDone {
  readonly counts: { created: number; changed: number; refused: number };
  readonly problems: readonly RowProblem[];
  /** Remarks on products that were not refused for them. */
  readonly notes: readonly RowProblem[];
  /** Products that stay as they are. */
  readonly seen: readonly number[];
}

/**
 * Imports some products, or finds what it would do. A product that an earlier try of the same part has made or changed
 * counts as such.
 */
export async function importPart(run: MenuRun, part: readonly ImportItem[]): Promise<PartDone> {
  const { context, origin, organization, row: menu } = run;
  const isTrial = menu.status === 'checking';
  const counts = { created: 0, changed: 0, refused: 0 };
  const problems: RowProblem[] = [];
  const notes = part.flatMap((item) => item.notes);
  const seen: number[] = [];
  const refuse = (found: readonly RowProblem[]) => {
    counts.refused++;
    problems.push(...found);
  };
  const valid: { item: ImportItem; row: ImportedProduct }[] = [];
  for (const item of part) {
    if (item.problems.length === 0) valid.push({ item, row: productImport.read(item.body) });
    else refuse(item.problems);
  }
  const outcomes =
    valid.length === 0
      ? []
      : await importProductRows(
          context,
          origin,
          organization,
          valid.map(({ row }) => row),
          {
            isTrial,
            onCreated: (tx, productIds) =>
              tx.queue(noteImportedProducts({ id: menu.id, kind: 'created', productIds })),
          },
        );
  const known = outcomes.flatMap((outcome) => (outcome.kind === 'known' ? [outcome.id] : []));
  const noted = isTrial || known.length === 0 ? new Map<number, string>() : await notedAmong(run, known);
  for (const [index, { item, row }] of valid.entries()) {
    const outcome = outcomes[index]!;
    notes.push(...warningsOf(item, outcome, productImport.fields));
    if (outcome.kind === 'created') {
      counts.created++;
      continue;
    }
    const synced =
      outcome.kind === 'known' && menu.mode !== 'add'
        ? await syncProduct(context, origin, organization, outcome.id, row, {
            isTrial,
            onChanged: (tx, before, after) =>
              tx.queue(noteChangedProduct(changeOf(menu.id, outcome.id, before, after))),
          })
        : outcome;
    if (synced.kind === 'refused') {
      refuse(problemsOf(item, synced.problem, productImport.fields));
      continue;
    }
    const id = (outcome as { readonly id: number }).id;
    const earlier = noted.get(id);
    if (earlier === 'created') counts.created++;
    else if (synced.kind === 'changed' || earlier === 'changed') counts.changed++;
    if (earlier === undefined) seen.push(id);
  }
  return { counts, problems, notes, seen: menu.mode === 'sync' ? seen : [] };
}

async function notedAmong({ context, organization, row }: MenuRun, productIds: readonly number[]) {
  const [noted] = await context.database.read(organization, selectNotedAmong({ id: row.id, productIds }));
  return new Map(noted.map(({ product_id: id, kind }) => [id, kind]));
}

function changeOf(id: number, productId: number, before: ProductSnapshot, after: ProductSnapshot) {
  const former = new Set(before.options.map((option) => option.id));
  return {
    id,
    productId,
    before: JSON.stringify(before),
    after: JSON.stringify(after),
    newOptionIds: after.options.flatMap((option) => (former.has(option.id) ? [] : [option.id])),
  };
}
