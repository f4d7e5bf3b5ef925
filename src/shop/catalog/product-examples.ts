/** Invented examples of the product operations for the reference; the same shop as in the menu examples. */

const stamps = { createdAt: '2026-03-01T17:05:09.123Z', updatedAt: '2026-03-01T17:05:09.123Z' };

export const productExample = {
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
  isActive: false,
  isFeatured: false,
  isCompliant: true,
  weightTolerance: null,
  thcAmount: null,
  thcAmountEach: null,
  thcAmountRangeLow: '22.5',
  thcAmountRangeHigh: '26.1',
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
  deletedAt: null,
  photos: ['https://pictures.example.com/moonlit-grove.jpg'],
  photoAltTexts: ['A glass jar with green flower on a wooden table'],
  options: [
    {
      id: 3101,
      name: '3.5 grams',
      amount: 3.5,
      price: 3500,
      salesPrice: null,
      upc: '850012345678',
      content: '3.5',
      thcPercent: null,
      thcMg: null,
      cbdPercent: null,
      cbdMg: null,
      ...stamps,
      photos: [
        {
          id: 2702,
          fullPath: 'https://pictures.example.com/moonlit-grove-eighth.jpg',
          altText: 'Three and a half grams of flower on a scale',
          sizes: [],
        },
      ],
    },
  ],
};

export const createProductExample = {
  name: 'Moonlit Grove',
  description: 'Pine, orange peel, a quiet evening.',
  unit: 'gram' as const,
  strainType: 'hybrid' as const,
  category: 'Flower',
  subCategories: ['Whole flower'],
  brandName: 'Fernweh Farms',
  photos: [
    {
      url: 'https://pictures.example.com/moonlit-grove.jpg',
      altText: 'A glass jar with green flower on a wooden table',
    },
  ],
  thcAmountRangeLow: '22.5',
  thcAmountRangeHigh: '26.1',
  thcUnit: '%' as const,
  strain: 'Moonlit Grove',
  sku: 'MG-35',
  terpenes: [{ name: 'Myrcene', percent: '0.82' }],
  effects: ['Calm'],
  flavours: ['Pine', 'Orange'],
  labResults: [
    { lab: 'Alder Analytics', date: '2026-02-11', certificateUrl: 'https://lab.example.com/mg-35.pdf' },
  ],
  options: [
    {
      amount: 3.5,
      price: 3500,
      content: '3.5',
      upc: '850012345678',
      photos: [
        {
          url: 'https://pictures.example.com/moonlit-grove-eighth.jpg',
          altText: 'Three and a half grams of flower on a scale',
        },
      ],
    },
  ],
};

export const updateProductExample = {
  description: 'Pine, orange peel, a quiet evening. Harvested in May.',
  subCategories: ['Whole flower', 'Small batch'],
  thcAmountRangeHigh: '27.3',
  thcUnit: '%' as const,
};

export const replaceOptionsExample = {
  options: [
    { id: 3101, price: 3400, salesPrice: 3000 },
    { amount: 7, price: 6500, content: '7', name: 'Quarter' },
  ],
};

export const setUpcsExample = { options: [{ id: 3101, upc: '850012345678' }] };

export const externalProductExample = {
  externalId: 'POS-10442',
  ...productExample,
  options: productExample.options.map((option) => ({ externalId: 'POS-10442-3.5', ...option })),
};

export const saveProductExample = {
  ...createProductExample,
  options: createProductExample.options.map((option) => ({ externalId: 'POS-10442-3.5', ...option })),
};

export const batchExample = { products: [{ externalId: 'POS-10442', ...saveProductExample }] };

export const batchResultsExample = {
  results: [
    { externalId: 'POS-10442', id: 3001 },
    {
      externalId: 'POS-10443',
      error: {
        code: 'MISSING_PARAMS',
        message: 'Required but absent: options[0].price.',
        meta: { missing: ['options[0].price'] },
      },
    },
  ],
};
