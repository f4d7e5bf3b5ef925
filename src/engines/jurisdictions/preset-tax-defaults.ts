import { type CannabisType, cannabisTypes } from '../goods/cannabis-type.ts';
import type { PresetTax } from './jurisdiction.ts';

type Defaults = Omit<
  PresetTax,
  'description' | 'rate' | 'patients' | keyof import('./jurisdiction.ts').Sourced
>;

/** Charged only on the price of cannabis, with the given changes. */
export const cannabisTax = {
  tier: '1',
  type: 'excise',
  included: false,
  encompass: false,
  customerType: 'all',
  appliesToFees: false,
  rounding: 'half-up',
  excludedCannabisTypes: ['none'],
  nonExemptableCannabisTypes: [],
} as const satisfies Defaults;

/**
 * Charged on every price, besides the cannabis taxes; in a tier above theirs, for laws that include them in its
 * base.
 */
export const salesTax = {
  ...cannabisTax,
  tier: '2',
  type: 'standard',
  excludedCannabisTypes: [],
} as const satisfies Defaults;

/** Every kind of cannabis. */
export const cannabisForms: readonly CannabisType[] = cannabisTypes.filter((type) => type !== 'none');

/** The types that a tax on some forms leaves out: all others, and goods without cannabis. */
export function allTypesBut(...taxed: readonly CannabisType[]): CannabisType[] {
  return cannabisTypes.filter((type) => !taxed.includes(type));
}
