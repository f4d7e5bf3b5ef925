import { expect, test } from 'vitest';
import { californiaShop } from './california-shop.ts';
import { michiganShop } from './michigan-shop.ts';
import type { ShelvedOption } from './shelves.ts';
import type { ShopContent } from './shop-content.ts';
import { chooseGoods } from './staged-goods.ts';

/** All accessories in stock; one of them has the most stock. */
function gearShelf(
  content: ShopContent,
  optionIds: ReadonlyMap<string, number>,
  most: string,
): ShelvedOption[] {
  const gear = new Set(
    content.categories.filter(({ cannabisType }) => cannabisType === 'none').map(({ name }) => name),
  );
  return content.products
    .filter(({ categoryName }) => gear.has(categoryName))
    .flatMap((product) =>
      product.options.map((option) => {
        const onHand = option.key === most ? 500 : 5;
        return {
          product,
          option,
          cannabisType: 'none' as const,
          productId: 1,
          optionId: optionIds.get(option.key)!,
          lots: [{ packageId: null, onHand }],
          onHand,
        };
      }),
    );
}

test.each([
  ['California', californiaShop],
  ['Michigan', michiganShop],
])('in %s the accessory with the most stock reaches the order minimum of a pickup', (_, content) => {
  const optionIds = new Map(
    content.products.flatMap(({ options }) => options).map(({ key }, index) => [key, index + 1]),
  );
  for (const { option } of gearShelf(content, optionIds, '')) {
    const goods = chooseGoods({ content, optionIds }, gearShelf(content, optionIds, option.key));
    expect(goods.get('gear')!.unitCents).toBeGreaterThanOrEqual(
      content.organization.orderMinimumCents.pickup,
    );
  }
});
