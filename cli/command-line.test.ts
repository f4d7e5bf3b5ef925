import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { majorOfInstallation } from '../src/hosting/embedded-postgres/binaries.ts';
import { beginMove } from '../src/hosting/embedded-postgres/next-major.ts';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { overview, readOptions, readWords, usageOf } from './command-line.ts';
import { commandGroups, commands } from './commands.ts';
import { runCommandLine } from './run-command-line.ts';
import { UsageError } from './usage-error.ts';

/** The parsed command line; blanks within a value are written as `_`. */
function read(line: string) {
  const args = line.split(' ').map((arg) => arg.replaceAll('_', ' '));
  const words = readWords(args, commands);
  return { name: words.name, options: readOptions(words, commands[words.name]!) };
}

function refusalOf(line: string): string {
  try {
    read(line);
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError);
    return (error as Error).message;
  }
  throw new Error(`this was accepted: ${line}`);
}

test('the file can be before, between and after the options, and --json anywhere', () => {
  const options = { organization: '1003', 'dry-run': 'true', argument: 'menu.csv' };
  for (const line of [
    'import products menu.csv --organization 1003 --dry-run',
    'import products --organization 1003 menu.csv --dry-run',
    'import products --dry-run --organization=1003 menu.csv',
    '--json import products --dry-run --organization 1003 -- menu.csv',
  ]) {
    expect(read(line)).toEqual({ name: 'import products', options });
  }
  expect(readWords(['--json', 'status'], commands)).toMatchObject({ name: 'status', wantsJson: true });
  expect(readWords(['status', '--json'], commands)).toMatchObject({ name: 'status', wantsJson: true });
});

test.each([
  ['import products --organization 1003', 'missing: FILE'],
  ['import products menu.csv more.csv', 'more.csv is unexpected: import products takes one FILE'],
  ['reconcile menu.csv', 'menu.csv is unexpected: reconcile takes only options'],
  ['imprt products menu.csv', 'There is no command imprt products; the nearest is import products.'],
  ['xyz', 'There is no command xyz.'],
  ['client-key make', 'There is no command client-key make.'],
  ['--name x integrator create', 'Put the command first, before --name.'],
  ['integrator create --nme x', '--nme is not an option of integrator create; the nearest is --name'],
  ['migrate --to x', '--to is not an option of migrate'],
  ['integrator create --name', "Option '--name <value>' argument missing"],
  ['reconcile --repair=yes', "Option '--repair' does not take an argument"],
])('%s: %s', (line, words) => {
  expect(refusalOf(line)).toContain(words);
});

const organization = 'organization create --tz US/Central';
const clientKey = 'client-key create --organization 1 --integrator 2 --permissions menu';

test.each([
  [`${organization} --state ZZ --name x`, '--state must be one of AK, AL,'],
  [
    `${organization} --state CA --name ___`,
    '--name must be text of 1 to 200 characters that are not all spaces',
  ],
  [`${organization} --state CA --name ${'x'.repeat(201)}`, '--name must be text of 1 to 200 characters'],
  [
    `${organization} --state CA --name x --owner-email ${'x'.repeat(300)}@example.com`,
    '--owner-email must be an email address of at most 254 characters',
  ],
  [`integrator create --name ${'x'.repeat(5_000)}`, '--name must be text of 1 to 200 characters'],
  [`${clientKey} --name _`, '--name must be text of 1 to 200 characters'],
  [`${clientKey} --rate 99999999999`, '--rate must be a whole number from 1 to 1,000,000'],
  [`${clientKey} --menu-rate 0`, '--menu-rate must be a whole number from 1 to 1,000,000'],
  [`${clientKey} --expires 9999`, '--expires must be a timestamp with Z or an offset'],
  [`${clientKey} --organization 9007199254740993`, '--organization must be a whole number from 1'],
  ['client-key revoke --organization x --id 3', '--organization must be a whole number from 1'],
  ['organization invite-owner --organization 3 --email nonsense', '--email must be an email address'],
])('a value is checked against the limits of the API: %s', (line, words) => {
  expect(refusalOf(line)).toContain(words);
});

test('valid values are passed on unchanged', () => {
  expect(read(`${clientKey} --expires 2027-01-31T00:00:00Z --rate 1000000`).options).toEqual({
    ...{ organization: '1', integrator: '2', permissions: 'menu' },
    ...{ expires: '2027-01-31T00:00:00Z', rate: '1000000' },
  });
});

test('help works before, after and instead of a command', () => {
  for (const line of ['status --help', '-h status', 'help status', 'import products --dry-run -h']) {
    expect(readWords(line.split(' '), commands)).toMatchObject({ wantsHelp: true });
  }
  expect(readWords(['help'], commands)).toMatchObject({ wantsHelp: true, name: '' });
  expect(readWords([], commands)).toMatchObject({ wantsHelp: false, name: '' });
  const list = overview(commandGroups);
  for (const { title } of commandGroups) expect(list).toContain(`\n${title}:\n`);
  for (const name of Object.keys(commands)) expect(list).toContain(`  ${name} `);
  expect(usageOf('import products', commands['import products']!)).toContain(
    'dispensary import products FILE:',
  );
});

test('the audit document says of each command what it leaves in the log, or that it changes nothing', () => {
  const text = readFileSync(join(projectFolder(), 'docs/AUDIT.md'), 'utf8');
  const at = text.indexOf('**Commands of the operator**');
  const said = text.slice(at, text.indexOf('\n\n', at)).replace(/\s+/g, ' ');
  const isSaid = (name: string) => said.includes(`\`${name}\``) || said.includes(`\`${name} `);
  // "`organization create`, `invite-owner`": the second word is enough, but for words of several commands.
  const shared = ['list', 'create', 'show', 'check', 'verify', 'export'];
  const unsaid = Object.keys(commands).filter((name) => {
    const [first, last = first!] = name.split(' ');
    return !isSaid(name) && !isSaid(first!) && (shared.includes(last) || !isSaid(last));
  });
  expect(unsaid).toEqual([]);
});

test('the first word of several commands shows these alone, and --version the version', async () => {
  const dispensary = async (...args: string[]) => {
    let stdout = '';
    const code = await runCommandLine(args, {
      ...{ env: {}, folder: tmpdir(), stderr: { write: () => {} } },
      stdout: {
        write: (text) => {
          stdout += text;
        },
      },
    });
    return { code, stdout };
  };
  for (const args of [['client-key'], ['client-key', '--help'], ['help', 'client-key']]) {
    const { code, stdout } = await dispensary(...args);
    expect([code, stdout.match(/^ {2}\S+ \S+/gm)]).toEqual([
      0,
      ['client-key create', 'client-key list', 'client-key revoke'].map((name) => `  ${name}`),
    ]);
  }
  const { version } = JSON.parse(readFileSync(join(projectFolder(), 'package.json'), 'utf8'));
  expect(await dispensary('--version')).toMatchObject({ code: 0, stdout: `${version}\n` });
  expect(JSON.parse((await dispensary('--version', '--json')).stdout)).toEqual({ version });
});

test('with --json help is data, a failure too, and the exit codes are the same', async () => {
  const dispensary = async (...args: string[]) => {
    const said = { stdout: '', stderr: '' };
    const screen = (name: 'stdout' | 'stderr') => ({ write: (text: string) => (said[name] += text) });
    const [stdout, stderr] = [screen('stdout'), screen('stderr')];
    const code = await runCommandLine([...args, '--json'], { env: {}, folder: tmpdir(), stdout, stderr });
    return { code, ...said };
  };
  const { code, stdout } = await dispensary('help');
  const described: { name: string; group: string }[] = JSON.parse(stdout);
  expect([code, described.map(({ name }) => name)]).toEqual([0, Object.keys(commands)]);
  const [trigger] = JSON.parse((await dispensary('trigger', '--help')).stdout);
  expect(trigger).toMatchObject({ name: 'trigger', group: 'For integrators, over HTTP', argument: 'event' });
  const refused = await dispensary('client-key', 'lst');
  expect([refused.code, refused.stdout, JSON.parse(refused.stderr)]).toEqual([
    2,
    '',
    { error: { message: 'There is no command client-key lst.', isUsage: true } },
  ]);
});

test('the completion knows every command and option; bash runs it', async () => {
  let script = '';
  const stdout = { write: (text: string) => (script += text) };
  const said = (shell: string) =>
    runCommandLine(['completion', shell], { env: {}, folder: tmpdir(), stdout, stderr: { write: () => {} } });
  expect([await said('tcsh'), script]).toEqual([2, '']);
  expect(await said('bash')).toBe(0);
  const completed = (...typed: string[]) =>
    spawnSync(
      'bash',
      [
        '-c',
        `${script}\nCOMP_WORDS=(dispensary "$@"); COMP_CWORD=$#; _dispensary; echo "\${COMPREPLY[@]}"`,
        'bash',
        ...typed,
      ],
      { encoding: 'utf8' },
    ).stdout.trim();
  expect(completed('tri')).toBe('trigger');
  expect(completed('client-key', '')).toBe('create list revoke');
  expect(completed('client-key', 'revoke', '--i')).toBe('--id');
  for (const shell of ['zsh', 'fish']) {
    script = '';
    await said(shell);
    const words = Object.keys(commands).flatMap((name) => name.split(' '));
    expect(words.filter((word) => !script.includes(word))).toEqual([]);
  }
});

describe('a database of another major version of PostgreSQL', () => {
  const major = Number(majorOfInstallation());
  const folder = mkdtempSync(join(tmpdir(), 'dispensary upgrade-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  async function upgrade(options: string, made: number | null, env: NodeJS.ProcessEnv = {}) {
    const postgres = join(folder, 'postgres');
    rmSync(postgres, { recursive: true, force: true });
    if (made !== null) {
      mkdirSync(join(postgres, 'pg_tblspc'), { recursive: true });
      writeFileSync(join(postgres, 'PG_VERSION'), `${made}\n`);
    }
    let said = '';
    const write = (text: string) => (said += text);
    const code = await runCommandLine(['upgrade', ...options.split(' ')], {
      ...{ env: { DATA_DIR: folder, ...env }, folder, stdout: { write }, stderr: { write } },
    });
    return { code, said };
  }

  test.each([
    ['--json', null, 2, 'upgrade needs either --check or --postgres'],
    ['--check --postgres', null, 2, 'upgrade needs either --check or --postgres'],
    ['--check --binaries /x', null, 2, '--binaries and --unverified belong to --postgres'],
    ['--postgres', null, 1, 'There is no database in DATA_DIR'],
    ['--postgres', major, 0, `The database is of PostgreSQL ${major} already: there is nothing to move.`],
    [
      '--postgres',
      major + 1,
      1,
      `was made by PostgreSQL ${major + 1}; this release has PostgreSQL ${major}. Use a release`,
    ],
    ['--postgres --binaries /nowhere', major - 1, 1, '--binaries: there is no bin/'],
    ['--check', major - 1, 1, `! ${folder}/postgres was made by PostgreSQL ${major - 1};`],
    [
      '--check',
      major - 1,
      1,
      'move the database once: node dispensary.mjs upgrade --postgres. It keeps the old folder.',
    ],
  ] as const)('upgrade %s, made by %s: exit code %s, %s', async (options, made, code, words) => {
    expect(await upgrade(options, made)).toEqual({ code, said: expect.stringContaining(words) });
  });

  test('an external one is not moved, and a PostgreSQL that still runs is not ended', async () => {
    const external = await upgrade('--postgres', null, { DATABASE_URL: 'postgres://localhost/x' });
    expect(external).toEqual({
      code: 2,
      said: expect.stringContaining('its server is upgraded by its own means'),
    });
    await upgrade('--check', major - 1);
    const running = join(folder, 'postgres', 'postmaster.pid');
    const move = async () => {
      writeFileSync(running, `${process.pid}\n${folder}/postgres\n1\n5432\n.\n\n\nready\n`);
      return beginMove(folder, String(major));
    };
    await expect(move()).rejects.toThrow(`(process ${process.pid}), of a service that was killed`);
    expect(readdirSync(folder)).toEqual(['postgres']);
  });
});
