import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { layCluster } from '../test/harness/made-cluster.ts';
import { runCommandLine } from './run-command-line.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/*
 * A command usually runs in this process: a new process, which loads the program, costs ten times as much. Tests spawn one
 * where they prove the process itself: the first command, exit codes, signals, and what both streams carry.
 */

/** Some commands are processes, and some start a database: takes seconds on a busy machine. */
const manyProcessesMs = 120_000;

let dataDir: string;
let backups: string;
let server: ChildProcess;
let baseUrl: string;
let ownerPassword: string;

function environment(): NodeJS.ProcessEnv {
  const { DATABASE_URL: _, DATABASE_APP_URL: __, ...rest } = process.env;
  return { ...rest, DATA_DIR: dataDir, DEMO: 'off', PORT: '0', MENU_PORT: '0', LOG_LEVEL: 'silent' };
}

beforeAll(async () => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'dispensary-cli-')), 'data');
  backups = mkdtempSync(join(tmpdir(), 'dispensary-cli-backups-'));
  await layCluster(dataDir);
  // Builds the program if needed: a built command starts five times as fast as one from source.
  await spawned('--help');
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
  for (const folder of [dataDir, backups]) rmSync(folder, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command in this process. */
function dispensary(...args: string[]): Promise<Outcome> {
  return dispensaryIn({}, ...args);
}

async function dispensaryIn(settings: NodeJS.ProcessEnv, ...args: string[]): Promise<Outcome> {
  const written = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof written) => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  const code = await runCommandLine(args, {
    env: { ...environment(), ...settings },
    folder: root,
    stdout: stream('stdout'),
    stderr: stream('stderr'),
  });
  return { code, ...written };
}

/** Runs a command as a process. */
async function spawned(...args: string[]): Promise<Outcome> {
  try {
    const options = { cwd: root, env: environment() };
    const done = await promisify(execFile)(process.execPath, ['dispensary.mjs', ...args], options);
    return { code: 0, ...done };
  } catch (error) {
    const { code, stdout, stderr } = error as Outcome;
    return { code, stdout, stderr };
  }
}

/** The result of a command that must succeed. */
async function result<Result>(...args: string[]): Promise<Result> {
  return resultOf(await dispensary(...args, '--json'));
}

function resultOf<Result>({ code, stdout, stderr }: Outcome): Result {
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

/** After how many milliseconds the last request with the keys was sent that was still served. */
async function refusedAfterMs(consumerKey: string, clientKey: string): Promise<number> {
  const startedAtMs = performance.now();
  let servedAfterMs = 0;
  const status = async () => {
    const askedAfterMs = performance.now() - startedAtMs;
    const answered = await organizationStatus(consumerKey, clientKey);
    if (answered !== 401) servedAfterMs = askedAfterMs;
    return answered;
  };
  await expect.poll(status, { interval: 50 }).toBe(401);
  return servedAfterMs;
}

test(
  'beside a running server, an operator grants an integrator access and revokes it within a second',
  async () => {
    const created = await spawned(
      ...['organization', 'create', '--name', 'Fern & Anchor', '--state', 'CA'],
      ...['--tz', 'America/Los_Angeles', '--owner-email', 'owner@fern.example.com', '--json'],
    );
    const organization = resultOf<{ id: number; owner: { password: string } }>(created);
    ownerPassword = organization.owner.password;
    expect(ownerPassword.length).toBeGreaterThanOrEqual(16);
    const signedIn = await fetch(`${baseUrl}/staff/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'owner@fern.example.com', password: organization.owner.password }),
    });
    expect(await signedIn.json()).toMatchObject({ data: { staff: { role: 'owner' } } });
    expect(await result('organization', 'list')).toEqual([
      {
        ...{ id: organization.id, name: 'Fern & Anchor', state: 'CA', tz: 'America/Los_Angeles' },
        ...{ suspendedAt: null, endsAt: null },
      },
    ]);
    const integrator = await result<{ id: number; consumerKey: string }>(
      ...['integrator', 'create', '--name', 'Corner Cart'],
    );
    const key = await result<{ id: number; clientKey: string }>(
      ...['client-key', 'create', '--organization', String(organization.id)],
      ...['--integrator', String(integrator.id), '--permissions', 'analytics,menu'],
    );
    expect(await organizationStatus(integrator.consumerKey, key.clientKey)).toBe(200);
    const powerless = await result<{ clientKey: string; permissions: string[] }>(
      ...['client-key', 'create', '--organization', String(organization.id)],
      ...['--integrator', String(integrator.id), '--permissions', ''],
    );
    expect(powerless.permissions).toEqual([]);
    expect(await organizationStatus(integrator.consumerKey, powerless.clientKey)).toBe(403);
    const bound = await result<{ clientKey: string }>(
      ...['client-key', 'create', '--organization', String(organization.id)],
      ...['--integrator', String(integrator.id), '--permissions', 'analytics'],
      ...['--strict', '--addresses', '203.0.113.0/24, 198.51.100.7'],
    );
    expect(await organizationStatus(integrator.consumerKey, bound.clientKey)).toBe(401);
    const page = ['client-key', 'create', '--organization', String(organization.id)];
    page.push('--integrator', String(integrator.id), '--permissions', 'create-orders,menu');
    const origins = 'https://shop.example, http://localhost:3000';
    const published = await result<{ clientKey: string }>(...page, '--publishable', '--origins', origins);
    expect(published.clientKey).toMatch(/^dcp_live_/);
    for (const [words, refusal] of [
      [['--origins', origins], '--origins needs --publishable'],
      [['--publishable'], '--origins must name at least one origin'],
      [['--publishable', '--origins', 'shop.example'], '--origins[0] must be https://'],
    ] as const) {
      expect((await dispensary(...page, ...words)).stderr).toContain(refusal);
    }
    const keys = await dispensary('client-key', 'list', '--organization', String(organization.id));
    expect(keys.stdout).toContain(`${key.id}  Corner Cart  Issued by the operator  `);
    expect(keys.stdout).toMatch(
      / {2}analytics,menu {2}customers proven {2}active\n.* {2}none {2}customers proven {2}active\n.* {2}strict {2}customers proven {2}from 203\.0\.113\.0\/24,198\.51\.100\.7 {2}active\n.* {2}for pages of https:\/\/shop\.example,http:\/\/localhost:3000 {2}active\n$/s,
    );
    expect(keys.stdout).not.toContain(key.clientKey);

    const rotated = await result<{ consumerKey: string }>(
      ...['integrator', 'rotate-key', '--name', 'Corner Cart', '--overlap-hours', '1'],
    );
    for (const { consumerKey } of [integrator, rotated]) {
      expect(await organizationStatus(consumerKey, key.clientKey)).toBe(200);
    }
    await result('client-key', 'revoke', '--organization', String(organization.id), '--id', String(key.id));
    expect(await refusedAfterMs(rotated.consumerKey, key.clientKey)).toBeLessThan(1_000);

    const other = await result<{ id: number; clientKey: string }>(
      ...['client-key', 'create', '--organization', String(organization.id)],
      ...['--integrator', String(integrator.id), '--permissions', 'menu,analytics'],
    );
    expect(await organizationStatus(rotated.consumerKey, other.clientKey)).toBe(200);
    const revoked = await result<object>('integrator', 'revoke', '--id', String(integrator.id));
    expect(await refusedAfterMs(rotated.consumerKey, other.clientKey)).toBeLessThan(1_000);
    expect(revoked).toMatchObject({
      clientKeys: expect.arrayContaining([{ organizationId: organization.id, id: other.id }]),
    });
    expect(await result('integrator', 'revoke', '--name', 'Corner Cart')).toEqual({
      ...revoked,
      clientKeys: [],
    });
    expect(await result('integrator', 'list')).toMatchObject([
      { id: integrator.id, name: 'Corner Cart', revokedAt: expect.stringMatching(/Z$/) },
    ]);
    const tooLate = await dispensary('integrator', 'rotate-key', '--id', String(integrator.id));
    expect([tooLate.code, tooLate.stderr]).toEqual([2, expect.stringContaining('register it again')]);

    expect(await result('reconcile')).toEqual({ organizations: 1, drifts: [], checksums: [] });
    expect(await result('reconcile', '--repair')).toEqual({ organizations: 1, drifts: [], checksums: [] });
    expect(await result('documents', 'rotate-key')).toEqual({
      documents: 0,
      masterKeyId: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(await result('documents', 'purge')).toEqual({ documents: 0 });
    expect(await result('organization', 'unlock', '--organization', String(organization.id))).toMatchObject({
      allowedAddresses: [],
    });
    const quota = [
      'organization',
      'limit-files',
      '--organization',
      String(organization.id),
      '--kind',
      'photos',
    ];
    expect(await result(...quota, '--files', '500', '--megabytes', '100')).toMatchObject({
      ...{ kind: 'photos', files: 0, filesMax: 500, bytesMax: 100_000_000 },
    });
    expect(await result(...quota, '--files', 'default')).toMatchObject({
      ...{ filesMax: 50_000, bytesMax: 100_000_000 },
    });
    // Who ran which command is in the audit log, and none of what it got.
    const log = join(mkdtempSync(join(tmpdir(), 'dispensary-cli-audit-')), 'audit.ndjson');
    await result('audit', 'export', '--organization', String(organization.id), '--to', log);
    const entries = readFileSync(log, 'utf8').trim().split('\n');
    rmSync(dirname(log), { recursive: true });
    const noted = entries.map((line) => JSON.parse(line)).filter(({ actor }) => actor === 'job:operator');
    const ran = noted.map(({ action, details }) => [action, details.operator?.command]);
    for (const [action, command] of [
      ['organization.created', 'organization create'],
      ['client_key.created', 'client-key create'],
      ['organization.operated', 'integrator rotate-key'],
      ['client_key.revoked', 'client-key revoke'],
      ['client_key.revoked', 'integrator revoke'],
      ['organization.operated', 'documents rotate-key'],
      ['organization.operated', 'organization limit-files'],
    ]) {
      expect(ran).toContainEqual([action, command]);
    }
    expect(new Set(noted.map(({ details }) => details.operator.account))).toEqual(
      new Set([userInfo().username]),
    );
    for (const secret of [rotated.consumerKey, other.clientKey]) {
      expect(entries.filter((line) => line.includes(secret))).toEqual([]);
    }
    expect(await result('migrate')).toEqual({ applied: [], waiting: [] });
    expect(await result('status')).toMatchObject({
      ...{ serverRunning: true, organizations: 1, missingMigrations: [] },
      storedFiles: expect.arrayContaining([expect.objectContaining({ kind: 'photos', filesMax: 50_000 })]),
    });
    expect(await result('seed')).toEqual({ seeded: false });
  },
  manyProcessesMs,
);

test(
  'a shop imports its products from a file, and exports all its data with valid checksums',
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
    const tried = await spawned('import', 'products', file, '--dry-run');
    expect([tried.code, tried.stdout]).toEqual([
      1,
      expect.stringContaining(
        'line 3, category: is not a category of the organization: "Nowhere"; it must be the name of one of its categories\n2 products: 1 would be created',
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
  'an owner invited by the operator sets a password, also one who has lost it',
  async () => {
    const [organization] = await result<{ id: number }[]>('organization', 'list');
    for (const email of ['second@fern.example.com', 'owner@fern.example.com']) {
      const invited = await result<{ inviteToken: string }>(
        ...['organization', 'invite-owner', '--organization', String(organization!.id), '--email', email],
      );
      const password = `a new one for ${email}`;
      const answers = [];
      for (const [path, body] of [
        ['staff/accept-invite', { token: invited.inviteToken, password }],
        ['sessions', { email, password }],
      ] as const) {
        const response = await fetch(`${baseUrl}/staff/v1/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        answers.push(await response.json());
      }
      expect(answers).toMatchObject([
        { data: { staff: { role: 'owner', email, status: 'active' } } },
        { data: { staff: { role: 'owner' } } },
      ]);
    }
  },
  manyProcessesMs,
);

test(
  'no command creates a database in a wrong folder, and each says that there is none',
  async () => {
    const elsewhere = join(dataDir, 'elsewhere');
    for (const args of [
      ['status'],
      ['reconcile', '--repair'],
      ['organization', 'list'],
      ['organization', 'create', '--name', 'Second', '--state', 'CA', '--tz', 'America/Los_Angeles'],
      ['migrate'],
      ['seed'],
      ['export', '--to', 'x'],
    ]) {
      const { code, stdout, stderr } = await dispensaryIn({ DATA_DIR: elsewhere }, ...args);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toContain(`There is no database in DATA_DIR ${elsewhere}`);
    }
    expect(existsSync(elsewhere)).toBe(false);
  },
  manyProcessesMs,
);

test(
  'wrong usage says what was expected and exits with 2',
  async () => {
    const wrong = [
      [['organization', 'create', '--name', 'X'], 'missing: --state, --tz'],
      [['integrator', 'revoke'], 'missing: --id or --name'],
      [['integrator', 'revoke', '--name', 'Unknown'], 'there is no integrator named Unknown'],
      [['integrator', 'rotate-key', '--id', '1', '--overlap-hours', '721'], '--overlap-hours must be'],
      [['backup'], 'missing: --to'],
      [['export', '--to', 'x', '--resource', 'secrets'], '--resource: secrets is not one of'],
      [['no-such-command'], 'There is no command no-such-command.\n\nUsage: dispensary <command>'],
      [
        ['client-key', 'make'],
        'There is no command client-key make.\n\nUsage: dispensary client-key <command>',
      ],
    ] as const;
    for (const [at, [args, words]] of wrong.entries()) {
      const { code, stdout, stderr } = await (at === 0 ? spawned : dispensary)(...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain(words);
    }
  },
  manyProcessesMs,
);

test(
  'a killed backup beside a running server leaves no folder of that name, and the next one is complete',
  async () => {
    const to = join(backups, 'monday');
    const watcher = watch(backups);
    const appeared = once(watcher, 'change');
    const killed = spawn(process.execPath, ['dispensary.mjs', 'backup', '--to', to], {
      cwd: root,
      env: environment(),
      stdio: 'ignore',
    });
    await appeared;
    watcher.close();
    killed.kill('SIGKILL');
    expect(await once(killed, 'exit')).toEqual([null, 'SIGKILL']);
    expect(readdirSync(backups)).toEqual(['monday.partial']);

    const backup = await result<{ databaseBytes: number }>('backup', '--to', to);
    const verification = expect.objectContaining({ isWhole: true, findings: [] });
    expect(backup).toEqual({ to, databaseBytes: expect.any(Number), missing: [], verification });
    expect(backup.databaseBytes).toBeGreaterThan(10_000_000);
    expect(readdirSync(backups)).toEqual(['monday']);
    const again = await dispensary('backup', '--to', to);
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('must be empty or not exist')]);
  },
  manyProcessesMs,
);

test(
  'without a server the command starts the database, also of a backup, and SIGTERM ends a server with 0',
  async () => {
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect(code).toBe(0);
    const told = await spawned('status', '--json');
    expect(told.code).toBe(2);
    expect(JSON.parse(told.stdout)).toMatchObject({
      ...{ serverRunning: false, organizations: 1, verdict: 'does not answer' },
      lastBackup: { to: join(backups, 'monday'), isWhole: true },
    });
    await result('backup', '--unverified', '--to', join(backups, 'tuesday'));
    const original = dataDir;
    try {
      // A database was started from the other one when it was verified.
      dataDir = join(backups, 'tuesday');
      expect(await result('reconcile')).toEqual({ organizations: 1, drifts: [], checksums: [] });
    } finally {
      dataDir = original;
    }
  },
  manyProcessesMs,
);
