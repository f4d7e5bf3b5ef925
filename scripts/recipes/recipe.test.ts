import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { applyPlan, type Edit, namesOf, type Plan, projectIn } from './recipe.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dispensary-plan-'));
  writeFileSync(join(root, 'list.ts'), 'one\ntwo\ntwo\n');
});
afterEach(() => rmSync(root, { recursive: true }));

const planOf = (...edits: readonly Edit[]): Plan => ({
  files: [{ path: 'deep/new.ts', text: 'new\n' }],
  edits,
  next: [],
  proof: { tests: [], bugs: [] },
});
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('a plan writes its files, and its texts before, after and instead of a place', () => {
  const at = { path: 'list.ts', anchor: 'one\n' } as const;
  const written = applyPlan(
    projectIn(root),
    planOf(
      { ...at, place: 'before', text: 'a\n' },
      { ...at, place: 'after', text: 'b\n' },
      { ...at, place: 'instead of', text: '1\n' },
    ),
  );
  expect(written).toEqual({ made: ['deep/new.ts'], changed: ['list.ts'] });
  expect([read('list.ts'), read('deep/new.ts')]).toEqual(['a\n1\nb\ntwo\ntwo\n', 'new\n']);
});

test('a plan that does not fit changes nothing, and the message names the file and the place', () => {
  const good: Edit = { path: 'list.ts', place: 'after', anchor: 'one\n', text: 'b\n' };
  for (const [edit, message] of [
    [{ ...good, anchor: 'two\n' }, 'list.ts: the recipe writes after “two”, which stands there 2 times'],
    [{ ...good, anchor: 'three\n' }, 'which stands there 0 times'],
    [{ ...good, path: 'gone.ts' }, 'gone.ts is not there'],
  ] as const) {
    expect(() => applyPlan(projectIn(root), planOf(good, edit))).toThrow(message);
    expect([read('list.ts'), projectIn(root).has('deep/new.ts')]).toEqual(['one\ntwo\ntwo\n', false]);
  }
  applyPlan(projectIn(root), planOf());
  expect(() => applyPlan(projectIn(root), planOf())).toThrow('deep/new.ts is already there');
});

test('a name has all its spellings', () => {
  expect(namesOf('cash-box', 'cash-boxes')).toMatchObject({
    camel: 'cashBox',
    pascal: 'CashBox',
    snake: 'cash_box',
    title: 'Cash box',
    many: { kebab: 'cash-boxes', pascal: 'CashBoxes' },
  });
});
