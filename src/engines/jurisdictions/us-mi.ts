import { notExpressible, note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  equivalence,
  lawSays,
  metrc,
  othersSay,
  primary,
  secondary,
  verifiedOn,
} from './reading.ts';

/** The act of 2018 as a whole. */
const statute = 'https://renderpdf.legislature.mi.gov/Home/RenderDoc?objectName=mcl-Initiated-Law-1-of-2018';
const rule505 = 'https://law.cornell.edu/regulations/michigan/Mich-Admin-Code-R-420-505';

const medicalAct = secondary('https://culturemagazine.com/one-step-forward/', {
  readOn: verifiedOn,
  textOf: '2016-12-20',
});

/** 1 oz is 16 oz of infused product in solid form, 7 g in gaseous form, or 36 fl oz in liquid form. */
const infused = (source: string) => {
  const ratio = {
    ...medicalAct,
    citation: 'MCL 333.26424(c); 2016 PA 283',
    confidence: 'medium',
    source,
  } as const;
  return {
    'mi-infused-solids': equivalence('16 oz', '1 oz', ratio),
    'mi-infused-fluids': equivalence('36 fl oz', '1 oz', ratio),
    inhalables: equivalence('7 g', '1 oz', ratio),
  };
};

const patientLimit = {
  audience: 'medical',
  cannabisType: 'non-concentrated',
  counts: {
    'non-concentrated': 'one-to-one',
    ...infused('Pages that quote the act: the ratios of the medical law.'),
  },
  citation: 'R 420.506; MCL 333.26424(c)',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'medium',
  source: 'Sources that agree; the text of R 420.506 was not read. Infused goods count by weight or volume.',
  ...secondary('https://nstarfinance.com/dispensary-purchase-limit-michigan/'),
} as const;

export const michigan: Jurisdiction = {
  state: 'MI',
  name: 'Michigan',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: 'R 420.505, 420.207',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the regulation.',
      ...primary(rule505, { readOn: checkedOn }),
    },
  ],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'All forms together',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '2.5', unit: 'oz' },
      counts: {
        'non-concentrated': 'one-to-one',
        concentrated: 'one-to-one',
        ...infused(
          'Pages that quote the act: the ratios of the medical law, which adult-use sales follow in practice.',
        ),
      },
      citation: 'MCL 333.27955; R 420.506; MCL 333.26424(c)',
      effectiveFrom: '2018-12-06',
      effectiveTo: null,
      confidence: 'medium',
      source:
        'The number is in the quoted statute; that concentrate counts gram for gram and that infused goods count ' +
        'by the medical ratios is practice.',
      ...secondary(statute, { readOn: checkedOn, textOf: '2018-12-06' }),
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
      ...primary(statute, { readOn: checkedOn, textOf: '2018-12-06' }),
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
      ...primary(
        'https://print.casetext.com/statute/michigan-compiled-laws/chapter-333-health/michigan-regulation-and-taxation-of-marihuana-act/section-33327963-imposition-of-excise-tax-administration-by-department-of-treasury-exemptions',
        {
          readOn: checkedOn,
          textOf: '2018-12-06',
        },
      ),
      description: 'Michigan marihuana excise tax',
      rate: '10',
      patients: {
        rule: 'exempt',
        text: 'Patients are exempt from the excise, not from sales tax (MCL 333.27963(4)).',
      },
      citation: 'MCL 333.27963',
      effectiveFrom: '2018-12-06',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute.',
    },
    {
      ...salesTax,
      ...primary('https://law.cornell.edu/regulations/michigan/Mich-Admin-Code-R-205-141', {
        readOn: checkedOn,
        textOf: '2020-02-06',
      }),
      description: 'Michigan sales tax',
      rate: '6',
      encompass: true,
      patients: { rule: 'owe', text: 'R 205.141(3): medical sales bear the sales tax.' },
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
  duties: {
    saleHours: null,
    gifts: null,
    bundles: duty(
      'by-hand',
      { barred: 'mixed' },
      lawSays({
        citation: 'MCL 333.27963(2)',
        source:
          "Text of the statute, and the treasury's bulletin RAB 2023-25: taxed and untaxed goods have a price each.",
        link: 'https://michigan.gov/taxes/rep-legal/rab/2023-revenue-administrative-bulletins/revenue-administrative-bulletin-2023-25',
        readOn: compiledOn,
        confidence: 'high',
      }),
    ),
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: 'With a procedure that the regulator has approved.',
      },
      othersSay({
        citation: 'R 420.207',
        source: "A store's answers.",
        link: 'https://zazacana.com/faqs',
        readOn: compiledOn,
      }),
    ),
    reporting: metrc('real time', 'R 420.505, 420.506'),
  },
  gaps: [
    note('Minimum age of patients: the sources name the registry card, not an age.'),
    note('Infused goods in gaseous form (7 g count as 1 oz) need a category of the type "inhalables".'),
    note(
      'A category of the type "edibles": Michigan counts product weight and volume, so use the two infused types.',
    ),
    notFound('Concentrate in the limits of patients: no source says how it counts there.'),
    notLookedUp('Limits of patients after June 2026: the last check left them out.'),
    notExpressible(
      'What patients bought elsewhere, and caregivers: the state system holds the allotment (R 420.505(1)(d)).',
    ),
    notFound('Plants per sale.'),
    note('The wholesale excise (24 %, MCL 205.905) raises cost and is no tax of a sale.'),
    note('A bundle of taxed and untaxed goods at one price (MCL 333.27963(2)): price each.'),
  ],
};
