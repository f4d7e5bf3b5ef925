import { expect, test } from 'vitest';
import type { Schema } from '../../api.ts';
import { detailsInWords, subjectName } from './audit-details.ts';
import { actionInWords } from './audit-words.ts';

const tz = 'America/Los_Angeles';

function entry(details: Schema['AuditEntry']['details'], rest: Partial<Schema['AuditEntry']> = {}) {
  return {
    id: 1,
    at: '2026-03-08T20:00:00.000Z',
    actor: 'staff:1006',
    actorName: 'Marisol Vega',
    action: 'staff.updated',
    subjectType: 'staff',
    subjectId: '1010',
    requestId: null,
    ...rest,
    details,
  } as const;
}

test('details are one line in words: fields, types, actors, without the subject', () => {
  expect(detailsInWords(entry({ fields: ['role', 'firstName'], staffId: 1010 }), tz)).toBe(
    'Changed: role, first name',
  );
  expect(
    detailsInWords(entry({ type: 'store-credit', amountCents: 500, percent: null, staffId: 1006 }), tz),
  ).toBe('Type: store credit · Amount: $5.00 · Staff: Marisol Vega');
});

test('a status change comes first, and text by people is unchanged', () => {
  expect(detailsInWords(entry({ reason: 'No-stock', to: 'canceled', from: 'draft' }), tz)).toBe(
    'draft → canceled · Reason: No-stock',
  );
});

test('a change shows old and new values, also of parts; money is in dollars, times are shop time', () => {
  const changes = {
    licenseNumber: { from: 'C10-1', to: null },
    orderMinimums: { from: { pickup: 0 }, to: { pickup: 1250 } },
    expiresAt: '2026-03-08T20:00:00.000Z',
  };
  expect(detailsInWords(entry(changes), tz)).toBe(
    'License number: C10-1 → – · Order minimums: pickup $0.00 → pickup $12.50 · Expires at: Mar 8, 2026, 1:00 PM PDT',
  );
});

test('the field and the type of the subject decide the format of a number', () => {
  const of = (type: unknown) => detailsInWords(entry({ type, amount: { from: 5, to: 90 } }), tz);
  expect(of('percent')).toBe('Type: percent · Amount: 5% → 90%');
  expect(of('flat')).toBe('Type: flat · Amount: $0.05 → $0.90');
  expect(of({ from: 'flat', to: 'percent' })).toBe('Type: flat → percent · Amount: 5% → 90%');
});

test('a failed sign-in shows its network address', () => {
  const details = { staffId: 1010, networkAddress: '2001:db8::9' };
  const failed = entry(details, { action: 'staff.sign_in_failed', actor: 'visitor:not-signed-in' });
  expect(detailsInWords(failed, tz)).toBe('Network address: 2001:db8::9');
  expect(actionInWords(failed.action)).toBe('Staff sign in failed');
});

test('a list change shows added, removed and changed rows', () => {
  const rows = {
    added: [{ id: 3, name: 'Gram', price: 1200, salesPrice: null }],
    removed: [{ id: 2, name: 'Pair', price: 2200, salesPrice: 2000 }],
    changed: [{ id: 1, price: { from: 3333, to: 1 } }],
  };
  expect(detailsInWords(entry(rows), tz)).toBe(
    'Added: #3, name Gram, price $12.00, sales price – · ' +
      'Removed: #2, name Pair, price $22.00, sales price $20.00 · Changed rows: #1, price $33.33 → $0.01',
  );
  const lineItems = { changed: [{ id: 1, costPerUnit: { from: '100', to: '120.5' } }] };
  expect(detailsInWords(entry({ lineItems, sequence: { from: [1, 2], to: [2, 1] } }), tz)).toBe(
    'Line items: changed: #1, cost per unit $100 → $120.5 · Sequence: #1, #2 → #2, #1',
  );
  const productIds = { added: [7, 8, 'and 40 more'], removed: [] };
  expect(detailsInWords(entry({ productIds }), tz)).toBe('Product: added: #7, #8, and 40 more; removed: –');
});

test('ids are marked with #, also in parts', () => {
  const lines = [{ productId: 1118, counted: '7' }];
  expect(detailsInWords(entry({ inventoryLocationId: 2376, lines, deleted: [1380, 1381] }), tz)).toBe(
    'Inventory location: #2376 · Lines: product #1118, counted 7 · Deleted: #1380, #1381',
  );
});

test('a subject shows its name if known, otherwise its id', () => {
  const people = new Map([['staff:1010', 'Hanh Tran']]);
  expect([
    subjectName(entry({}), people),
    subjectName(entry({ name: 'Tips' }, { subjectType: 'payment_type' }), people),
    subjectName(entry({ name: { from: 'Tips', to: 'Coins' } }, { subjectType: 'payment_type' }), people),
    subjectName(entry({}, { subjectType: 'order', subjectId: '01a200a8-785c-7563' }), people),
    subjectName(entry({}, { subjectType: 'organization' }), people),
  ]).toEqual(['Hanh Tran', 'Tips', 'Coins', '#01a200a8', null]);
});
