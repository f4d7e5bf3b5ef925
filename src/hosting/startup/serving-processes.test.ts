import cluster from 'node:cluster';
import { expect, test } from 'vitest';
import { concerns } from '../../kernel/concerns.ts';
import { startServingProcesses } from './serving-processes.ts';

test('every serving process has the concerns of the process that starts it: those from before, and each change', async () => {
  const exec = new URL('./told-process.test-support.ts', import.meta.url).pathname;
  cluster.setupPrimary({ exec, execArgv: ['--import', 'tsx'], args: [] });
  const seen = new Map<number, readonly string[]>();
  cluster.on('message', (worker, message: { seen?: readonly string[] }) => {
    if (message.seen !== undefined) seen.set(worker.id, message.seen);
  });
  concerns.set('verification', 'Damage was found.');
  const processes = await startServingProcesses({ count: 2, logger: { error: () => {} } });
  const told = () => [...seen.values()];
  await expect.poll(told, { timeout: 20_000 }).toEqual([['Damage was found.'], ['Damage was found.']]);
  concerns.set('base-backup', 'The last backup is old.');
  await expect.poll(() => told().map((words) => words.length), { timeout: 20_000 }).toEqual([2, 2]);
  concerns.set('verification', null);
  concerns.set('base-backup', null);
  await expect.poll(told, { timeout: 20_000 }).toEqual([[], []]);
  await processes.close();
}, 60_000);
