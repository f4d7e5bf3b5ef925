import { assert } from '../../kernel/assert.ts';
import { type Decimal, decimal } from '../../kernel/decimal.ts';
import type { CannabisType } from './cannabis-type.ts';

export const contentUnitNames = ['mg', 'g', 'oz', 'fl oz', 'count'] as const;

export type ContentUnit = (typeof contentUnitNames)[number];

/** The unit of an option's content. */
export const contentUnits: Readonly<Record<Exclude<CannabisType, 'none'>, ContentUnit>> = {
  'non-concentrated': 'g',
  concentrated: 'mg',
  'mi-infused-solids': 'oz',
  'mi-infused-fluids': 'fl oz',
  edibles: 'mg',
  'immature-plant': 'count',
  seeds: 'count',
  // The weight of the product.
  inhalables: 'mg',
  // The weight of the THC.
  'low-dose-drinks': 'mg',
  'other-units': 'count',
};

const sizes: Readonly<Record<ContentUnit, { readonly dimension: string; readonly size: Decimal }>> = {
  mg: { dimension: 'mass', size: decimal('0.001') },
  g: { dimension: 'mass', size: decimal('1') },
  // The international avoirdupois ounce, exact by definition.
  oz: { dimension: 'mass', size: decimal('28.349523125') },
  'fl oz': { dimension: 'volume', size: decimal('1') },
  count: { dimension: 'number', size: decimal('1') },
};

/** Whether both units measure the same dimension: mass, volume or number. */
export function areComparable(a: ContentUnit, b: ContentUnit): boolean {
  return sizes[a].dimension === sizes[b].dimension;
}

/** The sizes of two units in a common unit; throws for units that cannot be compared. */
export function comparableSizes(a: ContentUnit, b: ContentUnit): readonly [Decimal, Decimal] {
  assert(areComparable(a, b), () => `${a} cannot be compared with ${b}`);
  return [sizes[a].size, sizes[b].size];
}
