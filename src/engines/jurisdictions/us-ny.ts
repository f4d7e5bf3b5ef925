import { note, notFound, notLookedUp } from './gap.ts';
import type { Jurisdiction } from './jurisdiction.ts';
import { cannabisTax } from './preset-tax-defaults.ts';
import {
  checkedOn,
  compiledOn,
  duty,
  lawSays,
  othersSay,
  primary,
  reportedTo,
  secondary,
} from './reading.ts';

const cap = {
  audience: 'adult-use',
  window: { kind: 'transaction' },
  citation: 'Penal Law 222.05; 9 NYCRR 123.10',
  effectiveFrom: '2021-03-31',
  effectiveTo: null,
  confidence: 'medium',
  ...secondary('https://www.nysenate.gov/legislation/laws/PEN/222.05', {
    readOn: checkedOn,
    textOf: '2021-03-31',
  }),
} as const;

const tax = {
  ...cannabisTax,
  ...primary('https://www.nysenate.gov/legislation/laws/TAX/493', { readOn: checkedOn }),
  patients: {
    rule: 'exempt',
    text: 'Section 493 taxes adult-use products alone. The medical excise, since 2024-06-01 of 3.15 %, is owed by the seller and may not be itemised (section 490).',
  },
  citation: 'Tax Law 493',
  effectiveFrom: null,
  effectiveTo: null,
  confidence: 'high',
  source: 'Text of the statute. Adult-use cannabis bears no general sales tax.',
} as const;

export const newYork: Jurisdiction = {
  state: 'NY',
  name: 'New York',
  minimumAges: [
    {
      audience: 'adult-use',
      years: 21,
      citation: '9 NYCRR 123.10',
      effectiveFrom: null,
      effectiveTo: null,
      confidence: 'medium',
      source: 'Guidance of 2022.',
      ...secondary(
        'https://princelobel.com/new-york-state-office-of-cannabis-management-issues-guidance-for-adult-use-retail-dispensaries/',
        { textOf: '2022' },
      ),
    },
  ],
  purchaseLimits: [
    {
      ...cap,
      name: 'Flower',
      cannabisType: 'non-concentrated',
      limit: { amount: '3', unit: 'oz' },
      counts: { 'non-concentrated': 'one-to-one' },
      source: 'Sources that agree: what may be possessed, per transaction by the regulation.',
    },
    {
      ...cap,
      name: 'Concentrate',
      cannabisType: 'concentrated',
      limit: { amount: '24', unit: 'g' },
      counts: { concentrated: 'one-to-one', edibles: 'one-to-one' },
      source:
        'Sources that agree: what may be possessed, per transaction by the regulation. Edibles are concentrate: ' +
        'they count with what their content says.',
    },
  ],
  taxes: [
    { ...tax, description: 'New York cannabis tax', rate: '9' },
    { ...tax, description: 'New York local cannabis tax', rate: '4' },
  ],
  freeProductsBarred: null,
  taxedBeforeDiscounts: null,
  tiedDiscountsBarred: null,
  duties: {
    saleHours: duty(
      'enforced',
      { from: '08:00', to: '24:00' },
      othersSay({
        citation: '9 NYCRR 123.10',
        source:
          "A law firm's report on the regulator's guidance of 2022: closed from 0:00 to 8:00 unless the town allows more.",
        link: 'https://princelobel.com/new-york-state-office-of-cannabis-management-issues-guidance-for-adult-use-retail-dispensaries/',
        readOn: compiledOn,
        textOf: '2022',
      }),
      { ownerMayOverride: true },
    ),
    belowCost: duty(
      'by-hand',
      { words: 'Nothing is sold below its market value.' },
      othersSay({
        citation: 'Cannabis Law 86(2)(j)',
        source: "A law firm's report on the amended rules.",
        link: 'https://nyccounsel.com',
        textOf: '2025-12',
      }),
    ),
    advertisedPrices: duty(
      'shown',
      {
        words:
          'Discounts and loyalty programs are regulated advertising: read Part 129 before setting any up.',
      },
      othersSay({
        citation: '9 NYCRR 129, amended 2025-12-03',
        source: "A law firm's report on the amended rules.",
        link: 'https://nyccounsel.com',
        textOf: '2025-12',
        effectiveFrom: '2025-12-03',
      }),
    ),
    delivery: duty(
      'by-hand',
      {
        to: 'everyone',
        hours: null,
        vehicleValueCents: null,
        words: 'By employees of the shop or a licensed service.',
      },
      othersSay({
        citation: '9 NYCRR 123',
        source: "A law firm's report on the regulator's guidance of 2022.",
        link: 'https://princelobel.com/new-york-state-office-of-cannabis-management-issues-guidance-for-adult-use-retail-dispensaries/',
        readOn: compiledOn,
        textOf: '2022',
      }),
    ),
    reporting: reportedTo(
      'Metrc',
      null,
      'Stock of shops since 2026-01-12; the point of sale has to be one that is connected.',
      lawSays({
        citation: '9 NYCRR 125',
        source: "Regulator's page on tracking.",
        link: 'https://cannabis.ny.gov/seed-to-sale',
        effectiveFrom: '2026-01-12',
      }),
    ),
  },
  gaps: [
    notFound('Patients: minimum age and the amount of the 60-day supply.'),
    notLookedUp('Sales tax on goods without cannabis.'),
    note(
      'The 9 % on the way to the retailer is cost; of a microbusiness or registered organization it falls due at the sale, on 75 % of the price, and is not charged here.',
    ),
    notLookedUp('The text of 9 NYCRR 129 on discounts and loyalty programs, as amended on 2025-12-03.'),
  ],
};
