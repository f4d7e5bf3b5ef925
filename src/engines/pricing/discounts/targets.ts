import type { DiscountableLine, DiscountSettings, ScopedTargets } from './discount-settings.ts';

type TargetableLine = Pick<
  DiscountableLine,
  'productOptionId' | 'productId' | 'productCategoryId' | 'productBrandId' | 'productTagIds'
>;

/**
 * Whether any of the lists names the line, or all of them are empty. Most lists are empty, and every preview
 * runs this for every line and every discount: a length check is faster than a call of `includes`.
 */
function matchesTargets(targets: ScopedTargets, line: TargetableLine): boolean {
  if (targets.onlyOptionIds !== undefined && !targets.onlyOptionIds.includes(line.productOptionId))
    return false;
  const { productIds, optionIds, categoryIds, brandIds, tagIds } = targets;
  if (productIds.length + optionIds.length + categoryIds.length + brandIds.length + tagIds.length === 0) {
    return true;
  }
  const { productBrandId, productTagIds } = line;
  if (productIds.length > 0 && productIds.includes(line.productId)) return true;
  if (optionIds.length > 0 && optionIds.includes(line.productOptionId)) return true;
  if (categoryIds.length > 0 && categoryIds.includes(line.productCategoryId)) return true;
  if (brandIds.length > 0 && productBrandId !== null && brandIds.includes(productBrandId)) return true;
  return tagIds.length > 0 && tagIds.some((tagId) => productTagIds.includes(tagId));
}

/** Whether a discount touches a line that these targets of it, by default its own, match. */
export function touches(
  { targets: own, conditions }: Pick<DiscountSettings, 'targets' | 'conditions'>,
  line: DiscountableLine,
  targets: ScopedTargets = own,
): boolean {
  return !(conditions.excludeSaleItems && line.isOnSale) && matchesTargets(targets, line);
}
