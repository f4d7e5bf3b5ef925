import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import { createTestDatabase } from '../../../test/harness/test-database.ts';
import { laySeverableWire } from '../../../test/simulation/severable-wire.ts';
import { organizationId } from '../../kernel/ids.ts';
import { Database } from '../database/database.ts';
import { statement } from '../statements/statement.ts';
import { deadlines } from './deadlines.ts';

const brief = { connectMs: 400, roundTripMs: 400, longRoundTripMs: 2_500 };
const ours = organizationId(1);

const nap = statement<{ seconds: number }, never>('test_deadline_nap', 'select pg_sleep(:seconds)');
const longNap = statement<{ seconds: number }, never>('test_long_nap', 'select pg_sleep(:seconds)', {
  isLong: true,
});
const selectPid = statement<Record<never, never>, { pid: number }>(
  'test_deadline_pid',
  'select pg_backend_pid() as pid',
);
const unavailable = { code: 'SERVICE_UNAVAILABLE' };

/** Blocks the event loop, so that no timer fires and no socket is read. */
function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

test('a deadline fires once, after its time, and never after it was ended', async () => {
  const passed: string[] = [];
  deadlines.end(deadlines.begin(1, () => passed.push('ended')));
  const beganAtMs = performance.now();
  await new Promise<void>((resolve) =>
    deadlines.begin(250, () => {
      passed.push('late');
      resolve();
    }),
  );
  expect(performance.now() - beganAtMs).toBeGreaterThan(245);
  expect(passed).toEqual(['late']);
});

test('an answer that arrived while the process was blocked is not late', async () => {
  const testDatabase = await createTestDatabase();
  const database = new Database(testDatabase.serving, 1, undefined, brief);
  const [[{ pid } = { pid: 0 }]] = await database.read(ours, selectPid({}));
  const asked = database.read(ours, selectPid({}));
  // The query is sent only when the connection has been checked out.
  await new Promise((resolve) => setImmediate(resolve));
  block(brief.roundTripMs + brief.connectMs + 500);
  expect(await asked).toEqual([[{ pid }]]);
  await database.close();
  await testDatabase.drop();
});

test('the server cancels a slow statement and keeps the connection; a statement declared long continues', async () => {
  const testDatabase = await createTestDatabase();
  const database = new Database(testDatabase.serving, 1, undefined, brief);
  const pidNow = async () => (await database.read(ours, selectPid({})))[0];
  const before = await pidNow();
  await expect(database.read(ours, nap({ seconds: 2 }))).rejects.toMatchObject(unavailable);
  await expect(database.write(ours, (tx) => tx.run(nap({ seconds: 2 })))).rejects.toMatchObject(unavailable);
  await database.read(ours, longNap({ seconds: 0.6 }));
  await database.write(ours, (tx) => tx.run(nap({ seconds: 0.6 })), { isLong: true });
  expect(await pidNow()).toEqual(before);
  await database.close();
  await testDatabase.drop();
});

test('after one dead connection, no older connection is used again, and closing does not hang', async () => {
  const testDatabase = await createTestDatabase();
  const wire = await laySeverableWire(testDatabase.serving);
  const database = new Database(wire.connection, 4, undefined, brief);
  const all = (count: number) =>
    Promise.all(Array.from({ length: count }, () => database.read(ours, selectPid({}))));
  await all(4);
  wire.blackHole();
  await expect(database.read(ours, selectPid({}))).rejects.toMatchObject(unavailable);
  const beganAtMs = performance.now();
  await all(4);
  expect(performance.now() - beganAtMs).toBeLessThan(brief.roundTripMs);
  wire.blackHole();
  await database.close();
  await wire.close();
  await testDatabase.drop();
});

test('a connection is kept alive by TCP: one that is lost while idle is noticed', async () => {
  const testDatabase = await createTestDatabase();
  const wire = await laySeverableWire(testDatabase.serving);
  const keepingAlive = vi.spyOn(Socket.prototype, 'setKeepAlive');
  const database = new Database(wire.connection, 1, undefined, brief);
  await database.read(ours, selectPid({}));
  expect(keepingAlive).toHaveBeenCalledWith(true, 10_000);
  keepingAlive.mockRestore();
  await database.close();
  await wire.close();
  await testDatabase.drop();
});

test('a caller that waits for a busy pool is refused in time', async () => {
  const testDatabase = await createTestDatabase();
  const database = new Database(testDatabase.serving, 1, undefined, brief);
  const kept = database.read(ours, longNap({ seconds: 1 }));
  await expect(database.read(ours, selectPid({}))).rejects.toMatchObject(unavailable);
  await kept;
  expect(await database.read(ours, selectPid({}))).toHaveLength(1);
  await database.close();
  await testDatabase.drop();
});
