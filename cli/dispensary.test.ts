import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const tsx = join(root, 'node_modules/tsx/dist/cli.mjs');

let dataDir: string;
let server: ChildProcess;
let baseUrl: string;

function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DATABASE_APP_URL: __, ...rest } = process.env;
  return { ...rest, DATA_DIR: dataDir, DEMO: 'off', PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'silent' };
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dispensary-cli-'));
  server = spawn(process.execPath, [tsx, 'src/main.ts'], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: server.stdout! })) {
    const address = /Base address\s+(\S+)/.exec(line)?.[1];
    if (address !== undefined) {
      baseUrl = address;
      break;
    }
  }
});

afterAll(async () => {
  if (server.exitCode === null) {
    server.kill('SIGTERM');
    await once(server, 'exit');
  }
  rmSync(dataDir, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function dispensary(...args: string[]): Promise<Outcome> {
  try {
    const done = await promisify(execFile)(process.execPath, [tsx, 'cli/main.ts', ...args], {
      cwd: root,
      env: environment(),
    });
    return { code: 0, ...done };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}

/** The result of a command that must succeed. */
async function result<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await dispensary(...args, '--json');
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Result;
}

async function organizationStatus(consumerKey: string, clientKey: string): Promise<number> {
  const response = await fetch(`${baseUrl}/api/v1/organization`, {
    headers: { 'x-consumer-key': consumerKey, 'x-client-key': clientKey },
  });
  await response.arrayBuffer();
  return response.status;
}

test('beside a running server, an operator gives an integrator access and takes it away within a second', async () => {
  const organization = await result<{ id: number; owner: { password: string } }>(
    ...['organization', 'create', '--name', 'Fern & Anchor', '--state', 'CA', '--tz', 'America/Los_Angeles'],
    ...['--owner-email', 'owner@fern.example.com'],
  );
  expect(organization.owner.password.length).toBeGreaterThanOrEqual(16);
  const signedIn = await fetch(`${baseUrl}/staff/v1/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'owner@fern.example.com', password: organization.owner.password }),
  });
  expect(await signedIn.json()).toMatchObject({ data: { staff: { role: 'owner' } } });
  expect(await result('organization', 'list')).toEqual([
    { id: organization.id, name: 'Fern & Anchor', state: 'CA', tz: 'America/Los_Angeles' },
  ]);
  const integrator = await result<{ id: number; consumerKey: string }>(
    ...['integrator', 'create', '--name', 'Corner Cart'],
  );
  const key = await result<{ id: number; clientKey: string }>(
    ...['client-key', 'create', '--organization', String(organization.id)],
    ...['--integrator', String(integrator.id), '--permissions', 'analytics,menu'],
  );
  expect(await organizationStatus(integrator.consumerKey, key.clientKey)).toBe(200);

  await result('client-key', 'revoke', '--organization', String(organization.id), '--id', String(key.id));
  const revokedAtMs = performance.now();
  let refusedAfterMs = Number.POSITIVE_INFINITY;
  while (performance.now() - revokedAtMs < 3_000) {
    if ((await organizationStatus(integrator.consumerKey, key.clientKey)) === 401) {
      refusedAfterMs = performance.now() - revokedAtMs;
      break;
    }
  }
  expect(refusedAfterMs).toBeLessThan(1_000);

  expect(await result('reconcile')).toEqual({ organizations: 1, drifts: [] });
  expect(await result('reconcile', '--repair')).toEqual({ organizations: 1, drifts: [] });
  const rotated = await result('documents', 'rotate-key');
  expect(rotated).toEqual({ documents: 0, masterKeyId: expect.stringMatching(/^[0-9a-f]{16}$/) });
  expect(await result('documents', 'purge')).toEqual({ documents: 0 });
  expect(await result('migrate')).toEqual({ applied: [] });
  expect(await result('status')).toMatchObject({ serverRunning: true, organizations: 1 });
  expect(await result('seed')).toEqual({ seeded: false });
});

test('a wrong use of the command says what was expected and exits with 2', async () => {
  const wrong = [
    [['organization', 'create', '--name', 'X'], 'missing: --state, --tz'],
    [['organization', 'create', '--name', 'X', '--state', 'CA', '--tz', 'Mars'], '--tz must be one of'],
    [['client-key', 'create', '--nonsense', 'x'], 'nonsense'],
    [['no-such-command'], 'Usage: dispensary'],
  ] as const;
  for (const [args, words] of wrong) {
    const { code, stdout, stderr } = await dispensary(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(words);
  }
});

test('without a server the command starts the database itself, and SIGTERM ends a server with 0', async () => {
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  expect(code).toBe(0);
  expect(await result('status')).toMatchObject({ serverRunning: false, organizations: 1 });
});
