import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each command is a process that loads the whole program: seconds on a busy machine. */
const manyProcessesMs = 120_000;

let dataDir: string;
let server: ChildProcess;
let baseUrl: string;
let ownerPassword: string;

function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DATABASE_APP_URL: __, ...rest } = process.env;
  return { ...rest, DATA_DIR: dataDir, DEMO: 'off', PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'silent' };
}

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'dispensary-cli-'));
  // The command builds the program, if it is not built yet: a process of the build takes a fifth of one of the sources.
  await dispensary('--help');
  server = spawn(process.execPath, ['dist/main.mjs'], {
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
    const done = await promisify(execFile)(process.execPath, ['cli/dispensary.mjs', ...args], {
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

test(
  'beside a running server, an operator gives an integrator access and takes it away within a second',
  async () => {
    const organization = await result<{ id: number; owner: { password: string } }>(
      ...[
        'organization',
        'create',
        '--name',
        'Fern & Anchor',
        '--state',
        'CA',
        '--tz',
        'America/Los_Angeles',
      ],
      ...['--owner-email', 'owner@fern.example.com'],
    );
    ownerPassword = organization.owner.password;
    expect(ownerPassword.length).toBeGreaterThanOrEqual(16);
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
  },
  manyProcessesMs,
);

test(
  'a shop brings its products in from a file, and takes all its data out with sums that hold',
  async () => {
    const [organization] = await result<{ id: number }[]>('organization', 'list');
    const session = await fetch(`${baseUrl}/staff/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@fern.example.com', password: ownerPassword }),
    });
    const { data } = (await session.json()) as { data: { token: string } };
    const made = await fetch(`${baseUrl}/staff/v1/product-categories`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${data.token}` },
      body: JSON.stringify({ name: 'Flower', cannabisType: 'non-concentrated' }),
    });
    expect(made.status).toBe(201);
    const file = join(dataDir, 'menu.csv');
    writeFileSync(
      file,
      'name,category,unit,strainType,amount,price,content\n' +
        'Moonlit Grove,Flower,gram,hybrid,3.5,3500,3.5\nSea Glass,Nowhere,gram,hybrid,1,100,1\n',
    );
    const tried = await dispensary('import', 'products', file, '--dry-run');
    expect([tried.code, tried.stdout]).toEqual([
      1,
      expect.stringContaining(
        'line 3, category: names no category of the organization\n2 products: 1 would be created',
      ),
    ]);
    expect(tried.stderr).toContain('100 % 2 products');
    const imported = await dispensary('import', 'products', file, '--resume', '--json');
    expect(JSON.parse(imported.stdout)).toMatchObject({ dryRun: false, created: 1, known: 0, refused: 1 });

    const folder = join(dataDir, 'export');
    const exported = await result<{ organizationId: number; files: { file: string; sha256: string }[] }>(
      ...['export', '--to', folder],
    );
    expect(exported.organizationId).toBe(organization!.id);
    for (const { file: name, sha256 } of exported.files) {
      expect(
        createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex'),
      ).toBe(sha256);
    }
    expect(readFileSync(join(folder, 'products.ndjson'), 'utf8')).toContain('Moonlit Grove');
  },
  manyProcessesMs,
);

test(
  'a wrong use of the command says what was expected and exits with 2',
  async () => {
    const wrong = [
      [['organization', 'create', '--name', 'X'], 'missing: --state, --tz'],
      [['organization', 'create', '--name', 'X', '--state', 'CA', '--tz', 'Mars'], '--tz must be one of'],
      [['client-key', 'create', '--nonsense', 'x'], 'nonsense'],
      [['import', 'products'], 'missing: FILE'],
      [['export', '--to', 'x', '--resource', 'secrets'], '--resource: secrets is none of'],
      [['no-such-command'], 'Usage: dispensary'],
    ] as const;
    for (const [args, words] of wrong) {
      const { code, stdout, stderr } = await dispensary(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(words);
    }
  },
  manyProcessesMs,
);

test('without a server the command starts the database itself, and SIGTERM ends a server with 0', async () => {
  server.kill('SIGTERM');
  const [code] = await once(server, 'exit');
  expect(code).toBe(0);
  expect(await result('status')).toMatchObject({ serverRunning: false, organizations: 1 });
});
