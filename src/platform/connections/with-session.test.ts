import { expect, inject, test } from 'vitest';
import { execute } from '../../../test/harness/test-connection.ts';
import { withSession } from './with-session.ts';

const { admin } = inject('server');

test('an idle session that the database ends fails the next statement, not the process', async () => {
  const work = withSession(admin, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const ended = new Promise<void>((resolve) => client.once('end', resolve));
    await execute(admin, `select pg_terminate_backend(${rows[0]!.pid})`);
    await ended;
    await client.query('select 1');
  });
  await expect(work).rejects.toThrow('not queryable');
});

test('a session ends after its work, done or failed', async () => {
  const pids: number[] = [];
  const work = (error?: Error) =>
    withSession(admin, async (client) => {
      const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
      pids.push(rows[0]!.pid);
      if (error) throw error;
      return 'done';
    });
  expect(await work()).toBe('done');
  await expect(work(new Error('failed'))).rejects.toThrow('failed');
  const left = `select pid from pg_stat_activity where pid in (${pids.join(', ')})`;
  // The server notices a moment after the client.
  await expect.poll(() => execute(admin, left)).toEqual([]);
});
