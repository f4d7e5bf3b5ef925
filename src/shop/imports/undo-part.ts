import { isoTimestamp } from '../../kernel/local-time.ts';
import type { ProductSnapshot } from '../catalog/product-snapshot.ts';
import { restoreProduct, showAgain, withdrawProduct } from '../catalog/products.ts';
import { noteUndoneProducts, selectProductsToUndo, selectSoldProducts } from './menu-import-queries.ts';
import { type MenuRun, moveOn } from './menu-run.ts';

const partSize = 100;

/**
 * Undoes what an import did to some products; what was done is noted, and each can be repeated. A product that was sold
 * after the undoing began stays. Resolves to the number of products; 0: all are done.
 */
export async function undoPart(run: MenuRun, done: number): Promise<number> {
  const { context, organization, origin, row } = run;
  const { id } = row;
  const [products, sold] = await context.database.read(
    organization,
    selectProductsToUndo({ id, limit: partSize }),
    selectSoldProducts({ id }),
  );
  if (products.length === 0) return 0;
  const soldIds = new Set(sold.map((product) => product.id));
  for (const { product_id: productId, kind, before, after } of products) {
    if (soldIds.has(productId)) continue;
    if (kind === 'retired') await showAgain(context, origin, organization, productId);
    else if (kind === 'created') await withdrawProduct(context, origin, organization, productId);
    else {
      await restoreProduct(
        context,
        origin,
        organization,
        productId,
        JSON.parse(before!) as ProductSnapshot,
        JSON.parse(after!) as ProductSnapshot,
      );
    }
  }
  const total = row.created_count + row.changed_count + row.retired_count;
  const share = Math.min(1000, Math.floor(((done + products.length) / Math.max(1, total)) * 1000));
  await moveOn(run, { from: done, done: done + products.length, share }, (tx) =>
    tx.queue(
      noteUndoneProducts({
        id,
        productIds: products.map((product) => product.product_id),
        at: isoTimestamp(context.clock.now()),
      }),
    ),
  );
  return products.length;
}
