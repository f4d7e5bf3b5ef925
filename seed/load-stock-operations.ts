import type { Context } from '../src/platform/database/context.ts';
import { adjustStock, countStock, transferStock } from '../src/shop/inventory/stock.ts';
import { contextAt, staffOriginOf, type TradingShop } from './loaded-shop.ts';
import { placesOf, type ShelvedOption, shelvedAt } from './shelves.ts';

/** Manual stock operations of the last days: breakage, a find, a move to the floor, a count. */
export async function loadStockOperations(context: Context, trading: TradingShop): Promise<void> {
  const { organization, locationIds, daysAgo } = trading;
  const { floor, vault } = placesOf(trading);
  const origin = staffOriginOf(trading, 'inventory-1');
  const at = (days: number, minuteOfDay: number) => contextAt(context, daysAgo(days, minuteOfDay));
  const atFloor = { inventoryLocationId: locationIds.get(floor)!, idempotencyKey: null };
  const onFloor = await shelvedAt(context, trading, floor);
  const [broken, found, counted, alsoCounted] = onFloor.filter(({ lots }) => lots[0]!.onHand >= 6);
  const [moved] = (await shelvedAt(context, trading, vault)).filter(({ lots }) => lots[0]!.onHand >= 8);

  await adjustStock(at(5, 11 * 60), origin, organization, {
    ...firstLotOf(broken!),
    ...atFloor,
    delta: '-2',
    reason: 'Jar broke in the display',
  });
  await transferStock(at(4, 10 * 60), origin, organization, {
    ...firstLotOf(moved!),
    fromInventoryLocationId: locationIds.get(vault)!,
    toInventoryLocationId: atFloor.inventoryLocationId,
    amount: '4',
    reason: 'For the weekend',
    idempotencyKey: null,
  });
  await adjustStock(at(3, 15 * 60), origin, organization, {
    ...firstLotOf(found!),
    ...atFloor,
    delta: '6',
    reason: 'Found behind the counter',
  });
  await countStock(at(2, 8 * 60), origin, organization, {
    ...atFloor,
    lines: [
      { ...firstLotOf(counted!), counted: String(counted!.lots[0]!.onHand - 1) },
      { ...firstLotOf(alsoCounted!), counted: String(alsoCounted!.lots[0]!.onHand) },
    ],
    reason: 'Monthly count',
  });
}

function firstLotOf({ productId, optionId, lots }: ShelvedOption) {
  return { productId, productOptionId: optionId, packageId: lots[0]!.packageId };
}
