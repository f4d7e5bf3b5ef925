import { disputed, local, notFound } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax, salesTax } from './preset-tax-defaults.ts';
import { checkedOn, primary, secondary } from './reading.ts';

const section7902 = 'https://legislature.vermont.gov/statutes/section/32/207/07902';
const act = 'https://legislature.vermont.gov/bill/status/2026/S.278';

const flower = {
  audience: 'adult-use',
  name: 'Flower',
  window: { kind: 'transaction' },
  cannabisType: 'non-concentrated',
  counts: { 'non-concentrated': 'one-to-one' },
  confidence: 'medium',
} as const;

export const vermont: Jurisdiction = {
  state: 'VT',
  name: 'Vermont',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: '7 V.S.A. 907; S.278 (2026)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Reports on the act.',
      ...secondary(act, { readOn: checkedOn, textOf: '2026-06' }),
    },
  ],
  purchaseLimits: [
    {
      ...flower,
      ...secondary(
        'https://www.thecentersquare.com/vermont/legal-adult-use-cannabis-sales-begin-saturday-in-vermont/article_bf34a71a-40c5-11ed-90c8-b3aa449c76b4.html',
        { textOf: '2022-10' },
      ),
      limit: { amount: '1', unit: 'oz' },
      citation: '7 V.S.A. 907',
      effectiveFrom: '2022-10-01',
      effectiveTo: '2026-06-30',
      source: 'Reports on the beginning of sales.',
    },
    {
      ...flower,
      ...secondary(act, { readOn: checkedOn, textOf: '2026-06' }),
      limit: { amount: '2', unit: 'oz' },
      citation: '7 V.S.A. 907; S.278 (2026)',
      effectiveFrom: '2026-07-01',
      effectiveTo: null,
      source:
        'Reports on the act, in force on passage in June 2026. Its exact day was not found: the former limit is kept to the ' +
        'end of that month.',
    },
  ],
  taxes: [
    {
      ...cannabisTax,
      ...primary(section7902, { readOn: checkedOn, textOf: '2024-06-10' }),
      description: 'Vermont cannabis excise tax',
      rate: '14',
      patients: {
        rule: 'exempt',
        text: '32 V.S.A. 7902(d): sales to registered patients, by dispensaries since 2022-03-01 and by retailers with a medical-use endorsement since 2024-06-10. A retailer without the endorsement owes it: set the tax to owe.',
      },
      citation: '32 V.S.A. 7902',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute. A cut to 10 % was not enacted in 2026.',
    },
    {
      ...salesTax,
      ...primary(section7902, { readOn: checkedOn, textOf: '2024-06-10' }),
      description: 'Vermont sales tax',
      rate: '6',
      nonExemptableCannabisTypes: ['none'],
      patients: {
        rule: 'not-known',
        text: 'Section 7902(d) exempts from the excise; whether sales tax is due from patients was not looked up.',
      },
      citation: '32 V.S.A. 7902(c)',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'high',
      source: 'Text of the statute: the excise is not part of the price that sales tax is charged on.',
    },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  gaps: [
    disputed('Concentrate and edibles: how they count toward the 2 oz since 2026.'),
    notFound('Minimum age of patients.'),
    local('Local option tax.'),
  ],
};
