import { draftMadeGood, type MilligramsInPack, size } from '../made-goods.ts';
import type { OptionDraft, ProductDraft } from '../shelf.ts';
import type { IllustrationShape } from '../shop-content.ts';

// Infused goods count by what the product weighs or holds, not by its THC: ounces for solids, fluid ounces for
// fluids (MCL 333.26424(c)).

type Row = readonly [
  brandName: string,
  name: string,
  subCategoryName: string,
  shapes: readonly IllustrationShape[],
  description: string,
  milligrams: MilligramsInPack,
  options: readonly OptionDraft[],
  tagNames?: readonly string[],
];

const gummyBag = [size('10-pack, 100 mg', 10, 1200, '1.4'), size('20-pack, 200 mg', 20, 2000, '2.8')];
const chocolateBar = [size('Bar, 100 mg', 1, 1400, '1.76')];

const solids: readonly Row[] = [
  [
    'Cherry Hill Confections',
    'Tart Cherry Gummies',
    'Gummies',
    ['gummies', 'pouch'],
    'Montmorency cherries, and you can tell. Tart, dark and finished with a little sugar.',
    { thc: ['100', '10'] },
    gummyBag,
    ['Vegan'],
  ],
  [
    'Cherry Hill Confections',
    'Honeycrisp Gummies',
    'Gummies',
    ['gummies'],
    'A crisp apple with the snap left in. Cooked in an orchard kitchen.',
    { thc: ['100', '10'] },
    gummyBag,
    ['Vegan'],
  ],
  [
    'Cherry Hill Confections',
    'Wild Blueberry Gummies',
    'Gummies',
    ['gummies', 'pouch'],
    'Small berries, big flavor. **10 mg** a piece; start with half.',
    { thc: ['100', '10'] },
    gummyBag,
    ['Vegan'],
  ],
  [
    'Cherry Hill Confections',
    'Peach & Basil 1:1 Gummies',
    'Gummies',
    ['gummies'],
    'As much CBD as THC, with garden basil to keep the peach honest.\n\n- Vegan\n- No gelatin',
    { thc: ['100', '10'], cbd: ['100', '10'] },
    gummyBag,
    ['Vegan', 'CBD-Rich', 'Patient Favorite'],
  ],
  [
    'Cherry Hill Confections',
    'Concord Grape Gummies',
    'Gummies',
    ['pouch'],
    'Tastes like the jelly jar. Purple all the way through.',
    { thc: ['200', '20'] },
    [size('10-pack, 200 mg', 10, 1800, '1.4')],
    ['Vegan'],
  ],
  [
    'Cherry Hill Confections',
    'Cherry Dark Chocolate',
    'Chocolates',
    ['chocolate'],
    'Seventy percent cacao with dried cherries in every square. Twenty squares of 5 mg.',
    { thc: ['100', '5'] },
    chocolateBar,
    ['Gift Ideas'],
  ],
  [
    'Cherry Hill Confections',
    'Maple Crunch Chocolate',
    'Chocolates',
    ['chocolate'],
    'Milk chocolate and maple brittle. It does not last long, by design.',
    { thc: ['100', '5'] },
    chocolateBar,
    ['Gift Ideas'],
  ],
  [
    'Cherry Hill Confections',
    'Fruit & Nut Bark',
    'Chocolates',
    ['chocolate'],
    'Pecans, cherries and sea salt on a dark base. Contains tree nuts.',
    { thc: ['100', '10'] },
    [size(null, 1, 1500, '2')],
  ],
  [
    'Cherry Hill Confections',
    'Cinnamon Rusk',
    'Baked Goods',
    ['bag'],
    'Twice-baked and made for dunking. Two to a bag, **25 mg** each.',
    { thc: ['50', '25'] },
    [size('Bag of two', 2, 900, '1.2')],
  ],
];

const topicals: readonly Row[] = [
  [
    'Snowberry Salves',
    'Ice Fisher’s Balm',
    'Balms',
    ['balm'],
    'For wind, rope and cold hands. Beeswax, spruce and juniper.',
    { thc: ['100', null], cbd: ['100', null] },
    [size('1 oz tin', 1, 1800, '1'), size('2 oz tin', 1, 3000, '2')],
    ['Patient Favorite'],
  ],
  [
    'Snowberry Salves',
    'Peppermint Foot Cream',
    'Lotions',
    ['balm'],
    'Cool, thick and quick to sink in. Keep it by the boots.',
    { cbd: ['200', null] },
    [size('2 oz jar', 1, 2400, '2')],
    ['CBD-Rich'],
  ],
];

const fluids: readonly Row[] = [
  [
    'Lakeside Tonic Works',
    'Cherry Cream Soda',
    'Sodas',
    ['can'],
    'Red, sweet and very fizzy. **10 mg** a can.',
    { thc: ['10', null] },
    [size('Single can', 1, 500, '12'), size('4-pack', 4, 1800, '48')],
    ['Vegan'],
  ],
  [
    'Lakeside Tonic Works',
    'Birch Root Soda',
    'Sodas',
    ['can'],
    'An old soda-fountain recipe with wintergreen. Shake nothing, sip slowly.',
    { thc: ['10', null] },
    [size('Single can', 1, 500, '12')],
    ['Vegan'],
  ],
  [
    'Lakeside Tonic Works',
    'Cucumber Seltzer',
    'Seltzers',
    ['can'],
    'No sugar, no color, no fuss. 5 mg of THC and 5 mg of CBD.',
    { thc: ['5', null], cbd: ['5', null] },
    [size('Single can', 1, 450, '12'), size('4-pack', 4, 1600, '48')],
    ['Vegan', 'Low Dose'],
  ],
  [
    'Lakeside Tonic Works',
    'Plain Tincture',
    'Tinctures',
    ['dropper'],
    'Coconut oil, clearly marked. One dropper is 10 mg.',
    { thc: ['300', null] },
    [size('1 fl oz bottle', 1, 2800, '1'), size('2 fl oz bottle', 1, 5000, '2')],
    ['Vegan', 'Patient Favorite'],
  ],
  [
    'Lakeside Tonic Works',
    'Honey Lavender Tincture',
    'Tinctures',
    ['dropper'],
    'Sweetened with clover honey. Nice in tea, if not too hot.',
    { thc: ['300', null], cbd: ['150', null] },
    [size('1 fl oz bottle', 1, 3000, '1')],
  ],
];

const accessories: readonly Row[] = [
  [
    'Copper Heron',
    'Heron Grinder',
    'Grinders',
    ['grinder'],
    'Four pieces, copper finish, a heron on the lid. Built to be dropped.',
    {},
    [size('50 mm', 1, 2600, null), size('63 mm', 1, 3200, null)],
    ['Gift Ideas'],
  ],
  [
    'Copper Heron',
    'Rice Papers',
    'Papers',
    ['papers'],
    'Thin and slow. A booklet of fifty.',
    {},
    [size('1¼', 1, 200, null), size('King slim', 1, 250, null)],
  ],
  [
    'Copper Heron',
    'Blanket-Lined Case',
    'Storage',
    ['case'],
    'Waxed canvas outside, wool inside. Locks with a small brass key.',
    {},
    [size(null, 1, 4800, null)],
    ['Gift Ideas'],
  ],
  [
    'Copper Heron',
    'Camp Tee',
    'Apparel',
    ['tee'],
    'Soft cotton in lake blue. The heron is on the back.',
    {},
    [size('S', 1, 2400, null), size('M', 1, 2400, null), size('L', 1, 2400, null), size('XL', 1, 2400, null)],
  ],
  [
    'Copper Heron',
    'Ice Lighter',
    'Lighters',
    ['lighter'],
    'Refillable, with a grip that works in mittens. Assorted colors.',
    {},
    [size(null, 1, 400, null)],
  ],
];

const shelves = [
  { categoryName: 'Infused Edibles', rows: solids },
  { categoryName: 'Infused Topicals', rows: topicals },
  { categoryName: 'Infused Drinks and Drops', rows: fluids },
  { categoryName: 'Accessories', rows: accessories },
];

/** A free paper bag: stock not kept. */
const exitBag = draftMadeGood({
  name: 'Exit Bag',
  brandName: 'Copper Heron',
  categoryName: 'Accessories',
  subCategoryName: 'Storage',
  shapes: ['bag'],
  description: 'Opaque, resealable and child-resistant. Bring it back and use it again.',
  inventoryType: 'none',
  options: [size(null, 1, 100, null)],
});

export const michiganGoods: readonly ProductDraft[] = [
  ...shelves.flatMap(({ categoryName, rows }) =>
    rows.map(([brandName, name, subCategoryName, shapes, description, milligrams, options, tagNames]) =>
      draftMadeGood({
        name,
        brandName,
        categoryName,
        subCategoryName,
        shapes,
        description,
        milligrams,
        tagNames: tagNames ?? [],
        options,
      }),
    ),
  ),
  exitBag,
];
