import { expect, test } from 'vitest';
import type { CannabisType } from '../goods/cannabis-type.ts';
import type { Equivalence, Jurisdiction } from './jurisdiction.ts';
import {
  warningOnTiedDiscounts,
  warningsOnFacts,
  warningsOnLimits,
  warningsOnTaxEnds,
} from './jurisdiction-warnings.ts';
import { shippedLaw } from './law-book.ts';

const selling = (...types: CannabisType[]) => ({ types, ownCounts: () => [] });
const flower = selling('non-concentrated', 'none');
const today = '2026-11-20';

test('warns of a state without facts, and of facts that were read more than a year ago', () => {
  expect(warningsOnFacts(shippedLaw, 'OK', today)).toEqual([
    expect.stringMatching(/^No fact about the law of OK is known here/),
  ]);
  expect(warningsOnFacts(shippedLaw, 'MI', '2027-11-20')).toEqual([]);
  expect(warningsOnFacts(shippedLaw, 'MI', '2027-11-21')).toEqual([
    expect.stringMatching(
      /^\d+ of \d+ facts about the law of Michigan were read more than a year ago, the oldest on 2026-11-20/,
    ),
  ]);
});

test('warns at once of a change that is known to come: a pending one, and an end that nothing known follows', () => {
  const [ca, nm] = ['CA', 'NM'].map((state) => shippedLaw.find(state)!);
  const wordsFor = (jurisdiction: Jurisdiction, day = today) =>
    warningsOnFacts({ find: () => jurisdiction }, jurisdiction.state, day);
  const end =
    'The law of California will change. Tax "California cannabis excise tax": 15 % ends after 2028-06-30, and what follows is not known here.';
  expect(wordsFor(ca!)).toEqual([end]);
  expect(warningsOnTaxEnds(shippedLaw, 'CA', today)).toEqual([end]);
  expect(warningsOnLimits(shippedLaw, 'CA', today, flower)).toEqual([]);
  // Every rate that the law has dated ahead has a successor.
  expect(wordsFor(nm!).filter((it) => it.includes('will change'))).toEqual([]);
  const [first, ...others] = nm!.purchaseLimits;
  const ending = { ...nm!, purchaseLimits: [{ ...first!, effectiveTo: '2026-12-31' }, ...others] };
  expect(wordsFor(ending)).toContainEqual(
    'The law of New Mexico will change. Limit "Flower" for adult-use customers: 2 oz per transaction of flower ends after 2026-12-31, and what follows is not known here.',
  );
  const bill = { ...nm!, purchaseLimits: [{ ...first!, pending: 'A bill that doubles it.' }, ...others] };
  expect(wordsFor(bill)).toContainEqual('The law of New Mexico is about to change: A bill that doubles it.');
});

test('an equivalence warns by its own age and its own pending change', () => {
  expect(warningsOnFacts(shippedLaw, 'VT', today)).toContainEqual(
    'The law of Vermont is about to change: the regulator works on a rule that may lower what counts as an ounce in concentrates and edibles.',
  );
  const nevada = shippedLaw.find('NV')!;
  const [limit] = nevada.purchaseLimits;
  const old = { ...(limit!.counts.concentrated as Equivalence), readOn: '2024-01-01' };
  const rule = { ...limit!, counts: { ...limit!.counts, concentrated: old } };
  const words = warningsOnFacts({ find: () => ({ ...nevada, purchaseLimits: [rule] }) }, 'NV', today);
  expect(words).toContainEqual(
    expect.stringMatching(
      /^1 of \d+ facts about the law of Nevada were read more than a year ago, the oldest on 2024-01-01/,
    ),
  );
});

test('a statement of one weak source is a warning with that source, not a fact', () => {
  expect(warningsOnFacts(shippedLaw, 'IL', today)).toEqual([
    expect.stringMatching(/delivery and drive-through windows was not read/),
    expect.stringMatching(
      /^Not certain for Illinois: Sales tax may be charged .* Source: One secondary page/,
    ),
  ]);
  expect(warningsOnFacts(shippedLaw, 'DE', today)).toEqual([
    expect.stringMatching(/^Not certain for Delaware: Limits of patients: 3 oz in 14 days\. Source: /),
  ]);
  expect(warningsOnFacts(shippedLaw, 'MO', today)).toEqual([]);
});

test('warns of what the limits of a state leave out', () => {
  expect(warningsOnLimits(shippedLaw, 'CA', today, flower)).toEqual([]);
  expect(warningsOnLimits(shippedLaw, 'OK', today, flower)).toHaveLength(1);
  expect(warningsOnLimits(shippedLaw, 'NY', today, flower)).toEqual([
    expect.stringMatching(/No purchase limits of New York for medical customers/),
  ]);
  expect(warningsOnLimits(shippedLaw, 'IL', '2027-12-01', flower)).toEqual([
    expect.stringMatching(/more than a year ago/),
    expect.stringMatching(/about to change/),
    expect.stringMatching(/^Not certain for Illinois/),
    expect.stringMatching(/narrower limits for people who do not live there/),
  ]);
});

test('names a form that the organization sells and no limit counts, with its customers', () => {
  const sold = selling('none', 'edibles', 'non-concentrated', 'concentrated', 'edibles');
  const words = (state: string) => warningsOnLimits(shippedLaw, state, today, sold).join('\n');
  expect(words('AK')).toBe('');
  expect(words('ME')).toMatch(
    /No purchase limit counts edibles in Maine for adult-use customers: no limit of the state is known here, and the organization has no limit of its own\./,
  );
  expect(words('AZ')).toMatch(/^No purchase limit counts edibles in Arizona for adult-use customers: /);
  expect(words('AZ')).toMatch(
    /\nNo purchase limit counts concentrate, edibles in Arizona for medical customers: /,
  );
  expect(words('CT')).toMatch(/^No purchase limit counts concentrate, edibles in .* for medical customers/);
  // Nothing is known about patients in Ohio, which is one warning.
  expect(words('OH')).toMatch(/\nNo purchase limits of Ohio for medical customers are known here/);
  expect(words('OH')).not.toMatch(/counts .* in Ohio/);
  expect(words('MT')).toBe('');
  expect(warningsOnLimits(shippedLaw, 'CA', today, selling('mi-infused-solids'))).toEqual([
    expect.stringMatching(/counts infused solids in California for adult-use and medical customers/),
  ]);
});

test("does not name a form that the organization's own limits count, for the customers of these limits", () => {
  const sold = (ownTypes: readonly CannabisType[]) => ({
    ...selling('edibles'),
    ownCounts: (customerType: 'adult-use' | 'medical') => (customerType === 'medical' ? ownTypes : []),
  });
  expect(warningsOnLimits(shippedLaw, 'AZ', today, sold(['edibles']))).toEqual([
    expect.stringMatching(/counts edibles in Arizona for adult-use customers/),
  ]);
  expect(warningsOnLimits(shippedLaw, 'AZ', today, sold(['concentrated']))).toEqual([
    expect.stringMatching(/for adult-use and medical customers/),
  ]);
});

test('warns of discounts that depend on another item where the law bars them, with the citation', () => {
  expect(warningOnTiedDiscounts(shippedLaw, 'OR', today, ['Two for one'])).toBe(
    'Oregon bars a discount on cannabis that depends on the sale of another item (ORS 475C.674(6)(a)): "Two for one" ' +
      'depends on one.',
  );
  expect(warningOnTiedDiscounts(shippedLaw, 'OR', today, ['A', 'B'])).toMatch(/"A" and others depend on one/);
  expect(warningOnTiedDiscounts(shippedLaw, 'OR', today, [])).toBeNull();
  for (const state of ['CA', 'OK'])
    expect(warningOnTiedDiscounts(shippedLaw, state, today, ['Two for one'])).toBeNull();
});
