import type { ShippedState } from './jurisdictions.ts';

/**
 * The duties of each state, typed a second time from the findings and not from the state's file: `duty | kind | value | first day`, a dash
 * for a day that was not looked up; `duty | not found` where it was looked for. What is not listed was not looked up. A change of a state's
 * file is typed here by hand, too.
 */
export const secondDuties: Readonly<Record<ShippedState, readonly string[]>> = {
  AK: [
    'saleHours | enforced | 08:00-05:00 | –',
    'delivery | enforced | none | –',
    'idCheck | enforced | – | –',
    'reporting | by-hand | Metrc | –',
  ],
  AZ: [
    'saleHours | not found',
    'bundles | by-hand | mixed | –',
    'delivery | not found',
    'reporting | by-hand | none for adult use; the state verifies patients, monthly | –',
  ],
  CA: [
    'saleHours | enforced | 06:00-22:00 | –',
    'advertisedPrices | shown | – | –',
    'delivery | enforced | everyone 06:00-22:00 $10000 | –',
    'returns | by-hand | allowed | –',
    'labelsAndExit | by-hand | – | 2025-03-01',
    'receipts | shown | – | –',
    'reporting | by-hand | Metrc, 24 hours | –',
  ],
  CO: ['reporting | by-hand | Metrc, real time | –'],
  CT: [
    'saleHours | by-hand | local | –',
    'delivery | by-hand | everyone | –',
    'reporting | by-hand | the tracking system of the state and the prescription monitoring program | –',
  ],
  DE: [
    'saleHours | not found',
    'discounts | enforced | barred for adult-use | –',
    'delivery | enforced | patients | –',
  ],
  IL: [
    'saleHours | enforced | 06:00-22:00 | –',
    'residence | recorded | narrower-limits | –',
    'bundles | enforced | any | –',
    'delivery | enforced, or the owner answers | none | –',
    'returns | by-hand | allowed | –',
    'receipts | shown | – | –',
    'reporting | by-hand | Metrc | 2025-07-01',
  ],
  ME: ['delivery | by-hand | everyone | –', 'reporting | by-hand | Metrc | –'],
  MD: [
    'patientsOnlyProducts | enforced | concentrated 1 g, edibles 100 mg | –',
    'reporting | by-hand | Metrc | –',
  ],
  MA: [
    'saleHours | by-hand | local | –',
    'discounts | enforced | barred for adult-use | –',
    'loyalty | enforced | barred for adult-use | –',
    'advertisedPrices | shown | – | –',
    'delivery | by-hand | everyone | 2026-04-19',
    'idCopies | shown | with-consent | –',
    'reporting | by-hand | Metrc, real time | –',
  ],
  MI: [
    'saleHours | not found',
    'gifts | not found',
    'bundles | by-hand | mixed | –',
    'delivery | by-hand | everyone | –',
    'reporting | by-hand | Metrc, real time | –',
  ],
  MN: ['receipts | shown | – | –', 'reporting | by-hand | Metrc | –'],
  MO: ['saleHours | not found', 'reporting | by-hand | Metrc, real time | –'],
  MT: [
    'saleHours | not found',
    'delivery | enforced | patients | –',
    'scanRetention | enforced | 180 days | –',
    'reporting | by-hand | Metrc, real time | –',
  ],
  NV: [
    'saleHours | by-hand | local | –',
    'gifts | by-hand | only-with-purchase | –',
    'delivery | by-hand | everyone | –',
    'reporting | by-hand | Metrc | –',
  ],
  NJ: ['saleHours | not found', 'idCopies | enforced | barred | –', 'reporting | by-hand | Metrc | –'],
  NM: [
    'saleHours | not found',
    'delivery | by-hand | everyone | –',
    'reporting | by-hand | the tracking system of the state, 23:59 of the day | –',
  ],
  NY: [
    'saleHours | enforced, or the owner answers | 08:00-24:00 | –',
    'belowCost | by-hand | – | –',
    'advertisedPrices | shown | – | 2025-12-03',
    'delivery | by-hand | everyone | –',
    'reporting | by-hand | Metrc | 2026-01-12',
  ],
  OH: [
    'saleHours | not found',
    'discounts | not found',
    'reporting | by-hand | Metrc, and OARRS for patients, real time | –',
  ],
  OR: [
    'saleHours | enforced | 07:00-22:00 | –',
    'delivery | by-hand | everyone | –',
    'returns | by-hand | allowed | –',
    'reporting | by-hand | Metrc, 8:00 of the next day | –',
  ],
  RI: ['patientsOnlyProducts | enforced | edibles 100 mg | –', 'reporting | by-hand | Metrc | –'],
  VT: [
    'saleHours | not found',
    'delivery | not found',
    "reporting | by-hand | the board's own forms, every two weeks | –",
  ],
  VA: ['reporting | by-hand | Metrc | –'],
  WA: [
    'loyalty | shown | barred for none | –',
    'belowCost | by-hand | – | –',
    'reporting | by-hand | CCRS, Sunday, for the week before | –',
  ],
};
