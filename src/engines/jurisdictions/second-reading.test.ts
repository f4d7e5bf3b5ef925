import { describe, expect, test } from 'vitest';
import type { LimitWindow, PresetTax, Quantity, Sourced } from './jurisdiction.ts';
import { equivalencesOf, isInForce, jurisdictions, type ShippedState } from './jurisdictions.ts';
import { secondReadings } from './second-readings.test-support.ts';

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

/** "10 to 35 %, 25 above" by potency, "0.625 c/mg THC" by content. */
function rateOf({ rate, basis }: PresetTax): string {
  if (basis === undefined) return rate;
  if (basis.kind !== 'potency') return `${basis.cents} c/${basis.kind === 'grams' ? 'g' : 'mg THC'}`;
  return basis.brackets
    .map(({ aboveThcPercent: above, upToThcPercent: upTo, rate: share }) =>
      upTo === null ? `${share} above ${above} %` : `${share} to ${upTo} %`,
    )
    .join(', ');
}

const daysOf = ({ effectiveFrom, effectiveTo }: Sourced) =>
  `${effectiveFrom ?? '–'}${effectiveTo === null ? '' : ` to ${effectiveTo}`}`;

describe.each(jurisdictions.map((it) => [it.name, it] as const))('%s, read twice:', (_name, it) => {
  test('the same limits', () => {
    const limits = it.purchaseLimits.map(
      (rule) =>
        `${rule.audience} | ${rule.name} | ${amountOf(rule.limit)} | ${windowOf(rule.window)} | ${daysOf(rule)}`,
    );
    expect(limits).toEqual(secondReadings[it.state as ShippedState].limits);
  });

  test('the same equivalences', () => {
    const equivalences = it.purchaseLimits
      .flatMap(equivalencesOf)
      .map(
        ({ cannabisType, amount, uses, of }) =>
          `${cannabisType} ${amountOf(amount)}${of === 'thc' ? ' THC' : ''} = ${amountOf(uses)}`,
      );
    expect([...new Set(equivalences)]).toEqual(secondReadings[it.state as ShippedState].equivalences);
  });

  test('the same taxes', () => {
    const taxes = it.taxes.map((tax) => {
      const special = [
        tax.encompass && 'on lower tiers',
        tax.appliesToFees && 'on fees',
        tax.included && 'in prices',
        tax.rounding === 'up' && 'rounded up',
      ].filter((trait) => trait !== false);
      const tier = [tax.tier, special.join(', ')].filter((text) => text !== '').join(' ');
      return `${rateOf(tax)} | ${tier} | ${tax.customerType} | ${tax.patients.rule} | ${daysOf(tax)}`;
    });
    expect(taxes).toEqual(secondReadings[it.state as ShippedState].taxes);
  });

  test('the same ages', () => {
    const yearsOf = (audience: string) =>
      it.minimumAges.find((age) => age.audience === audience && isInForce(age, readOn))?.years ?? '–';
    expect(`${yearsOf('adult-use')} ${yearsOf('medical')}`).toBe(
      secondReadings[it.state as ShippedState].ages,
    );
  });
});
