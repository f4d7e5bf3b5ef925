import { describe, expect, test } from 'vitest';
import { shippedLaw } from '../../engines/jurisdictions/law-book.ts';
import { assertOldEnough } from '../../engines/jurisdictions/minimum-age.ts';
import { audienceOf, legalEligibility, limitsFor } from './customer-rules.ts';

const noon = (day: string) => Date.parse(`${day}T20:00:00Z`);
const shopIn = (state: string, medicalTaxExempt = false) => ({
  state,
  tz: 'America/Los_Angeles',
  medical_tax_exempt: medicalTaxExempt,
});
const noDates = { birthday: null, medicalExpiration: null };

describe('the age of a customer', () => {
  const refusal = (state: string, birthday: string, day: string, medicalExpiration: string | null = null) => {
    try {
      assertOldEnough(
        legalEligibility(shippedLaw, shopIn(state), { birthday, medicalExpiration }, noon(day)),
      );
      return null;
    } catch (error) {
      return (error as { meta: unknown }).meta;
    }
  };

  test("is reached on the birthday itself, in the organization's time zone", () => {
    expect(refusal('CA', '2005-06-02', '2026-06-01')).toEqual({ minimumAge: 21 });
    expect(refusal('CA', '2005-06-01', '2026-06-01')).toBeNull();
    const facts = { birthday: '2005-06-01', medicalExpiration: null };
    const at = (instant: string) => () =>
      assertOldEnough(legalEligibility(shippedLaw, shopIn('CA'), facts, Date.parse(instant)));
    expect(at('2026-06-01T06:59:59.999Z')).toThrow(/at least 21 years old/);
    expect(at('2026-06-01T07:00:00.000Z')).not.toThrow();
  });

  test('for a birthday on 29 February is reached on that day, or on 1 March of a common year', () => {
    expect(refusal('CA', '2004-02-29', '2025-02-28')).toEqual({ minimumAge: 21 });
    expect(refusal('CA', '2004-02-29', '2025-03-01')).toBeNull();
    // Medical: 18 years after a leap year is a common year, 20 years after is a leap year.
    expect(refusal('CA', '2004-02-29', '2022-02-28', '2030-01-01')).toEqual({ minimumAge: 18 });
    expect(refusal('CA', '2004-02-29', '2024-02-29', '2030-01-01')).toBeNull();
  });

  test('follows the law, which is 18 for patients, and defaults when the state has no data', () => {
    for (const state of ['CA', 'MI', 'OK']) {
      expect(refusal(state, '2006-06-01', '2026-06-01')).toEqual({ minimumAge: 21 });
      expect(refusal(state, '2006-06-01', '2026-06-01', '2026-06-01')).toBeNull();
      expect(refusal(state, '2008-06-02', '2026-06-01', '2026-06-01')).toEqual({ minimumAge: 18 });
    }
    // Alaska has no medical sales: a card lowers no age.
    expect(refusal('AK', '2005-06-02', '2026-06-01', '2026-06-01')).toEqual({ minimumAge: 21 });
  });

  test('is not checked while it is unknown', () => {
    expect(() =>
      assertOldEnough(legalEligibility(shippedLaw, shopIn('CA'), noDates, noon('2026-06-01'))),
    ).not.toThrow();
  });
});

describe('a customer', () => {
  const medicalUntil = (medicalExpiration: string, shop = shopIn('CA')) =>
    legalEligibility(shippedLaw, shop, { birthday: null, medicalExpiration }, noon('2026-06-01'));

  test('is medical through the last day of the recommendation', () => {
    expect(medicalUntil('2026-06-01').isMedical).toBe(true);
    expect(medicalUntil('2026-05-31').isMedical).toBe(false);
    expect(legalEligibility(shippedLaw, shopIn('CA', true), noDates, noon('2026-06-01'))).toMatchObject({
      isMedical: false,
      taxExempt: false,
    });
  });

  test('is exempt when the organization says so, or when a state tax exempts every patient', () => {
    const isExempt = (state: string, organizationExempts: boolean) =>
      medicalUntil('2026-06-01', shopIn(state, organizationExempts)).taxExempt;
    expect(isExempt('CA', false)).toBe(false);
    expect(isExempt('CA', true)).toBe(true);
    expect(isExempt('MI', false)).toBe(true);
    expect(isExempt('OK', false)).toBe(false);
    expect(medicalUntil('2026-05-31', shopIn('MI', true)).taxExempt).toBe(false);
  });

  test('has the limits of exactly one audience', () => {
    const limits = (state: string, birthday: string | null, medicalExpiration: string | null) => {
      const at = noon('2026-06-01');
      const standing = legalEligibility(shippedLaw, shopIn(state), { birthday, medicalExpiration }, at);
      return limitsFor(standing, audienceOf(standing), [], { orderType: 'pickup', postalCode: null }).map(
        ({ limit }) => `${limit.amount} ${limit.unit}`,
      );
    };
    expect(limits('CA', null, null)).toEqual(['28.5 g', '8 g', '6 count']);
    expect(limits('CA', null, '2026-06-01')).toEqual(['8 oz', '12 count']);
    // Colorado has narrower limits for patients below 21, so their age must be known.
    const patient = limits('CO', null, '2026-06-01');
    expect(limits('CO', '2005-06-01', '2026-06-01')).toEqual(patient);
    expect(limits('CO', '2005-06-02', '2026-06-01')).not.toEqual(patient);
    expect(limits('OK', null, null)).toEqual([]);
  });
});
