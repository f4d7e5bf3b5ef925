import { describe, expect, test } from 'vitest';
import { localInstantMs } from '../../kernel/local-time.ts';
import { type Duties, type DutyName, dutyNames } from '../jurisdictions/duty.ts';
import type { Jurisdiction } from '../jurisdictions/jurisdiction.ts';
import { jurisdictions, rulesInForce } from '../jurisdictions/jurisdictions.ts';
import { shippedLaw } from '../jurisdictions/law-book.ts';
import { noTargets } from '../pricing/sample-cart.test-support.ts';
import { barredDiscount, barredLoyalty, barredReturn, type JudgedDiscount } from './barred-promotions.ts';
import { answerDuties, type DutyFacts, type DutyLine, refusedDuties } from './judge-duties.ts';
import { strictShop } from './shop-duties.ts';

const day = '2026-11-27';
const stateOf = (state: string) => shippedLaw.find(state)!;

const goods = (cannabisType: DutyLine['cannabisType'], content: string | null, unitPriceCents = 1000) => ({
  ...{ name: 'Jar', cannabisType, content, quantity: 1, unitPriceCents },
});
const flower = goods('non-concentrated', '3.5');
const lighter = goods('none', null);

type Case = Partial<Omit<DutyFacts, 'jurisdiction'>> & { readonly at?: string; readonly on?: string };

/** A sale of flower to a named adult over the counter at noon, with changes. */
function factsOf(jurisdiction: Jurisdiction | null, { at = '12:00', on = day, ...changes }: Case): DutyFacts {
  const tz = changes.tz ?? 'America/Los_Angeles';
  const minute = Number(at.slice(0, 2)) * 60 + Number(at.slice(3));
  return {
    ...{ jurisdiction, nowMs: localInstantMs(on, minute, tz), tz, shop: strictShop, channel: 'in-store' },
    ...{ isHandOver: true, buyer: { isNamed: true, isMedical: false }, lines: [flower], limits: [] },
    ...changes,
  };
}

const codes = (state: string, changes: Case = {}) =>
  refusedDuties(factsOf(stateOf(state), changes)).map(({ code }) => code);

const delivered = { channel: 'delivery' } as const;
const patient = { buyer: { isNamed: true, isMedical: true } };
const adult = { kind: 'order', customerType: null } as const;
const forPatients = { kind: 'order', customerType: 'medical' } as const;
const reason = 'The city issued a permit.';

/** Each duty that a state enforces: what it allows, and what it refuses, with its code. */
const enforced: readonly (readonly [
  state: string,
  duty: DutyName,
  allowed: Case,
  refused: Case,
  code: string,
])[] = [
  ['AK', 'saleHours', { at: '08:00' }, { at: '07:59' }, 'OUTSIDE_SALE_HOURS'],
  ['AK', 'saleHours', { at: '04:59' }, { at: '05:00' }, 'OUTSIDE_SALE_HOURS'],
  ['AK', 'delivery', {}, delivered, 'DELIVERY_NOT_ALLOWED'],
  ['AK', 'idCheck', { isIdChecked: true }, { isIdChecked: false }, 'ID_CHECK_REQUIRED'],
  ['CA', 'saleHours', { at: '06:00' }, { at: '05:59' }, 'OUTSIDE_SALE_HOURS'],
  ['CA', 'saleHours', { at: '21:59' }, { at: '22:00' }, 'OUTSIDE_SALE_HOURS'],
  ['CA', 'delivery', { ...delivered, at: '21:59' }, { ...delivered, at: '22:00' }, 'OUTSIDE_SALE_HOURS'],
  [
    ...(['CA', 'delivery'] as const),
    { ...delivered, lines: [goods('edibles', '100', 1_000_000)] },
    { ...delivered, lines: [goods('edibles', '100', 1_000_001)] },
    'VEHICLE_VALUE_EXCEEDED',
  ],
  [
    ...(['CA', 'delivery'] as const),
    { ...delivered, carriedCents: 999_000 },
    { ...delivered, carriedCents: 999_001 },
    'VEHICLE_VALUE_EXCEEDED',
  ],
  ['DE', 'delivery', { ...delivered, ...patient }, delivered, 'DELIVERY_NOT_ALLOWED'],
  ['IL', 'saleHours', { at: '21:59' }, { at: '22:00' }, 'OUTSIDE_SALE_HOURS'],
  ['IL', 'delivery', {}, delivered, 'DELIVERY_NOT_ALLOWED'],
  [
    ...(['IL', 'delivery'] as const),
    { ...delivered, shop: { saleHours: null, overrides: { delivery: reason } } },
    { ...delivered, shop: { saleHours: null, overrides: { saleHours: reason } } },
    'DELIVERY_NOT_ALLOWED',
  ],
  [
    ...(['MD', 'patientsOnlyProducts'] as const),
    { lines: [goods('concentrated', '1000')] },
    { lines: [goods('concentrated', '1000.1')] },
    'PATIENTS_ONLY_PRODUCT',
  ],
  [
    ...(['MD', 'patientsOnlyProducts'] as const),
    { lines: [goods('edibles', '101')], ...patient },
    { lines: [goods('edibles', '101')] },
    'PATIENTS_ONLY_PRODUCT',
  ],
  ['MT', 'delivery', { ...delivered, ...patient }, delivered, 'DELIVERY_NOT_ALLOWED'],
  ['NY', 'saleHours', { at: '08:00' }, { at: '07:59' }, 'OUTSIDE_SALE_HOURS'],
  ['NY', 'saleHours', { at: '23:59' }, { at: '00:00' }, 'OUTSIDE_SALE_HOURS'],
  [
    ...(['NY', 'saleHours'] as const),
    { at: '02:00', shop: { saleHours: null, overrides: { saleHours: reason } } },
    { at: '02:00' },
    'OUTSIDE_SALE_HOURS',
  ],
  ['OR', 'saleHours', { at: '07:00' }, { at: '06:59' }, 'OUTSIDE_SALE_HOURS'],
  [
    ...(['RI', 'patientsOnlyProducts'] as const),
    { lines: [goods('edibles', '100')] },
    { lines: [goods('edibles', null)] },
    'PATIENTS_ONLY_PRODUCT',
  ],
];

test.each(enforced)('%s %s: allows what the law allows, and refuses the rest', (...row) => {
  const [state, duty, allowed, refused, code] = row;
  expect(codes(state, allowed)).toEqual([]);
  expect(codes(state, refused)).toEqual([code]);
  const answers = answerDuties(factsOf(stateOf(state), refused));
  const answer = answers.find((it) => it.duty === duty)!;
  expect(answer.outcome).toBe('refused');
  expect(answer.refusal!.words).toContain(answer.citation);
});

/** Discounts and points: what an adult may not have. */
const barredInStates = ['DE', 'MA', 'IL', 'OR'];

test('every duty that the service enforces has a case above, or is one of promotions', () => {
  const cased = new Set(enforced.map(([state, duty]) => `${state} ${duty}`));
  const missing = jurisdictions.flatMap(({ state, duties = {} }) =>
    dutyNames
      .filter((name) => duties[name]?.some(({ kind }) => kind === 'enforced'))
      .filter((name) => !cased.has(`${state} ${name}`))
      .map((name) => `${state} ${name}`),
  );
  expect(missing).toEqual([
    ...['DE discounts', 'IL bundles', 'MA discounts', 'MA loyalty'],
    // Judged in kept-papers.test.ts.
    ...['MT scanRetention', 'NJ idCopies'],
  ]);
});

test('promotions are allowed in a state whose law bars none, and the law is named where it bars them', () => {
  const barred = (state: string, ...rest: [JudgedDiscount, boolean?]) =>
    barredDiscount(stateOf(state), day, ...rest)?.citation ?? null;
  for (const { state } of jurisdictions) {
    if (!barredInStates.includes(state)) expect([state, barred(state, adult)]).toEqual([state, null]);
  }
  expect(barred('MA', adult)).toMatch(/^935 CMR 500\.105/);
  expect(barred('MA', forPatients)).toBeNull();
  expect(barred('MA', adult, true)).toBeNull();
  expect(barred('DE', adult, false)).toMatch(/^Regulator's answers/);
  const kindOf = (state: string, kind: string) =>
    barredDiscount(stateOf(state), day, { kind, customerType: null });
  expect(kindOf('IL', 'bundle')!.words).toMatch(/^The law of Illinois bars several goods at one price/);
  expect(kindOf('IL', 'order')).toBeNull();
  expect(kindOf('OR', 'buy-x-get-y')!.citation).toBe('ORS 475C.674(6)(a)');
  expect(kindOf('OR', 'bundle')!.citation).toBe('ORS 475C.674(6)(a)');
  expect(kindOf('OR', 'order')).toBeNull();
  const withTrays = { ...adult, targets: { ...noTargets, productIds: [1] } };
  expect(barred('OR', withTrays)).toBe('ORS 475C.674(6)(a)');
  expect(barred('OR', { ...withTrays, kind: 'line' })).toBeNull();
  expect(barredLoyalty(stateOf('MA'), day, false)!.words).toMatch(/^The law of Massachusetts bars loyalty/);
  expect(barredLoyalty(stateOf('MA'), day, true)).toBeNull();
  expect(barredLoyalty(stateOf('WA'), day, false)).toBeNull();
  expect(barredReturn(stateOf('CA'), day)).toBeNull();
  expect(barredReturn(null, day)).toBeNull();
});

test('returns are refused where the law bars them', () => {
  const [known] = stateOf('CA').duties!.returns!;
  const returns = [
    { ...known!, kind: 'enforced' as const, value: { accepted: 'barred' as const, words: 'Never.' } },
  ];
  const strict = { ...stateOf('CA'), duties: { returns } };
  expect(barredReturn(strict, day)!.words).toBe(
    'The law of California bars returns of cannabis (4 CCR 15410)',
  );
});

describe('the clock', () => {
  const zones = [
    ...['America/New_York', 'US/Eastern', 'America/Detroit', 'America/Indiana/Knox', 'America/Chicago'],
    ...['US/Central', 'America/Denver', 'US/Mountain', 'America/Phoenix', 'America/Boise'],
    ...['America/Los_Angeles', 'America/Anchorage', 'America/Adak', 'Pacific/Honolulu'],
  ];

  test.each(zones)(
    'in %s a sale at 21:59 is allowed, and one at 22:00 is refused, summer and winter',
    (tz) => {
      for (const on of ['2026-01-15', '2026-07-15', '2026-03-08', '2026-11-01']) {
        expect(codes('CA', { tz, on, at: '21:59' })).toEqual([]);
        expect(codes('CA', { tz, on, at: '22:00' })).toEqual(['OUTSIDE_SALE_HOURS']);
        expect(codes('CA', { tz, on, at: '05:59' })).toEqual(['OUTSIDE_SALE_HOURS']);
        expect(codes('CA', { tz, on, at: '06:00' })).toEqual([]);
      }
    },
  );

  test('an hour that a clock change repeats is the same hour twice, and one that it skips is never asked', () => {
    const tz = 'America/Anchorage';
    const alaska = (nowMs: number) =>
      refusedDuties({ ...factsOf(stateOf('AK'), { tz }), nowMs }).map(({ code }) => code);
    // On 2026-11-01 the hour from 1:00 occurs twice, and the store may be open until 5:00.
    const first = localInstantMs('2026-11-01', 60, tz);
    for (let minute = 0; minute < 120; minute += 1) expect(alaska(first + minute * 60_000)).toEqual([]);
    // On 2026-03-08 2:00 is 3:00: 5:00 comes three real hours after 1:00.
    const one = localInstantMs('2026-03-08', 60, tz);
    expect(alaska(one + 3 * 3_600_000 - 60_000)).toEqual([]);
    expect(alaska(one + 3 * 3_600_000)).toEqual(['OUTSIDE_SALE_HOURS']);
  });

  test('an order for later is placed at night', () => {
    expect(codes('CA', { at: '03:00', channel: 'pickup', isHandOver: false })).toEqual([]);
  });

  test("the shop's own hours are narrower than the law's, never wider", () => {
    const shop = { saleHours: { from: '09:00', to: '23:00' }, overrides: {} };
    expect(codes('CA', { shop, at: '09:00' })).toEqual([]);
    const [own] = refusedDuties(factsOf(stateOf('CA'), { shop, at: '08:59' }));
    expect(own).toMatchObject({ code: 'OUTSIDE_SALE_HOURS', citation: null });
    const [legal] = refusedDuties(factsOf(stateOf('CA'), { shop, at: '22:30' }));
    expect(legal).toMatchObject({ code: 'OUTSIDE_SALE_HOURS', citation: '4 CCR 15403' });
    const stubborn = { ...shop, overrides: { saleHours: reason } };
    expect(codes('CA', { shop: stubborn, at: '22:30' })).toEqual(['OUTSIDE_SALE_HOURS']);
  });
});

describe('a buyer is named where a limit counts a day or longer', () => {
  const stranger = { buyer: { isNamed: false, isMedical: false } };
  const limitsOf = (state: string) => rulesInForce(stateOf(state), day, 'adult-use');

  test.each(jurisdictions.map(({ state }) => state))('%s', (state) => {
    const limits = limitsOf(state);
    const isDaily = limits.some(
      ({ window, counts }) => window.kind !== 'transaction' && counts['non-concentrated'] !== undefined,
    );
    expect(codes(state, { ...stranger, limits })).toEqual(isDaily ? ['BUYER_REQUIRED'] : []);
    expect(codes(state, { limits })).toEqual([]);
  });

  test('not for goods that no limit counts, nor where the owner answers for it', () => {
    const limits = limitsOf('CA');
    expect(codes('CA', { ...stranger, limits, lines: [lighter] })).toEqual([]);
    expect(codes('CA', { ...stranger, limits, lines: [goods('edibles', null)] })).toEqual([]);
    // Its THC is stated, and counts where its weight is not.
    const dab = { ...goods('concentrated', null), thcMg: '800' };
    expect(codes('OH', { ...stranger, limits: limitsOf('OH'), lines: [dab] })).toEqual(['BUYER_REQUIRED']);
    const shop = { saleHours: null, overrides: { buyer: 'A log of walk-ins is kept at the door.' } };
    expect(codes('CA', { ...stranger, limits, shop })).toEqual([]);
  });
});

test('goods without cannabis have no duties', () => {
  for (const { state } of jurisdictions) {
    const night = { lines: [lighter], at: '03:00', channel: 'delivery' as const };
    expect(codes(state, night)).toEqual([]);
  }
});

test('what was not found, what was not looked up and what is in force later are three different answers', () => {
  const [row] = stateOf('CA').duties!.saleHours!;
  const answersOf = (duties: Duties | undefined) =>
    answerDuties(
      factsOf({ ...stateOf('CA'), ...(duties === undefined ? { duties: {} } : { duties }) }, { at: '03:00' }),
    ).find(({ duty }) => duty === 'saleHours')!;
  expect(answersOf({ saleHours: null })).toMatchObject({ outcome: 'not-found', words: null, citation: null });
  expect(answersOf({})).toMatchObject({ outcome: 'not-looked-up' });
  expect(answersOf({ saleHours: [row!] })).toMatchObject({
    outcome: 'refused',
    words: 'from 06:00 to 22:00',
  });
  expect(answersOf({ saleHours: [{ ...row!, effectiveFrom: '2027-01-01' }] }).outcome).toBe('not-found');
  expect(answerDuties(factsOf(null, { at: '03:00' })).map(({ outcome }) => outcome)).toEqual(
    dutyNames.map(() => 'not-looked-up'),
  );
});

test('what is not enforced is told, recorded or done by hand, with the law', () => {
  const answers = answerDuties(factsOf(stateOf('IL'), {}));
  const outcomes = Object.fromEntries(answers.map(({ duty, outcome }) => [duty, outcome]));
  expect(outcomes).toMatchObject({
    ...{ saleHours: 'allowed', residence: 'recorded', receipts: 'shown', reporting: 'by-hand' },
    ...{ discounts: 'not-looked-up', bundles: 'allowed' },
  });
  expect(answers.find(({ duty }) => duty === 'residence')!.citation).toMatch(/^410 ILCS 705\/10-10/);
});
