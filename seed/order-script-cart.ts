import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import type { PurchaseCap } from './order-script-caps.ts';
import type { Moment } from './order-script-moments.ts';
import type { ScriptedStock, ShelfItem } from './order-script-stock.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { ScriptedLine } from './shop-content.ts';

/** The purchases of each customer on a day, by kind, so that repeat buyers stay within their limits. */
export class PurchaseRecord {
  readonly #caps: readonly PurchaseCap[];
  readonly #bought = new Map<string, Map<CannabisType, number>>();

  constructor(caps: readonly PurchaseCap[]) {
    this.#caps = caps;
  }

  before(customerIndex: number | null, daysAgo: number): Map<CannabisType, number> {
    return new Map(customerIndex === null ? [] : this.#bought.get(`${customerIndex}/${daysAgo}`));
  }

  fits(amounts: ReadonlyMap<CannabisType, number>): boolean {
    return this.#caps.every(({ max, weights }) => {
      let total = 0;
      for (const [type, amount] of amounts) total += amount * (weights[type] ?? 0);
      return total <= max;
    });
  }

  keep(customerIndex: number | null, daysAgo: number, amounts: Map<CannabisType, number>): void {
    if (customerIndex !== null) this.#bought.set(`${customerIndex}/${daysAgo}`, amounts);
  }
}

export interface Cart {
  readonly locationName: string;
  readonly lines: readonly ScriptedLine[];
  readonly items: ReadonlyMap<ShelfItem, number>;
  readonly amounts: Map<CannabisType, number>;
  readonly merchandiseCents: number;
}

/** The shelf, customer and minimum of a basket. */
interface CartTask {
  readonly stock: ScriptedStock;
  readonly record: PurchaseRecord;
  readonly shelf: readonly ShelfItem[];
  readonly locationName: string;
  readonly moment: Moment;
  readonly customerIndex: number | null;
  readonly minimumCents: number;
}

const lineCounts = [
  { lines: 1, weight: 24 },
  { lines: 2, weight: 30 },
  { lines: 3, weight: 22 },
  { lines: 4, weight: 12 },
  { lines: 5, weight: 8 },
  { lines: 7, weight: 4 },
];

const quantities = [
  { quantity: 1, weight: 80 },
  { quantity: 2, weight: 14 },
  { quantity: 3, weight: 4 },
  { quantity: 4, weight: 2 },
];

/** Fills a basket from one location; null if its shelf cannot reach the minimum within the limits. */
export function fillCart(random: SeededRandom, task: CartTask): Cart | null {
  const { stock, record, shelf, locationName, customerIndex, minimumCents } = task;
  const { daysAgo } = task.moment;
  const wanted = random.pickWeighted(lineCounts, ({ weight }) => weight).lines;
  const items = new Map<ShelfItem, number>();
  let amounts = record.before(customerIndex, daysAgo);
  let merchandiseCents = 0;

  for (let tries = 0; tries < 60 && (items.size < wanted || merchandiseCents < minimumCents); tries++) {
    const item = random.pickWeighted(shelf, ({ weight }) => weight);
    const { quantity } = random.pickWeighted(quantities, ({ weight }) => weight);
    if (items.has(item)) continue;
    const after = new Map(amounts);
    after.set(item.cannabisType, (after.get(item.cannabisType) ?? 0) + item.content * quantity);
    if (!record.fits(after) || !stock.has(item, items, quantity, daysAgo)) continue;
    items.set(item, quantity);
    amounts = after;
    merchandiseCents += item.unitPriceCents * quantity;
  }
  if (items.size === 0 || merchandiseCents < minimumCents) return null;
  const lines = [...items].map(([{ optionKey }, quantity]) => ({ optionKey, quantity }));
  return { locationName, lines, items, amounts, merchandiseCents };
}
