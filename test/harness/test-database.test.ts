import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from './test-database.ts';

test('two test databases do not see each other, and their serving role does not bypass row-level security', async () => {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  for (const database of databases) {
    const owner = new Client(database.owner);
    await owner.connect();
    await owner.query('create table seen_by_one ()');
    await owner.end();
    const serving = new Client(database.serving);
    await serving.connect();
    const { rows } = await serving.query(
      'select current_user as name, rolbypassrls or rolsuper as bypasses from pg_roles where rolname = current_user',
    );
    await serving.end();
    expect(rows).toEqual([{ name: 'dispensary_app', bypasses: false }]);
    await database.drop();
  }
});

test('a test database is dropped although a session of the program is still open on it', async () => {
  const database = await createTestDatabase();
  const serving = new Client(database.serving);
  await serving.connect();
  const ended = new Promise((resolve) => serving.on('error', resolve));
  await database.drop();
  await ended;
  await expect(new Client(database.serving).connect()).rejects.toThrow('does not exist');
});
