import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { logOutput } from './log-output.ts';

test('a process whose reader of the standard output stands still hears SIGTERM, and ends within its drain time', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stalled-'));
  const program = join(folder, 'program.ts');
  const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  writeFileSync(
    program,
    `import { createLogger } from ${source('./logging.ts')};
     import { stopOnSignals } from ${source('../../hosting/startup/stop-on-signals.ts')};
     const logger = createLogger({ level: 'info' });
     const say = (message: string) => console.log(message);
     stopOnSignals({ drainMs: 200, shutdownTimeoutMs: 5_000 }, { announceEnd: () => {} }, say, async () => {});
     for (let line = 0; line < 10_000; line++) logger.info('x'.repeat(1_000));
     process.stderr.write('full');
     setInterval(() => logger.info('y'.repeat(1_000)), 1);`,
  );
  const child = spawn(process.execPath, ['--import', 'tsx', program], { stdio: ['ignore', 'pipe', 'pipe'] });
  try {
    child.stdout.pause();
    await once(child.stderr, 'data');
    child.kill('SIGTERM');
    const [code, signal] = await once(child, 'exit', { signal: AbortSignal.timeout(20_000) });
    expect([code, signal]).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
});

test('what waits for a reader is bounded, and the log says what was dropped when the reader goes on', () => {
  const output = new PassThrough();
  const log = logOutput(output);
  for (let count = 0; count < 10_000; count++) log.write(`${'x'.repeat(999)}\n`);
  expect(output.readableLength + output.writableLength).toBeLessThan(4_300_000);
  while (output.read() !== null);
  log.write('again\n');
  const rest = String(output.read() ?? '') + String(output.read() ?? '');
  expect(rest).toMatch(/"level":"warn".*\d{4} lines of the log were dropped/);
  expect(rest).toContain('again');
  output.emit('error', new Error('EPIPE'));
});
