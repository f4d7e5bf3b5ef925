/** Invented examples of the menu operations for the reference; the same shop as in the order examples. */

const stamps = { createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' };

const product = {
  id: 3001,
  organizationId: 1001,
  name: 'Moonlit Grove',
  description: 'Pine, orange peel, a quiet evening.',
  unit: 'gram' as const,
  strainType: 'hybrid' as const,
  brand: { id: 2601, name: 'Fernweh Farms', ...stamps, description: null },
  subCategories: [{ id: 2101, organizationId: 1001, name: 'Whole flower', ...stamps }],
  primaryCategory: { id: 2001, name: 'Flower', ...stamps, cannabisType: 'non-concentrated' as const },
  inventoryType: 'option' as const,
  isActive: true,
  isFeatured: false,
  isCompliant: true,
  weightTolerance: null,
  thcAmount: '24.1',
  thcAmountEach: null,
  thcAmountRangeLow: null,
  thcAmountRangeHigh: null,
  thcUnit: '%' as const,
  cbdAmount: null,
  cbdAmountEach: null,
  cbdAmountRangeLow: null,
  cbdAmountRangeHigh: null,
  cbdUnit: null,
  strain: 'Moonlit Grove',
  sku: 'MG-35',
  terpenes: [{ name: 'Myrcene', percent: '0.82' }],
  effects: ['Calm'],
  flavours: ['Pine', 'Orange'],
  labResults: [
    { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/mg-35.pdf' },
  ],
  ...stamps,
};

const option = {
  id: 3101,
  name: '3.5 grams',
  amount: 3.5,
  price: 3500,
  salesPrice: null,
  upc: null,
  content: '3.5',
  thcPercent: null,
  thcMg: null,
  cbdPercent: null,
  cbdMg: null,
  ...stamps,
};

const photoOf = (width: number) =>
  `https://shop.example.com/photos/9f2c41d7b05e8a36c1f4702d9be6385a4c7d10ef-${width}.webp`;

const photos = [
  {
    id: 2701,
    fullPath: photoOf(1600),
    altText: 'A glass jar with green flower on a wooden table',
    sizes: [320, 800, 1600].map((width) => ({ width, fullPath: photoOf(width) })),
  },
];

export const menuExample = [
  {
    ...product,
    unitPlural: 'grams',
    inStock: true,
    tags: [{ id: 2501, name: 'Staff pick' }],
    photos,
    options: [
      {
        ...option,
        displayPrice: 3150,
        specialPrice: 3150,
        specialMinimumOrder: null,
        specialName: 'Early bird 10 %',
        specialEndsAt: '2026-03-02T18:00:00.000Z',
        photos: [],
        productId: product.id,
        maxQuantity: 12,
      },
    ],
  },
];

export const allProductsExample = [
  {
    ...product,
    unitPlural: 'grams',
    photos,
    locationInventory: [],
    movingAverageCostPerUnit: null,
    options: [
      {
        ...option,
        photos: [],
        productId: product.id,
        locationInventory: [{ inventoryLocationId: 2401, amount: '12', maxQuantity: 12 }],
        movingAverageCostPerUnit: '14.25',
      },
    ],
  },
];

const categories = [{ id: 2001, name: 'Flower', order: 1, cannabisType: 'non-concentrated' as const }];

export const menuMetaExample = { categories, total: 1, version: 'mJ0s9vQ2cT7xW1bLrE4yKdHnA5g' };

export const allProductsMetaExample = {
  categories,
  inventoryLocations: [{ id: 2401, name: 'Storefront', description: null, type: 'standard' as const }],
};
