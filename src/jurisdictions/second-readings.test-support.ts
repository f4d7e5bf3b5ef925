import type { ShippedState } from './jurisdictions.ts';

/** The facts of a state that are in force on the day of the reading. */
export interface SecondReading {
  /** `who | what | how much | window` */
  readonly limits: readonly string[];
  /** `rate | tier and special rules | who pays it | patients` */
  readonly taxes: readonly string[];
  /** Adult-use age, then that of patients; a dash where none is confirmed. */
  readonly ages: string;
}

/**
 * The facts of each state, typed a second time from the sources and not from the state's file: a number that
 * was copied from another state, or mistyped, is in one reading only. A change of a state's file is typed here
 * by hand, too.
 */
export const secondReadings: Readonly<Record<ShippedState, SecondReading>> = {
  AK: {
    limits: [
      'adult-use | Flower | 1 oz | day',
      'adult-use | Concentrate | 7 g | day',
      'medical | Flower | 1 oz | day',
      'medical | Concentrate | 7 g | day',
    ],
    taxes: [],
    ages: '21 21',
  },
  AZ: {
    limits: [
      'adult-use | Flower and concentrate together | 1 oz | sale',
      'adult-use | Concentrate | 5 g | sale',
      'medical | Flower | 2.5 oz | 14 days',
    ],
    taxes: ['16 | 1 | all | exempt', '5.6 | 2 | all | owe'],
    ages: '21 –',
  },
  CA: {
    limits: [
      'adult-use | Flower | 28.5 g | day',
      'adult-use | Concentrate | 8 g | day',
      'adult-use | Immature plants | 6 | day',
      'medical | Flower | 8 oz | day',
      'medical | Immature plants | 12 | day',
    ],
    taxes: ['15 | 2 on lower tiers, on fees | all | owe'],
    ages: '21 18',
  },
  CO: {
    limits: [
      'adult-use | All forms together | 1 oz | day',
      'medical | Flower | 2 oz | day',
      'medical | Concentrate | 8 g | day',
      'medical-under-21 | Flower | 2 oz | day',
      'medical-under-21 | Concentrate | 2 g | day',
    ],
    taxes: ['15 | 1 | all | exempt', '2.9 | 2 | all | owe', '2.9 | 2 | medical | owe'],
    ages: '21 18',
  },
  CT: {
    limits: ['adult-use | Flower | 0.5 oz | sale', 'medical | Flower | 5 oz | month'],
    taxes: ['10.75 | 1 | all | exempt', '3 | 1 | all | exempt', '6.35 | 2 | all | exempt'],
    ages: '21 18',
  },
  DE: {
    limits: [
      'adult-use | Flower | 1 oz | sale',
      'adult-use | Concentrate | 12 g | sale',
      'adult-use | Edibles | 750 mg | sale',
    ],
    taxes: ['15 | 1 | all | exempt'],
    ages: '21 18',
  },
  IL: {
    limits: [
      'adult-use | Flower | 60 g | sale',
      'adult-use | Concentrate | 10 g | sale',
      'adult-use | Edibles | 1000 mg | sale',
      'adult-use-non-resident | Flower | 30 g | sale',
      'adult-use-non-resident | Concentrate | 5 g | sale',
      'adult-use-non-resident | Edibles | 500 mg | sale',
      'medical | Flower | 2.5 oz | 14 days',
    ],
    taxes: [
      '20 | 1 | all | exempt',
      '6.25 | 2 | adult-use | other-tax',
      '1 | 2 | medical | owe',
      '6.25 | 2 | medical | owe',
    ],
    ages: '21 18',
  },
  ME: {
    limits: [
      'adult-use | Flower and concentrate together | 2.5 oz | sale',
      'adult-use | Concentrate | 10 g | sale',
    ],
    taxes: ['14 | 1 | adult-use | other-tax', '5.5 | 1 | medical | owe', '8 | 1 | medical | owe'],
    ages: '21 18',
  },
  MD: {
    limits: ['adult-use | All forms together | 1.5 oz | sale', 'medical | Flower | 120 g | 30 days'],
    taxes: ['12 | 1 | all | exempt', '6 | 2 | all | owe'],
    ages: '– –',
  },
  MA: {
    limits: ['adult-use | All forms together | 2 oz | day', 'medical | Flower | 10 oz | 60 days'],
    taxes: ['10.75 | 1 | all | exempt', '6.25 | 2 | all | exempt'],
    ages: '21 18',
  },
  MI: {
    limits: [
      'adult-use | All forms together | 2.5 oz | sale',
      'adult-use | Concentrate | 15 g | sale',
      'medical | All forms together, per day | 2.5 oz | day',
      'medical | All forms together, per month | 10 oz | month',
    ],
    taxes: ['10 | 1 | all | exempt', '6 | 2 on lower tiers | all | owe'],
    ages: '21 –',
  },
  MN: {
    limits: [
      'adult-use | Flower | 2 oz | sale',
      'adult-use | Concentrate | 8 g | sale',
      'adult-use | Edibles | 800 mg | sale',
    ],
    taxes: ['15 | 1 on fees | all | exempt', '6.875 | 2 | all | not-known'],
    ages: '– –',
  },
  MO: {
    limits: ['adult-use | All forms together | 3 oz | sale', 'medical | All forms together | 6 oz | 30 days'],
    taxes: ['6 | 1 | adult-use | other-tax', '4 | 1 | medical | owe'],
    ages: '– –',
  },
  MT: {
    limits: [
      'adult-use | All forms together | 1 oz | sale',
      'medical | All forms together, per day | 1 oz | day',
      'medical | All forms together, per month | 5 oz | month',
    ],
    taxes: ['20 | 1 | adult-use | other-tax', '4 | 1 | medical | owe'],
    ages: '21 –',
  },
  NV: {
    limits: ['adult-use | Flower and concentrate together | 2.5 oz | sale'],
    taxes: ['10 | 1 | all | exempt', '6.85 | 2 | all | not-known'],
    ages: '21 18',
  },
  NJ: {
    limits: ['adult-use | All forms together | 28.35 g | sale'],
    taxes: ['6.625 | 2 | all | exempt'],
    ages: '21 –',
  },
  NM: {
    limits: [
      'adult-use | Flower | 2 oz | sale',
      'adult-use | Concentrate | 16 g | sale',
      'adult-use | Edibles | 800 mg | sale',
      'medical | Flower and edibles together | 425 g | 90 days',
    ],
    taxes: ['14 | 1 | all | exempt'],
    ages: '21 18',
  },
  NY: {
    limits: ['adult-use | Flower | 3 oz | sale', 'adult-use | Concentrate | 24 g | sale'],
    taxes: ['9 | 1 | all | exempt', '4 | 1 | all | exempt'],
    ages: '21 –',
  },
  OH: {
    limits: ['adult-use | Flower | 2.5 oz | day'],
    taxes: ['10 | 1 | all | exempt', '5.75 | 2 | all | owe'],
    ages: '– –',
  },
  OR: {
    limits: [
      'adult-use | Flower | 2 oz | day',
      'adult-use | Concentrate | 10 g | day',
      'adult-use | Immature plants | 4 | day',
      'adult-use | Infused solids | 16 oz | day',
      'adult-use | Infused fluids | 72 fl oz | day',
    ],
    taxes: ['17 | 1 rounded up | all | exempt'],
    ages: '21 18',
  },
  RI: {
    limits: ['adult-use | Flower | 1 oz | sale'],
    taxes: ['10 | 1 | all | exempt', '3 | 1 | all | exempt', '7 | 2 | all | owe'],
    ages: '– –',
  },
  VT: {
    limits: ['adult-use | Flower | 2 oz | sale'],
    taxes: ['14 | 1 | all | exempt', '6 | 2 | all | not-known'],
    ages: '21 –',
  },
  VA: {
    limits: [],
    taxes: [],
    ages: '– –',
  },
  WA: {
    limits: [
      'adult-use | Flower | 1 oz | sale',
      'adult-use | Concentrate | 7 g | sale',
      'adult-use | Infused solids | 16 oz | sale',
      'adult-use | Infused fluids | 72 fl oz | sale',
      'medical | Flower | 3 oz | sale',
      'medical | Concentrate | 21 g | sale',
      'medical | Infused solids | 48 oz | sale',
      'medical | Infused fluids | 216 fl oz | sale',
    ],
    taxes: ['37 | 1 in prices | all | owe', '6.5 | 2 | all | owe'],
    ages: '– –',
  },
};
