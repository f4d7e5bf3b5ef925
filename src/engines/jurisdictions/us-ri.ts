import { doubtful, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, duty, metrc, othersSay, primary, secondary } from './reading.ts';

const excise = {
  ...cannabisTax,
  effectiveFrom: '2022-12-01',
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the statute, of 2022-05-25. Sales began on 2022-12-01.',
} as const;

export const rhodeIsland: Jurisdiction = {
  state: 'RI',
  name: 'Rhode Island',
  minimumAges: [],
  purchaseLimits: [
    {
      audience: 'adult-use',
      name: 'Flower',
      window: { kind: 'transaction' },
      cannabisType: 'non-concentrated',
      limit: { amount: '1', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      citation: 'RIGL 21-28.11; 560-RICR-10-10-2',
      effectiveFrom: '2022-12-01',
      effectiveTo: null,
      confidence: 'medium',
      source: 'Summary of the act and page of the rule.',
      ...secondary('https://rules.sos.ri.gov/regulations/part/560-10-10-2', { textOf: '2025-05-01' }),
    },
  ],
  taxes: [
    {
      ...excise,
      ...primary(
        'https://www.lawserver.com/law/state/rhode-island/ri-laws/rhode_island_general_laws_44-70-2',
        {
          readOn: checkedOn,
          textOf: '2022-05-25',
        },
      ),
      description: 'Rhode Island cannabis excise tax',
      rate: '10',
      citation: 'RIGL 44-70-2',
      patients: {
        rule: 'exempt',
        text: 'RIGL 44-70-2: in force since 2022-05-25, except for a sale in compliance with chapter 21-28.6, the medical program.',
      },
    },
    {
      ...excise,
      ...primary(
        'https://www.lawserver.com/law/state/rhode-island/ri-laws/rhode_island_general_laws_44-70-3',
        {
          readOn: checkedOn,
          textOf: '2022-05-25',
        },
      ),
      description: 'Rhode Island host town cannabis tax',
      rate: '3',
      citation: 'RIGL 44-70-3',
      patients: {
        rule: 'exempt',
        text: 'RIGL 44-70-3: in force since 2022-05-25, except for a sale in compliance with chapter 21-28.6, the medical program.',
      },
    },
    {
      ...salesTax,
      ...primary(
        'https://www.lawserver.com/law/state/rhode-island/ri-laws/rhode_island_general_laws_44-70-2',
        {
          readOn: checkedOn,
          textOf: '2022-05-25',
        },
      ),
      description: 'Rhode Island sales tax',
      rate: '7',
      citation: 'RIGL 44-18; 44-70-2',
      patients: {
        rule: 'owe',
        text: 'RIGL 44-70-2 and 44-70-3 except medical sales from the two excises alone: the sales tax is due.',
      },
      effectiveFrom: '2022-12-01',
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute: the excise is levied in addition to the sales tax.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    patientsOnlyProducts: duty(
      'enforced',
      { packagesAbove: [{ cannabisType: 'edibles', amount: { amount: '100', unit: 'mg' } }] },
      othersSay({
        citation: '560-RICR-10-10',
        source:
          'A report on the first sales: above 10 mg of THC in a serving and 100 mg in a package, for patients only.',
        link: 'https://cannabisbenchmarks.com',
        textOf: '2022-12-06',
      }),
    ),
    reporting: metrc(null, '560-RICR-10-10-2'),
  },
  gaps: [
    doubtful('Concentrate: 5 g may be as much as the ounce.', 'One summary by a law firm.'),
    notFound('Edibles: how they count toward the ounce.'),
    doubtful('Limits of patients: 2.5 oz in 15 days.', 'One secondary page.'),
    notLookedUp('Minimum ages: secondary pages name them, and the law was not read.'),
    notFound('Whether sales tax is charged on the other two; the preset does not.'),
  ],
};
