import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serveMenuBoard } from './menu-board/menu-board.mjs';
import { serveStorefront } from './storefront/storefront.mjs';

const root = join(import.meta.dirname, '..');
/** Stands for whatever else uses the port, and answers no request. */
const other = createServer((socket) => socket.destroy());
let port: number;
beforeAll(async () => {
  await once(other.listen(0, '127.0.0.1'), 'listening');
  port = (other.address() as AddressInfo).port;
});
afterAll(() => other.close());

const settings = {
  DISPENSARY_URL: 'http://127.0.0.1:1',
  SHOP_BASE_URL: 'http://127.0.0.1:1',
  SHOP_MENU_URL: 'http://127.0.0.1:1',
  DISPENSARY_CONSUMER_KEY: 'dcc_test_1',
  DISPENSARY_CLIENT_KEY: 'dck_test_1',
  SHOP_PUBLISHABLE_KEY: 'dcp_test_1',
  WEBHOOK_SECRET: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
};

/** What a starter says when it ends by itself. */
async function saidBy(file: string, env: Record<string, string>): Promise<{ code: number; said: string }> {
  const runner = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  const program = spawn(process.execPath, [...runner, file], {
    ...{ cwd: root, stdio: ['ignore', 'ignore', 'pipe'] },
    env: { PATH: process.env.PATH, ...env },
  });
  const [said, [code]] = await Promise.all([text(program.stderr!), once(program, 'exit')]);
  return { code, said };
}

test.each([
  'examples/storefront/storefront.mjs',
  'examples/menu-board/menu-board.mjs',
  'docs/examples/receive-events.ts',
])('%s says in a sentence that its port is taken', async (file) => {
  const { code, said } = await saidBy(file, { ...settings, PORT: String(port) });
  expect({ code, said }).toEqual({
    code: 1,
    said: `Another program uses port ${port}. Set PORT to a free one.\n`,
  });
});

test.each([
  ['examples/storefront/storefront.mjs', {}],
  ['examples/menu-board/menu-board.mjs', {}],
  ['examples/dispatcher/dispatcher.ts', {}],
  ['examples/crm-sync/crm-sync.ts', {}],
  ['examples/dispatcher/dispatcher.ts', settings],
  ['examples/crm-sync/crm-sync.ts', settings],
])('%s says in one line, without a stack, why it cannot start', async (file, env) => {
  const { code, said } = await saidBy(file, { ...env, DEMO_FILE: '/nowhere/demo.json' });
  expect(code).toBe(1);
  expect(said.trim()).toMatch(/^[^\n]{10,}$/);
  expect(said).not.toMatch(/^ {4}at /m);
});

test('a path that is no address, such as //, ends no starter', async () => {
  const away = { baseUrl: 'http://127.0.0.1:1', menuUrl: 'http://127.0.0.1:1', publishableKey: 'dcp_test_1' };
  const statuses = [serveStorefront(away), serveMenuBoard(away)].map(async (listener) => {
    const server = createHttpServer(listener).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port: ownPort } = server.address() as AddressInfo;
    const { status } = await fetch(`http://127.0.0.1:${ownPort}//`, { signal: AbortSignal.timeout(5_000) });
    server.close();
    return status;
  });
  // The shop asks the service for its menu first, which is away here.
  expect(await Promise.all(statuses)).toEqual([503, 404]);
});
