import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs before anything is installed: Node's own modules only. What it says goes to stderr, because the
// command line prints JSON on stdout.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, 'node_modules', '.dispensary-install');
const buildStamp = join(root, 'dist', '.sources');

/** Ends the process with the remedy when this Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return;
  console.error(`Node 20.19 or newer is needed; this is ${process.version}. See https://nodejs.org.`);
  process.exit(1);
}

/** Installs what the lockfile says unless it is there already; no network is used when it is. */
export function ensureInstalled() {
  const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const wanted = hash([lockText, process.platform, process.arch]);
  if (readIfThere(installStamp) === wanted) return;
  if (!matchesInstalled(JSON.parse(lockText))) {
    console.error('Installing packages from package-lock.json …');
    const { status, error } = runNpm(['ci', '--include=dev', '--no-audit', '--no-fund']);
    if (status !== 0) {
      console.error(`npm ci failed (see above)${error ? `: ${error.message}` : ''}.`);
      process.exit(1);
    }
  }
  writeFileSync(installStamp, wanted);
}

/** Bundles the server and the command into dist/ unless they are of these very sources. */
export async function ensureBuilt() {
  const wanted = hash(sourceFiles().map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`));
  if (readIfThere(buildStamp) === wanted) return;
  console.error('Building …');
  const { build, stop } = await import('esbuild');
  await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/main.ts', dispensary: 'cli/main.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: true,
  });
  // Its own process would stay beside the server.
  await stop();
  writeFileSync(buildStamp, wanted);
}

/** Runs a built program in this process, so that signals reach it directly. */
export async function runBuilt(name, args) {
  const file = join(root, 'dist', name);
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(new URL(`../dist/${name}`, import.meta.url).href);
}

/** npm keeps its own record of what it installed; packages for other platforms are not in it. */
function matchesInstalled(lock) {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      !path.startsWith('node_modules/') ||
      (installed[path] ? installed[path].version === version && existsSync(join(root, path)) : optional),
  );
}

function runNpm(args) {
  const options = { cwd: root, stdio: ['inherit', 2, 2] };
  const npm = process.env.npm_execpath;
  // The npm that runs us, if one does: it needs no PATH, and no shell on Windows.
  if (npm && basename(npm) === 'npm-cli.js') return spawnSync(process.execPath, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

function sourceFiles() {
  const folders = ['src', 'cli', 'seed', 'sdk'].filter((folder) => existsSync(join(root, folder)));
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true })
      .filter((file) => /\.(ts|json)$/.test(file))
      .map((file) => join(folder, file)),
  );
  return [...files.sort(), 'package-lock.json', join('scripts', 'prepare.mjs')];
}

function hash(texts) {
  const digest = createHash('sha256');
  for (const text of texts) digest.update(text).update('\0');
  return digest.digest('hex');
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
