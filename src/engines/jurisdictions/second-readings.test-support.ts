import type { ShippedState } from './jurisdictions.ts';

/** The facts of a state: those in force, those before, and those that are known to come. */
interface SecondReading {
  /** `who | what | how much | window | first day to last day`; a dash for a day before 2024 that was not looked up. */
  readonly limits: readonly string[];
  /** What counts as how much; the same for every limit of the state that counts the form so. */
  readonly equivalences: readonly string[];
  /** `rate | tier and special rules | who pays it | patients | first day to last day` */
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
      'adult-use | Flower | 1 oz | day | 2020-10-18',
      'adult-use | Concentrate | 7 g | day | 2020-10-18',
      'adult-use | THC of all forms | 5600 mg | day | 2020-10-18',
      'medical | Flower | 1 oz | day | 2020-10-18',
      'medical | Concentrate | 7 g | day | 2020-10-18',
      'medical | THC of all forms | 5600 mg | day | 2020-10-18',
    ],
    equivalences: [
      'non-concentrated 1 mg THC = 1 mg',
      'concentrated 1 mg THC = 1 mg',
      'edibles 1 mg THC = 1 mg',
      'inhalables 1 mg THC = 1 mg',
      'low-dose-drinks 1 mg THC = 1 mg',
    ],
    taxes: [],
    ages: '21 21',
  },
  AZ: {
    limits: [
      'adult-use | Flower and concentrate together | 1 oz | sale | 2020-11-30',
      'adult-use | Concentrate | 5 g | sale | 2020-11-30',
      'medical | Flower | 2.5 oz | 14 days | –',
    ],
    equivalences: [],
    taxes: ['16 | 1 | all | exempt | –', '5.6 | 2 | all | owe | –'],
    ages: '21 –',
  },
  CA: {
    limits: [
      'adult-use | Flower | 28.5 g | day | –',
      'adult-use | Concentrate | 8 g | day | –',
      'adult-use | Immature plants | 6 | day | –',
      'medical | Flower | 8 oz | day | –',
      'medical | Immature plants | 12 | day | –',
    ],
    equivalences: [],
    taxes: [
      '15 | 2 on lower tiers, on fees | all | owe | 2023-01-01 to 2025-06-30',
      '19 | 2 on lower tiers, on fees | all | owe | 2025-07-01 to 2025-09-30',
      '15 | 2 on lower tiers, on fees | all | owe | 2025-10-01 to 2028-06-30',
    ],
    ages: '21 18',
  },
  CO: {
    limits: [
      'adult-use | All forms together | 1 oz | sale | 2016-10-01 to 2021-12-31',
      'adult-use | All forms together | 1 oz | day | 2022-01-01',
      'medical | Flower | 2 oz | day | 2022-01-01',
      'medical | Concentrate | 8 g | day | 2022-01-01',
      'medical-under-21 | Flower | 2 oz | day | 2022-01-01',
      'medical-under-21 | Concentrate | 2 g | day | 2022-01-01',
    ],
    equivalences: ['concentrated 8 g = 1 oz', 'edibles 800 mg = 1 oz'],
    taxes: ['15 | 1 | all | exempt | 2017-07-01', '2.9 | 2 | all | owe | –', '2.9 | 2 | medical | owe | –'],
    ages: '21 18',
  },
  CT: {
    limits: [
      'adult-use | All forms together | 0.5 oz | sale | 2023-12-01',
      'medical | Flower | 5 oz | month | –',
    ],
    equivalences: [
      'concentrated 250 mg THC = 1 g',
      'edibles 250 mg THC = 1 g',
      'inhalables 250 mg THC = 1 g',
      'low-dose-drinks 250 mg THC = 1 g',
    ],
    taxes: [
      '0.625 c/mg THC | 1 | all | exempt | – to 2026-09-30',
      '2.75 c/mg THC | 1 | all | exempt | – to 2026-09-30',
      '0.9 c/mg THC | 1 | all | exempt | – to 2026-09-30',
      '10.75 | 1 | all | exempt | 2026-10-01',
      '3 | 1 | all | exempt | –',
      '6.35 | 2 | all | exempt | –',
    ],
    ages: '21 18',
  },
  DE: {
    limits: ['adult-use | All forms together | 1 oz | sale | –'],
    equivalences: ['concentrated 12 g = 1 oz', 'edibles 750 mg = 1 oz'],
    taxes: ['15 | 1 | all | exempt | 2025-08-01'],
    ages: '21 18',
  },
  IL: {
    limits: [
      'adult-use | Flower | 30 g | sale | 2020-01-01 to 2026-06-11',
      'adult-use | Concentrate | 5 g | sale | 2020-01-01 to 2026-06-11',
      'adult-use | Edibles | 500 mg | sale | 2020-01-01 to 2026-06-11',
      'adult-use-non-resident | Flower | 15 g | sale | 2020-01-01 to 2026-06-11',
      'adult-use-non-resident | Concentrate | 2.5 g | sale | 2020-01-01 to 2026-06-11',
      'adult-use-non-resident | Edibles | 250 mg | sale | 2020-01-01 to 2026-06-11',
      'adult-use | Flower | 60 g | sale | 2026-06-12',
      'adult-use | Concentrate | 10 g | sale | 2026-06-12',
      'adult-use | Edibles | 1000 mg | sale | 2026-06-12',
      'adult-use-non-resident | Flower | 30 g | sale | 2026-06-12',
      'adult-use-non-resident | Concentrate | 5 g | sale | 2026-06-12',
      'adult-use-non-resident | Edibles | 500 mg | sale | 2026-06-12',
      'medical | Flower | 2.5 oz | 14 days | –',
    ],
    equivalences: [],
    taxes: [
      '10 to 35 %, 25 above 35 % | 1 | all | exempt | 2020-01-01',
      '20 | 1 | all | exempt | 2020-01-01',
      '6.25 | 2 | adult-use | other-tax | –',
      '1 | 2 | medical | owe | –',
      '6.25 | 2 | medical | owe | –',
    ],
    ages: '21 18',
  },
  ME: {
    limits: [
      'adult-use | Flower and concentrate together | 2.5 oz | sale | –',
      'adult-use | Concentrate | 5 g | sale | – to 2024-12-31',
      'adult-use | Concentrate | 10 g | sale | 2025-01-01',
    ],
    equivalences: [],
    taxes: [
      '10 | 1 | adult-use | other-tax | – to 2025-12-31',
      '14 | 1 | adult-use | other-tax | 2026-01-01',
      '5.5 | 1 | medical | owe | –',
      '8 | 1 | medical | owe | –',
    ],
    ages: '21 18',
  },
  MD: {
    limits: [
      'adult-use | All forms together | 1.5 oz | sale | 2023-07-01',
      'medical | All forms together | 120 g | 30 days | 2023-07-01',
    ],
    equivalences: [
      'concentrated 12 g = 1.5 oz',
      'edibles 750 mg = 1.5 oz',
      'concentrated 36 g THC = 120 g',
      'edibles 36 g THC = 120 g',
      'inhalables 36 g THC = 120 g',
      'low-dose-drinks 36 g THC = 120 g',
    ],
    taxes: [
      '9 | 1 | all | exempt | – to 2025-06-30',
      '12 | 1 | all | exempt | 2025-07-01',
      '6 | 2 | all | owe | –',
    ],
    ages: '– –',
  },
  MA: {
    limits: [
      'adult-use | All forms together | 1 oz | day | – to 2026-04-18',
      'adult-use | All forms together | 2 oz | day | 2026-04-19',
      'medical | Flower | 10 oz | 60 days | –',
    ],
    equivalences: ['concentrated 5 g = 1 oz', 'edibles 500 mg = 1 oz'],
    taxes: ['10.75 | 1 | all | exempt | –', '6.25 | 2 | all | exempt | –'],
    ages: '21 18',
  },
  MI: {
    limits: [
      'adult-use | All forms together | 2.5 oz | sale | 2018-12-06',
      'adult-use | Concentrate | 15 g | sale | 2018-12-06',
      'medical | All forms together, per day | 2.5 oz | day | –',
      'medical | All forms together, per month | 10 oz | month | –',
    ],
    equivalences: [
      'mi-infused-solids 16 oz = 1 oz',
      'mi-infused-fluids 36 fl oz = 1 oz',
      'inhalables 7 g = 1 oz',
    ],
    taxes: ['10 | 1 | all | exempt | 2018-12-06', '6 | 2 on lower tiers | all | owe | 2020-02-06'],
    ages: '21 –',
  },
  MN: {
    limits: [
      'adult-use | Flower | 2 oz | sale | 2023-08-01',
      'adult-use | Concentrate | 8 g | sale | 2023-08-01',
      'adult-use | Edibles | 800 mg | sale | 2023-08-01',
    ],
    equivalences: [],
    taxes: [
      '10 | 1 on fees | all | exempt | – to 2025-06-30',
      '15 | 1 on fees | all | exempt | 2025-07-01',
      '6.875 | 2 | all | not-known | –',
    ],
    ages: '– –',
  },
  MO: {
    limits: [
      'adult-use | All forms together | 84 g | sale | 2022-12-08',
      'medical | All forms together | 168 g | 30 days | –',
    ],
    equivalences: ['concentrated 1 g = 3.5 g', 'edibles 100 mg = 3.5 g'],
    taxes: ['6 | 1 | adult-use | other-tax | –', '4 | 1 | medical | owe | –', '4.225 | 2 | all | owe | –'],
    ages: '– –',
  },
  MT: {
    limits: [
      'adult-use | All forms together | 1 oz | sale | 2022-01-01',
      'medical | All forms together, per day | 1 oz | day | 2022-01-01',
      'medical | All forms together, per month | 5 oz | month | 2022-01-01',
    ],
    equivalences: ['concentrated 8 g = 1 oz', 'edibles 800 mg = 1 oz'],
    taxes: ['20 | 1 | adult-use | other-tax | 2022-01-01', '4 | 1 | medical | owe | 2022-01-01'],
    ages: '21 –',
  },
  NV: {
    limits: ['adult-use | All forms together | 2.5 oz | sale | 2024-01-01'],
    equivalences: [
      'concentrated 0.25 oz = 2.5 oz',
      'edibles 7087 mg THC = 2.5 oz',
      'low-dose-drinks 7087 mg THC = 2.5 oz',
    ],
    taxes: ['10 | 1 | all | exempt | 2020-07-01', '6.85 | 2 | all | owe | –'],
    ages: '21 18',
  },
  NJ: {
    limits: ['adult-use | All forms together | 28.35 g | sale | 2022-04-21'],
    equivalences: ['concentrated 4 g = 28.35 g', 'edibles 1000 mg = 28.35 g'],
    taxes: ['6.625 | 2 | all | exempt | –'],
    ages: '21 –',
  },
  NM: {
    limits: [
      'adult-use | Flower | 2 oz | sale | 2022-04-01',
      'adult-use | Concentrate | 16 g | sale | 2022-04-01',
      'adult-use | Edibles | 800 mg | sale | 2022-04-01',
      'medical | Flower and edibles together | 425 g | 90 days | –',
      'adult-use | Immature plants | 6 | sale | 2022-04-01',
    ],
    equivalences: ['edibles 200 mg = 1 g'],
    taxes: [
      '12 | 1 | all | exempt | – to 2025-06-30',
      '13 | 1 | all | exempt | 2025-07-01 to 2026-06-30',
      '14 | 1 | all | exempt | 2026-07-01 to 2027-06-30',
      '15 | 1 | all | exempt | 2027-07-01 to 2028-06-30',
      '16 | 1 | all | exempt | 2028-07-01 to 2029-06-30',
      '17 | 1 | all | exempt | 2029-07-01 to 2030-06-30',
      '18 | 1 | all | exempt | 2030-07-01',
    ],
    ages: '21 18',
  },
  NY: {
    limits: [
      'adult-use | Flower | 3 oz | sale | 2021-03-31',
      'adult-use | Concentrate | 24 g | sale | 2021-03-31',
    ],
    equivalences: [],
    taxes: ['9 | 1 | all | exempt | –', '4 | 1 | all | exempt | –'],
    ages: '21 –',
  },
  OH: {
    limits: [
      'adult-use | Flower | 2.5 oz | day | 2025-06-04',
      'adult-use | THC of other forms | 15000 mg | day | 2025-06-04',
    ],
    equivalences: [
      'concentrated 1 mg THC = 1 mg',
      'edibles 1 mg THC = 1 mg',
      'inhalables 1 mg THC = 1 mg',
      'low-dose-drinks 1 mg THC = 1 mg',
    ],
    taxes: [
      '10 | 1 | all | exempt | 2023-12-07 to 2026-03-19',
      '10 | 1 | all | exempt | 2026-03-20',
      '5.75 | 2 | all | owe | 2023-12-07',
    ],
    ages: '– –',
  },
  OR: {
    limits: [
      'adult-use | Flower | 2 oz | day | 2022-01-01',
      'adult-use | Concentrate | 10 g | day | 2022-01-01',
      'adult-use | Immature plants | 4 | day | 2022-01-01',
      'adult-use | Infused solids | 16 oz | day | 2022-01-01',
      'adult-use | Infused fluids | 72 fl oz | day | 2022-01-01',
      'adult-use | Inhalable products | 10 g | day | 2022-01-01',
      'adult-use | Seeds | 10 | day | 2022-01-01',
    ],
    equivalences: [],
    taxes: ['17 | 1 rounded up | all | exempt | –'],
    ages: '21 18',
  },
  RI: {
    limits: ['adult-use | Flower | 1 oz | sale | 2022-12-01'],
    equivalences: [],
    taxes: [
      '10 | 1 | all | exempt | 2022-12-01',
      '3 | 1 | all | exempt | 2022-12-01',
      '7 | 2 | all | owe | 2022-12-01',
    ],
    ages: '– –',
  },
  VT: {
    limits: [
      'adult-use | All forms together | 1 oz | sale | 2022-10-01 to 2026-06-30',
      'adult-use | All forms together | 2 oz | sale | 2026-07-01',
    ],
    equivalences: ['concentrated 14 g = 1 oz', 'edibles 8400 mg = 1 oz', 'inhalables 8 g = 1 oz'],
    taxes: ['14 | 1 | all | exempt | –', '6 | 2 | all | not-known | –'],
    ages: '21 –',
  },
  VA: {
    limits: ['adult-use | Flower | 2 oz | sale | 2027-07-01'],
    equivalences: [],
    taxes: ['6 | 1 | all | not-known | 2027-07-01 to 2029-06-30', '8 | 1 | all | not-known | 2029-07-01'],
    ages: '– –',
  },
  WA: {
    limits: [
      'adult-use | Flower | 1 oz | sale | 2025-01-07',
      'adult-use | Concentrate | 7 g | sale | 2025-01-07',
      'adult-use | Infused solids | 16 oz | sale | 2025-01-07',
      'adult-use | Infused fluids | 72 fl oz | sale | 2025-01-07',
      'adult-use | Low-dose drinks | 200 mg | sale | 2025-01-07',
      'adult-use | Other infused units | 10 | sale | 2025-01-07',
      'medical | Flower | 3 oz | sale | –',
      'medical | Concentrate | 21 g | sale | –',
      'medical | Infused solids | 48 oz | sale | –',
      'medical | Infused fluids | 216 fl oz | sale | –',
    ],
    equivalences: [],
    taxes: ['37 | 1 in prices | all | owe | –', '6.5 | 2 | all | owe | –'],
    ages: '– –',
  },
};
