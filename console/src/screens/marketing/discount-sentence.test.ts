import { expect, test } from 'vitest';
import { discountKinds } from '../../../../sdk/src/staff-discount-kinds.ts';
import { blankDiscount, type DiscountDraft, noTargets } from './discount-draft.ts';
import { discountSentence, scheduleInWords } from './discount-sentence.ts';

const names = {
  product: (id: number) => `product ${id}`,
  option: (id: number) => `option ${id}`,
  category: () => 'edibles',
  brand: () => 'Fog Signal Farms',
  tag: () => 'Top Shelf',
  group: () => 'veterans',
  moment: (iso: string) => iso.slice(0, 10),
};

function sentence(
  draft: Partial<DiscountDraft>,
  conditions: Partial<DiscountDraft['conditions']> = {},
): string {
  const whole = { ...blankDiscount, ...draft, conditions: { ...blankDiscount.conditions, ...conditions } };
  return discountSentence(whole, names);
}

test('a discount is described as for a customer: what, when, for whom, how much at most', () => {
  expect(
    sentence(
      {
        kind: 'product',
        amount: '20',
        maximumAmount: 1_500,
        targets: { ...noTargets, categoryIds: [1] },
      },
      { schedule: [{ days: [1], from: '16:00', to: '19:00' }], customerGroupIds: [1] },
    ),
  ).toBe('20% off edibles on Mondays 4:00 PM–7:00 PM for veterans, at most $15 per line.');
  expect(sentence({ amount: '10' }, { minimumSubtotal: 3_050, orderTypes: ['pickup'] })).toBe(
    '10% off pickup orders of $30.50 or more.',
  );
});

test('the words of every kind are filled in', () => {
  for (const kind of Object.keys(discountKinds) as DiscountDraft['kind'][]) {
    expect(sentence({ kind, amount: '10' }), kind).not.toMatch(/[{}]/);
  }
});

test('every kind has its own wording', () => {
  const targets = { ...noTargets, brandIds: [1], tagIds: [1] };
  for (const kind of ['line', 'product'] as const) {
    expect(sentence({ kind, type: 'flat', amount: '250', perUnit: true, usesPerOrder: 1 })).toBe(
      '$2.50 off each unit of everything. It applies on 1 line per order.',
    );
    expect(sentence({ kind, type: 'flat', amount: '250', targets, usesPerOrder: 2 })).toBe(
      '$2.50 off each line of Fog Signal Farms or goods tagged Top Shelf. It applies on 2 lines per order.',
    );
  }
  expect(sentence({ kind: 'order', amount: '5', targets })).toBe(
    '5% off every order with Fog Signal Farms or goods tagged Top Shelf.',
  );
  expect(sentence({ kind: 'buy-x-get-y', amount: '100', buyQuantity: 2, getQuantity: 1, targets })).toBe(
    'Buy 2 of Fog Signal Farms or goods tagged Top Shelf, get 1 more free.',
  );
  const buyTargets = { ...noTargets, optionIds: [7] };
  expect(
    sentence({ kind: 'buy-x-get-y', amount: '50', buyQuantity: 1, getQuantity: 1, buyTargets, targets }),
  ).toBe('Buy 1 of option 7, get 1 of Fog Signal Farms or goods tagged Top Shelf at 50% off.');
});

test('codes, limits and the period are described, and missing values stay open', () => {
  expect(
    sentence(
      {
        trigger: 'code',
        codes: ['HELLO'],
        amount: '15',
        usesPerCustomer: 1,
        usesTotal: 200,
        stackable: false,
      },
      { startsAt: '2026-03-01T08:00:00Z', endsAt: null },
    ),
  ).toBe(
    '15% off every order, with the code HELLO. It applies once per customer and 200 times in total. Not combinable with other discounts. From 2026-03-01.',
  );
  expect(sentence({ kind: 'line', type: 'flat' })).toBe('$… off each line of everything.');
});

test('schedule windows are described by their days, and a night belongs to the day before', () => {
  const all = [1, 2, 3, 4, 5, 6, 7];
  expect(scheduleInWords([{ days: all, from: '22:00', to: '02:00' }])).toBe(
    'every day 10:00 PM–2:00 AM the next day',
  );
  expect(
    scheduleInWords([
      { days: [1, 2, 3, 4, 5], from: '00:00', to: '24:00' },
      { days: [7, 2], from: '09:00', to: '10:00' },
    ]),
  ).toBe('on weekdays, or on Tuesdays and Sundays 9:00 AM–10:00 AM');
});
