import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { readMasterKeys } from './key-settings.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-config-'));
  writeFileSync(join(folder, '.env'), 'PORT=1000\nMENU_PORT=1001\nLOG_LEVEL=\n');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('without any variable the service listens on the loopback, with the embedded database and the demo shops', () => {
  expect(loadConfig({}, '/nowhere')).toEqual({
    host: '127.0.0.1',
    port: 8080,
    menuPort: 8081,
    metricsPort: undefined,
    publicUrl: undefined,
    publicMenuUrl: undefined,
    trustedProxies: [],
    webhookHostsAllowed: [],
    signInHostsAllowed: [],
    stateSystem: { url: undefined, vendorKey: undefined },
    paymentHostsAllowed: [],
    mirrored: { url: undefined, consumerKey: '', clientKey: '' },
    dataDir: '/nowhere/data',
    anchorFolder: '/nowhere/data/audit-anchors',
    bucket: undefined,
    walArchive: undefined,
    databaseUrl: undefined,
    databaseReadUrl: undefined,
    readLagBytes: 1_048_576,
    databaseAppUrl: undefined,
    documentMasterKeys: [],
    keepsKeyInFile: true,
    fileLimits: {
      photos: { filesMax: 50_000, bytesMax: 20_000_000_000 },
      documents: { filesMax: 100_000, bytesMax: 50_000_000_000 },
    },
    backupLock: undefined,
    checksDocumentKeys: true,
    lawPublicKeys: [],
    environment: 'production',
    demo: true,
    sandboxes: true,
    logLevel: 'info',
    rateLimits: true,
    roles: ['api', 'menu', 'worker'],
    workers: 1,
    otel: undefined,
    drainMs: 0,
    shutdownTimeoutMs: 25_000,
  });
});

test('the environment overrides .env, an empty value counts as unset, and 0 is a port', () => {
  const config = loadConfig({ PORT: '0', MENU_PORT: '' }, folder);
  expect(config).toMatchObject({ port: 0, menuPort: 1001, logLevel: 'info' });
});

test('a command may print the master keys, and neither its output nor its text is in a message', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const load = (command: string, also = {}) =>
    loadConfig({ DOCUMENT_MASTER_KEY_COMMAND: command, ...also }, '/nowhere').documentMasterKeys;
  expect(load(`printf '%s\\n' ${key} ${key}`)).toEqual([Buffer.alloc(32, 7), Buffer.alloc(32, 7)]);
  for (const [command, reason] of [
    [`echo ${key}; exit 3`, 'it failed'],
    [`echo secret${key}`, 'it printed something else'],
    ['true', 'it printed something else'],
  ] as const) {
    let message = '';
    try {
      load(command);
    } catch (error) {
      message = (error as Error).message;
    }
    expect([command, message.includes(reason), message.includes(key)]).toEqual([command, true, false]);
  }
  expect(() => load(`echo ${key}`, { DOCUMENT_MASTER_KEY: key })).toThrow('DOCUMENT_MASTER_KEY is "***"');
});

test('a command that hangs is ended, and the start refused, whatever it has printed before', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  for (const command of ['sleep 2', `echo ${key}; sleep 2`, `sleep 2; echo ${key}`]) {
    const refusals: string[] = [];
    const read = {
      text: (name: string) => (name === 'DOCUMENT_MASTER_KEY_COMMAND' ? command : ''),
      keys: () => [],
      isSet: () => false,
      refuse: (_: string, expected: string) => void refusals.push(expected),
    };
    const begunAt = performance.now();
    expect([command, readMasterKeys(read, 100)]).toEqual([command, []]);
    expect(performance.now() - begunAt).toBeLessThan(1_900);
    expect(refusals).toEqual([expect.stringContaining('it did not end within 20 seconds')]);
    expect(refusals[0]).not.toContain(key);
  }
});

test('backups are encrypted for public keys or with a passphrase, not both', () => {
  const recipient = `age1${'q'.repeat(58)}`;
  const load = (env: Record<string, string>) => loadConfig(env, '/nowhere').backupLock;
  expect(load({ BACKUP_RECIPIENTS: `${recipient}, ${recipient}` })).toEqual({
    recipients: [recipient, recipient],
  });
  expect(load({ BACKUP_PASSPHRASE: 'quiet harbor lantern' })).toEqual({ passphrase: 'quiet harbor lantern' });
  for (const wrong of [
    { BACKUP_RECIPIENTS: 'AGE-SECRET-KEY-1QQ' },
    { BACKUP_PASSPHRASE: 'short' },
    { BACKUP_RECIPIENTS: recipient, BACKUP_PASSPHRASE: 'quiet harbor lantern' },
  ]) {
    expect(() => load(wrong as Record<string, string>)).toThrow('The configuration is wrong');
  }
});

test('the key of the operator is long, needs a port for its page, and is not shown', () => {
  const key = 'lantern-harbor-quiet-violet-0123';
  const load = (env: Record<string, string>) => () => loadConfig(env, '/nowhere');
  expect(load({ OPERATOR_KEY: key, METRICS_PORT: '9100' })().operatorKey).toBe(key);
  expect(load({ METRICS_PORT: '9100' })().operatorKey).toBeUndefined();
  for (const [wrong, port, expected] of [
    [key.slice(1), '9100', '32 to 256 letters, digits and signs without spaces'],
    [`${key} ${key}`, '9100', '32 to 256 letters, digits and signs without spaces'],
    [key, '', 'METRICS_PORT to be set too'],
  ] as const) {
    const started = load({ OPERATOR_KEY: wrong, METRICS_PORT: port });
    expect(started).toThrow(`OPERATOR_KEY is "***"; expected ${expected}`);
  }
});

test('WEBHOOK_HOSTS_ALLOWED names hosts, each with a port or without', () => {
  const load = (value: string) =>
    loadConfig({ WEBHOOK_HOSTS_ALLOWED: value }, '/nowhere').webhookHostsAllowed;
  expect(load('Hooks.Internal, 10.0.0.7:9000,[::1],[fd00::7]:80')).toEqual([
    'hooks.internal',
    '10.0.0.7:9000',
    '::1',
    'fd00::7:80',
  ]);
  for (const wrong of ['http://hooks.internal', '*', 'hooks.internal/path', 'a,,b', 'hooks.internal:']) {
    expect(() => load(wrong)).toThrow('WEBHOOK_HOSTS_ALLOWED is');
  }
});

test.each([
  ['PUBLIC_URL', 'publicUrl'],
  ['PUBLIC_MENU_URL', 'publicMenuUrl'],
] as const)('%s loses its trailing slash, and must allow paths to be appended', (name, field) => {
  const load = (value: string) => () => loadConfig({ [name]: value }, '/nowhere');
  expect(load('https://shop.example.com/')()[field]).toBe('https://shop.example.com');
  expect(load('https://example.com/shop')()[field]).toBe('https://example.com/shop');
  expect(load('shop.example.com')).toThrow(`${name} is "***"; expected an address such as`);
  for (const [wrong, shown, expected] of [
    ['https://me:hush@shop.example.com', 'https://***@shop.example.com/', 'without a user'],
    ['https://shop.example.com/?key=hush', 'https://shop.example.com/?***', 'without a query or a fragment'],
    ['https://shop.example.com#hush', 'https://shop.example.com/#***', 'without a query or a fragment'],
    ['https://shop.example.com?', 'https://shop.example.com/', 'without a query or a fragment'],
  ] as const) {
    expect(load(wrong)).toThrow(`${name} is "${shown}"; expected an address ${expected}`);
  }
});

test('a .env file that is a folder is named', () => {
  const place = join(folder, 'elsewhere');
  mkdirSync(join(place, '.env'), { recursive: true });
  expect(() => loadConfig({}, place)).toThrow(
    `The settings in ${join(place, '.env')} cannot be read: it is a folder.`,
  );
});

test('an external database gets demo data only on request', () => {
  const DATABASE_URL = 'postgres://me@db/shop';
  expect(loadConfig({ DATABASE_URL }, '/nowhere').demo).toBe(false);
  expect(loadConfig({ DATABASE_URL, DEMO: 'on' }, '/nowhere').demo).toBe(true);
});

test('a standby needs an external database, several servers are named in one address, and none shows its password', () => {
  const DATABASE_URL = 'postgres://me:hush@db-1:5432,db-2:5433/shop';
  const DATABASE_READ_URL = 'postgres://me:hush@db-2/shop';
  const load = (env: Record<string, string>) => () => loadConfig(env, '/nowhere');
  expect(load({ DATABASE_URL, DATABASE_READ_URL })()).toMatchObject({
    ...{ databaseUrl: DATABASE_URL, databaseReadUrl: DATABASE_READ_URL, readLagBytes: 1_048_576 },
  });
  expect(load({ DATABASE_URL, DATABASE_READ_URL, READ_LAG_BYTES: '5000' })().readLagBytes).toBe(5_000);
  expect(load({ DATABASE_READ_URL })).toThrow(
    'DATABASE_READ_URL is "postgres://***@db-2/shop"; expected DATABASE_URL to be set too, because the embedded database has no standby',
  );
  expect(load({ DATABASE_URL, READ_LAG_BYTES: '5000' })).toThrow(
    'READ_LAG_BYTES is "5000"; expected DATABASE_READ_URL to be set too',
  );
  for (const wrong of ['0', '-1', '1.5', '1073741825', 'much']) {
    expect(load({ DATABASE_URL, DATABASE_READ_URL, READ_LAG_BYTES: wrong })).toThrow(
      `READ_LAG_BYTES is "${wrong}"; expected`,
    );
  }
  const many = `postgres://me:hush@${Array.from({ length: 9 }, (_, at) => `db-${at}`).join(',')}/shop`;
  expect(load({ DATABASE_URL: many })).toThrow('expected at most 8 servers');
  expect(load({ DATABASE_URL: many })).not.toThrow('hush');
  expect(load({ DATABASE_URL, DATABASE_READ_URL: 'https://db/shop' })).toThrow('DATABASE_READ_URL is');
});

test('sandboxes are allowed beside the demo and on staging, and elsewhere by the owner of the deployment', () => {
  const allows = (env: Record<string, string>) => loadConfig(env, '/nowhere').sandboxes;
  const DATABASE_URL = 'postgres://me@db/shop';
  expect(
    [{}, { DISPENSARY_ENVIRONMENT: 'staging', DEMO: 'off' }, { DATABASE_URL, SANDBOXES: 'on' }].map(allows),
  ).toEqual([true, true, true]);
  expect([{ DEMO: 'off' }, { DATABASE_URL }, { SANDBOXES: 'off' }].map(allows)).toEqual([
    false,
    false,
    false,
  ]);
});

test('document keys are 32 bytes each, the current one first, and a wrong one is not shown', () => {
  const [present, former] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const DOCUMENT_MASTER_KEY = [present, former].map((key) => key.toString('base64')).join(', ');
  expect(loadConfig({ DOCUMENT_MASTER_KEY }, '/nowhere').documentMasterKeys).toEqual([present, former]);
  for (const wrong of ['c2VjcmV0', `${DOCUMENT_MASTER_KEY},`, Buffer.alloc(31).toString('base64')]) {
    const load = () => loadConfig({ DOCUMENT_MASTER_KEY: wrong }, '/nowhere');
    expect(load).toThrowError('DOCUMENT_MASTER_KEY is "***"; expected 32 bytes in Base64');
  }
});

const bucketEnv = {
  BLOB_STORE: 's3://shop-files',
  DOCUMENT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
};

test('a bucket has its own endpoint and keys, or those of the environment', () => {
  expect(loadConfig(bucketEnv, '/nowhere').bucket).toEqual({
    ...{ bucket: 'shop-files', prefix: '', endpoint: undefined, region: 'us-east-1' },
    ...{ credentials: undefined, isPathStyle: false },
  });
  const env = {
    ...bucketEnv,
    BLOB_STORE: 's3://files.of.shops/west/2026_a/',
    S3_ENDPOINT: 'https://storage.example.com:9000/',
    S3_REGION: 'eu-north-1',
    S3_ACCESS_KEY_ID: 'AKID',
    S3_SECRET_ACCESS_KEY: 'hush/hush+',
  };
  expect(loadConfig(env, '/nowhere').bucket).toEqual({
    ...{ bucket: 'files.of.shops', prefix: 'west/2026_a', endpoint: 'https://storage.example.com:9000' },
    ...{ region: 'eu-north-1', isPathStyle: true },
    credentials: { accessKeyId: 'AKID', secretAccessKey: 'hush/hush+' },
  });
  expect(loadConfig({ ...env, S3_PATH_STYLE: 'off' }, '/nowhere').bucket?.isPathStyle).toBe(false);
});

test.each<[string, Record<string, string>, string]>([
  ['a folder', { BLOB_STORE: '/var/files' }, 'BLOB_STORE is "***"; expected s3://bucket'],
  [
    'another store',
    { BLOB_STORE: 'gs://hush@files' },
    'BLOB_STORE is "gs://***@files"; expected s3://bucket',
  ],
  ['keys in the address', { BLOB_STORE: 's3://id:hush@files' }, 'BLOB_STORE is "s3://***@files"'],
  ['no bucket', { BLOB_STORE: 's3://' }, 'BLOB_STORE is '],
  ['a prefix with ..', { BLOB_STORE: 's3://files/../other' }, 'BLOB_STORE is '],
  ['a prefix with a gap', { BLOB_STORE: 's3://files/a//b' }, 'BLOB_STORE is '],
  ['a bare host', { S3_ENDPOINT: 'storage.example.com' }, 'S3_ENDPOINT is "***"; expected an address'],
  [
    'keys in the endpoint',
    { S3_ENDPOINT: 'https://id:hush@storage.example.com' },
    'S3_ENDPOINT is "https://***@storage.example.com/"; expected an address without a user',
  ],
  ['a region', { S3_REGION: 'Frankfurt am Main' }, 'S3_REGION is "Frankfurt am Main"; expected a name'],
  ['an id alone', { S3_ACCESS_KEY_ID: 'hush' }, 'S3_SECRET_ACCESS_KEY is ""; expected the secret of'],
  ['a secret alone', { S3_SECRET_ACCESS_KEY: 'hush' }, 'S3_ACCESS_KEY_ID is ""; expected the id of'],
  ['a style', { S3_PATH_STYLE: 'yes' }, 'S3_PATH_STYLE is "yes"; expected one of on, off'],
  ['no document key', { DOCUMENT_MASTER_KEY: '' }, 'DOCUMENT_MASTER_KEY is ""; expected 32 bytes'],
  [
    'a key without a bucket',
    { BLOB_STORE: '', S3_ACCESS_KEY_ID: 'hush' },
    'S3_ACCESS_KEY_ID is "***"; expected BLOB',
  ],
])('a wrong bucket setting is named, and no secret is shown: %s', (_, changes, message) => {
  const load = () => loadConfig({ ...bucketEnv, ...changes }, '/nowhere');
  expect(load).toThrow(message);
  expect(load).not.toThrow('hush');
});

test('trusted proxies are addresses and ranges, never all addresses', () => {
  const TRUSTED_PROXIES = '10.0.0.0/8, 127.0.0.1,2001:db8::/32';
  expect(loadConfig({ TRUSTED_PROXIES }, '/nowhere').trustedProxies).toEqual([
    ...['10.0.0.0/8', '127.0.0.1', '2001:db8::/32'],
  ]);
  for (const wrong of ['proxy.example.com', '10.0.0.0/33', '10.0.0.1,', '0.0.0.0/0', '::/0', 'true']) {
    const load = () => loadConfig({ TRUSTED_PROXIES: wrong }, '/nowhere');
    expect(load).toThrow(`TRUSTED_PROXIES is "${wrong}"; expected addresses and ranges`);
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

test('two listeners cannot share a port', () => {
  for (const [env, message] of [
    [
      { PORT: '9000', MENU_PORT: '9000' },
      'MENU_PORT is "9000"; expected a port other than PORT, which is 9000',
    ],
    [
      { MENU_PORT: '9000', METRICS_PORT: '9000' },
      'METRICS_PORT is "9000"; expected a port other than MENU_PORT,',
    ],
    // The other one is a default, so the one that was set is wrong.
    [{ PORT: '8081' }, 'PORT is "8081"; expected a port other than MENU_PORT, which is 8081'],
    [{ METRICS_PORT: '8080' }, 'METRICS_PORT is "8080"; expected a port other than PORT, which is 8080'],
  ] as const) {
    expect(() => loadConfig(env, '/nowhere')).toThrow(`The configuration is wrong:\n  ${message}`);
  }
  expect(loadConfig({ PORT: '0', MENU_PORT: '0' }, '/nowhere').menuPort).toBe(0);
});

test.each([
  'mysql://me:hush@db/shop',
  'me:hush@db/shop',
  'hush:',
  'mysql:hush',
  'postgres//me:hush@db',
  'hush',
])('a wrong DATABASE_URL is refused, and the message shows no possible password: %s', (DATABASE_URL) => {
  const load = () => loadConfig({ DATABASE_URL }, '/nowhere');
  expect(load).toThrow('DATABASE_URL is ');
  expect(load).not.toThrow('hush');
});

test('the address of a socket with a user is a database, and a message shows all of it that is no secret', () => {
  const DATABASE_URL = 'postgres://me:hush@/shop?host=/run/postgresql';
  expect(loadConfig({ DATABASE_URL }, '/nowhere').databaseUrl).toBe(DATABASE_URL);
  const load = () => loadConfig({ DATABASE_APP_URL: DATABASE_URL }, '/nowhere');
  expect(load).toThrow('DATABASE_APP_URL is "postgres://***@/shop?***"; expected DATABASE_URL to be set too');
  expect(() => loadConfig({ DATABASE_URL: 'mysql://db' }, '/nowhere')).toThrow(
    'postgres://user:password@/database?host=/folder/of/its/socket',
  );
});

test('WORKERS are as many as the database has connections for, and have something to serve', () => {
  const load = (env: Record<string, string>) => () => loadConfig(env, '/nowhere');
  const DATABASE_URL = 'postgres://me@db/shop';
  expect(load({ WORKERS: '10' })().workers).toBe(10);
  expect(load({ WORKERS: '64', DATABASE_URL })().workers).toBe(64);
  expect(load({ WORKERS: '11' })).toThrow('at most 10 with the embedded database');
  expect(load({ WORKERS: '0' })).toThrow('at least 1');
  expect(load({ WORKERS: '2', ROLES: 'worker' })).toThrow('1, because ROLES has neither api nor menu');
});

test('a serving login without DATABASE_URL is refused', () => {
  expect(() => loadConfig({ DATABASE_APP_URL: 'postgres://app:hush@db/shop' }, '/nowhere')).toThrow(
    'DATABASE_APP_URL is "postgres://***@db/shop"; expected DATABASE_URL to be set too',
  );
});

test('the configuration is immutable', () => {
  const config = loadConfig({}, '/nowhere') as { port: number };
  expect(() => {
    config.port = 1;
  }).toThrow(TypeError);
});

test('WAL_ARCHIVE is a folder outside of DATA_DIR or a bucket, and says whether it has the key of documents', () => {
  const key = Buffer.alloc(32).toString('base64');
  const load = (env: Record<string, string>) => loadConfig(env, '/shop').walArchive;
  expect(load({ WAL_ARCHIVE: '../mnt' })).toEqual({
    ...{ place: { folder: '/mnt' }, includesMasterKey: true, baseHours: 24, keepBases: 7 },
  });
  const bucket = { WAL_ARCHIVE: 's3://logs/shop', S3_ENDPOINT: 'https://s3.example.com' };
  expect(load({ ...bucket, DOCUMENT_MASTER_KEY: key, BASE_BACKUP_HOURS: '6' })).toMatchObject({
    place: {
      bucket: { bucket: 'logs', prefix: 'shop', endpoint: 'https://s3.example.com', isPathStyle: true },
    },
    ...{ includesMasterKey: false, baseHours: 6 },
  });
  expect(load({ ...bucket, WAL_ARCHIVE_MASTER_KEY: 'on' })?.includesMasterKey).toBe(true);
  const wrong: readonly (readonly [Record<string, string>, string])[] = [
    [bucket, 'DOCUMENT_MASTER_KEY is ""; expected 32 bytes in Base64, because the archive does not contain'],
    [{ WAL_ARCHIVE: 'data/archive' }, 'WAL_ARCHIVE is "data/archive"; expected a folder outside of DATA_DIR'],
    [{ WAL_ARCHIVE: 's3://UPPER' }, 'WAL_ARCHIVE is "s3://UPPER"; expected s3://bucket'],
    [{ WAL_ARCHIVE: '/mnt', DATABASE_URL: 'postgres://db/shop' }, 'because DATABASE_URL names a server'],
    [{ KEEP_BASE_BACKUPS: '3' }, 'KEEP_BASE_BACKUPS is "3"; expected WAL_ARCHIVE to be set too'],
    [{ WAL_ARCHIVE: '/mnt', KEEP_BASE_BACKUPS: '0' }, 'expected at least 1'],
    [{ WAL_ARCHIVE: '/mnt', BASE_BACKUP_HOURS: '0' }, 'expected at least 1'],
    [
      { WAL_ARCHIVE: '/mnt', S3_REGION: 'us-east-1' },
      'BLOB_STORE to be set too, or a WAL_ARCHIVE in a bucket',
    ],
  ];
  for (const [env, words] of wrong) expect(() => load(env), words).toThrow(words);
});
