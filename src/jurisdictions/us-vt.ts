import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

export const vermont: Jurisdiction = {
  state: 'VT',
  name: 'Vermont',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [],
  taxes: [
    {
      ...cannabisTax,
      description: 'Vermont cannabis excise tax',
      rate: '14',
      medicalExemption: null,
      citation: '32 V.S.A. 7902',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports that agree; a cut to 10 % was not enacted in 2026.',
    },
    {
      ...salesTax,
      description: 'Vermont sales tax',
      rate: '6',
      medicalExemption: null,
      citation: '32 V.S.A. 7902',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports that agree.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Purchase limits: raised in 2026 (S.278) on a day that was not found; amounts and the conversion between forms are not confirmed.',
    'Minimum ages: the sources speak of proof of age, not of the age.',
    'That medical sales are exempt is said by reports of 2020, not which taxes: the preset exempts nobody.',
    'Whether sales tax is charged on the excise was not found; the preset does not.',
    'Local option tax: set by the place.',
  ],
};
