import type { ProductContent } from './shop-content.ts';

/** What a shop gives away: without a brand, at no price, and nobody counts it. */
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
