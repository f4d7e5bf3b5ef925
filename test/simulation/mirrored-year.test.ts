import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { isLongSuite } from '../harness/long-suite.ts';
import { mirrorYear } from './mirrored-year.ts';

const moveCount = isLongSuite ? 500 : 60;
const yearMsMax = isLongSuite ? 1_200_000 : 240_000;

test.each(isLongSuite ? (['SQLite', 'PostgreSQL'] as const) : (['SQLite'] as const))(
  'a copy in %s equals the shop, row by row, through a year of trading, merges, erasures, imports and kills',
  async (kind) => {
    const { kills, comparisons, crashes } = await mirrorYear(randomInt(1_000_000_000), kind, moveCount);
    expect(kills).toBeGreaterThan(0);
    expect(comparisons).toBeGreaterThan(1);
    if (isLongSuite) expect(crashes).toBeGreaterThan(0);
  },
  yearMsMax,
);
