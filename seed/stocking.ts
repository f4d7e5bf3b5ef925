import type { SeededRandom } from './seeded-random.ts';
import type { Maker } from './shelf.ts';
import type { LooseStockContent, OptionContent, PackageContent, ProductContent } from './shop-content.ts';

/** How a shop keeps its stock. */
interface StockPlan {
  /** The first 12 characters [0-9A-Z] of each label. */
  readonly labelPrefix: string;
  readonly floorName: string;
  readonly vaultName: string;
  readonly vehicleName: string;
  readonly labName: string;
  readonly labLicense: string;
  /** Pieces of an average product's smallest option received in two months. */
  readonly piecesByCategory: Readonly<Record<string, number>>;
  /** Products with an empty shelf. */
  readonly soldOutCount: number;
  /** Further packages that cannot be sold. */
  readonly onHoldCount: number;
  readonly tradeSampleCount: number;
  readonly expiredCount: number;
}

interface Stock {
  readonly packages: readonly PackageContent[];
  readonly looseStock: readonly LooseStockContent[];
}

/** The seller's rule (D53): neither on hold nor a sample nor expired. */
export function isSellable(pack: PackageContent): boolean {
  return !pack.onHold && !pack.tradeSample && (pack.expiresInDays === null || pack.expiresInDays > 0);
}

/** Small sizes move fastest. */
const shareBySize = [1, 0.6, 0.35, 0.25, 0.2];

/** The item of a lot: one option, or the whole product if it is sold by weight. */
interface Lot {
  readonly product: ProductContent;
  readonly option: OptionContent | null;
  readonly amount: number;
  readonly locationName: string;
  readonly receivedDaysAgo: number;
}

function costPerUnit(random: SeededRandom, lot: Lot): string {
  const option = lot.option ?? lot.product.options[0]!;
  const perUnit = (option.priceCents / 100) * (0.4 + random.next() * 0.15);
  return lot.option ? perUnit.toFixed(2) : (perUnit / option.amount).toFixed(4);
}

/** The lots of one product: received before the history began, and received since. */
function planLots(random: SeededRandom, plan: StockPlan, product: ProductContent): Lot[] {
  const base = plan.piecesByCategory[product.categoryName];
  if (base === undefined) throw new Error(`no stock plan for "${product.categoryName}"`);
  // A few popular products and a long tail, as on any menu.
  const popularity = 0.3 + 1.6 * random.next() ** 3;
  const weighedOut = product.inventoryType === 'product';
  const shelves = weighedOut ? [null] : product.options;

  return shelves.flatMap((option, index) => {
    const grams = weighedOut ? 12 : 1;
    const pieces = Math.max(6, Math.round(base * popularity * (shareBySize[index] ?? 0.15) * grams));
    const lot = (share: number, locationName: string, receivedDaysAgo: number): Lot => ({
      product,
      option,
      amount: Math.max(3, Math.round(pieces * share)),
      locationName,
      receivedDaysAgo,
    });
    const lots = [
      lot(0.6, plan.floorName, random.integer(62, 88)),
      lot(0.45, plan.vaultName, random.integer(62, 84)),
    ];
    if (random.chance(0.6)) lots.push(lot(0.5, plan.floorName, random.integer(6, 40)));
    // The vehicle carries popular goods up to a value cap.
    if (index === 0 && !weighedOut && popularity > 0.6 && base >= 50) {
      lots.push(lot(0.25, plan.vehicleName, random.integer(61, 70)));
      lots.push(lot(0.2, plan.vehicleName, random.integer(10, 30)));
    }
    return lots;
  });
}

/** Labels packages one after the other, and adds what is known of the producer and the test. */
class Packer {
  readonly packages: PackageContent[] = [];
  readonly #random: SeededRandom;
  readonly #plan: StockPlan;
  readonly #licenseByMaker: ReadonlyMap<string, string | null>;
  #labelSerial: number;

  constructor(random: SeededRandom, plan: StockPlan, makers: readonly Maker[]) {
    this.#random = random;
    this.#plan = plan;
    this.#licenseByMaker = new Map(makers.map((maker) => [maker.name, maker.producerLicense]));
    this.#labelSerial = random.integer(10_000, 90_000);
  }

  receive(lot: Lot, flaws: Partial<PackageContent> = {}): void {
    const { product, option } = lot;
    const random = this.#random;
    const { labelPrefix, labName, labLicense } = this.#plan;
    const maker = product.brandName ?? '';
    const license = this.#licenseByMaker.get(maker);
    if (!license) throw new Error(`"${maker}" makes cannabis without a license`);
    const testedDaysAgo = lot.receivedDaysAgo + random.integer(6, 25);
    const grown = product.thc?.unit !== 'mg' && product.cbd?.unit !== 'mg';
    const measured = (potency: ProductContent['thc'], unit: '%' | 'mg') =>
      potency?.unit === unit ? (potency.amount ?? potency.low) : null;
    this.#labelSerial += random.integer(1, 9);
    this.packages.push({
      label: `${labelPrefix}${String(this.#labelSerial).padStart(12, '0')}`,
      productKey: product.key,
      optionKey: option?.key ?? null,
      locationName: lot.locationName,
      externalProductName: [product.brandName, product.name, option?.name].filter(Boolean).join(' - '),
      unit: option ? 'Each' : 'Grams',
      initialAmount: String(lot.amount),
      costPerUnit: costPerUnit(random, lot),
      receivedDaysAgo: lot.receivedDaysAgo,
      expiresInDays: random.integer(60, 320),
      harvestedDaysAgo: grown ? testedDaysAgo + random.integer(20, 60) : null,
      onHold: false,
      tradeSample: false,
      producerName: maker,
      producerLicense: license,
      labName,
      labLicense,
      testedDaysAgo,
      thcPercent: measured(product.thc, '%'),
      thcMg: measured(product.thc, 'mg'),
      cbdPercent: measured(product.cbd, '%'),
      cbdMg: measured(product.cbd, 'mg'),
      ...flaws,
    });
  }
}

const isLoose = (product: ProductContent) => product.options[0]?.content === null;

/**
 * Fills the shelves: labelled packages for cannabis, loose stock for the rest. All of it draws from one stream of random
 * numbers, so the order of these calls decides the demo.
 */
export function stockShelves(
  random: SeededRandom,
  plan: StockPlan,
  products: readonly ProductContent[],
  makers: readonly Maker[],
): Stock {
  const looseStock: LooseStockContent[] = [];
  const packer = new Packer(random, plan, makers);
  const counted = products.filter((product) => product.inventoryType !== 'none');
  const labelled = counted.filter((product) => !isLoose(product));
  const soldOut = new Set(
    random.shuffle(labelled.filter(({ isFeatured }) => !isFeatured)).slice(0, plan.soldOutCount),
  );

  for (const product of counted) {
    if (soldOut.has(product)) continue;
    for (const lot of planLots(random, plan, product)) {
      const { option } = lot;
      if (option && isLoose(product)) {
        looseStock.push({
          productKey: product.key,
          optionKey: option.key,
          locationName: lot.locationName,
          initialAmount: String(lot.amount),
          costPerUnit: costPerUnit(random, lot),
          receivedDaysAgo: lot.receivedDaysAgo,
        });
      } else {
        packer.receive(lot);
      }
    }
  }

  /** Extra packages of random products, with the reason why they cannot be sold. */
  function addFlawed(count: number, flawsOf: () => Partial<PackageContent> & { readonly age: number }): void {
    for (const product of random.shuffle(labelled).slice(0, count)) {
      const { age, ...flaws } = flawsOf();
      const option = product.inventoryType === 'product' ? null : product.options[0]!;
      const amount = flaws.tradeSample ? random.integer(1, 3) : random.integer(4, 24);
      packer.receive({ product, option, amount, locationName: plan.vaultName, receivedDaysAgo: age }, flaws);
    }
  }
  addFlawed(plan.onHoldCount, () => ({ age: random.integer(1, 12), onHold: true }));
  addFlawed(plan.tradeSampleCount, () => ({ age: random.integer(5, 50), tradeSample: true }));
  addFlawed(plan.expiredCount, () => ({
    age: random.integer(200, 380),
    expiresInDays: -random.integer(1, 30),
  }));

  return { packages: packer.packages, looseStock };
}
