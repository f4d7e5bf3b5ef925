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
