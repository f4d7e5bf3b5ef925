import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { noteProductDoubts } from './check-contents.ts';
import { touchProduct } from './product-queries.ts';
import { writeAndRead } from './product-view.ts';
import type { decideOptions } from './replace-options.ts';
import type { decideProductChange } from './update-product.ts';

/** What a change of a product and of its options decided; null: nothing of it differs. */
interface Decided {
  readonly ofProduct: Awaited<ReturnType<typeof decideProductChange>>;
  readonly ofOptions: Awaited<ReturnType<typeof decideOptions>>;
}

/** Writes and announces both as one change. Resolves to the product's rows after it; null: nothing differs, and nothing is written. */
export async function writeProductChange(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
  id: number,
  { ofProduct, ofOptions }: Decided,
) {
  if (ofProduct === null && ofOptions === null) return null;
  await announce(
    tx,
    context,
    origin,
    nowMs,
    ...(ofProduct === null ? [] : [ofProduct.announcement]),
    ...(ofOptions === null ? [] : ofOptions.announcements),
  );
  const rows = await writeAndRead(
    tx,
    id,
    ...(ofProduct?.statements ?? []),
    ...(ofOptions?.statements ?? []),
    touchProduct({ id, updatedAt: isoTimestamp(nowMs) }),
  );
  noteProductDoubts(tx, rows);
  return rows;
}
