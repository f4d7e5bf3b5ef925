import { describe, expect, test } from 'vitest';
import type { LimitWindow, Quantity } from './jurisdiction.ts';
import { isInForce, jurisdictions, type ShippedState } from './jurisdictions.ts';
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

describe.each(jurisdictions.map((it) => [it.name, it] as const))('%s, read twice:', (_name, it) => {
  test('the same limits', () => {
    const limits = it.purchaseLimits
      .filter((rule) => isInForce(rule, readOn))
      .map((rule) => `${rule.audience} | ${rule.name} | ${amountOf(rule.limit)} | ${windowOf(rule.window)}`);
    expect(limits).toEqual(secondReadings[it.state as ShippedState].limits);
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
