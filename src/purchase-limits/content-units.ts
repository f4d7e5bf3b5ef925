import { assert } from '../kernel/assert.ts';
import { type Decimal, decimal } from '../kernel/decimal.ts';

/** What a category holds. */
export type CannabisType =
  | 'non-concentrated'
  | 'concentrated'
  | 'mi-infused-solids'
  | 'mi-infused-fluids'
  | 'edibles'
  | 'immature-plant'
  | 'none';

export type ContentUnit = 'mg' | 'g' | 'oz' | 'fl oz' | 'count';

/** What an option's content is measured in. */
export const contentUnits: Readonly<Record<Exclude<CannabisType, 'none'>, ContentUnit>> = {
  'non-concentrated': 'g',
  concentrated: 'mg',
  'mi-infused-solids': 'oz',
  'mi-infused-fluids': 'fl oz',
  edibles: 'mg',
  'immature-plant': 'count',
};

const sizes: Readonly<Record<ContentUnit, { readonly dimension: string; readonly size: Decimal }>> = {
  mg: { dimension: 'mass', size: decimal('0.001') },
  g: { dimension: 'mass', size: decimal('1') },
  // The international avoirdupois ounce, exact by definition.
  oz: { dimension: 'mass', size: decimal('28.349523125') },
  'fl oz': { dimension: 'volume', size: decimal('1') },
  count: { dimension: 'number', size: decimal('1') },
};

/** How large both units are, measured in the same third one; stops on units that cannot be compared. */
export function comparableSizes(a: ContentUnit, b: ContentUnit): readonly [Decimal, Decimal] {
  assert(sizes[a].dimension === sizes[b].dimension, `${a} cannot be compared with ${b}`);
  return [sizes[a].size, sizes[b].size];
}
