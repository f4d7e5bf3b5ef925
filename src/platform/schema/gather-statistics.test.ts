import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { withSession } from '../connections/with-session.ts';
import { gatherStatistics } from './gather-statistics.ts';

const testDatabase = await createTestDatabase();
afterAll(() => testDatabase.drop());

test('tables with rows get statistics, empty ones none', async () => {
  await withSession(testDatabase.owner, async (owner) => {
    await owner.query('create table filled as select n from generate_series(1, 1000) n');
    await owner.query('create table empty (n integer)');
    for (const command of ['analyze', 'vacuum analyze'] as const) {
      await gatherStatistics(owner, command);
      const { rows } = await owner.query(
        `select relname, reltuples from pg_class where relname in ('filled', 'empty') order by relname`,
      );
      expect(rows).toEqual([
        { relname: 'empty', reltuples: -1 },
        { relname: 'filled', reltuples: 1_000 },
      ]);
    }
  });
});
