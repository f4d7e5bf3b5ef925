import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { discountKindNames } from '../../engines/pricing/discounts/discount-kinds.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { ownColumnNames } from './own-terms.ts';

const schema = readFileSync(join(projectFolder(), 'contract/schema.sql'), 'utf8');

test('the database accepts the name of every registered kind of discount', () => {
  const [, shape = 'missing'] = /discounts_kind_check CHECK \(\(\(kind ~ '(.*?)'::text\)/.exec(schema) ?? [];
  expect(discountKindNames.filter((kind) => !new RegExp(shape).test(kind) || kind.length > 40)).toEqual([]);
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
