import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { afterAll, expect, test } from 'vitest';
import { remoteCommands } from '../../cli/remote-commands.ts';
import { layCommand, laySdk, packPackage } from '../../scripts/release/integrator-packages.ts';
import { projectFolder } from '../../src/kernel/project-folder.ts';
import { readmeProgram } from './readme-program.test-support.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'package-'));
afterAll(() => rmSync(folder, { recursive: true }));

const shared = `
  const error = new CommerceError('Refused.', { code: 'LATER', status: 503, retryAfterMs: 1 });
  const client = createClient({ baseUrl: 'http://localhost', consumerKey: 'a', clientKey: 'b' });
  const refusal = await verifyWebhook({ body: '', headers: {}, secrets: 'whsec_AAAA' }).catch((thrown) => thrown);
  console.log(JSON.stringify([
    typeof client.orders.place, error instanceof Error, error.code, typeof mirror, checksumOf([]).count,
    refusal instanceof WebhookRefused, refusal.code,
  ]));
`;
const programs = {
  'a.mjs': `
    import { CommerceError, createClient, verifyWebhook, WebhookRefused } from '@dispensary-commerce/integrator-sdk';
    import { checksumOf, mirror } from '@dispensary-commerce/integrator-sdk/mirror';
    ${shared}`,
  'b.cjs': `
    const { CommerceError, createClient, verifyWebhook, WebhookRefused } = require('@dispensary-commerce/integrator-sdk');
    const { checksumOf, mirror } = require('@dispensary-commerce/integrator-sdk/mirror');
    (async () => {${shared}})();`,
};

const typed = `
  import {
    type Answer, type CommerceClient, CommerceError, createClient, type Schema,
  } from '@dispensary-commerce/integrator-sdk';
  import { mirror, openSqliteStore, type SyncReport } from '@dispensary-commerce/integrator-sdk/mirror';
  export const client: CommerceClient = createClient({ baseUrl: '', consumerKey: '', clientKey: '' });
  export const page = createClient({ baseUrl: '', publishableKey: '' });
  export const answer: Promise<Answer<{ id: string }[]>> = client.get<{ id: string }[]>('/api/v1/orders');
  export const code: string = new CommerceError('', { code: '' }).code;
  export async function copy(): Promise<SyncReport> {
    return mirror({ client, store: await openSqliteStore('./copy.db') }).sync();
  }
  export async function typedCalls(): Promise<Schema['Order']> {
    for await (const { email } of client.each('listCustomers')) email?.trim();
    for await (const { label } of client.each('listPackages')) label.trim();
    const { data, meta } = await client.call('getMenu', { query: { type: 'pickup', inStock: true } });
    data[0]!.options[0]!.price.toFixed();
    meta.categories[0]!.name.trim();
    await client.call('deleteWebhookEndpoint', { params: { webhookEndpointId: 1 } });
    return (await client.call('getOrder', { params: { orderId: '1' } })).data;
  }
  export function explain(error: unknown): string {
    if (!(error instanceof CommerceError)) throw error;
    switch (error.code) {
      case 'PRICE_CHANGED':
        return (error.meta.actual - error.meta.expected).toFixed();
      case 'OUT_OF_STOCK':
        return error.meta.product.name;
      case 'TIMED_OUT':
        return error.idempotencyKey ?? '';
      default:
        return error.requestId ?? error.message;
    }
  }
  export async function buyers(order: Parameters<typeof client.orders.place>[0]): Promise<number> {
    const vouched = createClient({ baseUrl: '', consumerKey: '', clientKey: '', customers: 'vouched' });
    const placed = await vouched.orders.place(order);
    const { data } = await vouched.call('placeOrder', { body: { ...order, idempotencyKey: '' } });
    // @ts-expect-error: another key is not told who the customer is
    (await client.orders.place(order)).order.customer.id;
    // @ts-expect-error: nor a web page
    (await page.call('placeOrder', { body: { ...order, idempotencyKey: '' } })).data.customer.id;
    return placed.order.customer.id + data.customer.id;
  }
  // @ts-expect-error: a web page vouches for no customer
  createClient({ baseUrl: '', publishableKey: '', customers: 'vouched' });
  // @ts-expect-error: the keys are missing
  createClient({ baseUrl: '' });
  // @ts-expect-error: a web page has no secret keys
  createClient({ baseUrl: '', publishableKey: '', consumerKey: '', clientKey: '' });
  // @ts-expect-error: there is no such operation
  client.call('listNothing');
  // @ts-expect-error: its id is missing
  client.call('getOrder');
  // @ts-expect-error: there is no such order type
  client.call('getMenu', { query: { type: 'drone' } });
  // @ts-expect-error: it is no list
  client.each('getOrganization');
`;

/** The declarations that TypeScript brings are its own affair; those of the packages are checked. */
const ownTypesOnly = ['--skipDefaultLibCheck'];

test('the packed client and command work in an empty project without a network: by import, by require, as a script, with types', async () => {
  const offline = {
    env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
  };
  const [laidSdk, laidCommand] = [join(folder, 'sdk'), join(folder, 'command')];
  laySdk(projectFolder(), laidSdk);
  await layCommand(projectFolder(), laidCommand);
  const archives = [laidSdk, laidCommand].map((laid) => join(folder, packPackage(laid, folder)));
  const project = join(folder, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{"private":true}');
  await run('npm', ['install', '--no-audit', '--no-fund', ...archives], { cwd: project, ...offline });
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
    '@dispensary-commerce',
  ]);
  for (const name of ['cli', 'integrator-sdk']) {
    const installed = join(project, 'node_modules', '@dispensary-commerce', name);
    expect(readdirSync(installed)).toEqual(expect.arrayContaining(['CHANGELOG.md', 'LICENSE', 'README.md']));
    expect(readFileSync(join(installed, 'README.md'), 'utf8')).not.toContain('](../');
  }
  const command = async (...args: string[]) =>
    (await run(join(project, 'node_modules', '.bin', 'dispensary'), args, { cwd: project })).stdout;
  expect(await command('--version')).toBe('1.0.0\n');
  const commands: { name: string }[] = JSON.parse(await command('--help', '--json'));
  expect(commands.map(({ name }) => name)).toEqual([...Object.keys(remoteCommands), 'completion']);
  const keyless = await run(process.execPath, [join(laidCommand, 'dispensary.mjs'), 'doctor'], {
    cwd: project,
    env: {},
  }).catch((error) => error);
  expect([keyless.code, keyless.stderr]).toEqual([2, expect.stringContaining('set DISPENSARY_CONSUMER_KEY')]);
  for (const [name, program] of Object.entries(programs)) {
    writeFileSync(join(project, name), program);
    const { stdout } = await run(process.execPath, [name], { cwd: project });
    expect([name, JSON.parse(stdout)]).toEqual([
      name,
      ['function', true, 'LATER', 'function', 0, true, 'MISSING_HEADER'],
    ]);
  }
  const script = readFileSync(join(laidSdk, 'dist', 'browser', 'commerce-sdk.js'), 'utf8');
  expect(runInNewContext(`${script}; typeof dispensary.createClient`)).toBe('function');
  for (const name of ['c.mts', 'd.cts']) writeFileSync(join(project, name), typed);
  writeFileSync(join(project, 'e.mts'), readmeProgram());
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
    ...ownTypesOnly,
  ];
  // Without `exports`, as older projects resolve packages; the present compiler does not know that way any more.
  writeFileSync(join(project, 'f.ts'), typed);
  const olderCompiler = join(projectFolder(), 'sdk', 'node_modules', 'typescript', 'bin', 'tsc');
  const older = [
    '--noEmit',
    '--strict',
    '--module',
    'commonjs',
    '--moduleResolution',
    'node10',
    '--target',
    'es2022',
    ...ownTypesOnly,
  ];
  await run(process.execPath, [olderCompiler, ...older, 'f.ts'], { cwd: project }).catch(({ stdout }) =>
    expect.fail(stdout),
  );
  expect(readdirSync(join(project, 'node_modules', '@dispensary-commerce', 'integrator-sdk'))).toContain(
    'LICENSE',
  );
  const types = ['--types', 'node', '--typeRoots', join(projectFolder(), 'node_modules', '@types')];
  await run(process.execPath, [compiler, ...options, ...types, 'c.mts', 'd.cts', 'e.mts'], {
    cwd: project,
  }).catch(({ stdout }) => expect.fail(stdout));
  // As bundlers resolve it, and as programs for the first Node with `exports` do, by either compiler.
  const strict = ['--noEmit', '--strict', '--target', 'es2022', ...ownTypesOnly];
  for (const [named, way, files] of [
    [compiler, ['--module', 'esnext', '--moduleResolution', 'bundler'], ['f.ts']],
    [olderCompiler, ['--module', 'esnext', '--moduleResolution', 'bundler'], ['f.ts']],
    [olderCompiler, ['--module', 'node16', '--moduleResolution', 'node16'], ['c.mts', 'd.cts', 'f.ts']],
  ] as const) {
    await run(process.execPath, [named, ...strict, ...way, ...files], { cwd: project }).catch(({ stdout }) =>
      expect.fail(`${way.join(' ')}: ${stdout}`),
    );
  }
  const {
    peerDependencies,
    peerDependenciesMeta,
    private: isPrivate,
    license,
  } = JSON.parse(
    readFileSync(
      join(project, 'node_modules', '@dispensary-commerce', 'integrator-sdk', 'package.json'),
      'utf8',
    ),
  );
  // Any version of the major one, and none has to be there: with a pinned one, npm refuses the shop's own.
  expect([isPrivate, license, peerDependencies.pg]).toEqual([
    undefined,
    'MIT',
    expect.stringMatching(/^\^8\./),
  ]);
  expect(Object.keys(peerDependenciesMeta).sort()).toEqual(Object.keys(peerDependencies).sort());
}, 300_000);
