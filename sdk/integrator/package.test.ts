import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { projectFolder } from '../../src/kernel/project-folder.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shared = `
  const error = new CommerceError('Refused.', { code: 'LATER', status: 503, retryAfterMs: 1 });
  console.log(JSON.stringify([
    typeof createClient({ baseUrl: 'http://localhost', consumerKey: 'a', clientKey: 'b' }).get,
    error instanceof Error, error.code, typeof mirror, checksumOf([]).count,
  ]));
`;
const programs = {
  'a.mjs': `
    import { CommerceError, createClient } from '@dispensary-commerce/integrator-sdk';
    import { checksumOf, mirror } from '@dispensary-commerce/integrator-sdk/mirror';
    ${shared}`,
  'b.cjs': `
    const { CommerceError, createClient } = require('@dispensary-commerce/integrator-sdk');
    const { checksumOf, mirror } = require('@dispensary-commerce/integrator-sdk/mirror');
    ${shared}`,
};

const typed = `
  import { type Answer, type CommerceClient, CommerceError, createClient } from '@dispensary-commerce/integrator-sdk';
  import { mirror, openSqliteStore, type SyncReport } from '@dispensary-commerce/integrator-sdk/mirror';
  export const client: CommerceClient = createClient({ baseUrl: '', consumerKey: '', clientKey: '' });
  export const answer: Promise<Answer<{ id: string }[]>> = client.get<{ id: string }[]>('/api/v1/orders');
  export const code: string = new CommerceError('', { code: '' }).code;
  export async function copy(): Promise<SyncReport> {
    return mirror({ client, store: await openSqliteStore('./copy.db') }).sync();
  }
  // @ts-expect-error: the keys are missing
  createClient({ baseUrl: '' });
`;

test('the packed client works in an empty project without a network: by import, by require and with its types', async () => {
  const sources = join(projectFolder(), 'sdk', 'integrator');
  const offline = {
    env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
  };
  await run('npm', ['pack', '--pack-destination', folder], { cwd: sources, ...offline });
  const [archive] = readdirSync(folder);
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  const install = ['install', '--no-audit', '--no-fund', join(folder, archive!)];
  await run('npm', install, { cwd: project, ...offline });
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@dispensary-commerce',
  ]);
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(project, name), program);
    const { stdout } = await run(process.execPath, [name], { cwd: project });
    expect([name, JSON.parse(stdout)]).toEqual([name, ['function', true, 'LATER', 'function', 0]]);
  }
  for (const name of ['c.mts', 'd.cts']) writeFileSync(join(project, name), typed);
  const compiler = join(projectFolder(), 'node_modules', 'typescript', 'bin', 'tsc');
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--skipLibCheck',
    'false',
  ];
  const types = ['--types', 'node', '--typeRoots', join(projectFolder(), 'node_modules', '@types')];
  await run(process.execPath, [compiler, ...options, ...types, 'c.mts', 'd.cts'], { cwd: project }).catch(
    ({ stdout }) => expect.fail(stdout),
  );
}, 120_000);
