import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Jurisdiction, LocalDate } from './jurisdiction.ts';
import {
  confidenceOn,
  exemptsPatients,
  factsOf,
  isInForce,
  isStale,
  jurisdictions,
  minimumAgeInForce,
  oldestReading,
  registeredStates,
  rulesInForce,
  taxPresetInForce,
} from './jurisdictions.ts';
import { shippedLaw } from './law-book.ts';

const stateOf = (state: string): Jurisdiction => shippedLaw.find(state)!;
const ratesOn = (state: string, localDate: LocalDate) =>
  taxPresetInForce(stateOf(state), localDate).map((tax) => tax.rate);

test('a state is found by its two capitals, and an unknown one is null', () => {
  expect(new Set(jurisdictions.map(({ state }) => state)).size).toBe(jurisdictions.length);
  expect(shippedLaw.find('CA')?.name).toBe('California');
  expect(shippedLaw.find('TX')).toBeNull();
  expect(shippedLaw.find('ca')).toBeNull();
});

test('every file of a state is registered under its own letters, and the list is sorted by name', () => {
  const files = readdirSync(import.meta.dirname).flatMap((name) => /^us-(..)\.ts$/.exec(name)?.[1] ?? []);
  expect(jurisdictions.map(({ state }) => state.toLowerCase()).sort()).toEqual(files.sort());
  expect(registeredStates).toEqual(jurisdictions.map(({ state }) => state));
  const names = jurisdictions.map(({ name }) => name);
  expect(names).toEqual(names.toSorted());
});

test('a fact is less certain a year after it was read, and while a change is pending', () => {
  const fact = factsOf(stateOf('CA')).find(({ confidence }) => confidence === 'high')!;
  expect(confidenceOn(fact, '2026-11-23')).toBe('high');
  expect(confidenceOn(fact, '2027-11-24')).toBe('medium');
  expect(confidenceOn({ ...fact, pending: 'A bill.' }, '2026-11-23')).toBe('medium');
});

test('a state exempts patients while one of its taxes exempts every holder of a card', () => {
  const exempting = (localDate: LocalDate) =>
    jurisdictions.filter((it) => exemptsPatients(it, localDate)).map(({ state }) => state);
  expect(exempting('2026-11-20')).toEqual(
    expect.arrayContaining([
      'AZ',
      'CO',
      'CT',
      'IL',
      'MA',
      'MD',
      'MI',
      'MN',
      'NJ',
      'NM',
      'NV',
      'NY',
      'OH',
      'OR',
      'RI',
      'VT',
    ]),
  );
  expect(exempting('2026-11-20')).not.toContain('CA');
  expect(exempting('2015-01-01')).not.toContain('MI');
});

test('a tax encompasses others only in the two states with such a law', () => {
  const encompassing = jurisdictions.filter(({ taxes }) => taxes.some((tax) => tax.encompass));
  expect(encompassing.map(({ state }) => state)).toEqual(['CA', 'MI']);
});

test('one state rounds its tax up, and one taxes prices before discounts', () => {
  const roundingUp = jurisdictions.filter(({ taxes }) => taxes.some((tax) => tax.rounding === 'up'));
  expect(roundingUp.map(({ state }) => state)).toEqual(['OR']);
  expect(jurisdictions.filter((it) => it.taxedBeforeDiscounts).map(({ state }) => state)).toEqual(['MT']);
});

test('free cannabis is barred where a source confirms it', () => {
  expect(jurisdictions.filter((it) => it.freeProductsBarred).map(({ state }) => state)).toEqual([
    'AK',
    'CA',
    'ME',
    'OR',
    'WA',
  ]);
});

test('one state bars discounts that depend on the sale of another item', () => {
  expect(jurisdictions.filter((it) => it.tiedDiscountsBarred).map(({ state }) => state)).toEqual(['OR']);
});

test('a fact is in force from its first to its last day', () => {
  const datum = { ...stateOf('CA').taxes[1]!, effectiveFrom: '2025-07-01', effectiveTo: '2025-09-30' };
  const days = ['2025-06-30', '2025-07-01', '2025-09-30', '2025-10-01'];
  expect(days.map((day) => isInForce(datum, day))).toEqual([false, true, true, false]);
});

test('rates change on the day of the law', () => {
  const changes: [state: string, lastDay: LocalDate, old: string[], firstDay: LocalDate, now: string[]][] = [
    ['CA', '2025-06-30', ['15'], '2025-07-01', ['19']],
    ['CA', '2025-09-30', ['19'], '2025-10-01', ['15']],
    ['CA', '2028-06-30', ['15'], '2028-07-01', []],
    ['CT', '2026-09-30', ['0', '0', '0', '3', '6.35'], '2026-10-01', ['10.75', '3', '6.35']],
    ['MD', '2025-06-30', ['9', '6'], '2025-07-01', ['12', '6']],
    ['MD', '2027-06-30', ['12', '6'], '2027-07-01', ['12', '6']],
    ['ME', '2025-12-31', ['10', '5.5', '8'], '2026-01-01', ['14', '5.5', '8']],
    ['MN', '2025-06-30', ['10', '6.875'], '2025-07-01', ['15', '6.875']],
    ['NM', '2025-06-30', ['12'], '2025-07-01', ['13']],
    ['NM', '2026-06-30', ['13'], '2026-07-01', ['14']],
    ['NM', '2027-06-30', ['14'], '2027-07-01', ['15']],
    ['NM', '2030-06-30', ['17'], '2030-07-01', ['18']],
  ];
  for (const [state, lastDay, old, firstDay, now] of changes) {
    expect([ratesOn(state, lastDay), ratesOn(state, firstDay)], `${state} ${firstDay}`).toEqual([old, now]);
  }
});

test('an audience without its own limits has those of the wider audience', () => {
  const limitsOf = (state: string, audience: Parameters<typeof rulesInForce>[2]) =>
    rulesInForce(stateOf(state), '2026-11-20', audience).map((rule) => rule.limit.amount);
  expect(limitsOf('IL', 'adult-use-non-resident')).toEqual(['30', '5', '500']);
  expect(limitsOf('CA', 'adult-use-non-resident')).toEqual(limitsOf('CA', 'adult-use'));
  expect(limitsOf('CO', 'medical-under-21')).toEqual(['2', '2']);
  expect(limitsOf('CA', 'medical-under-21')).toEqual(['8', '12']);
});

test('an unconfirmed minimum age is null', () => {
  const agesOf = (state: string) =>
    (['adult-use', 'medical'] as const).map((audience) =>
      minimumAgeInForce(stateOf(state), '2026-11-20', audience),
    );
  expect(agesOf('CA')).toEqual([21, 18]);
  expect(agesOf('MI')).toEqual([21, null]);
  expect(agesOf('WA')).toEqual([null, null]);
});

test('a state with one kind of sale has one age and one set of limits', () => {
  const alaska = stateOf('AK');
  const [adult, medical] = (['adult-use', 'medical'] as const).map((audience) => ({
    age: minimumAgeInForce(alaska, '2026-11-20', audience),
    rules: rulesInForce(alaska, '2026-11-20', audience).map(({ audience: _, ...rule }) => rule),
  }));
  expect(adult).toEqual(medical);
  expect([adult!.age, adult!.rules.length]).toEqual([21, 3]);
});

test('a fact is stale twelve months after it was read, and a state has the day of its oldest', () => {
  const [old, young] = ['2026-11-20', '2026-11-23'].map(
    (readOn) => factsOf(stateOf('CA')).find((fact) => fact.readOn === readOn)!,
  );
  expect([isStale(old!, '2027-11-20'), isStale(old!, '2027-11-21')]).toEqual([false, true]);
  expect([isStale(young!, '2027-11-23'), isStale(young!, '2027-11-24')]).toEqual([false, true]);
  expect(oldestReading(stateOf('CA'))).toBe('2026-11-20');
  expect(oldestReading(stateOf('VA'))).toBe('2026-11-27');
});
