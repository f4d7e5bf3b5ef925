import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { identityOf } from '../src/hosting/startup/service-identity.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { connectionUrl } from '../test/harness/test-connection.ts';
import { startTestService } from '../test/harness/test-service.ts';
import { between, quantileOf, readMetrics, sumOf } from './prometheus-text.ts';
import { runCommandLine } from './run-command-line.ts';
import { alertsByName, firing } from './status-alerts.ts';
import { attentionOf, type DeploymentFacts, type StatusReport } from './status-report.ts';
import { screenOf } from './status-screen.ts';

/** A service that answers what a test wants, by path. */
let replies: Record<string, { readonly status: number; readonly text: string }>;
let service: Server;
let url: string;
beforeEach(async () => {
  replies = {
    '/healthz': { status: 200, text: '{"data":{"status":"alive","service":"1"}}' },
    '/readyz': { status: 200, text: '{"data":{"status":"ready","service":"1"}}' },
  };
  service = createServer((request, response) => {
    const reply = replies[request.url!] ?? { status: 404, text: '' };
    response.writeHead(reply.status).end(reply.text);
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => service.close(resolve)));

async function status(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const streams = { stdout: stream('stdout'), stderr: stream('stderr') };
  // No database is needed, and this folder has none.
  const env = { DATA_DIR: join(tmpdir(), 'no-such-folder') };
  const code = await runCommandLine(['status', ...args], { env, folder: tmpdir(), ...streams });
  return { code, ...written };
}

test('a service at an address is healthy, needs attention, or does not answer: exit codes 0, 1 and 2', async () => {
  const healthy = await status('--url', url);
  expect([healthy.code, healthy.stderr]).toEqual([0, '']);
  expect(healthy.stdout).toMatch(/^Status {8}healthy$/m);

  replies['/readyz'] = {
    status: 200,
    text: '{"data":{"status":"ready","service":"1","concerns":["A balance is off."]}}',
  };
  const concerned = await status('--url', `${url}/`, '--json');
  expect(concerned.code).toBe(1);
  expect(JSON.parse(concerned.stdout)).toMatchObject({
    verdict: 'needs attention',
    attention: ['A balance is off.'],
  });

  replies['/healthz'] = { status: 200, text: '<h1>Welcome</h1>' };
  const other = await status('--url', url);
  expect([other.code, other.stdout]).toEqual([
    2,
    expect.stringContaining(`! ${url}/healthz is answered by another`),
  ]);
  replies['/healthz'] = { status: 200, text: '{"data":{"status":"alive","service":"1"}}' };

  replies['/readyz'] = { status: 503, text: '{"error":{"message":"The service is starting."}}' };
  const starting = await status('--url', url);
  expect(starting.code).toBe(1);
  expect(starting.stdout).toContain('The service is starting.');

  await new Promise((resolve) => service.close(resolve));
  const away = await status('--url', url);
  expect(away.code).toBe(2);
  expect(away.stdout).toContain('does not answer: ');
});

test('another program, or the service of another folder, on the port of this one is not this one', async () => {
  const database = await startTestService();
  const dataDir = mkdtempSync(join(tmpdir(), 'dispensary-status-'));
  writeFileSync(join(dataDir, 'service-id'), 'of this folder');
  const env = {
    ...{ DATABASE_URL: connectionUrl(database.database.owner), DATA_DIR: dataDir },
    ...{ PORT: new URL(url).port, ROLES: 'api,worker' },
  };
  let stdout = '';
  const seen = async () => {
    stdout = '';
    const write = (text: string) => {
      stdout += text;
    };
    const streams = { stdout: { write }, stderr: { write: () => {} } };
    const code = await runCommandLine(['status', '--json'], { env, folder: tmpdir(), ...streams });
    const { verdict, foreign, attention } = JSON.parse(stdout);
    return { code, verdict, foreign, said: attention[0] };
  };
  for (const text of [
    '{"data":{"status":"alive"}}',
    '{"data":{"status":"alive","service":"6a09e667f3bcc908b2fb1366ea957d3e"}}',
    'It works!',
  ]) {
    replies['/healthz'] = { status: 200, text };
    expect(await seen()).toMatchObject({
      ...{ code: 2, verdict: 'does not answer' },
      said: `${url}/healthz is answered by another program, or by a service with another DATA_DIR`,
    });
  }
  const own = { status: 200, text: JSON.stringify({ data: { service: identityOf(dataDir) } }) };
  Object.assign(replies, { '/healthz': own, '/readyz': own });
  expect((await seen()).foreign).toEqual([]);
  rmSync(dataDir, { recursive: true });
  await database.close();
});

const durations = (status: number, count: number, slow = 0) =>
  [
    `http_request_duration_seconds_bucket{le="0.01",route="menu",status="${status}"} ${count - slow}`,
    `http_request_duration_seconds_bucket{le="2.5",route="menu",status="${status}"} ${count}`,
    `http_request_duration_seconds_bucket{le="+Inf",route="menu",status="${status}"} ${count}`,
    `http_request_duration_seconds_count{route="menu",status="${status}"} ${count}`,
  ].join('\n');

test('metrics at an address show requests, errors, latency, memory, the version that runs, and alerts', async () => {
  replies['/metrics'] = {
    status: 200,
    text: [
      'service_info{version="9.9.9",node="v24.1.0",roles="api worker",environment="production",rate_limits="on"} 1',
      'process_resident_memory_bytes 123000000',
      durations(200, 900),
      durations(503, 90),
      durations(429, 10),
    ].join('\n'),
  };
  const shown = await status('--url', url, '--metrics', `${url}/metrics`);
  expect(shown.code).toBe(1);
  expect(shown.stdout).toContain('! RequestsFail: 90 of 1000 requests are answered with 5xx');
  expect(shown.stdout).toMatch(/^Version {7}9\.9\.9$/m);
  expect(shown.stdout).toContain('api worker on Node v24.1.0, 123 MB');
  expect(shown.stdout).toContain('1000 since the start: 90 of them 5xx, 10 4xx, 10 over a rate limit');
  expect(shown.stdout).toContain('half of them up to 10 ms, 99 in a hundred up to 10 ms');

  const { code, stdout } = await status(
    '--url',
    url,
    '--metrics',
    `${url}/metrics`,
    '--seconds',
    '1',
    '--json',
  );
  expect([code, JSON.parse(stdout).requests]).toEqual([0, expect.objectContaining({ count: 0, failed: 0 })]);

  const silent = await status('--url', url, '--metrics', `${url}/elsewhere`);
  expect([silent.code, silent.stdout]).toEqual([1, expect.stringContaining('! ServiceDown')]);
});

test('options that make no sense are refused with what is expected', async () => {
  expect(await status('--metrics', url)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('needs --url'),
  });
  expect(await status('--url', 'shop.example.com')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--url: an address such as'),
  });
  expect(await status('--url', url, '--seconds', '601')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('from 1 to 600'),
  });
});

test('every alert of the shipped rules is one that the status knows', () => {
  const rules = readFileSync(join(projectFolder(), 'deploy', 'prometheus', 'alerts.yml'), 'utf8');
  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
  expect(Object.keys(alertsByName).toSorted()).toEqual(
    names.filter((name) => name !== 'ServiceDown').toSorted(),
  );
});

test('an alert is silent below its bound and speaks above it', () => {
  const says = (text: string, isShort = true) => {
    const samples = readMetrics(text);
    return firing({ now: samples, recent: samples, isShort }).map((words) => words.split(':')[0]);
  };
  expect(says(durations(200, 1_000, 5))).toEqual([]);
  expect(says(durations(200, 1_000, 20))).toEqual(['RequestsSlow']);
  expect(says('nodejs_eventloop_lag_p99_seconds 0.6')).toEqual(['EventLoopLate']);
  expect(says('process_resident_memory_bytes 1.4e9')).toEqual([]);
  expect(says('process_resident_memory_bytes 1.6e9')).toEqual(['MemoryGrows']);
  expect(says('database_restarts_total{outcome="recovered"} 1')).toEqual(['DatabaseRestarted']);
  expect(says('database_standby_in_use 0')).toEqual(['StandbyUnused']);
  expect(says('database_standby_in_use 1')).toEqual([]);
  expect(says('jobs_oldest_waiting_seconds{task="send"} 901')).toEqual(['JobsWait']);
  expect(says('jobs_total{task="send",outcome="failed"} 6')).toEqual(['JobsFail']);
  // What a process counted since its start, weeks ago perhaps, is no alert.
  expect(says('jobs_total{task="send",outcome="failed"} 6', false)).toEqual([]);
});

test('samples are read with their labels, and two readings give what happened between', () => {
  const first = readMetrics('# HELP a b\na{x="1",y="q\\"z"} 3\na{x="2"} 4\nb 1e3 1700000000\n');
  expect(first).toEqual([
    { name: 'a', labels: { x: '1', y: 'q\\"z' }, value: 3 },
    { name: 'a', labels: { x: '2' }, value: 4 },
    { name: 'b', labels: {}, value: 1_000 },
  ]);
  const later = readMetrics('a{y="q\\"z",x="1"} 5\na{x="2"} 1\nc 7');
  expect(between(first, later).map(({ value }) => value)).toEqual([2, 1, 7]);
  expect(sumOf(first, 'a')).toBe(7);
  expect(quantileOf([], 'a', 0.5)).toBeNull();
});

const facts: DeploymentFacts = {
  ...{
    dataDir: `/srv/${'x'.repeat(200)}`,
    database: 'embedded',
    serverRunning: true,
    databaseVersion: '18.4',
  },
  ...{
    databaseBytes: 5e9,
    sessions: 17,
    sessionsMax: 200,
    oldestTransactionSeconds: 4_000,
  },
  ...{ missingMigrations: [], environment: 'production', organizations: 900, organizationsRead: 500 },
  waitingMigrations: Array.from({ length: 9 }, (_, index) => `028${index}_drop_something.sql`),
  jobs: [{ task: 'send', waiting: 12, seconds: 30 }],
  webhooks: { enabled: 4, failing: 1, switchedOff: 0 },
  mail: { server: true, waiting: 2, refusedLastDay: 0 },
  ...{
    files: 'disk',
    storedFiles: [],
    diskFreeBytes: 5e11,
    diskBytes: 1e12,
    lastBackup: null,
    walArchive: null,
    rateLimits: true,
    retention: [],
  },
  lawWarnings: Array.from(
    { length: 30 },
    (_, index) => `State ${index}: ${'a fact changes soon, '.repeat(12)}`,
  ),
};
const report: StatusReport = {
  ...{
    atMs: 1_800_000_000_000,
    version: '1.0.0',
    menu: null,
    deployment: facts,
    recent: [],
    recentSeconds: null,
  },
  health: { url: 'http://127.0.0.1:8080/healthz', status: 200, milliseconds: 3, says: [], service: '1' },
  readiness: { url: 'http://127.0.0.1:8080/readyz', status: 200, milliseconds: 3, says: [], service: '1' },
  processes: Array.from({ length: 20 }, (_, index) => ({
    url: `http://127.0.0.1:${9_000 + index}/metrics`,
    samples: [],
  })),
  ...{ silent: [], notes: [], foreign: [] },
};

test('the screen has at most 40 lines of 100 columns, however much there is to say', () => {
  const many = Array.from({ length: 50 }, (_, index) => `${index} ${'is not as it should be '.repeat(10)}`);
  const lines = screenOf(report, 'needs attention', many);
  expect(lines.length).toBeLessThanOrEqual(40);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(100);
  const text = lines.join('\n');
  for (const name of [
    'Health',
    'Database',
    'Jobs',
    'Webhooks',
    'Mail',
    'Retention',
    'Disk',
    'Backup',
    'Rate limits',
    'Law',
  ])
    expect(text).toMatch(new RegExp(`^${name} `, 'm'));
  expect(text).toContain('and 45 more');
  expect(text).toContain('17 of 200, the oldest transaction is open for 67 min');
  expect(text).toContain('(of 500 organizations)');
});

test('what an operator must do something about needs attention; what is only good to know does not', () => {
  const attention = (changes: Partial<DeploymentFacts>) =>
    attentionOf({ ...report, deployment: { ...facts, ...changes } }, []);
  const at = report.atMs;
  expect(attention({})).toEqual([]);
  expect(attention({ missingMigrations: ['a.sql'] })).toEqual([
    '1 migrations are missing: start the service',
  ]);
  expect(attention({ diskFreeBytes: 4e10 })).toEqual(['the disk of DATA_DIR has 40.0 GB left']);
  expect(attention({ jobs: [{ task: 'send', waiting: 1, seconds: 901 }] })).toEqual([
    'jobs wait for more than 15 minutes: send',
  ]);
  expect(attention({ webhooks: { enabled: 0, failing: 0, switchedOff: 2 } })).toHaveLength(1);
  expect(attention({ mail: { server: true, waiting: 0, refusedLastDay: 1 } })).toHaveLength(1);
  expect(attention({ walArchive: 'the bucket refuses the key' })).toHaveLength(1);
  const mails = { kind: 'mails', overdueRows: 7, oldestSeconds: 3e6 };
  expect(attention({ retention: [{ ...mails, lateSeconds: 86_400 }] })).toEqual([]);
  expect(attention({ retention: [{ ...mails, lateSeconds: 86_401 }] })).toEqual([
    'rows stay for more than a day too long: mails',
  ]);
  expect(attention({ retention: [{ ...mails, lateSeconds: null }] })).toEqual([]);
  const backup = { atMs: at - 86_400_000, to: '/mnt/b', isWhole: true };
  expect(attention({ lastBackup: backup })).toEqual([]);
  expect(attention({ lastBackup: { ...backup, isWhole: false } })).toEqual(['the last backup is damaged']);
  expect(attention({ lastBackup: { ...backup, atMs: at - 9 * 86_400_000 } })).toHaveLength(1);
});
