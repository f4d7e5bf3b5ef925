import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { projectFolder } from '../../kernel/project-folder.ts';
import { settingsOfService } from './service-settings.ts';

const root = mkdtempSync(join(tmpdir(), 'dispensary-machine-'));
afterAll(() => rmSync(root, { recursive: true }));

let at: string;
let machine: { unitFolders: string[]; processFolder: string };
let count = 0;
beforeEach(() => {
  at = join(root, String(++count));
  machine = { unitFolders: [join(at, 'units')], processFolder: join(at, 'proc') };
  for (const folder of ['units', 'proc', 'caller', 'data']) mkdirSync(join(at, folder), { recursive: true });
});

const asked = (env: Record<string, string> = {}) => settingsOfService(env, join(at, 'caller'), machine);

function installUnit(lines: readonly string[], folder = projectFolder()): void {
  const text = ['[Service]', 'User=dispensary', `WorkingDirectory=${folder}`, ...lines].join('\n');
  writeFileSync(join(at, 'units', 'dispensary.service'), text);
}

/** A process as Linux shows it. */
function runProcess(pid: number, words: readonly string[], env: Record<string, string>, cwd: string): void {
  const folder = join(at, 'proc', String(pid));
  mkdirSync(folder);
  writeFileSync(join(folder, 'cmdline'), `${words.join('\0')}\0`);
  writeFileSync(
    join(folder, 'environ'),
    Object.entries(env)
      .map(([name, value]) => `${name}=${value}\0`)
      .join(''),
  );
  symlinkSync(cwd, join(folder, 'cwd'));
}

const startOf = (folder: string) => [process.execPath, join(folder, 'dist', 'main.mjs')];

test('a command of the installed program has the settings of its unit, of its environment file, and its own', () => {
  const file = join(at, 'environment');
  writeFileSync(file, 'PORT=9090\n# a comment\nPUBLIC_URL="https://shop.example.com"\n');
  installUnit([
    `Environment=NODE_ENV=production DEMO=off "DATA_DIR=${join(at, 'data')}"`,
    `EnvironmentFile=-${join(at, 'missing')}`,
    `EnvironmentFile=-${file}`,
  ]);
  mkdirSync(join(at, 'units', 'dispensary.service.d'));
  writeFileSync(
    join(at, 'units', 'dispensary.service.d', 'more.conf'),
    '[Service]\nEnvironment=MENU_PORT=9091\n',
  );
  expect(asked({ PORT: '7070' })).toEqual({
    folder: projectFolder(),
    source: join(at, 'units', 'dispensary.service'),
    env: {
      ...{ NODE_ENV: 'production', DEMO: 'off', DATA_DIR: join(at, 'data'), MENU_PORT: '9091' },
      ...{ PUBLIC_URL: 'https://shop.example.com', PORT: '7070' },
    },
  });
});

test('a caller who names the database is not asked about units and processes', () => {
  installUnit([`Environment=DATA_DIR=${join(at, 'data')}`]);
  expect(asked({ DATA_DIR: '/srv/mine' })).toEqual({
    env: { DATA_DIR: '/srv/mine' },
    folder: join(at, 'caller'),
  });
  writeFileSync(join(at, 'caller', '.env'), 'DATABASE_URL=postgres://db/shop\n');
  expect(asked()).toEqual({ env: {}, folder: join(at, 'caller') });
});

test('the unit of another program is not that of this command', () => {
  installUnit([`Environment=DATA_DIR=${join(at, 'data')}`], join(at, 'data'));
  expect(asked()).toEqual({ env: {}, folder: join(at, 'caller') });
});

test('a command of another account than that of the data says how to run it', () => {
  installUnit([`Environment=DATA_DIR=${join(at, 'data')}`]);
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(54_321);
  try {
    expect(() => asked()).toThrow(
      /belongs to another account\. Run the command with .*runuser -u dispensary -- node /,
    );
  } finally {
    getuid.mockRestore();
  }
});

test('without a database in the working folder a command takes the only service that runs', () => {
  runProcess(10, startOf(projectFolder()), { DATA_DIR: join(at, 'data'), PORT: '8090' }, at);
  runProcess(11, ['/usr/bin/vim', 'start.mjs'], { DATA_DIR: '/other' }, at);
  expect(asked()).toEqual({
    ...{ env: { DATA_DIR: join(at, 'data'), PORT: '8090' }, folder: at },
    source: `process 10, which uses ${join(at, 'data')}`,
  });
  mkdirSync(join(at, 'caller', 'data', 'postgres'), { recursive: true });
  writeFileSync(join(at, 'caller', 'data', 'postgres', 'PG_VERSION'), '18');
  expect(asked()).toEqual({ env: {}, folder: join(at, 'caller') });
});

test('where several services run, a command names them and takes none; processes of one service are one', () => {
  for (const pid of [10, 12]) {
    runProcess(pid, startOf(projectFolder()), { DATA_DIR: join(at, 'data') }, at);
  }
  expect(asked().env).toEqual({ DATA_DIR: join(at, 'data') });
  runProcess(13, startOf(projectFolder()), { DATABASE_URL: 'postgres://shop:secret@db/shop' }, at);
  expect(() => asked()).toThrow(
    `process 10, which uses ${join(at, 'data')}; process 13, which uses DATABASE_URL. Set DATA_DIR`,
  );
});
