import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// A small project in a folder with a space in its name, with these scripts, the real esbuild and no network.
let project: string;
let children: ChildProcess[];
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'dispensary run-'));
  children = [];
  for (const file of ['scripts/run.mjs', 'scripts/prepare.mjs', 'scripts/entry.mjs', 'dispensary.mjs']) {
    cpSync(new URL(`../${file}`, import.meta.url), join(project, file));
  }
  write('package.json', '{"type":"module"}');
  write('package-lock.json', '{"packages":{"node_modules/tsx":{"version":"1.0.0"}}}');
  write('node_modules/.package-lock.json', '{"packages":{"node_modules/tsx":{"version":"1.0.0"}}}');
  const esbuild = dirname(dirname(new URL(import.meta.resolve('esbuild')).pathname));
  symlinkSync(decodeURIComponent(esbuild), join(project, 'node_modules', 'esbuild'));
  addTool('tsx', 0);
  write('src/shop/imports/reading-thread.ts', '');
  write('src/main.ts', `console.log('main', process.argv.slice(2).join(' '));`);
  write('cli/main.ts', `console.log(JSON.stringify(process.argv.slice(2)));`);
});
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(project, { recursive: true });
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(project, path)), { recursive: true });
  writeFileSync(join(project, path), text);
}

/** Adds a program to the project's packages that prints its arguments and ends with `exitCode`. */
function addTool(name: string, exitCode: number): void {
  write(`node_modules/${name}/package.json`, '{"version":"1.0.0","bin":"./tool.cjs"}');
  const say = `console.log('${name}', process.argv.slice(2).join(' '));`;
  write(`node_modules/${name}/tool.cjs`, `${say} process.exitCode = ${exitCode};`);
}

function run(file: string, ...args: string[]) {
  const { npm_lifecycle_event: _, ...env } = process.env;
  return spawnSync(process.execPath, [join(project, file), ...args], { encoding: 'utf8', env });
}

test('a start builds the program once, and again only after a source has changed', () => {
  const first = run('scripts/run.mjs', 'start', 'a b', 'c');
  expect(first).toMatchObject({ status: 0, stdout: 'main a b c\n', stderr: 'Building …\n' });
  expect(run('scripts/run.mjs', 'start')).toMatchObject({ status: 0, stdout: 'main \n', stderr: '' });
  write('src/shop/imports/reading-thread.ts', '');
  write('src/main.ts', `console.log('changed');`);
  expect(run('scripts/run.mjs', 'start')).toMatchObject({ stdout: 'changed\n', stderr: 'Building …\n' });
});

test('the console is built for production, whatever the mode of the shell', () => {
  write('console/vite.config.ts', '');
  write('sdk/src/client.ts', '');
  write(
    'node_modules/vite/bin/vite.js',
    `require('node:fs').writeFileSync('../mode', process.env.NODE_ENV); require('node:fs').mkdirSync('../dist', { recursive: true });`,
  );
  expect(run('scripts/run.mjs', 'start')).toMatchObject({ status: 0 });
  expect([process.env.NODE_ENV, readFileSync(join(project, 'mode'), 'utf8')]).toEqual(['test', 'production']);
});

test('the command prints only its result on stdout, also when it builds first', () => {
  const ran = run('dispensary.mjs', 'organization', 'list', '--json');
  expect(ran).toMatchObject({
    status: 0,
    stdout: '["organization","list","--json"]\n',
    stderr: 'Building …\n',
  });
});

test('an error in the sources fails the start and leaves no build that counts as current', () => {
  write('src/main.ts', 'const = 1;');
  for (let attempt = 1; attempt <= 2; attempt++) {
    expect(run('scripts/run.mjs', 'start')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('src/main.ts:1'),
    });
  }
});

test('arguments and exit code pass through to and from the tools', () => {
  addTool('vitest', 7);
  const ran = run('scripts/run.mjs', 'test', 'src/a b.test.ts', '-t', 'x');
  expect(ran).toMatchObject({ status: 7, stdout: 'vitest run src/a b.test.ts -t x\n' });
});

test('a check runs every step, even after a failure, prints a summary and fails', () => {
  addTool('typescript', 2);
  for (const tool of ['@biomejs/biome', '@redocly/cli', 'vitest']) addTool(tool, 0);
  const { status, stdout } = run('scripts/run.mjs', 'check');
  expect(status).toBe(1);
  expect(stdout).toContain('vitest run');
  const summary = stdout.trim().split('\n').slice(-8);
  expect(summary.map((line) => line.replace(/ +\(.*/, ''))).toEqual([
    'ok      house rules',
    'FAILED  types',
    'FAILED  types of the console',
    'FAILED  types of the examples',
    'ok      lint and format',
    'ok      generated files',
    'ok      contract',
    'ok      tests',
  ]);
  addTool('typescript', 0);
  expect(run('scripts/run.mjs', 'check').status).toBe(0);
});

test('an unknown command lists the known ones', () => {
  expect(run('scripts/run.mjs', 'fly')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('start|build'),
  });
});

const server = `
  process.on('SIGTERM', () => { console.log('draining'); process.exit(3); });
  setInterval(() => {}, 1000);
  console.log('ready');`;

test.skipIf(process.platform === 'win32')(
  'SIGTERM reaches the server, and its exit code is passed on',
  async () => {
    write('src/main.ts', server);
    const child = spawn(process.execPath, [join(project, 'scripts/run.mjs'), 'start']);
    children.push(child);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([3, null]);
  },
);

test.skipIf(process.platform === 'win32')('the end of the npm shell ends the server, too', async () => {
  write('src/main.ts', server);
  const shell = spawn(
    'sh',
    ['-c', '"$0" "$1" start; true', process.execPath, join(project, 'scripts/run.mjs')],
    {
      env: { ...process.env, npm_lifecycle_event: 'start' },
    },
  );
  children.push(shell);
  let said = '';
  shell.stdout.on('data', (data) => {
    said += data;
    if (said === 'ready\n') shell.kill('SIGKILL');
  });
  await once(shell.stdout, 'end');
  expect(said).toBe('ready\ndraining\n');
});
