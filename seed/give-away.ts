import type { ProductContent } from './shop-content.ts';

/** A free item: without a brand, at price 0, stock not kept. */
export function giveAway(slug: string): ProductContent {
  const key = `${slug}-accessories-matches`;
  return {
    key,
    name: 'Matches',
    description: 'A book of twenty with the hours of the shop on it. Ask for one, or put it in the cart.',
    unit: 'item',
    strainType: 'none',
    brandName: null,
    categoryName: 'Accessories',
    subCategoryNames: ['Lighters'],
    tagNames: [],
    inventoryType: 'none',
    isActive: true,
    isFeatured: false,
    thc: null,
    cbd: null,
    illustrations: [{ shape: 'lighter', paletteSeed: slug, patternSeed: 'Matches' }],
    options: [
      {
        key: `${key}-1`,
        name: 'Book of 20',
        amount: 1,
        priceCents: 0,
        salesPriceCents: null,
        upc: null,
        content: null,
      },
    ],
  };
}
