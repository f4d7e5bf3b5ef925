import { expect, test } from 'vitest';
import type { Schema } from '../../api.ts';
import { detailsInWords, subjectName } from './audit-details.ts';

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

test('details stand in a line, in words: fields, kinds, who did it, and not the subject once more', () => {
  expect(detailsInWords(entry({ fields: ['role', 'firstName'], staffId: 1010 }), tz)).toBe(
    'Changed: role, first name',
  );
  expect(
    detailsInWords(entry({ type: 'store-credit', amountCents: 500, percent: null, staffId: 1006 }), tz),
  ).toBe('Type: store credit · Amount: $5.00 · Staff: Marisol Vega');
});

test('a change of state comes first, and what people wrote stays as it is', () => {
  expect(detailsInWords(entry({ reason: 'No-stock', to: 'canceled', from: 'draft' }), tz)).toBe(
    'draft → canceled · Reason: No-stock',
  );
});

test('a change is told from what to what, also of parts; money is in dollars, a time is that of the shop', () => {
  const changes = {
    licenseNumber: { from: 'C10-1', to: null },
    orderMinimums: { from: { pickup: 0 }, to: { pickup: 1250 } },
    expiresAt: '2026-03-08T20:00:00.000Z',
  };
  expect(detailsInWords(entry(changes), tz)).toBe(
    'License number: C10-1 → – · Order minimums: pickup $0.00 → pickup $12.50 · Expires at: Mar 8, 2026, 1:00 PM PDT',
  );
});

test('ids of others are marked as such, those in parts too', () => {
  const lines = [{ productId: 1118, counted: '7' }];
  expect(detailsInWords(entry({ inventoryLocationId: 2376, lines, deleted: [1380, 1381] }), tz)).toBe(
    'Inventory location: #2376 · Lines: product #1118, counted 7 · Deleted: #1380, #1381',
  );
});

test('a subject has its name where the entry or the list of people knows it, else its id', () => {
  const people = new Map([['staff:1010', 'Hanh Tran']]);
  expect([
    subjectName(entry({}), people),
    subjectName(entry({ name: 'Tips' }, { subjectType: 'payment_type' }), people),
    subjectName(entry({}, { subjectType: 'order', subjectId: '01a200a8-785c-7563' }), people),
    subjectName(entry({}, { subjectType: 'organization' }), people),
  ]).toEqual(['Hanh Tran', 'Tips', '#01a200a8', null]);
});
