import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-config-'));
  writeFileSync(join(folder, '.env'), 'PORT=1000\nMENU_PORT=1001\nLOG_LEVEL=\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('without any variable the service listens on the loopback, with its own database and the demo shops', () => {
  expect(loadConfig({}, '/nowhere')).toEqual({
    host: '127.0.0.1',
    port: 8080,
    menuPort: 8081,
    metricsPort: undefined,
    publicUrl: undefined,
    dataDir: '/nowhere/data',
    databaseUrl: undefined,
    databaseAppUrl: undefined,
    documentMasterKeys: [],
    environment: 'production',
    demo: true,
    logLevel: 'info',
    rateLimits: true,
    roles: ['api', 'menu', 'worker'],
    shutdownTimeoutMs: 25_000,
  });
});

test('the real environment wins over .env, an empty value counts as none, and 0 is a port', () => {
  const config = loadConfig({ PORT: '0', MENU_PORT: '' }, folder);
  expect(config).toMatchObject({ port: 0, menuPort: 1001, logLevel: 'info' });
});

test('the public address of photos is taken without a slash at the end, and only if it is one', () => {
  const { publicUrl } = loadConfig({ PUBLIC_URL: 'https://shop.example.com/' }, '/nowhere');
  expect(publicUrl).toBe('https://shop.example.com');
  expect(() => loadConfig({ PUBLIC_URL: 'shop.example.com' }, '/nowhere')).toThrowError('PUBLIC_URL');
});

test("somebody's own database is filled with demo data only when that is asked for", () => {
  const DATABASE_URL = 'postgres://me@db/shop';
  expect(loadConfig({ DATABASE_URL }, '/nowhere').demo).toBe(false);
  expect(loadConfig({ DATABASE_URL, DEMO: 'on' }, '/nowhere').demo).toBe(true);
});

test('keys of documents are 32 bytes each, the present one first, and a wrong one is not shown', () => {
  const [present, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const DOCUMENT_MASTER_KEY = [present, former].map((key) => key.toString('base64')).join(', ');
  expect(loadConfig({ DOCUMENT_MASTER_KEY }, '/nowhere').documentMasterKeys).toEqual([present, former]);
  for (const wrong of ['c2VjcmV0', `${DOCUMENT_MASTER_KEY},`, Buffer.alloc(31).toString('base64')]) {
    const load = () => loadConfig({ DOCUMENT_MASTER_KEY: wrong }, '/nowhere');
    expect(load).toThrowError('DOCUMENT_MASTER_KEY is "***"; expected 32 bytes in Base64');
  }
});

test('one message names every wrong variable, its value and what was expected', () => {
  const env = {
    PORT: '80x',
    MENU_PORT: '65536',
    DEMO: 'yes',
    ROLES: 'api,cook',
    LOG_LEVEL: 'loud',
    HOST: '::',
  };
  expect(() => loadConfig(env, '/nowhere')).toThrowError(
    [
      'The configuration is wrong:',
      '  PORT is "80x"; expected a whole number from 0 to 65535',
      '  MENU_PORT is "65536"; expected a whole number from 0 to 65535',
      '  DEMO is "yes"; expected one of on, off',
      '  LOG_LEVEL is "loud"; expected one of trace, debug, info, warn, error, fatal, silent',
      '  ROLES is "api,cook"; expected some of api,menu,worker, separated by commas',
    ].join('\n'),
  );
});

test('two listeners cannot be asked onto one port', () => {
  expect(() => loadConfig({ PORT: '9000', MENU_PORT: '9000' }, '/nowhere')).toThrow('PORT is "9000"');
  expect(loadConfig({ PORT: '0', MENU_PORT: '0' }, '/nowhere').menuPort).toBe(0);
});

test.each([
  'mysql://me:hush@db/shop',
  'me:hush@db/shop',
  'hush:',
  'mysql:hush',
  'postgres//me:hush@db',
  'hush',
])(
  'a wrong DATABASE_URL is refused, and the message does not show what may be a password: %s',
  (DATABASE_URL) => {
    const load = () => loadConfig({ DATABASE_URL }, '/nowhere');
    expect(load).toThrow('DATABASE_URL is ');
    expect(load).not.toThrow('hush');
  },
);

test('a serving login without a database to serve from is refused', () => {
  expect(() => loadConfig({ DATABASE_APP_URL: 'postgres://app:hush@db/shop' }, '/nowhere')).toThrow(
    'DATABASE_APP_URL is "postgres://***@db/shop"; expected DATABASE_URL to be set too',
  );
});

test('the configuration cannot be changed once it is read', () => {
  const config = loadConfig({}, '/nowhere') as { port: number };
  expect(() => {
    config.port = 1;
  }).toThrow(TypeError);
});
