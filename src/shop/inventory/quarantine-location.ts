import { isoTimestamp } from '../../kernel/local-time.ts';
import type { Context, Origin } from '../../platform/database/context.ts';
import type { TenantTransaction } from '../../platform/database/database.ts';
import { announce } from '../../platform/events/announce.ts';
import { insertQuarantine, selectQuarantine } from './inventory-queries.ts';

/**
 * The id of the location for goods that are not sold until staff have looked at them. It is made when it is first
 * needed. Stock in it is never sold, whatever order type names it; staff release it by a transfer.
 */
export async function quarantineLocation(
  tx: TenantTransaction,
  context: Context,
  origin: Origin,
  nowMs: number,
): Promise<number> {
  const [[known]] = await tx.run(selectQuarantine({}));
  if (known !== undefined) return known.id;
  const id = await context.ids.takeOne();
  const settings = {
    name: 'Quarantine',
    description: 'Returned goods. They are not sold until they are moved to another location.',
  };
  const [[made]] = await tx.run(insertQuarantine({ ...settings, id, createdAt: isoTimestamp(nowMs) }));
  // Another request made it meanwhile.
  if (made === undefined) return (await tx.run(selectQuarantine({})))[0][0]!.id;
  await announce(tx, context, origin, nowMs, {
    event: 'inventory_location.created',
    subjectType: 'inventory_location',
    subjectId: id,
    payload: { inventoryLocationId: id },
    details: { ...settings, isQuarantine: true },
  });
  return id;
}
