import { local, notExpressible, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { compiledOn, duty, lawSays, othersSay, primary, reportedTo } from './reading.ts';

const adultLimit = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: 'ARS 36-2852(A)(1)',
  effectiveFrom: '2020-11-30',
  effectiveTo: null,
  confidence: 'high',
  ...primary('https://www.azleg.gov/viewdocument/?docName=https://www.azleg.gov/ars/36/02852.htm'),
} as const;

const taxText = primary('https://www.azleg.gov/ars/42/05452.htm');

export const arizona: Jurisdiction = {
  state: 'AZ',
  name: 'Arizona',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'ARS 36-2850 ff.',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: "Regulator's comparison of adult-use and medical.",
      ...primary('https://www.azleg.gov/viewdocument/?docName=https://www.azleg.gov/ars/36/02852.htm'),
    },
  ],
  purchaseLimits: [
    {
      ...adultLimit,
      name: 'Flower and concentrate together',
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one', concentrated: 'one-to-one' },
      source: "Text of the statute and the regulator's comparison: an ounce may be possessed and purchased.",
    },
    {
      ...adultLimit,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '5', unit: 'g' },
      counts: { concentrated: 'one-to-one' },
      source: "Text of the statute and the regulator's comparison. Inside the ounce, not beside it.",
    },
    {
      audience: 'medical',
      name: 'Flower',
      window: { kind: 'rolling-days', days: 14 },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'ARS 36-2816(A), 36-2801(1)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Regulator's comparison. For all dispensaries together; this one sees its own sales.",
      ...primary('https://www.azleg.gov/ars/36/02816.htm'),
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...taxText,
      description: 'Arizona marijuana excise tax',
      rate: '16',
      patients: {
        rule: 'exempt',
        text: 'Medical sales bear no excise; transaction privilege tax applies.',
      },
      citation: 'ARS 42-5452',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: "Text of the statute and the tax authority's answers.",
    },
    {
      ...salesTax,
      ...taxText,
      description: 'Arizona transaction privilege tax',
      rate: '5.6',
      patients: {
        rule: 'owe',
        text: "The tax authority's answers: transaction privilege tax applies to medical sales.",
      },
      citation: 'ARS 42-5452(D)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute: the excise is not in its base. The state part of the rate.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: null,
    delivery: null,
    bundles: duty(
      'by-hand',
      { barred: 'mixed' },
      lawSays({
        citation: 'ARS 42-5452(C)',
        source: 'Text of the statute: taxed and untaxed goods have a price each.',
        link: 'https://www.azleg.gov/viewdocument/?docName=https://www.azleg.gov/ars/42/05452.htm',
        readOn: compiledOn,
        confidence: 'high',
      }),
    ),
    reporting: reportedTo(
      'none for adult use; the state verifies patients',
      'monthly',
      'Adult use: the monthly tax return MET-1. Patients: the allotment is checked in the state system before each sale.',
      othersSay({
        citation: 'ARS 36-2852, 36-2816',
        source: "A vendor's page on the state.",
        link: 'https://www.azdhs.gov/licensing/marijuana/',
        textOf: '2026-06-14',
      }),
    ),
  },
  gaps: [
    note(
      'Minimum age of patients: there is none, and a minor needs a caregiver. The service asks for 18 years.',
    ),
    notFound('Edibles: no cap of their own, nor how they count toward the ounce.'),
    notFound('Concentrate for patients: the sources do not say how it counts toward the 2.5 oz.'),
    notExpressible('Plants for patients whose card allows growing.'),
    notLookedUp('The petition of 2026 on adult use: whether it came to a vote.'),
    local('County and city parts of the transaction privilege tax.'),
    note('A bundle of taxed and untaxed goods at one price (ARS 42-5452(C)): price each.'),
  ],
};
