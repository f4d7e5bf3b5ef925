import { describe, expect, test } from 'vitest';
import { noConditions, noTargets, sampleDiscount, sampleDiscounts } from '../sample-cart.test-support.ts';
import { type DiscountSituation, findRefusal, isApplicable } from './choose-discounts.ts';
import type { Discount } from './discount-kinds.ts';
import type { DiscountableLine, DiscountConditions, ScheduleWindow } from './discount-settings.ts';

const line: DiscountableLine = {
  productOptionId: 11,
  productId: 12,
  productCategoryId: 13,
  productBrandId: 14,
  productTagIds: [15, 16],
  quantity: 2,
  isOnSale: false,
  unitPriceCents: 500,
  floorCents: 0,
};

function refusal(facts: Partial<Discount>, situation: Partial<DiscountSituation> = {}): string | null {
  const cart = { lines: [line], subtotalCents: 1000 };
  const discount = sampleDiscount(facts);
  const facing = sampleDiscounts([], situation).situation;
  const reason = findRefusal(discount, facing, cart);
  expect(isApplicable(discount, facing, cart)).toBe(reason === null);
  return reason;
}

const under = (conditions: Partial<DiscountConditions>): Partial<Discount> => ({
  conditions: { ...noConditions, ...conditions },
});

const at = (dayOfWeek: number, minuteOfDay: number, instantMs = 1000) => ({
  moment: { instantMs, month: 5, dayOfWeek, minuteOfDay },
});

test('a discount without conditions applies', () => {
  expect(refusal({})).toBeNull();
  expect(refusal({}, { customer: null })).toBeNull();
});

test('it applies from its start until before its end', () => {
  const conditions = under({ startsAtMs: 1000, endsAtMs: 2000 });
  expect([999, 1000, 1999, 2000].map((instantMs) => refusal(conditions, at(1, 0, instantMs)))).toEqual([
    'not-started',
    null,
    null,
    'ended',
  ]);
});

describe('a schedule', () => {
  const open = (window: ScheduleWindow, dayOfWeek: number, minuteOfDay: number) =>
    refusal(under({ schedule: [window] }), at(dayOfWeek, minuteOfDay)) === null;

  test('is open from its first minute until before its end, only on its days', () => {
    const window = { days: [2, 4], fromMinute: 600, toMinute: 720 };
    expect([599, 600, 719, 720].map((minute) => open(window, 2, minute))).toEqual([false, true, true, false]);
    expect([1, 2, 3, 4, 5, 6, 7].map((day) => open(window, day, 650))).toEqual([
      false,
      true,
      false,
      true,
      false,
      false,
      false,
    ]);
  });

  test('may close after midnight on the next day, also from Sunday to Monday', () => {
    const window = { days: [7], fromMinute: 1320, toMinute: 120 };
    expect(open(window, 7, 1319)).toBe(false);
    expect(open(window, 7, 1320)).toBe(true);
    expect(open(window, 1, 119)).toBe(true);
    expect(open(window, 1, 120)).toBe(false);
    expect(open(window, 7, 60)).toBe(false);
    expect(open(window, 1, 1400)).toBe(false);
  });

  test('may last the whole day, or round the clock', () => {
    const wholeDay = { days: [3], fromMinute: 0, toMinute: 1440 };
    expect([0, 1439].map((minute) => open(wholeDay, 3, minute))).toEqual([true, true]);
    expect(open(wholeDay, 4, 0)).toBe(false);
    const roundTheClock = { days: [3], fromMinute: 600, toMinute: 600 };
    expect([open(roundTheClock, 3, 600), open(roundTheClock, 4, 599)]).toEqual([true, true]);
    expect([open(roundTheClock, 3, 599), open(roundTheClock, 4, 600)]).toEqual([false, false]);
  });

  test('is open when any of its windows is open', () => {
    const morning = { days: [1], fromMinute: 540, toMinute: 600 };
    const evening = { days: [1], fromMinute: 1000, toMinute: 1100 };
    const schedule = under({ schedule: [morning, evening] });
    expect([550, 700, 1050].map((minute) => refusal(schedule, at(1, minute)))).toEqual([
      null,
      'outside-schedule',
      null,
    ]);
  });
});

test('order types', () => {
  const conditions = under({ orderTypes: ['delivery', 'in-store'] });
  expect(refusal(conditions, { orderType: 'in-store' })).toBeNull();
  expect(refusal(conditions, { orderType: 'pickup' })).toBe('wrong-order-type');
});

test('any of the customer groups', () => {
  const customer = { groupIds: [3, 4], isFirstOrder: false, birthMonth: null };
  expect(refusal(under({ customerGroupIds: [1, 4] }), { customer })).toBeNull();
  expect(refusal(under({ customerGroupIds: [1, 2] }), { customer })).toBe('not-in-customer-group');
});

test('the first order, and the month of the birthday', () => {
  const customer = { groupIds: [], isFirstOrder: true, birthMonth: 5 };
  expect(refusal(under({ firstOrder: true }), { customer })).toBeNull();
  expect(refusal(under({ birthdayMonth: true }), { customer })).toBeNull();
  const other = { groupIds: [], isFirstOrder: false, birthMonth: 6 };
  expect(refusal(under({ firstOrder: true }), { customer: other })).toBe('not-first-order');
  expect(refusal(under({ birthdayMonth: true }), { customer: other })).toBe('not-birthday-month');
  const unknown = { ...other, birthMonth: null };
  expect(refusal(under({ birthdayMonth: true }), { customer: unknown })).toBe('not-birthday-month');
});

test('every condition on the customer refuses an anonymous cart', () => {
  for (const facts of [
    under({ customerGroupIds: [1] }),
    under({ firstOrder: true }),
    under({ birthdayMonth: true }),
    { usesLeftForCustomer: 5 },
  ]) {
    expect(refusal(facts, { customer: null })).toBe('customer-unknown');
  }
});

test('remaining uses, in total and for the customer', () => {
  expect(refusal({ usesLeft: 1, usesLeftForCustomer: 1 })).toBeNull();
  expect(refusal({ usesLeft: 0 })).toBe('used-up');
  expect(refusal({ usesLeftForCustomer: 0 })).toBe('used-up-by-customer');
});

test('a subtotal equal to the minimum is enough', () => {
  expect(refusal(under({ minimumSubtotalCents: 1000 }))).toBeNull();
  expect(refusal(under({ minimumSubtotalCents: 1001 }))).toBe('below-minimum-subtotal');
});

test('a line matches any list of targets, and every line matches empty targets', () => {
  for (const targets of [
    { productIds: [1, 12] },
    { optionIds: [11] },
    { categoryIds: [13] },
    { brandIds: [14] },
    { tagIds: [1, 16] },
    {},
  ]) {
    expect(refusal({ targets: { ...noTargets, ...targets } })).toBeNull();
  }
  const elsewhere = { productIds: [11], optionIds: [12], categoryIds: [14], brandIds: [15], tagIds: [13] };
  expect(refusal({ targets: elsewhere })).toBe('no-matching-line');
});
