import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const cap = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: 'Minn. Stat. 342.09, 342.27',
  effectiveFrom: '2023-08-01',
  effectiveTo: null,
  confidence: 'medium',
  source: 'Public notice on what may be possessed; that a sale has the same limits is not read in the text.',
} as const;

const grossReceiptsTax = {
  ...cannabisTax,
  description: 'Minnesota cannabis gross receipts tax',
  exemptable: true,
  appliesToFees: true,
  medicalExemption: 'Patients in the registry are exempt.',
  citation: 'Minn. Stat. 295.81',
  confidence: 'medium',
} as const;

export const minnesota: Jurisdiction = {
  state: 'MN',
  name: 'Minnesota',
  asOf: '2026-11-20',
  minimumAges: [],
  purchaseLimits: [
    {
      ...cap,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '2', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '8', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    {
      ...cap,
      name: 'Edibles',
      cannabisType: 'edibles',
      limit: { amount: '800', unit: 'mg' },
      counts: { edibles: 'one-to-one' },
    },
  ],
  taxes: [
    {
      ...grossReceiptsTax,
      rate: '10',
      effectiveFrom: null,
      effectiveTo: '2025-06-30',
      source: "Copy of the statute and the tax authority's guide. Delivery is part of the receipts.",
    },
    {
      ...grossReceiptsTax,
      rate: '15',
      effectiveFrom: '2025-07-01',
      effectiveTo: null,
      source: 'Secondary sources that agree. Delivery is part of the receipts. Separate on the receipt.',
    },
    {
      ...salesTax,
      description: 'Minnesota sales tax',
      rate: '6.875',
      medicalExemption: null,
      citation: 'Minn. Stat. 295.81',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Secondary sources that agree; examples charge it beside the cannabis tax, not on it.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Minimum ages: not confirmed. Limits of patients: none found.',
    'Discounts that somebody else pays for stay in the base of the cannabis tax (295.81 subd. 1(j)): a discount does not say who funds it.',
    'The cannabis tax is charged on the delivery fee also when nothing in the order is cannabis: a tax on fees does not ask what is delivered.',
    'Whether sales tax is due on delivery charges was not confirmed; the preset charges none.',
    'Local sales taxes: set by the place.',
  ],
};
