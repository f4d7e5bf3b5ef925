import { expect, test } from 'vitest';
import { dutyNames, dutyOn } from '../jurisdictions/duty.ts';
import { jurisdictions } from '../jurisdictions/jurisdictions.ts';
import { shippedLaw } from '../jurisdictions/law-book.ts';
import { newestReading, type ReadyShop, readinessItems, readinessOf, reportingSystem } from './ready-shop.ts';
import { strictShop } from './shop-duties.ts';

const today = '2026-11-28';
const newShop: ReadyShop = {
  ...{ duties: strictShop, hasTaxes: false, leavesTaxes: false, isReporting: false, done: new Set() },
};

test.each(jurisdictions)(
  '$name: every item is there once, and what is not known is never called met',
  (it) => {
    const lines = readinessOf(it, today, newShop);
    expect(lines.map(({ item }) => item)).toEqual(readinessItems);
    for (const name of dutyNames) {
      const line = lines.find(({ item }) => item === name)!;
      const known = dutyOn(it.duties, name, today);
      if (known.known !== 'value') {
        expect([line.standing, line.unknown, line.byHand]).toEqual(['unknown', known.known, true]);
      } else {
        const { kind } = known.duty;
        const isMet = kind === 'enforced' || kind === 'recorded';
        expect([line.standing, line.byHand, line.fact]).toEqual([
          isMet ? kind : 'missing',
          !isMet,
          known.duty,
        ]);
      }
    }
    expect(lines.find(({ item }) => item === 'taxes')!.standing).toBe('missing');
  },
);

const lineOf = (state: string, item: string, shop: Partial<ReadyShop> = {}) =>
  readinessOf(shippedLaw.find(state), today, { ...newShop, ...shop }).find((it) => it.item === item)!;

test('a duty by hand is missing until people say that it is done', () => {
  expect(lineOf('CA', 'receipts')).toMatchObject({ standing: 'missing', byHand: true });
  expect(lineOf('CA', 'receipts', { done: new Set(['receipts']) })).toMatchObject({ standing: 'by-hand' });
});

test('what the owner answers for says so, where the law lets an owner do so', () => {
  const duties = {
    saleHours: null,
    overrides: { delivery: 'A permit.', saleHours: 'We like it.', buyer: 'A log.' },
  };
  expect(lineOf('IL', 'delivery', { duties })).toMatchObject({
    standing: 'by-hand',
    byHand: false,
    words: expect.stringMatching(/The owner answers for it: A permit\.$/),
  });
  expect(lineOf('IL', 'saleHours', { duties }).standing).toBe('enforced');
  expect(lineOf('CA', 'buyer', { duties }).standing).toBe('by-hand');
});

test('what the shop itself asks is enforced, and what the law says stays unknown where it is', () => {
  const duties = { ...strictShop, idCheck: true, saleHours: { from: '09:00', to: '20:00' } };
  expect(lineOf('CA', 'idCheck').unknown).toBe('not-looked-up');
  expect(lineOf('CA', 'idCheck', { duties })).toMatchObject({
    ...{ standing: 'enforced', unknown: 'not-looked-up', byHand: false, fact: null },
    words: 'The shop itself asks for an ID before cannabis is handed over',
  });
  expect(lineOf('CA', 'saleHours', { duties }).words).toMatch(
    /\. The shop itself sells from 09:00 to 20:00$/,
  );
  expect(lineOf('AK', 'idCheck', { duties })).toMatchObject({ standing: 'enforced', unknown: null });
});

test('taxes are met once they are set up and nothing is left open, where the law of taxes is known', () => {
  const done = { hasTaxes: true };
  expect(lineOf('CA', 'taxes', done).standing).toBe('enforced');
  expect(lineOf('CA', 'taxes', { ...done, leavesTaxes: true }).standing).toBe('missing');
  expect(lineOf('AK', 'taxes', done).standing).toBe('unknown');
});

test('reports to the state are made by a connection, or are missing until people say that they make them', () => {
  expect(lineOf('CA', 'reporting').standing).toBe('missing');
  expect(lineOf('CA', 'reporting', { isReporting: true })).toMatchObject({
    standing: 'enforced',
    byHand: false,
  });
  expect(reportingSystem(shippedLaw.find('CA'), today)).toBe('Metrc');
  expect(reportingSystem(null, today)).toBeNull();
});

test('a state that was not read has nothing but ages and named buyers', () => {
  const lines = readinessOf(null, today, newShop);
  const known = lines.filter(({ standing }) => standing !== 'unknown').map(({ item }) => item);
  expect(known).toEqual(['ages', 'buyer', 'taxes']);
  expect([newestReading(null), newestReading(shippedLaw.find('CA'))]).toEqual([null, '2026-11-27']);
});

test('a duty that comes into force later is told with its first day', () => {
  const california = shippedLaw.find('CA')!;
  const [row] = california.duties!.receipts!;
  const later = { ...row!, effectiveFrom: '2027-01-01' };
  const changed = { ...california, duties: { ...california.duties, receipts: [later] } };
  expect(readinessOf(changed, today, newShop).find(({ item }) => item === 'receipts')).toMatchObject({
    standing: 'unknown',
    unknown: 'not-in-force',
    words: expect.stringMatching(/^From 2027-01-01: /),
  });
});
