import { describe, expect, test } from 'vitest';
import type { LimitWindow, Quantity } from './jurisdiction.ts';
import { isInForce, jurisdictions } from './jurisdictions.ts';

/*
 * The facts of each state, typed a second time from the sources and not from the state's file: a number that was copied
 * from another state, or mistyped, is in one reading only. A change of a state's file is typed here by hand as well.
 */

/** `who | what | how much | window`, of the limits in force on the day of the reading. */
const limitReadings: Readonly<Record<string, readonly string[]>> = {
  AK: [
    'adult-use | Flower | 1 oz | day',
    'adult-use | Concentrate | 7 g | day',
    'medical | Flower | 1 oz | day',
    'medical | Concentrate | 7 g | day',
  ],
  AZ: [
    'adult-use | Flower and concentrate together | 1 oz | sale',
    'adult-use | Concentrate | 5 g | sale',
    'medical | Flower | 2.5 oz | 14 days',
  ],
  CA: [
    'adult-use | Flower | 28.5 g | day',
    'adult-use | Concentrate | 8 g | day',
    'adult-use | Immature plants | 6 | day',
    'medical | Flower | 8 oz | day',
    'medical | Immature plants | 12 | day',
  ],
  CO: [
    'adult-use | All forms together | 1 oz | day',
    'medical | Flower | 2 oz | day',
    'medical | Concentrate | 8 g | day',
    'medical-under-21 | Flower | 2 oz | day',
    'medical-under-21 | Concentrate | 2 g | day',
  ],
  CT: ['adult-use | Flower | 0.5 oz | sale', 'medical | Flower | 5 oz | month'],
  DE: [
    'adult-use | Flower | 1 oz | sale',
    'adult-use | Concentrate | 12 g | sale',
    'adult-use | Edibles | 750 mg | sale',
  ],
  IL: [
    'adult-use | Flower | 60 g | sale',
    'adult-use | Concentrate | 10 g | sale',
    'adult-use | Edibles | 1000 mg | sale',
    'adult-use-non-resident | Flower | 30 g | sale',
    'adult-use-non-resident | Concentrate | 5 g | sale',
    'adult-use-non-resident | Edibles | 500 mg | sale',
    'medical | Flower | 2.5 oz | 14 days',
  ],
  ME: [
    'adult-use | Flower and concentrate together | 2.5 oz | sale',
    'adult-use | Concentrate | 10 g | sale',
  ],
  MD: ['adult-use | All forms together | 1.5 oz | sale', 'medical | Flower | 120 g | 30 days'],
  MA: ['adult-use | All forms together | 2 oz | day', 'medical | Flower | 10 oz | 60 days'],
  MI: [
    'adult-use | All forms together | 2.5 oz | sale',
    'adult-use | Concentrate | 15 g | sale',
    'medical | All forms together, per day | 2.5 oz | day',
    'medical | All forms together, per month | 10 oz | month',
  ],
  MN: [
    'adult-use | Flower | 2 oz | sale',
    'adult-use | Concentrate | 8 g | sale',
    'adult-use | Edibles | 800 mg | sale',
  ],
  MO: ['adult-use | All forms together | 3 oz | sale', 'medical | All forms together | 6 oz | 30 days'],
  MT: [
    'adult-use | All forms together | 1 oz | sale',
    'medical | All forms together, per day | 1 oz | day',
    'medical | All forms together, per month | 5 oz | month',
  ],
  NV: ['adult-use | Flower and concentrate together | 2.5 oz | sale'],
  NJ: ['adult-use | All forms together | 28.35 g | sale'],
  NM: [
    'adult-use | Flower | 2 oz | sale',
    'adult-use | Concentrate | 16 g | sale',
    'adult-use | Edibles | 800 mg | sale',
    'medical | Flower and edibles together | 425 g | 90 days',
  ],
  NY: ['adult-use | Flower | 3 oz | sale', 'adult-use | Concentrate | 24 g | sale'],
  OH: ['adult-use | Flower | 2.5 oz | day'],
  OR: [
    'adult-use | Flower | 2 oz | day',
    'adult-use | Concentrate | 10 g | day',
    'adult-use | Immature plants | 4 | day',
  ],
  RI: ['adult-use | Flower | 1 oz | sale'],
  VT: ['adult-use | Flower | 2 oz | sale'],
  VA: [],
  WA: [
    'adult-use | Flower | 1 oz | sale',
    'adult-use | Concentrate | 7 g | sale',
    'medical | Flower | 3 oz | sale',
    'medical | Concentrate | 21 g | sale',
  ],
};

/** `rate | tier, and what is special | who pays it | patients`, of the taxes in force on the day of the reading. */
const taxReadings: Readonly<Record<string, readonly string[]>> = {
  AK: [],
  AZ: ['16 | 1 | all | exempt', '5.6 | 2 | all | owe'],
  CA: ['15 | 2 on lower tiers, on fees | all | owe'],
  CO: ['15 | 1 | all | exempt', '2.9 | 2 | all | owe', '2.9 | 2 | medical | owe'],
  CT: ['10.75 | 1 | all | exempt', '3 | 1 | all | exempt', '6.35 | 2 | all | exempt'],
  DE: ['15 | 1 | all | exempt'],
  IL: [
    '20 | 1 | all | exempt',
    '6.25 | 2 | adult-use | other-tax',
    '1 | 2 | medical | owe',
    '6.25 | 2 | medical | owe',
  ],
  ME: ['14 | 1 | adult-use | other-tax', '5.5 | 1 | medical | owe', '8 | 1 | medical | owe'],
  MD: ['12 | 1 | all | exempt', '6 | 2 | all | owe'],
  MA: ['10.75 | 1 | all | exempt', '6.25 | 2 | all | exempt'],
  MI: ['10 | 1 | all | exempt', '6 | 2 on lower tiers | all | owe'],
  MN: ['15 | 1 on fees | all | exempt', '6.875 | 2 | all | not-known'],
  MO: ['6 | 1 | adult-use | other-tax', '4 | 1 | medical | owe'],
  MT: ['20 | 1 | adult-use | other-tax', '4 | 1 | medical | owe'],
  NV: ['10 | 1 | all | exempt', '6.85 | 2 | all | not-known'],
  NJ: ['6.625 | 2 | all | exempt'],
  NM: ['14 | 1 | all | exempt'],
  NY: ['9 | 1 | all | exempt', '4 | 1 | all | exempt'],
  OH: ['10 | 1 | all | exempt', '5.75 | 2 | all | owe'],
  OR: ['17 | 1 rounded up | all | exempt'],
  RI: ['10 | 1 | all | exempt', '3 | 1 | all | exempt', '7 | 2 | all | owe'],
  VT: ['14 | 1 | all | exempt', '6 | 2 | all | not-known'],
  VA: [],
  WA: ['37 | 1 in prices | all | owe', '6.5 | 2 | all | owe'],
};

/** Adult-use age, then that of patients; a dash where none was confirmed. */
const ageReadings: Readonly<Record<string, string>> = {
  AK: '21 21',
  AZ: '21 –',
  CA: '21 18',
  CO: '21 18',
  CT: '21 18',
  DE: '21 18',
  IL: '21 18',
  ME: '21 18',
  MD: '– –',
  MA: '21 18',
  MI: '21 –',
  MN: '– –',
  MO: '– –',
  MT: '21 –',
  NV: '21 18',
  NJ: '21 –',
  NM: '21 18',
  NY: '21 –',
  OH: '– –',
  OR: '21 18',
  RI: '– –',
  VT: '21 –',
  VA: '– –',
  WA: '– –',
};

const readOn = '2026-11-23';

const amountOf = ({ amount, unit }: Quantity) => (unit === 'count' ? amount : `${amount} ${unit}`);

function windowOf(window: LimitWindow): string {
  switch (window.kind) {
    case 'transaction':
      return 'sale';
    case 'local-day':
      return 'day';
    case 'calendar-month':
      return 'month';
    case 'rolling-days':
      return `${window.days} days`;
  }
}

describe.each(jurisdictions.map((it) => [it.name, it] as const))('%s, read twice:', (_name, it) => {
  test('the same limits', () => {
    const limits = it.purchaseLimits
      .filter((rule) => isInForce(rule, readOn))
      .map((rule) => `${rule.audience} | ${rule.name} | ${amountOf(rule.limit)} | ${windowOf(rule.window)}`);
    expect(limits).toEqual(limitReadings[it.state]);
  });

  test('the same taxes', () => {
    const taxes = it.taxes
      .filter((tax) => isInForce(tax, readOn))
      .map((tax) => {
        const special = [
          tax.encompass && 'on lower tiers',
          tax.appliesToFees && 'on fees',
          tax.included && 'in prices',
          tax.rounding === 'up' && 'rounded up',
        ].filter((trait) => trait !== false);
        const tier = [tax.tier, special.join(', ')].filter((text) => text !== '').join(' ');
        return `${tax.rate} | ${tier} | ${tax.customerType} | ${tax.patients.rule}`;
      });
    expect(taxes).toEqual(taxReadings[it.state]);
  });

  test('the same ages', () => {
    const yearsOf = (audience: string) =>
      it.minimumAges.find((age) => age.audience === audience && isInForce(age, readOn))?.years ?? '–';
    expect(`${yearsOf('adult-use')} ${yearsOf('medical')}`).toBe(ageReadings[it.state]);
  });
});
