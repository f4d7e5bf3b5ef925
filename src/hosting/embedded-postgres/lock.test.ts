import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holderOf, idIsTaken, isAlive, lockDataDirectory } from './lock.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'dispensary-lock-'));
});
afterEach(() => rmSync(dataDir, { recursive: true }));

test('a locked directory is refused with the id of its holder, and free once unlocked', () => {
  const unlock = lockDataDirectory(dataDir);
  expect(() => lockDataDirectory(dataDir)).toThrow(`${dataDir} is in use by process ${process.pid}.`);
  expect(holderOf(dataDir)).toBe(process.pid);
  unlock();
  expect(readdirSync(dataDir)).toEqual([]);
  lockDataDirectory(dataDir)();
});

test('a lock of a dead process is taken over', async () => {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  expect(isAlive(child.pid!)).toBe(false);
  writeFileSync(join(dataDir, 'lock'), JSON.stringify({ pid: child.pid, startedAt: 'then' }));
  lockDataDirectory(dataDir)();
});

test.skipIf(process.platform === 'win32')(
  'a lock is taken over even if another process has its id now',
  () => {
    writeFileSync(
      join(dataDir, 'lock'),
      JSON.stringify({ pid: process.ppid, startedAt: 'before the reboot' }),
    );
    expect(holderOf(dataDir)).toBeUndefined();
    lockDataDirectory(dataDir)();
  },
);

test.skipIf(process.platform !== 'linux')('a zombie process is not alive', async () => {
  // The shell becomes a program that does not wait for its child. It is stopped so that it cannot reap the child on a
  // busy machine; only then the child ends.
  const script = `cat <&3 & exec sh -c 'echo $0; read line' $!`;
  const parent = spawn('sh', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit', 'pipe'] });
  const [line] = await once(parent.stdout!, 'data');
  process.kill(parent.pid!, 'SIGSTOP');
  (parent.stdio[3] as Writable).destroy();
  const pid = Number(line);
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(idIsTaken(pid)).toBe(true);
  parent.kill('SIGKILL');
});

test('a partial lock, as a full disk leaves it, is taken over', () => {
  writeFileSync(join(dataDir, 'lock'), '{"pid":1');
  lockDataDirectory(dataDir)();
});

test('unlocking does not remove the lock of a successor', () => {
  const unlock = lockDataDirectory(dataDir);
  const successor = JSON.stringify({ pid: process.ppid, startedAt: 'later' });
  writeFileSync(join(dataDir, 'lock'), successor);
  unlock();
  expect(readFileSync(join(dataDir, 'lock'), 'utf8')).toBe(successor);
});
