import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { buildProgram } from '../test/simulation/built-program.ts';

const built = await buildProgram();
afterAll(() => built.remove());

/** A first start makes a database: seconds on a busy machine. */
const startMs = 60_000;

function spawnProgram(env: Readonly<Record<string, string>>) {
  const program = spawn(process.execPath, [join(built.folder, 'main.mjs')], {
    cwd: built.folder,
    env: { PATH: process.env.PATH, PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'warn', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  built.running.add(program);
  program.once('exit', () => built.running.delete(program));
  return program;
}

/** What a start that must fail says on both streams. */
async function failing(env: Readonly<Record<string, string>>): Promise<string> {
  const program = spawnProgram(env);
  const [[code], out, errors] = await Promise.all([
    once(program, 'exit'),
    text(program.stdout),
    text(program.stderr),
  ]);
  expect({ code, out, errors }).toMatchObject({ code: 1 });
  return `${out}${errors}`;
}

test(
  'a port that is taken is told before the demo shops are made',
  async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const said = await failing({ DATA_DIR: 'taken', MENU_PORT: String(port) });
    expect(said).toContain(`Another program listens on 127.0.0.1:${port}. Stop it, or set MENU_PORT`);
    expect(said).not.toContain('Making the demo shop');
    other.close();
  },
  startMs,
);

test('what is wrong at the start is named by its setting', async () => {
  writeFileSync(join(built.folder, 'file'), '');
  expect(await failing({ DATA_DIR: 'file' })).toContain(
    `DATA_DIR ${join(built.folder, 'file')} cannot be used: it is a file`,
  );
  const DATABASE_URL = 'postgres://shop:hush@127.0.0.1:1/sales';
  const said = await failing({ DATA_DIR: 'elsewhere', DATABASE_URL });
  expect(said).toContain('DATABASE_URL postgres://***@127.0.0.1:1/sales: connect ECONNREFUSED');
  expect(said).not.toContain('hush');
});

test('a stack is shown to who asks for it, in the file of settings too', async () => {
  const program = { DATA_DIR: 'elsewhere', DATABASE_URL: 'postgres://127.0.0.1:1/sales', LOG_LEVEL: '' };
  expect(await failing(program)).not.toMatch(/\n +at /);
  writeFileSync(join(built.folder, '.env'), 'LOG_LEVEL=debug\n');
  expect(await failing(program)).toMatch(/\n +at /);
  writeFileSync(join(built.folder, '.env'), '');
});

test(
  'a process of background work alone names no address, and is asked for its health where its metrics are',
  async () => {
    mkdirSync(join(built.folder, 'worker'));
    const env = { DATA_DIR: 'worker', DEMO: 'off', ROLES: 'worker', METRICS_PORT: '0' };
    const program = spawnProgram(env);
    const said: string[] = [];
    for await (const line of createInterface({ input: program.stdout })) {
      said.push(line);
      if (/^ +Data /.test(line)) break;
    }
    expect(said.join('\n')).not.toMatch(/Base address|Menu address|Console/);
    const metricsUrl = /^Metrics: (\S+)$/m.exec(said.join('\n'))![1]!;
    for (const path of ['/healthz', '/readyz']) {
      expect((await fetch(new URL(path, metricsUrl))).status).toBe(200);
    }
    const ended = once(program, 'exit');
    program.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
  startMs,
);
