import { readdirSync, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { reasonOfFileFailure } from '../../kernel/file-failure.ts';
import { projectFolder } from '../../kernel/project-folder.ts';
import { hasCluster } from '../embedded-postgres/cluster.ts';
import { type Environment, readEnvFile, withoutEmpty } from './env-file.ts';

/** Where a machine keeps its units and its processes. Tests name other folders. */
export interface Machine {
  /** Folders of systemd's units, the most important first. */
  readonly unitFolders: readonly string[];
  /** Linux's folder of processes. */
  readonly processFolder: string;
}

const thisMachine: Machine = {
  unitFolders: ['/etc/systemd/system', '/usr/lib/systemd/system', '/lib/systemd/system'],
  processFolder: '/proc',
};

const unitName = 'dispensary.service';
/** Settings that say which database is meant. */
const placeSettings = ['DATA_DIR', 'DATABASE_URL'];

interface ServiceSettings {
  readonly env: Environment;
  /** Relative paths of settings start here. */
  readonly folder: string;
  /** Where the settings come from, in words; undefined: from the caller. */
  readonly source?: string;
}

/**
 * The settings for a command. A caller who names no database means the service of this machine: that of the systemd unit which
 * starts this program, that of the working folder, or the only service that runs under this account. Its settings are taken whole,
 * and the caller's own variables replace single ones. Throws an Error that says what to do if the settings may not be read, or if
 * several services run.
 */
export function settingsOfService(
  env: Environment,
  folder: string,
  machine: Machine = thisMachine,
): ServiceSettings {
  const own = { ...readEnvFile(folder), ...withoutEmpty(env) };
  if (placeSettings.some((name) => own[name] !== undefined)) return { env, folder };
  const unit = settingsOfUnit(machine);
  if (unit !== null) return { ...unit, env: { ...unit.env, ...own } };
  if (hasCluster(join(folder, 'data'))) return { env, folder };
  const running = runningServices(machine);
  if (running.length > 1) {
    const names = running.map(({ source }) => source).join('; ');
    throw new Error(
      `Several services run on this machine: ${names}. Set DATA_DIR to the folder of the one you mean.`,
    );
  }
  return running[0] === undefined ? { env, folder } : { ...running[0], env: { ...running[0].env, ...own } };
}

/** The settings of the installed unit, if it starts the program of this command. */
function settingsOfUnit({ unitFolders }: Machine): Required<ServiceSettings> | null {
  const path = unitFolders.map((one) => join(one, unitName)).find(isThere);
  if (path === undefined) return null;
  const lines = [path, ...dropIns(unitFolders)].flatMap((file) => readFileSync(file, 'utf8').split(/\r?\n/));
  const valuesOf = (key: string) =>
    lines.flatMap((line) => (line.startsWith(`${key}=`) ? [line.slice(key.length + 1).trim()] : []));
  const folder = valuesOf('WorkingDirectory').at(-1);
  if (folder === undefined || realPath(folder) !== realpathSync(projectFolder())) return null;
  const account = valuesOf('User').at(-1);
  const env: Record<string, string> = {};
  for (const line of valuesOf('Environment')) Object.assign(env, assignmentsIn(line));
  for (const named of valuesOf('EnvironmentFile')) {
    // A leading minus: the file may be missing.
    const file = named.replace(/^-/, '');
    if (!isThere(file)) continue;
    Object.assign(env, readSettings(file, account));
  }
  const dataDir = resolve(folder, env.DATA_DIR ?? 'data');
  const owner = statSync(dataDir, { throwIfNoEntry: false })?.uid;
  if (owner !== undefined && process.getuid !== undefined && owner !== process.getuid()) {
    throw new Error(
      `The data of ${unitName} in ${dataDir} belongs to another account. ${asAccount(account)}`,
    );
  }
  return { env, folder, source: path };
}

function dropIns(unitFolders: readonly string[]): string[] {
  return unitFolders.flatMap((folder) => {
    const own = join(folder, `${unitName}.d`);
    return isThere(own)
      ? readdirSync(own)
          .filter((name) => name.endsWith('.conf'))
          .sort()
          .map((name) => join(own, name))
      : [];
  });
}

/** `A=1 "B=two words"` as systemd reads it, without its escapes. */
function assignmentsIn(line: string): Record<string, string> {
  const words = line.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
  return Object.fromEntries(
    words
      .map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
      .filter((word) => word.includes('='))
      .map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]),
  );
}

function readSettings(file: string, account: string | undefined): Environment {
  try {
    return withoutEmpty(parseEnv(readFileSync(file, 'utf8')) as Environment);
  } catch (error) {
    throw new Error(
      `The settings of ${unitName} in ${file} cannot be read: ${reasonOfFileFailure(error)}. ${asAccount(account)}`,
    );
  }
}

function asAccount(account: string | undefined): string {
  return account === undefined
    ? 'Run the command with the account of the service.'
    : `Run the command with the account of the service: runuser -u ${account} -- node ${join(projectFolder(), 'dispensary.mjs')} COMMAND`;
}

/** Services that run under this account, by what Linux tells of their processes; none on other systems. */
function runningServices({ processFolder }: Machine): Required<ServiceSettings>[] {
  const found = new Map<string, Required<ServiceSettings>>();
  for (const name of entriesOf(processFolder)) {
    if (!/^\d+$/.test(name) || name === String(process.pid)) continue;
    const settings = settingsOfProcess(join(processFolder, name));
    if (settings === null) continue;
    const { env, folder } = settings;
    const place = env.DATABASE_URL === undefined ? resolve(folder, env.DATA_DIR ?? 'data') : env.DATABASE_URL;
    if (!found.has(place)) found.set(place, settings);
  }
  return [...found.values()];
}

/** Null: not a service, ended meanwhile, or of another account. */
function settingsOfProcess(path: string): Required<ServiceSettings> | null {
  try {
    const words = readFileSync(join(path, 'cmdline'), 'utf8').split('\0');
    const folder = readlinkSync(join(path, 'cwd'));
    if (!words.slice(1).some((word, index) => startsService(resolve(folder, word), words[index + 2])))
      return null;
    const variables = readFileSync(join(path, 'environ'), 'utf8')
      .split('\0')
      .filter((one) => one.includes('='));
    const own = Object.fromEntries(
      variables.map((one) => [one.slice(0, one.indexOf('=')), one.slice(one.indexOf('=') + 1)]),
    );
    const env = { ...readEnvFile(folder), ...withoutEmpty(own) };
    const shown = env.DATABASE_URL === undefined ? resolve(folder, env.DATA_DIR ?? 'data') : 'DATABASE_URL';
    return { env, folder, source: `process ${basename(path)}, which uses ${shown}` };
  } catch {
    return null;
  }
}

/** Whether a word of a command line is the start of this product: of a release, a build or the source. */
function startsService(path: string, next: string | undefined): boolean {
  const isRelease = basename(path) === 'start.mjs';
  const isBuild =
    /\/(dist\/main\.mjs|src\/main\.ts)$/.test(path) ||
    (path.endsWith('/scripts/run.mjs') && next === 'start');
  return (isRelease || isBuild) && isThere(join(dirname(path), isRelease ? '.' : '..', 'migrations'));
}

const isThere = (path: string): boolean => statSync(path, { throwIfNoEntry: false }) !== undefined;

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
