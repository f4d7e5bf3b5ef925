import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listenFailure, probeListening } from './listen-failure.ts';

async function listening(host: string, port: number) {
  const server = createServer();
  onTestFinished(() => void server.close());
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

test('a port in use is reported with the setting to change', async () => {
  const { port } = (await listening('127.0.0.1', 0)).address() as AddressInfo;
  const error = await listening('127.0.0.1', port).catch((thrown) =>
    listenFailure(thrown, 'MENU_PORT', { host: '127.0.0.1', port }),
  );
  expect(String(error)).toContain(`127.0.0.1:${port}. Stop it, or set MENU_PORT`);
});

test('an address that the machine does not have is reported with HOST', async () => {
  const error = await listening('203.0.113.7', 0).catch((thrown) =>
    listenFailure(thrown, 'PORT', { host: '203.0.113.7', port: 0 }),
  );
  expect(String(error)).toContain('Set HOST');
});

test('an unknown name is reported with HOST', () => {
  for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
    const error = Object.assign(new Error(`getaddrinfo ${code} shop.invalid`), { code });
    const failure = listenFailure(error, 'PORT', { host: 'shop.invalid', port: 80 });
    expect(String(failure)).toContain('HOST "shop.invalid" is not an address');
  }
});

test('a probe detects a port in use before a server starts, and leaves a free one free', async () => {
  const at = { host: '127.0.0.1', port: 0 };
  await probeListening('PORT', at);
  const taken = await listening('127.0.0.1', 0);
  const { port } = taken.address() as AddressInfo;
  await expect(probeListening('PORT', { ...at, port })).rejects.toThrow(
    `127.0.0.1:${port}. Stop it, or set PORT`,
  );
  taken.close();
  await once(taken, 'close');
  await probeListening('PORT', { ...at, port });
  await listening('127.0.0.1', port);
});

test('any other error is unchanged', () => {
  const error = new Error('something else');
  expect(listenFailure(error, 'PORT', { host: '127.0.0.1', port: 80 })).toBe(error);
});
