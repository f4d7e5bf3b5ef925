import { afterAll, expect, inject, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { startOwnTestService } from '../../../test/harness/test-service.ts';
import { createTestShop } from '../../../test/harness/test-shop.ts';
import { statement } from '../statements/statement.ts';
import { SnapshotDatabase } from './snapshot-database.ts';

const service = await startOwnTestService();
afterAll(() => service.close());

const selectBrandNames = statement<Record<never, never>, { name: string }>(
  'test_snapshot_brand_names',
  'select name from brands where organization_id = :organizationId order by id',
);

test('every read sees the snapshot of the first one, and writes are refused', async () => {
  const { organizationId, ...shop } = await createTestShop(service.context);
  const owner = await service.staff({ organizationId, ...shop });
  const snapshot = new SnapshotDatabase(service.database.serving);
  const [[before], nothing] = await snapshot.read(organizationId, selectBrandNames({}), null);
  expect([before, nothing]).toEqual([{ name: expect.any(String) }, []]);
  const first = await snapshot.read(organizationId, selectBrandNames({}));
  expect((await owner.call('POST', '/staff/v1/brands', { name: 'Late' })).status).toBe(201);
  const [second, third] = await Promise.all([
    snapshot.read(organizationId, selectBrandNames({})),
    snapshot.read(organizationId, selectBrandNames({})),
  ]);
  expect([second, third]).toEqual([first, first]);
  expect([await snapshot.readBatched(organizationId, selectBrandNames({}))]).toEqual(first);
  expect(() => snapshot.write()).toThrow('read only');
  await snapshot.close();

  const next = new SnapshotDatabase(service.database.serving);
  const [names] = await next.read(organizationId, selectBrandNames({}));
  expect(names).toContainEqual({ name: 'Late' });
  await next.close();
});

test('a lost connection is an error; the snapshot is never replaced by a newer one', async () => {
  const shop = await createTestShop(service.context);
  const owner = await service.staff(shop);
  const snapshot = new SnapshotDatabase(service.database.serving);
  await snapshot.read(shop.organizationId, selectBrandNames({}));
  const [{ name }] = (await execute(service.database.owner, 'select current_database() as name')) as [
    { name: string },
  ];
  // Only an administrator may end other roles' sessions.
  const ended = await execute(
    inject('server').admin,
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = '${name}' and state = 'idle in transaction'`,
  );
  expect(ended).toHaveLength(1);
  expect((await owner.call('POST', '/staff/v1/brands', { name: 'Late' })).status).toBe(201);
  const read = () => snapshot.read(shop.organizationId, selectBrandNames({}));
  // The first read may find the connection broken; later reads get no newer state either.
  await expect(read()).rejects.toThrow();
  await expect(read()).rejects.toThrow();
  await snapshot.close();
});
