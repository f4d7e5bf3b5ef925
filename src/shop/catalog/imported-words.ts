/**
 * Words of imported products in the spellings of other systems: strain types, units, categories.
 * A word that is not known stays, for the schema to refuse. Pure.
 */

/** A word without case, punctuation and spaces. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]+/g, '');
}

function tableOf(words: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([meaning, others]) =>
      [meaning, ...others].map((word) => [plain(word), meaning] as const),
    ),
  );
}

const strainWords = tableOf({
  sativa: ['s', 'sat'],
  indica: ['i', 'ind'],
  hybrid: ['h', 'hyb', 'balanced', 'balanced hybrid', 'hybrid 50/50', '50/50'],
  'hybrid-sativa': [
    ...[
      'sativa hybrid',
      'sativa dominant',
      'sativa dominant hybrid',
      'sativa leaning',
      'sativa leaning hybrid',
    ],
    ...['hybrid sativa dominant', 'sativa-dom', 'sh', 's/h'],
  ],
  'hybrid-indica': [
    ...[
      'indica hybrid',
      'indica dominant',
      'indica dominant hybrid',
      'indica leaning',
      'indica leaning hybrid',
    ],
    ...['hybrid indica dominant', 'indica-dom', 'ih', 'i/h'],
  ],
  cbd: ['high cbd', 'cbd dominant', 'hemp'],
  mixed: ['mix', 'blend', 'assorted', 'variety'],
  none: ['n/a', 'na', 'not applicable', 'unknown', 'no strain', 'null'],
});

const unitWords = tableOf({
  gram: ['g', 'gr', 'grams', 'weight', 'by weight', 'bulk'],
  item: ['items', 'each', 'ea', 'unit', 'units', 'piece', 'pieces', 'pc', 'count', 'ct', 'package', 'pkg'],
});

/** Words for the same category. A shop calls its own category by one of them. */
const categoryWords: readonly (readonly string[])[] = [
  ['flower', 'flowers', 'bud', 'buds', 'cannabis flower', 'usable marijuana', 'dried flower'],
  ['pre-rolls', 'pre-roll', 'prerolled', 'pre-rolled', 'joints', 'joint'],
  [
    ...[
      'vaporizers',
      'vaporizer',
      'vapes',
      'vape',
      'vape cartridges',
      'vape cartridge',
      'cartridges',
      'cartridge',
    ],
    ...['carts', 'vape pens', 'vape pen'],
  ],
  ['concentrates', 'concentrate', 'extracts', 'extract', 'dabs'],
  ['edibles', 'edible', 'infused edibles', 'infused edible'],
  ['drinks', 'drink', 'beverages', 'beverage', 'infused beverages'],
  ['tinctures', 'tincture', 'sublingual', 'sublinguals'],
  ['topicals', 'topical', 'body care'],
  ['accessories', 'accessory', 'gear', 'paraphernalia', 'merchandise', 'merch'],
  ['seeds', 'seed'],
  ['clones', 'clone', 'plants', 'plant', 'immature plants'],
];

/** The words for flower, which is sold by weight. */
export const flowerWords = categoryWords[0]!;

/** Whether a word is one for a strain type. */
export function isStrainWord(word: string): boolean {
  return strainWords.has(plain(word));
}

const categoryGroups = new Map(
  categoryWords.flatMap((words) => words.map((word) => [plain(word), words] as const)),
);

/** Other words for a category, without the name itself. */
export function otherCategoryNames(name: string): readonly string[] {
  return (categoryGroups.get(plain(name)) ?? []).filter((word) => word !== name.trim().toLowerCase());
}

type Sent = Readonly<Record<string, unknown>>;

/** A body with the words that the interface expects. */
export function readOtherWords(body: Sent): Sent {
  return {
    ...body,
    ...known(body, 'strainType', strainWords),
    ...known(body, 'unit', unitWords),
  };
}

function known(body: Sent, field: string, words: ReadonlyMap<string, string>): Sent {
  const sent = body[field];
  const meaning = typeof sent === 'string' ? words.get(plain(sent)) : undefined;
  return meaning === undefined ? {} : { [field]: meaning };
}
