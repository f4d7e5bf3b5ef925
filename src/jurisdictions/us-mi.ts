import type { Counting, Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';

const infused = {
  'mi-infused-solids': { amount: { amount: '16', unit: 'oz' }, uses: { amount: '1', unit: 'oz' } },
  'mi-infused-fluids': { amount: { amount: '36', unit: 'fl oz' }, uses: { amount: '1', unit: 'oz' } },
} as const satisfies Record<string, Counting>;

const patientLimit = {
  audience: 'medical',
  cannabisType: 'non-concentrated',
  counts: { 'non-concentrated': 'one-to-one', ...infused },
  citation: 'R 420.506; MCL 333.26424(c)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Sources that agree; the text of R 420.506 was not read. Infused goods count by weight or volume.',
} as const;

export const michigan: Jurisdiction = {
  state: 'MI',
  name: 'Michigan',
  asOf: '2026-11-20',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'R 420.505, 420.207',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the regulation.',
    },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one', concentrated: 'one-to-one', ...infused },
      citation: 'MCL 333.27955; R 420.506; MCL 333.26424(c)',
      effectiveFrom: '2018-12-06',
      effectiveTo: null,
      confidence: 'medium',
      source:
        'The number is in the quoted statute; that concentrate counts gram for gram and that infused goods count ' +
        'by the medical ratios is practice.',
    },
    {
      audience: 'adult-use',
      name: 'Concentrate',
      window: { kind: 'transaction' },
      cannabisType: 'concentrated',
      limit: { amount: '15', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      citation: 'MCL 333.27955(1)(a)',
      effectiveFrom: '2018-12-06',
      effectiveTo: null,
      confidence: 'high',
      source: 'Quoted statute. Inside the 2.5 oz, not beside them.',
    },
    {
      ...patientLimit,
      name: 'All forms together, per day',
      window: { kind: 'local-day' },
      limit: { amount: '2.5', unit: 'oz' },
    },
    {
      ...patientLimit,
      name: 'All forms together, per month',
      window: { kind: 'calendar-month' },
      limit: { amount: '10', unit: 'oz' },
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      description: 'Michigan marihuana excise tax',
      rate: '10',
      exemptable: true,
      medicalExemption: 'Patients are exempt from the excise, not from sales tax (MCL 333.27963(4)).',
      citation: 'MCL 333.27963',
      effectiveFrom: '2018-12-06',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute.',
    },
    {
      ...salesTax,
      description: 'Michigan sales tax',
      rate: '6',
      encompass: true,
      medicalExemption: null,
      citation: 'R 205.141',
      effectiveFrom: '2020-02-06',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the regulation and its example: 100.00 bears 10.00 of excise and 6.60 of sales tax.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  notCovered: [
    'Minimum age of patients: the sources name the registry card, not an age.',
    'Infused gases (7 g count as 1 oz): no category type measures them.',
    'A category of the type "edibles": Michigan counts product weight and volume, so use the two infused types.',
    'Concentrate in the limits of patients: no source says how it counts there.',
    'What patients bought elsewhere, and caregivers: the state system holds the allotment (R 420.505(1)(d)).',
    'Plants per sale: not found.',
    'The wholesale excise (24 %, MCL 205.905) raises cost and is no tax of a sale.',
    'A bundle of taxed and untaxed goods at one price (MCL 333.27963(2)): price each.',
  ],
};
