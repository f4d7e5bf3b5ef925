import { draftMadeGood, size } from '../made-goods.ts';
import type { ProductDraft } from '../shelf.ts';
import type { IllustrationShape, StrainType } from '../shop-content.ts';

// Content counts milligrams of THC toward the concentrate limit: concentrate inside manufactured products counts there
// (4 CCR 15409(a)(2)). A pack holds at most 100 mg in pieces of at most 10 mg.

type Row = readonly [name: string, strainType: StrainType, description: string, tagNames?: readonly string[]];

interface Range {
  readonly brandName: string;
  readonly subCategoryName: string;
  readonly shapes: readonly IllustrationShape[];
  /** Label, pieces, cents, milligrams of THC in all. */
  readonly sizes: readonly (readonly [string, number, number, string])[];
  /** Milligrams of THC in the largest pack and in a piece of it. */
  readonly thc: readonly [string, string];
  readonly rows: readonly Row[];
}

const ranges: readonly Range[] = [
  {
    brandName: 'Plum Parade',
    subCategoryName: 'Gummies',
    shapes: ['gummies', 'pouch'],
    sizes: [
      ['2-pack, 20 mg', 2, 600, '20'],
      ['10-pack, 100 mg', 10, 1900, '100'],
    ],
    thc: ['100', '10'],
    rows: [
      [
        'Santa Rosa Plum Gummies',
        'indica',
        'The one the parade is named for: tart skin, jammy middle, a dusting of sour sugar. Made from whole fruit purée and pectin.',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Yuzu & Sea Salt Gummies',
        'sativa',
        'Bright, briny and a little bit fancy. **Ten pieces of 10 mg**, scored so that they halve cleanly.',
        ['Vegan', 'Gluten-Free', 'New Arrival'],
      ],
      [
        'Watermelon Chili Gummies',
        'hybrid',
        'Cold melon first, then a slow warmth from ancho chili. Tasters disagree on how spicy it is.\n\n- Vegan\n- No artificial colors',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Passionfruit Gummies',
        'sativa',
        'Crunchy seeds left in, because that is how the fruit comes. Sweet, sharp and hard to share.',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Blackberry Sage Gummies',
        'indica',
        'Late-summer berries with a leaf of garden sage in every batch. Start with half a piece and wait two hours.',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Peach Iced Tea Gummies',
        'hybrid',
        'Porch in a pouch. Black tea, white peach and a squeeze of lemon.',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Sour Cherry Gummies',
        'hybrid-indica',
        'Properly sour. The dust at the bottom of the pouch is the best part, and we are not ashamed to say so.',
        ['Vegan', 'Gluten-Free'],
      ],
      [
        'Green Mango Gummies',
        'hybrid-sativa',
        'Street-cart mango with lime and a pinch of salt. Chewy, punchy and gone too soon.',
        ['Vegan', 'Gluten-Free'],
      ],
    ],
  },
  {
    brandName: 'Orchard Row Sweets',
    subCategoryName: 'Low-Dose Bites',
    shapes: ['bag'],
    sizes: [
      ['20 pieces of 2.5 mg', 20, 1600, '50'],
      ['40 pieces of 2.5 mg', 40, 2800, '100'],
    ],
    thc: ['100', '2.5'],
    rows: [
      [
        'Peppermint Pillows',
        'none',
        'After-dinner mints with a small, predictable dose. They melt rather than crunch.',
        ['Vegan', 'Low Dose'],
      ],
      [
        'Salted Butter Caramels',
        'none',
        'Cooked in copper and cut by wire. Each caramel holds **2.5 mg**, so you can have the second one.',
        ['Low Dose', 'Gift Ideas'],
      ],
      [
        'Anise Drops',
        'none',
        'An old-fashioned hard candy for people who already know whether they like anise. Clear, slow and not too sweet.',
        ['Vegan', 'Low Dose'],
      ],
      [
        'Ginger Chews',
        'none',
        'Real ginger, real heat.\n\n1. Unwrap.\n2. Chew slowly.\n3. Offer one to a friend of legal age.',
        ['Vegan', 'Low Dose'],
      ],
      [
        'Lemon Pastilles',
        'none',
        'Thin, bright discs that dissolve in about six minutes. Kept in a slide tin.',
        ['Vegan', 'Low Dose', 'Gift Ideas'],
      ],
    ],
  },
  {
    brandName: 'Bittersweet Bureau',
    subCategoryName: 'Chocolates',
    shapes: ['chocolate'],
    sizes: [
      ['Half bar, 50 mg', 1, 1200, '50'],
      ['Full bar, 100 mg', 1, 2100, '100'],
    ],
    thc: ['100', '5'],
    rows: [
      [
        '72% Dark Bar',
        'none',
        'Single-estate cacao, stone-ground for sixty hours. Twenty squares of 5 mg that snap where they should.',
        ['Vegan', 'Gift Ideas'],
      ],
      [
        'Oat Milk Bar',
        'none',
        'Round, malty and dairy-free. The Bureau’s most requested form, in triplicate.',
        ['Vegan'],
      ],
      [
        'Toasted Hazelnut Bar',
        'none',
        'Hazelnuts from the valley, roasted dark and folded in whole. Contains tree nuts.',
        ['Gift Ideas'],
      ],
      [
        'Orange & Cardamom Bar',
        'none',
        'Candied peel, green cardamom and a bitter finish. Pairs with strong coffee and short conversations.',
        ['Vegan'],
      ],
      [
        'Salted Almond Bark',
        'none',
        'Shards of dark chocolate with almonds and flaky salt. Weigh nothing: each shard is molded to 5 mg.',
        [],
      ],
      [
        'Raspberry White Bar',
        'none',
        'White chocolate with freeze-dried raspberry, so pink that it needs no dye. The sweetest of the range, by some way.',
        ['Gift Ideas'],
      ],
      [
        'Espresso Crunch Bar',
        'none',
        'Cacao nibs and ground espresso in a 60% base. Crunchy, dark, awake.',
        ['Vegan'],
      ],
    ],
  },
  {
    brandName: 'Little Harvest Kitchen',
    subCategoryName: 'Baked Goods',
    shapes: ['bag'],
    sizes: [
      ['Single, 10 mg', 1, 700, '10'],
      ['Tin of ten, 100 mg', 10, 2400, '100'],
    ],
    thc: ['100', '10'],
    rows: [
      [
        'Brown Butter Cookies',
        'none',
        'Crisp at the rim and soft in the middle, with butter browned until it smells of nuts. Good with milk, better with a friend.',
        ['Locally Made'],
      ],
      [
        'Fudge Brownie Bites',
        'none',
        'Two bites each, four if you are patient. Baked on Tuesdays and Fridays.',
        ['Locally Made'],
      ],
      [
        'Snickerdoodles',
        'none',
        'Cinnamon, cream of tartar and a proper crackle on top. **10 mg** a cookie.',
        ['Locally Made'],
      ],
      [
        'Oat & Cranberry Bars',
        'none',
        'A lunch-box bar for grown-ups only. Chewy oats, tart cranberry, no nuts.',
        ['Vegan', 'Locally Made'],
      ],
      [
        'Lemon Shortbread',
        'none',
        'Buttery fingers with lemon glaze. Keeps for three weeks in the tin, in theory.',
        ['Locally Made', 'Gift Ideas'],
      ],
      [
        'Cheddar Crackers',
        'none',
        'For people who do not want dessert. Sharp cheddar, black pepper, **10 mg** in a bag of twelve.',
        ['Locally Made', 'New Arrival'],
      ],
    ],
  },
  {
    brandName: 'Glasswing Extracts',
    subCategoryName: 'Live Rosin Gummies',
    shapes: ['gummies'],
    sizes: [['10-pack, 100 mg', 10, 2600, '100']],
    thc: ['100', '10'],
    rows: [
      [
        'Velvet Tide Live Gummies',
        'indica',
        'One cultivar, pressed without solvents and stirred into blackberry pectin. The label names the harvest.',
        ['Solventless', 'Vegan'],
      ],
      [
        'Lemon Semaphore Live Gummies',
        'sativa',
        'Zest-forward and a touch herbal, like the flower itself. Single-source rosin, batch number on the lid.',
        ['Solventless', 'Vegan'],
      ],
      [
        'Riverglass Live Gummies',
        'hybrid',
        'Cucumber, melon and a cool finish. Unusual, in a good way.',
        ['Solventless', 'Vegan', 'Limited Batch'],
      ],
      [
        'Wild Linen 1:1 Live Gummies',
        'cbd',
        'Chamomile and green apple, with as much CBD as THC. The mildest of the four by taste.',
        ['Solventless', 'Vegan', 'CBD-Rich'],
      ],
    ],
  },
];

export const californiaEdibles: readonly ProductDraft[] = ranges.flatMap((range) =>
  range.rows.map(([name, strainType, description, tagNames]) =>
    draftMadeGood({
      name,
      brandName: range.brandName,
      categoryName: 'Edibles',
      subCategoryName: range.subCategoryName,
      shapes: range.shapes,
      description,
      strainType,
      milligrams: { thc: range.thc, ...(strainType === 'cbd' ? { cbd: range.thc } : {}) },
      tagNames: tagNames ?? [],
      options: range.sizes.map(([label, pieces, cents, content]) => size(label, pieces, cents, content)),
    }),
  ),
);
