import { expect, test } from 'vitest';
import { changesOf, rowChangesOf } from './changes-of.ts';

test('a changed field has its old and new value; other fields are left out', () => {
  const before = { name: 'Tips', fee: 100, hours: { mo: ['9'] }, endsAt: null, isOpen: true };
  const after = { name: 'Tips', fee: 250, hours: { mo: ['9'] }, endsAt: '2026-01-01', isOpen: undefined };
  expect(changesOf(before, after)).toEqual({
    fee: { from: 100, to: 250 },
    endsAt: { from: null, to: '2026-01-01' },
  });
  expect(changesOf(before, { ...before })).toBeNull();
});

test('a personal field has its name only, without values', () => {
  const before = { email: 'a@example.com', phone: null, taxExempt: null };
  const after = { email: 'b@example.com', phone: null, taxExempt: true };
  expect(changesOf(before, after, ['email', 'phone'])).toEqual({
    taxExempt: { from: null, to: true },
    fields: ['email'],
  });
});

test('rows have additions, removals, changes and their new sequence', () => {
  const row = (id: number, price: number) => ({ id, price });
  expect(rowChangesOf([row(1, 5), row(2, 6), row(3, 7)], [row(3, 7), row(1, 4), row(4, 8)])).toEqual({
    added: [{ id: 4, price: 8 }],
    removed: [{ id: 2, price: 6 }],
    changed: [{ id: 1, price: { from: 5, to: 4 } }],
    sequence: { from: [1, 3], to: [3, 1] },
  });
  expect(rowChangesOf([row(1, 5)], [row(1, 5)])).toBeNull();
});

test('a long list has additions and removals only, and an entry always stays small', () => {
  const ids = Array.from({ length: 30 }, (_, id) => id);
  expect(changesOf({ ids }, { ids: [...ids.slice(1), 99] })).toEqual({ ids: { added: [99], removed: [0] } });

  const long = 'a'.repeat(499) + '🌿'.repeat(50_000);
  const { text } = changesOf({ text: '' }, { text: long }) as { text: { to: string } };
  expect(text.to).toBe(`${'a'.repeat(499)}…`);

  const rows = Array.from({ length: 10_000 }, (_, id) => ({ id, name: 'b'.repeat(100) }));
  const told = rowChangesOf([], rows) as { added: unknown[] };
  expect(told.added).toHaveLength(101);
  expect(told.added.at(-1)).toBe('and 9900 more');
});
