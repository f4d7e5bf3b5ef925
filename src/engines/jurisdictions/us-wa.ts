import { local, notExpressible, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  duty,
  lawSays,
  othersSay,
  primary,
  reportedTo,
  secondary,
  verifiedOn,
} from './reading.ts';

const transactionLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  effectiveFrom: '2025-01-07',
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the regulation and of the statute.',
  ...primary('https://apps.leg.wa.gov/rcw/default.aspx?cite=69.50.360', { textOf: '2025-01-07' }),
} as const;

const patientLimit = {
  audience: 'medical',
  window: { kind: 'transaction' },
  citation: 'RCW 69.51A.210; WAC 314-55-095(2)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the statute: patients in the database, at a store with medical endorsement.',
  ...primary('https://apps.leg.wa.gov/rcw/default.aspx?cite=69.51A.210', { readOn: checkedOn }),
} as const;

/** By the weight and the volume of the product, not by its THC. */
const solids = {
  name: 'Infused solids',
  cannabisType: 'mi-infused-solids',
  counts: { 'mi-infused-solids': 'one-to-one' },
} as const;

const fluids = {
  name: 'Infused fluids',
  cannabisType: 'mi-infused-fluids',
  counts: { 'mi-infused-fluids': 'one-to-one' },
} as const;

/** The guidance on loyalty programs and prices. */
const guidance = othersSay({
  citation: "Regulator's guidance of 2016; WAC 314-55-017, -018, -155",
  source: 'Report on the guidance. The rule on discounts in shops itself was not read.',
  link: 'https://www.bellinghamlegal.com/marijuana-business-law/marijuana-retail-sales-exceed-1-billion-but-regulatory-challenges-remain/',
  textOf: '2016',
});

export const washington: Jurisdiction = {
  state: 'WA',
  name: 'Washington',
  minimumAges: [],
  purchaseLimits: [
    {
      ...transactionLimit,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
    },
    {
      ...transactionLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '7', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
      source: 'Text of the regulation and of the statute. The law says: for inhalation.',
    },
    {
      ...transactionLimit,
      ...solids,
      limit: { amount: '16', unit: 'oz' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
    },
    {
      ...transactionLimit,
      ...fluids,
      limit: { amount: '72', unit: 'fl oz' },
      citation: 'WAC 314-55-095(1)(d); RCW 69.50.360(3)',
      source:
        'Text of the regulation and of the statute: ounces in liquid form, by volume. Units of at most 4 mg of THC have ' +
        'a limit of their own.',
    },
    {
      ...transactionLimit,
      ...primary('https://apps.leg.wa.gov/rcw/default.aspx?cite=69.50.360', {
        readOn: verifiedOn,
        textOf: '2025-01-07',
      }),
      name: 'Low-dose drinks',
      cannabisType: 'low-dose-drinks',
      limit: { amount: '200', unit: 'mg' },
      counts: { 'low-dose-drinks': 'one-to-one' },
      citation: 'RCW 69.50.360(3)(d); WAC 314-55-095(1)(d)',
      source:
        'Text of the statute and of the regulation: THC in liquids that are packaged in units of at most 4 mg each, beside ' +
        'the 72 oz of other liquids.',
    },
    {
      ...transactionLimit,
      ...primary('https://www.law.cornell.edu/regulations/washington/Wash-Admin-Code-SS-314-55-095', {
        readOn: verifiedOn,
        textOf: '2025-01-07',
      }),
      name: 'Other infused units',
      cannabisType: 'other-units',
      limit: { amount: '10', unit: 'count' },
      counts: { 'other-units': 'one-to-one' },
      citation: 'WAC 314-55-095(1)(d)(i)(D)',
      source: 'Text of the regulation: units of an infused product that is otherwise taken into the body.',
    },
    {
      ...patientLimit,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '3', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
    },
    {
      ...patientLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '21', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
    },
    { ...patientLimit, ...solids, limit: { amount: '48', unit: 'oz' } },
    { ...patientLimit, ...fluids, limit: { amount: '216', unit: 'fl oz' } },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary('https://app.leg.wa.gov/RCW/default.aspx?cite=69.50.535', { readOn: checkedOn }),
      description: 'Washington cannabis excise tax',
      rate: '37',
      // RCW 69.50.535(1)(b): shelf and advertised prices already reflect it.
      included: true,
      patients: {
        rule: 'owe',
        text: 'RCW 69.50.535: patients owe it, but until 2029-06-30 at a store with medical endorsement, with a recognition card, and for compliant products.',
      },
      citation: 'RCW 69.50.535; WAC 314-55-090',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source:
        "Text of the statute and the tax authority's page. Part of the shelf price; separate on the receipt.",
    },
    {
      ...salesTax,
      ...primary('https://dor.wa.gov/cannabis-retailers-medical-endorsement'),
      description: 'Washington sales tax',
      rate: '6.5',
      patients: {
        rule: 'owe',
        text: "The tax authority's page: patients owe it, but where a store with medical endorsement sells what its own test exempts.",
      },
      citation: 'RCW 69.50.535',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Tax authority's page: the excise is outside the price that sales tax is charged on.",
    },
  ],
  freeProductsBarred: {
    citation: "Regulator's guidance of 2016; WAC 314-55-017, -018, -155",
    effectiveFrom: null,
    effectiveTo: null,
    confidence: 'medium',
    source: 'Report on the guidance: no giveaways. The rule on discounts in shops itself was not read.',
    ...secondary(
      'https://www.bellinghamlegal.com/marijuana-business-law/marijuana-retail-sales-exceed-1-billion-but-regulatory-challenges-remain/',
      { textOf: '2016' },
    ),
  },
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    loyalty: duty(
      'shown',
      { barredFor: 'none', words: 'Only if it is open to every customer, no coupon, and no giveaway.' },
      guidance,
    ),
    belowCost: duty(
      'by-hand',
      { words: 'No price below what the product cost, after all discounts and points.' },
      guidance,
    ),
    reporting: reportedTo(
      'CCRS',
      'Sunday, for the week before',
      'Files of comma-separated values.',
      lawSays({
        citation: 'WAC 314-55-083',
        source: "Regulator's answers on its reporting system.",
        link: 'https://lcb.wa.gov/ccrs/faq',
      }),
    ),
  },
  gaps: [
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    note(
      'The limits of patients hold at a store with medical endorsement, for patients in the database. A store without it sells to patients as to adults: set own limits of 1 oz, 7 g, 16 oz and 72 fl oz, 200 mg of low-dose drinks and 10 other units for medical customers.',
    ),
    note(
      'A category of the type "edibles": Washington counts product weight and volume, so use the two infused types.',
    ),
    note(
      'Drinks in units of at most 4 mg of THC need a category of the type "low-dose-drinks", and what is neither eaten, drunk nor inhaled one of the type "other-units".',
    ),
    notFound(
      'Low-dose drinks and other infused units for patients: RCW 69.51A.210 names none, and the part of WAC 314-55-095 on patients was cut off. Give low-dose drinks of patients a category of infused fluids, or set own limits.',
    ),
    notExpressible(
      'The medical exemption from the excise hangs on store, card and product together; a category cannot say which product is compliant. The exemption from sales tax has a test of its own.',
    ),
    notFound('Whether HB 2433 (2026), a tax by weight and THC, was passed.'),
    local('Local sales tax: set by the place of the store.'),
    notExpressible(
      'Cost floor: the same guidance bars a price below what the product cost, after all discounts and points. The floor of a price is an amount here, and knows no cost.',
    ),
  ],
};
