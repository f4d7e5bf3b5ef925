import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../kernel/project-folder.ts';
import { discountKindNames } from '../pricing/discounts/discount-kinds.ts';
import { ownColumnNames } from './own-terms.ts';

const schema = readFileSync(join(projectFolder(), 'contract/schema.sql'), 'utf8');

test('the database accepts every registered kind of discount, and no other', () => {
  const [, list = ''] = /discounts_kind_check CHECK \(\(kind = ANY \(ARRAY\[(.*?)\]\)\)\)/.exec(schema) ?? [];
  const kinds = [...list.matchAll(/'([^']+)'::text/g)].map(([, kind]) => kind);
  expect(kinds.sort()).toEqual(discountKindNames.toSorted());
});

test('every own term of a kind has a nullable column in discounts', () => {
  const [, table = ''] = /CREATE TABLE (?:public\.)?discounts \((.*?)\n\);/is.exec(schema) ?? [];
  const columns = table.split('\n').map((line) => line.trim());
  for (const column of Object.values(ownColumnNames)) {
    const declared = columns.find((line) => line.startsWith(`${column} `));
    expect(declared, `column ${column} of discounts`).toBeDefined();
    expect(declared).not.toContain('not null');
  }
});
