import type { CannabisType } from '../src/engines/goods/cannabis-type.ts';
import type { Context } from '../src/platform/database/context.ts';
import { cheapestOption } from './load-promotions.ts';
import type { TradingShop } from './loaded-shop.ts';
import { placesOf, type ShelvedOption, shelvedAt } from './shelves.ts';
import type { DeliveryZoneContent, OrderType } from './shop-content.ts';
import type { StagedGood } from './staged-order.ts';

/** An amount for one order far below every limit, in the unit of each kind. */
const modestContent: Readonly<Record<CannabisType, number>> = {
  'non-concentrated': 14,
  concentrated: 4000,
  edibles: 400,
  'mi-infused-solids': 8,
  'mi-infused-fluids': 18,
  'immature-plant': 3,
  seeds: 3,
  inhalables: 2000,
  'low-dose-drinks': 40,
  'other-units': 2,
  none: Number.POSITIVE_INFINITY,
};

interface ChosenGood {
  readonly optionId: number;
  readonly unitCents: number;
  readonly leastPieces: number;
}

/** Goods for staged orders: each good is the option with the most stock at each location. */
export class StagedGoods {
  readonly #floor: ReadonlyMap<StagedGood, ChosenGood>;
  readonly #vault: ReadonlyMap<StagedGood, ChosenGood>;

  private constructor(
    trading: TradingShop,
    floor: readonly ShelvedOption[],
    vault: readonly ShelvedOption[],
  ) {
    this.#floor = chooseGoods(trading, floor);
    this.#vault = chooseGoods(trading, vault);
  }

  static async of(context: Context, trading: TradingShop): Promise<StagedGoods> {
    const { floor, vault } = placesOf(trading);
    return new StagedGoods(
      trading,
      await shelvedAt(context, trading, floor),
      await shelvedAt(context, trading, vault),
    );
  }

  /** Lines of an order; the first line of a delivery fills up to the minimum of its zone. Null: not enough stock. */
  linesFor(
    type: OrderType,
    wanted: readonly (readonly [StagedGood, number])[],
    zone: DeliveryZoneContent | null,
  ): { readonly productOptionId: number; readonly quantity: number }[] | null {
    const shelf = type === 'delivery' ? this.#vault : this.#floor;
    const lines = wanted.flatMap(([good, quantity], index) => {
      const found = shelf.get(good);
      if (found === undefined) return [];
      // Leaves room for discounts.
      const least = zone === null || index > 0 ? 0 : Math.ceil((zone.minimumCents * 1.25) / found.unitCents);
      return [{ productOptionId: found.optionId, quantity: Math.max(quantity, least, found.leastPieces) }];
    });
    return lines.length === wanted.length ? lines : null;
  }
}

/** One option for each good, of those in stock at a location. */
export function chooseGoods(
  { content, optionIds }: Pick<TradingShop, 'content' | 'optionIds'>,
  shelf: readonly ShelvedOption[],
): ReadonlyMap<StagedGood, ChosenGood> {
  const most = (from: readonly ShelvedOption[]) =>
    from.toSorted((one, other) => other.onHand - one.onHand)[0];
  const gift = content.promotions.rewards.find(({ categoryName }) => categoryName !== null)!;
  const giftKey = cheapestOption(content, gift.categoryName!);
  const matches = content.products
    .flatMap(({ options }) => options)
    .find(({ priceCents }) => priceCents === 0)!;
  const flower = shelf.filter(
    (it) =>
      it.cannabisType === 'non-concentrated' && Number(it.option.content) <= 3.5 && unitCents(it) >= 2000,
  );
  const inTwoPackages = shelf
    .filter(
      ({ cannabisType, option, lots }) =>
        lots.length > 1 &&
        lots.every(({ packageId }) => packageId !== null) &&
        Number(option.content) * (lots[0]!.onHand + 1) <= modestContent[cannabisType],
    )
    .toSorted((one, other) => one.lots[0]!.onHand - other.lots[0]!.onHand);
  // One piece reaches the order minimum of a pickup, also after a discount.
  const gearLeastCents = content.organization.orderMinimumCents.pickup * 1.25;
  const gear = shelf.filter(
    (it) => it.cannabisType === 'none' && it.option.key !== giftKey && unitCents(it) >= gearLeastCents,
  );
  const chosen: [StagedGood, ShelvedOption | undefined][] = [
    ['flower', most(flower)],
    ['gear', most(gear)],
    ['last-pieces', inTwoPackages[0]],
  ];
  return new Map<StagedGood, ChosenGood>([
    // Their stock is not kept.
    ['gift', { optionId: optionIds.get(giftKey)!, unitCents: 0, leastPieces: 1 }],
    ['matches', { optionId: optionIds.get(matches.key)!, unitCents: 0, leastPieces: 1 }],
    ...chosen.flatMap(([good, found]) => {
      if (found === undefined) return [];
      const leastPieces = good === 'last-pieces' ? found.lots[0]!.onHand + 1 : 1;
      return [[good, { optionId: found.optionId, unitCents: unitCents(found), leastPieces }] as const];
    }),
  ]);
}

function unitCents({ option }: ShelvedOption): number {
  return option.salesPriceCents ?? option.priceCents;
}
