import { draftMadeGood, size } from '../made-goods.ts';
import type { OptionDraft, ProductDraft } from '../shelf.ts';
import type { IllustrationShape } from '../shop-content.ts';

type Row = readonly [
  brandName: string,
  name: string,
  subCategoryName: string,
  shape: IllustrationShape,
  description: string,
  options: readonly (readonly [label: string | null, pieces: number, cents: number])[],
  tagNames?: readonly string[],
];

const accessories: readonly Row[] = [
  [
    'Workbench Goods',
    'Four-Piece Grinder',
    'Grinders',
    'grinder',
    'Aircraft aluminum, diamond teeth and a screen fine enough to matter. It closes with a click.',
    [
      ['40 mm', 1, 2400],
      ['55 mm', 1, 3200],
      ['63 mm', 1, 3800],
    ],
    ['Gift Ideas'],
  ],
  [
    'Workbench Goods',
    'Two-Piece Grinder',
    'Grinders',
    'grinder',
    'The pocket version: two halves, one magnet, no fuss. Fits a coin pocket.',
    [
      ['40 mm', 1, 1400],
      ['50 mm', 1, 1800],
    ],
  ],
  [
    'Workbench Goods',
    'Walnut Hand Grinder',
    'Grinders',
    'grinder',
    'Turned from orchard walnut with steel pins. Each one has its own grain.',
    [[null, 1, 4400]],
    ['Gift Ideas', 'Limited Batch'],
  ],
  [
    'Workbench Goods',
    'Dab Tool Set',
    'Tools',
    'case',
    'Three stainless tools in a canvas roll: scoop, point and paddle. They clean up with a wipe.',
    [['Set of three', 1, 2200]],
  ],
  [
    'Workbench Goods',
    'Pocket Scale',
    'Tools',
    'case',
    'Reads to a hundredth of a gram. Batteries included, excuses not.',
    [
      ['100 g', 1, 2600],
      ['500 g', 1, 3000],
    ],
  ],
  [
    'Workbench Goods',
    '510 Battery',
    'Batteries',
    'vape',
    'Three voltages, one button and a light that tells the truth. Charges by USB-C.',
    [
      ['Graphite', 1, 1800],
      ['Brass', 1, 2000],
      ['Moss', 1, 1800],
    ],
  ],
  [
    'Workbench Goods',
    'Rolling Machine',
    'Papers & Trays',
    'case',
    'For steady results from unsteady hands. Load, close, roll, lick.',
    [
      ['70 mm', 1, 700],
      ['110 mm', 1, 900],
    ],
  ],
  [
    'Workbench Goods',
    'Locking Stash Box',
    'Storage',
    'case',
    'Steel hinges, combination lock, felt inside. Keep it away from children and roommates.',
    [
      ['Small', 1, 4200],
      ['Large', 1, 6400],
    ],
    ['Gift Ideas'],
  ],
  [
    'Workbench Goods',
    'Smell-Tight Pouch',
    'Storage',
    'bag',
    'Carbon-lined, double-zipped and small enough to forget. Wipe it clean with a damp cloth.',
    [
      ['Slim', 1, 1800],
      ['Standard', 1, 2600],
    ],
  ],
  [
    'Loft & Ember',
    'Spoon Pipe',
    'Glass',
    'pipe',
    'Thick borosilicate with a comfortable heft. Swirls differ from piece to piece.',
    [
      ['Amber', 1, 2800],
      ['Seafoam', 1, 2800],
      ['Smoke', 1, 2800],
    ],
  ],
  [
    'Loft & Ember',
    'Sherlock Pipe',
    'Glass',
    'pipe',
    'A long curve for cooler smoke and better theories. Stands on its own two feet.',
    [
      ['Cobalt', 1, 4200],
      ['Clear', 1, 3800],
    ],
  ],
  [
    'Loft & Ember',
    'Stoneware Ashtray',
    'Glass',
    'tray',
    'Wheel-thrown and heavy-bottomed, with three rests. Dishwasher-safe.',
    [
      ['Oat', 1, 2400],
      ['Ink', 1, 2400],
    ],
    ['Gift Ideas'],
  ],
  [
    'Loft & Ember',
    'One-Hitter',
    'Glass',
    'pipe',
    'A slim taster for a single pinch. Buy two; you will lend one.',
    [[null, 1, 900]],
  ],
  [
    'Loft & Ember',
    'Glass Tips',
    'Papers & Trays',
    'pre-roll',
    'Reusable tips that keep paper dry and lips cool. They go in the dishwasher.',
    [
      ['Round, 2 pieces', 2, 1000],
      ['Flat, 2 pieces', 2, 1000],
    ],
  ],
  [
    'Loft & Ember',
    'Ceramic Banger',
    'Glass',
    'pipe',
    'Flat-bottomed bucket with a carb cap.\n\n- 14 mm joint\n- 90 degrees',
    [
      ['14 mm male', 1, 3200],
      ['14 mm female', 1, 3200],
    ],
  ],
  [
    'Paperbark',
    'Unbleached Papers',
    'Papers & Trays',
    'papers',
    'Thin, slow and tasteless, as paper should be. Natural gum, no chlorine.',
    [
      ['1¼, 50 leaves', 1, 250],
      ['King slim, 32 leaves', 1, 300],
      ['King slim, box of 24', 24, 6000],
    ],
  ],
  [
    'Paperbark',
    'Hemp Papers with Tips',
    'Papers & Trays',
    'papers',
    'Papers on one side, tips on the other, magnet in the middle. Thirty-two of each.',
    [['King slim', 1, 400]],
  ],
  [
    'Paperbark',
    'Pre-Rolled Cones',
    'Papers & Trays',
    'pre-roll-pack',
    'Fill, tamp, twist. Comes with a paper funnel.',
    [
      ['6 cones', 6, 450],
      ['30 cones', 30, 1600],
    ],
  ],
  [
    'Paperbark',
    'Rolling Tray',
    'Papers & Trays',
    'tray',
    'Rounded corners so that nothing hides. Powder-coated tin.',
    [
      ['Small', 1, 1200],
      ['Large', 1, 1800],
    ],
  ],
  [
    'Paperbark',
    'Hemp Wick',
    'Papers & Trays',
    'lighter',
    'Beeswax-dipped twine for a softer light. Wrap it around your lighter and leave it there.',
    [
      ['10 ft', 1, 250],
      ['100 ft spool', 1, 1200],
    ],
  ],
  [
    'Juniper Quay',
    'Refillable Lighter',
    'Lighters',
    'lighter',
    'Our lantern on a lighter that you can refill. Windproof up to a point.',
    [
      ['Tide', 1, 500],
      ['Ember', 1, 500],
      ['Fog', 1, 500],
    ],
    ['Locally Made'],
  ],
  [
    'Juniper Quay',
    'Humidity Packs',
    'Storage',
    'bag',
    'Two-way packs that hold a jar at 62%. One pack does for an ounce.',
    [
      ['4 g, 5 pieces', 5, 600],
      ['8 g, 5 pieces', 5, 900],
    ],
  ],
  [
    'Juniper Quay',
    'Cleaning Kit',
    'Tools',
    'case',
    'Brushes, salt, plugs and a towel. Your glass will thank you.',
    [[null, 1, 1600]],
  ],
];

const apparel: readonly Row[] = [
  [
    'Juniper Quay',
    'Lantern Tee',
    'Tops',
    'tee',
    'Heavy cotton, boxy cut, lantern on the chest. Shrinks hardly at all.',
    [
      ['S', 1, 2800],
      ['M', 1, 2800],
      ['L', 1, 2800],
      ['XL', 1, 2800],
      ['XXL', 1, 3000],
    ],
    ['Locally Made'],
  ],
  [
    'Juniper Quay',
    'Tide Chart Long Sleeve',
    'Tops',
    'tee',
    'The month’s tides down one arm. Accurate for exactly one year.',
    [
      ['S', 1, 3600],
      ['M', 1, 3600],
      ['L', 1, 3600],
      ['XL', 1, 3600],
    ],
    ['Locally Made', 'Limited Batch'],
  ],
  [
    'Juniper Quay',
    'Fog Hoodie',
    'Tops',
    'tee',
    'Loop-back fleece for summer in a coastal town. Deep pockets, flat cords.',
    [
      ['S', 1, 5800],
      ['M', 1, 5800],
      ['L', 1, 5800],
      ['XL', 1, 5800],
    ],
  ],
  [
    'Juniper Quay',
    'Corduroy Cap',
    'Headwear',
    'cap',
    'Five panels, brass buckle, one size. Softens with wear.',
    [
      ['Rust', 1, 2600],
      ['Navy', 1, 2600],
      ['Olive', 1, 2600],
    ],
  ],
  [
    'Juniper Quay',
    'Dock Beanie',
    'Headwear',
    'cap',
    'Ribbed, short and warm. Merino with a little stretch.',
    [
      ['Charcoal', 1, 2200],
      ['Mustard', 1, 2200],
    ],
  ],
  [
    'Juniper Quay',
    'Market Tote',
    'Bags',
    'tote',
    'Twelve-ounce canvas with an inside pocket that zips. Holds a week of vegetables.',
    [[null, 1, 1800]],
    ['Gift Ideas'],
  ],
  [
    'Juniper Quay',
    'Striped Socks',
    'Socks',
    'socks',
    'Combed cotton, seamless toe, three stripes. Knitted in a small mill up north.',
    [
      ['S/M', 1, 1200],
      ['L/XL', 1, 1200],
    ],
    ['Gift Ideas'],
  ],
  [
    'Juniper Quay',
    'Enamel Pin',
    'Bags',
    'gift',
    'A lantern, a wave and a good clutch. Hard enamel, about an inch tall.',
    [[null, 1, 800]],
    ['Gift Ideas'],
  ],
];

function draft(categoryName: string, row: Row): ProductDraft {
  const [brandName, name, subCategoryName, shape, description, options, tagNames] = row;
  return draftMadeGood({
    name,
    brandName,
    categoryName,
    subCategoryName,
    shapes: [shape],
    description,
    tagNames: tagNames ?? [],
    options: options.map(([label, pieces, cents]): OptionDraft => size(label, pieces, cents, null)),
  });
}

/** Wrapped at the counter in any paper: stock not kept. */
const giftWrap = draftMadeGood({
  name: 'Gift Wrap',
  brandName: 'Juniper Quay',
  categoryName: 'Accessories',
  subCategoryName: 'Gifts',
  shapes: ['gift'],
  description: 'Recycled paper, cotton ribbon and a blank card. Tell us what to write, or keep it a mystery.',
  tagNames: ['Gift Ideas'],
  inventoryType: 'none',
  options: [size('Small', 1, 300, null), size('Large', 1, 500, null)],
});

export const californiaGear: readonly ProductDraft[] = [
  ...accessories.map((row) => draft('Accessories', row)),
  giftWrap,
  ...apparel.map((row) => draft('Apparel', row)),
];
