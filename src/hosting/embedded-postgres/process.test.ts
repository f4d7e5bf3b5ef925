import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { shutDown } from './process.ts';

afterEach(() => void vi.useRealTimers());

test('a server that does not end within 30 seconds is ended without a checkpoint', async () => {
  const server = spawn('bash', ['-c', 'trap "" INT; exec cat'], { stdio: ['pipe', 'pipe', 'ignore'] });
  // The reply shows that cat runs: bash itself ignores SIGQUIT.
  server.stdin.write('ready');
  await once(server.stdout, 'data');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const ended = shutDown(server, undefined as never, undefined as never);
  vi.advanceTimersByTime(29_999);
  expect(server.killed && server.signalCode).toBeNull();
  vi.advanceTimersByTime(1);
  await ended;
  expect(server.signalCode).toBe('SIGQUIT');
});
