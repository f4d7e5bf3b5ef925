import { type Decimal, decimal } from '../../kernel/decimal.ts';
import { failure } from '../../kernel/failure.ts';

/** The units of packages, and how amounts become units of stock (D86). */

/** What a unit measures. Amounts of one kind convert exactly. */
type UnitKind = 'count' | 'mass' | 'volume';

interface PackageUnit {
  readonly name: string;
  readonly kind: UnitKind;
  /** In grams or milliliters. */
  readonly size: string;
  /** Other spellings, as `folded` writes them. Plurals are their own spellings. */
  readonly spellings: readonly string[];
}

const spelled = (words: string): readonly string[] => words.split(', ');

/** The closed list: names as the state systems write them. */
const units: readonly PackageUnit[] = [
  {
    ...{ name: 'Each', kind: 'count', size: '1' },
    spellings: spelled('each, ea, eaches, unit, units, item, items, piece, pieces, pc, pcs, count, ct'),
  },
  { name: 'Grams', kind: 'mass', size: '1', spellings: spelled('gram, grams, g, gr, gm, gms, gs') },
  {
    ...{ name: 'Kilograms', kind: 'mass', size: '1000' },
    spellings: spelled('kilogram, kilograms, kilo, kilos, kg, kgs'),
  },
  {
    ...{ name: 'Milligrams', kind: 'mass', size: '0.001' },
    spellings: spelled('milligram, milligrams, mg, mgs'),
  },
  { name: 'Ounces', kind: 'mass', size: '28.349523125', spellings: spelled('ounce, ounces, oz, ozs') },
  { name: 'Pounds', kind: 'mass', size: '453.59237', spellings: spelled('pound, pounds, lb, lbs') },
  {
    ...{ name: 'Fluid Ounces', kind: 'volume', size: '29.5735295625' },
    spellings: spelled('fluidounce, fluidounces, fluidoz, floz, flozs, flounce, flounces'),
  },
  { name: 'Gallons', kind: 'volume', size: '3785.411784', spellings: spelled('gallon, gallons, gal, gals') },
  {
    ...{ name: 'Liters', kind: 'volume', size: '1000' },
    spellings: spelled('liter, liters, litre, litres, l, ltr, ltrs'),
  },
  {
    ...{ name: 'Milliliters', kind: 'volume', size: '1' },
    spellings: spelled('milliliter, milliliters, millilitre, millilitres, ml, mls'),
  },
  { name: 'Pints', kind: 'volume', size: '473.176473', spellings: spelled('pint, pints, pt, pts') },
];

export const packageUnitNames: readonly string[] = units.map(({ name }) => name);

const unitOf = new Map(units.flatMap((unit) => unit.spellings.map((spelling) => [spelling, unit])));

/** Longer than every spelling. */
const unitLengthMax = 50;

/** "Fl. Oz" and "fl_oz" are "floz". */
function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s._-]/g, '');
}

/** The name of a unit in the list, from a usual spelling; null for any other text. */
export function packageUnit(text: string): string | null {
  return text.length > unitLengthMax ? null : (unitOf.get(folded(text))?.name ?? null);
}

/** What a unit must be, for messages after the name of its field. */
export const expectedUnit = `must be one of ${packageUnitNames.join(', ')}`;

/** The name of a sent unit. Fails with INVALID_PARAMS, which lists the units. */
export function readPackageUnit(sent: string, path = 'unit'): string {
  const name = packageUnit(sent);
  if (name === null) throw failure('INVALID_PARAMS', `${path} ${expectedUnit}.`);
  return name;
}

/** A product whose stock is kept: by its grams or pieces, or by the pieces of its options. */
export interface StockedGoods {
  readonly unit: 'gram' | 'item';
  readonly inventory_type: 'option' | 'product' | 'none';
}

/** The unit in which stock of a product is kept. An option is kept by the piece, whatever a piece weighs. */
export function stockUnitOf({ unit, inventory_type: type }: StockedGoods): 'Grams' | 'Each' {
  return type === 'product' && unit === 'gram' ? 'Grams' : 'Each';
}

/**
 * How many units of a package one unit of an amount is: a pound of a package in ounces is 16. Fails with INVALID_PARAMS
 * for units of different kinds.
 */
function ratioOf(unit: string, packageUnitName: string, path: string): Decimal {
  const [from, to] = [unitOf.get(folded(unit)), unitOf.get(folded(packageUnitName))];
  if (unit === packageUnitName) return decimal(1);
  if (from !== undefined && from.kind === to?.kind) return decimal(from.size).div(to.size);
  throw failure(
    'INVALID_PARAMS',
    `${path} must be a unit like that of the package, which is in ${inWords(packageUnitName)}.`,
  );
}

/** How the units of a package become units of stock. */
interface UnitFactor {
  /** Units of stock in one unit of the package, as decimal text. */
  readonly multiplier: string;
  /** Whether it is the conversion of two units of mass or volume, which nothing can change. */
  readonly isExact: boolean;
}

/**
 * Units of stock in one unit of a package. Mass becomes mass and volume becomes volume by the exact conversion. Pieces
 * are 1 unless the sender or the package says otherwise. Between kinds, and for a unit that is not in the list, the
 * sender or the package must say it. Fails with INVALID_PARAMS: no factor, or one that contradicts the conversion.
 *
 * @param known the factor with which the package was received before, or null.
 */
export function unitFactor(
  packageUnitName: string,
  stockUnit: 'Grams' | 'Each',
  sent: string | null,
  known: string | null,
  path: string,
): UnitFactor {
  const from = unitOf.get(folded(packageUnitName));
  const to = unitOf.get(folded(stockUnit))!;
  if (from?.kind === 'mass' && to.kind === 'mass') {
    const multiplier = from.size;
    if (sent !== null && !decimal(sent).eq(multiplier)) {
      throw failure(
        'INVALID_PARAMS',
        `${path} must be ${multiplier} or left out: ${multiplier} ${inWords(to.name)} are one of ${inWords(from.name)}.`,
      );
    }
    return { multiplier, isExact: true };
  }
  const given = sent ?? known ?? (from?.kind === to.kind ? '1' : null);
  if (given !== null) return { multiplier: given, isExact: false };
  throw failure(
    'INVALID_PARAMS',
    `${path} must be present: the package is in ${inWords(packageUnitName)} and its product is kept in ${inWords(stockUnit)}. It says how many ${inWords(stockUnit)} one unit of the package has.`,
  );
}

/** A unit inside a sentence. */
function inWords(unit: string): string {
  return unit === 'Each' ? 'pieces' : unit.toLowerCase();
}

/** Decimals of stock amounts. */
export const stockDecimals = 6;

/**
 * An amount in any unit as stock and in the unit of its package. A conversion is rounded half-up to 6 decimals; a
 * factor that was given must need no rounding. Fails with INVALID_PARAMS, also when nothing would be left.
 */
export function convertedAmount(
  amount: Decimal,
  unit: string,
  packageUnitName: string,
  factor: UnitFactor,
  pathOf: (field: string) => string,
): { readonly stock: Decimal; readonly ofPackage: Decimal } {
  const ofPackage = amount.times(ratioOf(unit, packageUnitName, pathOf('unit')));
  const exact = ofPackage.times(factor.multiplier);
  const stock = exact.round(stockDecimals, 1);
  if (!factor.isExact && unit === packageUnitName && !exact.eq(stock)) {
    throw failure(
      'INVALID_PARAMS',
      `${pathOf('multiplier')} times ${pathOf('amount')} must have at most ${stockDecimals} decimals.`,
    );
  }
  if (stock.gt(0)) return { stock, ofPackage: ofPackage.round(stockDecimals, 1) };
  throw failure(
    'INVALID_PARAMS',
    `${pathOf('amount')} must be at least 0.000001 in the unit of the product.`,
  );
}
