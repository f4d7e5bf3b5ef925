import { type ClosingKind, describeStrain } from './product-prose.ts';
import { seededRandom } from './seeded-random.ts';
import type { Maker, OptionDraft, ProductDraft } from './shelf.ts';
import type { Illustration, IllustrationShape, Potency, ProductDetailsContent } from './shop-content.ts';
import { type Strain, strains } from './strains.ts';

/** The sales forms of a strain. Content is in grams of flower or milligrams of extract, or counts plants. */
type StrainForm =
  | 'flower'
  | 'smalls'
  | 'counter-flower'
  | 'pre-roll'
  | 'infused-pre-roll'
  | 'cartridge'
  | 'disposable'
  | 'live-resin'
  | 'rosin'
  | 'badder'
  | 'hash'
  | 'diamonds'
  | 'clone';

interface FormFacts {
  readonly categoryName: string;
  readonly subCategoryName: string;
  readonly unit: ProductDraft['unit'];
  readonly closing: ClosingKind;
  readonly shapes: readonly IllustrationShape[];
  readonly suffix: string;
  /** Converts the percentage of the flower to the form's; null: not tested. */
  readonly potency: { readonly times: number; readonly max: number } | null;
  /** Name (null: the menu's own label), amount, price at the middle of the range, content. */
  readonly options: readonly (readonly [string | null, number, number, string])[];
  readonly weighedOut?: true;
}

const asFlower = { times: 1, max: 36 };

const extractOptions = [
  ['1 g jar', 1, 3200, '1000'],
  ['2 g jar', 1, 5800, '2000'],
] as const;

function extract(
  subCategoryName: string,
  suffix: string,
  times: number,
  max: number,
  options: FormFacts['options'] = extractOptions,
): FormFacts {
  return {
    categoryName: 'Concentrates',
    subCategoryName,
    unit: 'item',
    closing: 'concentrate',
    shapes: ['concentrate'],
    suffix,
    potency: { times, max },
    options,
  };
}

const forms: Readonly<Record<StrainForm, FormFacts>> = {
  flower: {
    categoryName: 'Flower',
    subCategoryName: 'Whole Flower',
    unit: 'gram',
    closing: 'flower',
    shapes: ['jar', 'bud'],
    suffix: '',
    potency: asFlower,
    options: [
      ['Eighth', 3.5, 3600, '3.5'],
      ['Quarter', 7, 6600, '7'],
      ['Half ounce', 14, 12200, '14'],
      ['Ounce', 28, 22000, '28'],
    ],
  },
  smalls: {
    categoryName: 'Flower',
    subCategoryName: 'Smalls',
    unit: 'gram',
    closing: 'smalls',
    shapes: ['bag', 'bud'],
    suffix: ' Smalls',
    potency: { times: 0.92, max: 30 },
    options: [
      [null, 7, 4200, '7'],
      [null, 14, 7600, '14'],
      [null, 28, 13000, '28'],
    ],
  },
  'counter-flower': {
    categoryName: 'Flower',
    subCategoryName: 'Counter Jars',
    unit: 'gram',
    closing: 'counter',
    shapes: ['jar', 'bud'],
    suffix: ' (by the gram)',
    potency: asFlower,
    options: [
      ['Gram', 1, 1000, '1'],
      ['Eighth', 3.5, 3000, '3.5'],
      ['Quarter', 7, 5600, '7'],
      ['Half ounce', 14, 10000, '14'],
      ['Ounce', 28, 18000, '28'],
    ],
    weighedOut: true,
  },
  'pre-roll': {
    categoryName: 'Pre-Rolls',
    subCategoryName: 'Whole-Flower Rolls',
    unit: 'item',
    closing: 'pre-roll',
    shapes: ['pre-roll', 'pre-roll-pack'],
    suffix: '',
    potency: { times: 0.96, max: 32 },
    options: [
      ['1 g single', 1, 900, '1'],
      ['3-pack of 0.75 g', 3, 2100, '2.25'],
      ['7-pack of 0.5 g', 7, 3200, '3.5'],
    ],
  },
  'infused-pre-roll': {
    categoryName: 'Infused Pre-Rolls',
    subCategoryName: 'Resin-Infused',
    unit: 'item',
    closing: 'infused',
    shapes: ['pre-roll', 'pre-roll-pack'],
    suffix: ' Infused',
    potency: { times: 1.5, max: 46 },
    options: [
      ['1.2 g single', 1, 1600, '400'],
      ['5-pack of 0.6 g', 5, 4400, '1000'],
    ],
  },
  cartridge: {
    categoryName: 'Vapes',
    subCategoryName: 'Cartridges',
    unit: 'item',
    closing: 'vape',
    shapes: ['vape'],
    suffix: ' Cartridge',
    potency: { times: 3.4, max: 91 },
    options: [
      ['0.5 g', 1, 2800, '500'],
      ['1 g', 1, 4600, '1000'],
    ],
  },
  disposable: {
    categoryName: 'Vapes',
    subCategoryName: 'All-in-Ones',
    unit: 'item',
    closing: 'vape',
    shapes: ['vape'],
    suffix: ' All-in-One',
    potency: { times: 3.2, max: 88 },
    options: [
      ['0.5 g', 1, 3200, '500'],
      ['1 g', 1, 5200, '1000'],
    ],
  },
  'live-resin': extract('Live Resin', ' Live Resin', 2.9, 82),
  rosin: extract('Rosin', ' Cold-Cure Rosin', 2.8, 80, [['1 g jar', 1, 5400, '1000']]),
  badder: extract('Badder', ' Badder', 3, 84),
  hash: extract('Hash', ' Pressed Hash', 2, 58, [
    ['1 g', 1, 2400, '1000'],
    ['2 g', 1, 4400, '2000'],
  ]),
  diamonds: extract('Diamonds', ' Diamonds & Sauce', 3.3, 93),
  clone: {
    categoryName: 'Clones',
    subCategoryName: 'Rooted Cuttings',
    unit: 'item',
    closing: 'clone',
    shapes: ['clone'],
    suffix: ' Clone',
    potency: null,
    options: [
      ['Single cutting', 1, 2200, '1'],
      ['Tray of three', 3, 6000, '3'],
    ],
  },
};

/** One brand's range in one form. The level scales the prices: 1 is the middle of the menu. */
export interface StrainLine {
  readonly form: StrainForm;
  readonly brandName: string;
  readonly level: number;
  readonly strainNames: readonly string[];
  readonly tagNames?: readonly string[];
  /** Keeps only that many first sizes. */
  readonly sizes?: number;
}

const strainByName = new Map(strains.map((strain) => [strain.name, strain]));

function potencyOf(percent: number, facts: FormFacts, asRange: boolean): Potency | null {
  if (!facts.potency) return null;
  const value = Math.min(percent * facts.potency.times, facts.potency.max);
  // Harvested flower varies from plant to plant: some growers print a range and no single figure.
  return asRange
    ? {
        unit: '%',
        amount: null,
        amountEach: null,
        low: (value * 0.94).toFixed(1),
        high: (value * 1.05).toFixed(1),
      }
    : { unit: '%', amount: value.toFixed(1), amountEach: null, low: null, high: null };
}

/** Price tags are whole dollars. */
function priceOf(middleCents: number, level: number, strain: Strain): number {
  const premium = strain.thcPercent > 27 ? 1.06 : 1;
  return Math.max(100, Math.round((middleCents * level * premium) / 100) * 100);
}

const terpeneNames = [
  'Myrcene',
  'Limonene',
  'Caryophyllene',
  'Terpinolene',
  'Pinene',
  'Linalool',
  'Humulene',
];

/** A strain tastes and tests the same in every form. */
function detailsOf(strain: Strain): ProductDetailsContent {
  const random = seededRandom(`details/${strain.name}`);
  const names = random.shuffle(terpeneNames).slice(0, 3);
  const percents = names.map(() => random.integer(8, 120)).sort((a, b) => b - a);
  return {
    strain: strain.name,
    terpenes: names.map((name, at) => ({ name, percent: (percents[at]! / 100).toFixed(2) })),
    flavours: [...strain.aromas],
    effects: [strain.type.includes('sativa') ? 'Lively' : strain.type.includes('indica') ? 'Mellow' : 'Easy'],
  };
}

function draftOf(line: StrainLine, maker: Maker, strain: Strain): ProductDraft {
  const facts = forms[line.form];
  const random = seededRandom(`${line.form}/${maker.name}/${strain.name}`);
  const asRange = facts.unit === 'gram' && random.chance(0.2);
  const drawn = (shape: IllustrationShape): Illustration => ({
    shape,
    paletteSeed: maker.name,
    patternSeed: strain.name,
  });
  const illustrations = facts.shapes.map(drawn);
  // The first strain of a line shows what its largest size comes in.
  const isShown = facts.shapes.includes('jar') && strain.name === line.strainNames[0];
  const options: OptionDraft[] = facts.options
    .slice(0, line.sizes ?? facts.options.length)
    .map(([name, amount, middleCents, content], at, all) => ({
      name,
      amount,
      priceCents: priceOf(middleCents, line.level, strain),
      content,
      ...(isShown && at === all.length - 1 && { illustrations: [drawn('bag'), drawn('pouch')] }),
    }));
  return {
    name: `${strain.name}${facts.suffix}`,
    description: describeStrain(random, strain, maker.method, facts.closing),
    unit: facts.unit,
    strainType: strain.type,
    brandName: maker.name,
    categoryName: facts.categoryName,
    subCategoryNames: [facts.subCategoryName],
    tagNames: [...(line.tagNames ?? []), ...(strain.type === 'cbd' ? ['CBD-Rich'] : [])],
    thc: potencyOf(strain.thcPercent, facts, asRange),
    cbd: potencyOf(strain.cbdPercent, facts, asRange),
    details: detailsOf(strain),
    illustrations,
    options,
    ...(facts.weighedOut ? { inventoryType: 'product' as const } : {}),
  };
}

/** Every product of the lines, in their order. */
export function draftStrainLines(lines: readonly StrainLine[], makers: readonly Maker[]): ProductDraft[] {
  return lines.flatMap((line) => {
    const maker = makers.find(({ name }) => name === line.brandName);
    if (!maker) throw new Error(`no maker "${line.brandName}"`);
    return line.strainNames.map((name) => {
      const strain = strainByName.get(name);
      if (!strain) throw new Error(`no strain "${name}"`);
      return draftOf(line, maker, strain);
    });
  });
}
