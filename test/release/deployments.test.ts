import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';

const root = projectFolder();
const fileOf = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = ['compose', 'compose.fleet', 'compose.cluster'].map((name) => `deploy/docker/${name}.yaml`);
const chart = readdirSync(join(root, 'deploy/helm'), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(yaml|tpl)$/.test(path))
  .map((path) => join('deploy/helm', path));
const unit = 'deploy/systemd/dispensary.service';

test('the image, compose files, unit and chart set only settings of the README', () => {
  const settings = new Set(
    [...fileOf('README.md').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \|/gm)].map(([, name]) => name),
  );
  // Of the build, of Node, of the account, and of the databases.
  const others = [
    'NODE_IMAGE',
    'NODE_ENV',
    'HOME',
    'OWNER_PASSWORD',
    'SERVING_PASSWORD',
    'REPLICATION_PASSWORD',
    'CITUS',
  ];
  const set = [
    ...[...fileOf('deploy/docker/Dockerfile').matchAll(/(?:ENV | )([A-Z][A-Z0-9_]+)=/g)],
    ...[...fileOf(unit).matchAll(/(?:Environment=| )([A-Z][A-Z0-9_]+)=/g)],
    ...compose.flatMap((path) => [...fileOf(path).matchAll(/^ +([A-Z][A-Z0-9_]+): /gm)]),
    ...chart.flatMap((path) => [
      ...fileOf(path).matchAll(/name: ([A-Z][A-Z0-9_]+),|# +([A-Z][A-Z0-9_]+): /g),
    ]),
  ].map(([, one, other]) => one ?? other!);
  expect(set.length).toBeGreaterThan(20);
  for (const name of set.filter((one) => !others.includes(one))) expect([...settings]).toContain(name);
});

test('the chart has the version of the program', () => {
  const { version } = JSON.parse(fileOf('package.json'));
  expect(fileOf('deploy/helm/Chart.yaml')).toContain(`\nversion: ${version}\nappVersion: ${version}\n`);
});

test('a process that is stopped has more time than its drain and its last requests take', () => {
  const drain = Math.max(0, ...compose.flatMap((path) => numbersIn(fileOf(path), /DRAIN_SECONDS: '(\d+)'/g)));
  const [longest] = numbersIn(fileOf('README.md'), /`SHUTDOWN_TIMEOUT_SECONDS` \| `(\d+)`/g);
  const given = [
    ...compose.flatMap((path) => numbersIn(fileOf(path), /stop_grace_period: (\d+)s/g)),
    ...numbersIn(fileOf(unit), /TimeoutStopSec=(\d+)/g),
    ...numbersIn(fileOf('deploy/helm/templates/_helpers.tpl'), /drainSeconds (\d+) \}\}/g).map(
      (one) => one + drain,
    ),
  ];
  expect(given).toHaveLength(7);
  for (const seconds of given) expect(seconds).toBeGreaterThan(drain + longest!);
});

test('the health check asks the address that this process has, and fails unless it is ready', async () => {
  let status = 200;
  const asked: (string | undefined)[] = [];
  const server = createServer(({ url }, reply) => {
    asked.push(url);
    reply.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = String((server.address() as AddressInfo).port);
  const closed = '1';
  try {
    expect(await healthOf({ PORT: port, METRICS_PORT: closed })).toBe(0);
    expect(await healthOf({ PORT: closed, MENU_PORT: port, ROLES: 'menu,worker' })).toBe(0);
    expect(await healthOf({ PORT: closed, METRICS_PORT: port, ROLES: 'worker' })).toBe(0);
    expect(await healthOf({ PORT: closed, METRICS_PORT: port })).toBe(1);
    status = 503;
    expect(await healthOf({ PORT: port })).toBe(1);
    expect(new Set(asked)).toEqual(new Set(['/readyz']));
  } finally {
    server.close();
  }
});

function numbersIn(text: string, pattern: RegExp): number[] {
  return [...text.matchAll(pattern)].map(([, digits]) => Number(digits));
}

async function healthOf(env: Readonly<Record<string, string>>): Promise<number> {
  const [code] = await once(
    spawn(process.execPath, ['deploy/docker/ready.mjs'], { cwd: root, env, stdio: 'ignore' }),
    'exit',
  );
  return code;
}
