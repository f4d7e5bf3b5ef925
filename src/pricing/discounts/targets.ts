import type { DiscountableLine, DiscountTargets } from './discount-settings.ts';

type TargetableLine = Pick<
  DiscountableLine,
  'productOptionId' | 'productId' | 'productCategoryId' | 'productBrandId' | 'productTagIds'
>;

/** Whether any of the lists names the line, or all of them are empty. */
export function matchesTargets(targets: DiscountTargets, line: TargetableLine): boolean {
  const { productIds, optionIds, categoryIds, brandIds, tagIds } = targets;
  return (
    productIds.includes(line.productId) ||
    optionIds.includes(line.productOptionId) ||
    categoryIds.includes(line.productCategoryId) ||
    (line.productBrandId !== null && brandIds.includes(line.productBrandId)) ||
    tagIds.some((tagId) => line.productTagIds.includes(tagId)) ||
    productIds.length + optionIds.length + categoryIds.length + brandIds.length + tagIds.length === 0
  );
}
