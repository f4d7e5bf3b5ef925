import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decimalTextOfNumber } from '../../kernel/decimal.ts';
import { Failure } from '../../kernel/failure.ts';
import { noPotency } from './option-potency.ts';
import {
  checkPotency,
  missingOfNewOptions,
  missingPotencyUnits,
  type OptionContent,
  type Potency,
  readOptions,
} from './product-content.ts';

function refusal(run: () => unknown): [string, string] | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof Failure) return [error.code, error.message];
    throw error;
  }
}

test('a number becomes exactly the decimal it was written as, or null with too many decimals', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 999_999_999 }),
      fc.integer({ min: 0, max: 6 }),
      (digits, places) => {
        const padded = String(digits).padStart(places + 1, '0');
        const whole = padded.slice(0, padded.length - places);
        const fraction = padded.slice(padded.length - places).replace(/0+$/, '');
        const text = fraction === '' ? whole : `${whole}.${fraction}`;
        expect(decimalTextOfNumber(JSON.parse(text), 6)).toBe(text);
      },
    ),
  );
  for (const value of [0.1234567, 1e-7, 5e-324, 1e21, Number.NaN, 0.1 + 0.2]) {
    expect([value, decimalTextOfNumber(value, 6)]).toEqual([value, null]);
  }
  expect(decimalTextOfNumber(0.000001, 6)).toBe('0.000001');
});

describe('potency', () => {
  const none: Potency = {
    thcAmount: null,
    thcAmountEach: null,
    thcAmountRangeLow: null,
    thcAmountRangeHigh: null,
    thcUnit: null,
    cbdAmount: null,
    cbdAmountEach: null,
    cbdAmountRangeLow: null,
    cbdAmountRangeHigh: null,
    cbdUnit: null,
  };
  const amounts = ['Amount', 'AmountEach', 'AmountRangeLow', 'AmountRangeHigh'] as const;

  test('needs its unit for any amount: an absent unit is missing, a cleared one contradicts', () => {
    for (const substance of ['thc', 'cbd'] as const) {
      const unit = `${substance}Unit` as const;
      for (const amount of amounts) {
        const potency = { ...none, [`${substance}${amount}`]: '1' };
        expect(refusal(() => checkPotency(potency, {}))).toEqual([
          'MISSING_PARAMS',
          `Required but absent: ${unit}.`,
        ]);
        expect(refusal(() => checkPotency(potency, { [unit]: null }))?.[0]).toBe('INVALID_PARAMS');
        expect(refusal(() => checkPotency({ ...potency, [unit]: '%' }, {}))).toBeNull();
        expect(missingPotencyUnits({ [`${substance}${amount}`]: '1' })).toEqual([unit]);
        expect(missingPotencyUnits({ [`${substance}${amount}`]: null })).toEqual([]);
      }
    }
    for (const body of [null, 7, 'x', [], {}]) expect(missingPotencyUnits(body)).toEqual([]);
  });

  test('is at most 100 in %, in each of its amounts; in mg it may be more', () => {
    for (const substance of ['thc', 'cbd'] as const) {
      const unit = `${substance}Unit` as const;
      for (const amount of amounts) {
        const name = `${substance}${amount}` as const;
        const checked = (value: string, of: '%' | 'mg') => {
          const sent = { [name]: value, [unit]: of };
          return refusal(() => checkPotency({ ...none, ...sent }, sent));
        };
        expect(checked('100.0001', '%')).toEqual([
          'INVALID_PARAMS',
          `${name} must be at most 100: ${unit} is %.`,
        ]);
        expect([checked('100', '%'), checked('1000', 'mg')]).toEqual([null, null]);
      }
    }
  });

  test('has a range whose end is not below its start, compared as numbers and not as texts', () => {
    const range = (low: string | null, high: string | null) =>
      refusal(() =>
        checkPotency({ ...none, cbdUnit: 'mg', cbdAmountRangeLow: low, cbdAmountRangeHigh: high }, {}),
      );
    expect(range('10', '9')).toEqual([
      'INVALID_PARAMS',
      'cbdAmountRangeLow must be at most cbdAmountRangeHigh.',
    ]);
    for (const [low, high] of [
      ['9', '10'],
      ['9.0', '9'],
      [null, '1'],
      ['1', null],
    ] as const) {
      expect(range(low, high)).toBeNull();
    }
  });
});

describe('options', () => {
  const current: OptionContent = {
    name: 'Eighth',
    amount: '3.5',
    priceCents: 3500,
    salesPriceCents: 3000,
    content: '3.5',
    upc: '850012345678',
    ...noPotency,
  };
  const read = (option: object, cannabisType: 'edibles' | 'none' = 'edibles') =>
    readOptions([option as never], () => current, cannabisType)[0];

  test('that exist keep absent fields, and lose null ones', () => {
    expect(read({ id: 7 })).toEqual(current);
    expect(read({ id: 7, salesPrice: null, name: null, upc: ' ' })).toEqual({
      ...current,
      salesPriceCents: null,
      name: null,
      upc: null,
    });
    expect(read({ id: 7, amount: 0.3, price: 4000 })).toEqual({
      ...current,
      amount: '0.3',
      priceCents: 4000,
    });
    expect(read({ id: 7, content: null }, 'none')).toEqual({ ...current, content: null });
  });

  test('are refused for contradictions, also with stored values', () => {
    expect(refusal(() => read({ id: 7, price: 2999 }))).toEqual([
      'INVALID_PARAMS',
      'options[0].salesPrice must be at most options[0].price.',
    ]);
    expect(refusal(() => read({ id: 7, content: null }))?.[0]).toBe('INVALID_PARAMS');
    expect(refusal(() => read({ amount: 1, price: 1 }, 'none'))).toBeNull();
    expect(refusal(() => read({ amount: 1.0000001, price: 1, content: '1' }))?.[1]).toMatch(
      /^options\[0\]\.amount must be a number with at most 6 decimals/,
    );
  });

  test('that are new list all missing fields at once', () => {
    expect(
      missingOfNewOptions({ options: [{ amount: 1 }, { id: 4 }, {}, 'x', null, { price: 1, amount: 1 }] }),
    ).toEqual(['options[0].price', 'options[2].amount', 'options[2].price']);
    for (const body of [null, 'x', {}, { options: 7 }, { options: Array(101).fill({}) }]) {
      expect(missingOfNewOptions(body)).toEqual([]);
    }
    const none = () => null;
    const option = { amount: 1, price: 1 };
    expect(
      refusal(() => readOptions([option, { ...option, content: '1' }, option], none, 'edibles')),
    ).toEqual([
      'MISSING_PARAMS',
      "Required but absent, as the category's cannabisType is edibles: options[0].content, options[2].content.",
    ]);
    expect(readOptions([option], none, 'none')[0]?.content).toBeNull();
  });
});
