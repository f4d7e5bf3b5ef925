import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { bundleOptions, ensureConsoleBuilt, nativePackages } from '../prepare.mjs';
import { layCommand, laySdk, packPackage } from './integrator-packages.ts';
import { type Lock, releasePackages } from './release-packages.ts';

/** Which commit a release was made of, and when that was. */
export interface Origin {
  /** The commit's id, with `-changed` after it if files differed from it; null: unknown. */
  readonly commit: string | null;
  /** The time of the commit, in seconds since 1970: the time of every file of the archive. */
  readonly madeAt: number;
}

/** What is copied as it is. The program reads migrations, guides and examples; the rest is for people. */
const copied = [
  ...['LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'contract', 'deploy', 'docs', 'migrations'],
  ...[
    'scripts/entry.mjs',
    'bench/README.md',
    'sdk/integrator',
    'sdk/embed',
    'examples',
    'cli/README.md',
    'cli/CHANGELOG.md',
  ],
];

/** What of these folders is for those who change the program. */
const leftOut =
  /\.test(-support)?\.ts$|(^|[\\/])(node_modules|dist|generated)([\\/]|$)|build\.mjs$|tsconfig\.build\.json$/;

/** The programs of a release that are not bundled, by their files here. */
const programs = { 'released-start.mjs': 'start.mjs', 'released-command.mjs': 'dispensary.mjs' };

/**
 * Lays the files of a release into `folder`, which becomes one that runs after `npm ci --omit=dev`: the bundle with all of its
 * packages, the built console, and a package.json that names only packages with native code.
 */
export async function assembleRelease(root: string, folder: string, origin: Origin): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const path of copied.filter((path) => existsSync(join(root, path)))) {
    const filter = (source: string) => !leftOut.test(relative(root, source));
    cpSync(join(root, path), join(folder, path), { recursive: true, filter });
  }
  unlinkMissing(folder);
  await addPackages(root, folder);
  for (const [from, to] of Object.entries(programs))
    cpSync(join(root, 'scripts', 'release', from), join(folder, to));
  ensureConsoleBuilt();
  cpSync(join(root, 'dist', 'console'), join(folder, 'dist', 'console'), { recursive: true });
  const bundled = await bundle(root, join(folder, 'dist'));
  cpSync(referenceScript(), join(folder, 'dist', 'reference.js'));

  const manifest = readJson(join(root, 'package.json'));
  const lock = readJson(join(root, 'package-lock.json')) as unknown as Lock;
  const packages = releasePackages(manifest as never, lock, nativePackages);
  writeJson(join(folder, 'package.json'), packages.packageJson);
  writeJson(join(folder, 'package-lock.json'), packages.lock);
  const { commit, madeAt } = origin;
  const { version } = manifest;
  writeJson(join(folder, 'release.json'), { version, commit, committedAt: instantOf(madeAt) });
  writeFileSync(join(folder, 'THIRD-PARTY.txt'), licensesOf(root, bundled));
  writeJson(join(folder, 'sbom.cdx.json'), partsList(root, origin));
}

/** Makes plain text of links whose targets a release does not have, such as tests. */
export function unlinkMissing(folder: string): void {
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.md')) continue;
    const file = join(folder, path);
    const text = readFileSync(file, 'utf8');
    const linked = text.replaceAll(/\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) => {
      const [there] = target.split('#');
      const isElsewhere = /^[a-z]+:/.test(target) || there === '';
      return isElsewhere || existsSync(join(dirname(file), there!)) ? link : words;
    });
    if (linked !== text) writeFileSync(file, linked);
  }
}

/** The packages for integrators, as npm takes them, in `packages/`. */
async function addPackages(root: string, folder: string): Promise<void> {
  const packages = join(folder, 'packages');
  mkdirSync(packages);
  const laid = { sdk: join(packages, 'sdk'), command: join(packages, 'command') };
  laySdk(root, laid.sdk);
  await layCommand(root, laid.command);
  for (const path of Object.values(laid)) {
    packPackage(path, packages);
    rmSync(path, { recursive: true });
  }
}

/** Installs the packages with native code for this machine, as a user of the archive does. */
export function installPackages(folder: string): void {
  const npm = process.env.npm_execpath;
  const args = ['ci', '--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts'];
  const options = { cwd: folder, stdio: ['ignore', 2, 2] as ['ignore', 2, 2] };
  const ran = npm?.endsWith('npm-cli.js')
    ? spawnSync(process.execPath, [npm, ...args], options)
    : spawnSync('npm', args, options);
  if (ran.status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${folder} (see above).`);
  // Names the npm that ran, so two of them would make different archives.
  rmSync(join(folder, 'node_modules', '.package-lock.json'), { force: true });
}

/**
 * Bundles the server and the command into one file, with all packages but those with native code: they share most of it. The
 * program of the threads that read files is beside it.
 */
async function bundle(root: string, outdir: string): Promise<Metafile> {
  const options = { ...bundleOptions, absWorkingDir: root, external: [...nativePackages, 'pg-native'] };
  await build({
    ...options,
    entryPoints: [join(root, 'src/shop/imports/reading-thread.ts')],
    outfile: join(outdir, 'import-reader.mjs'),
  });
  const { metafile } = await build({
    ...options,
    stdin: {
      contents: `export const serve = () => import('./src/main.ts'); export const command = () => import('./cli/main.ts');`,
      resolveDir: root,
    },
    outfile: join(outdir, 'program.mjs'),
    metafile: true,
  });
  return metafile;
}

/** The script of the reference page: one file of a package that is otherwise not needed. */
function referenceScript(): string {
  const entry = createRequire(import.meta.url).resolve('@scalar/fastify-api-reference');
  return join(dirname(entry), 'js', 'standalone.js');
}

/** The licenses of the packages whose code is in the bundle, as those licenses require. */
function licensesOf(root: string, { inputs }: Metafile): string {
  const folders = new Set(
    Object.keys(inputs).flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []),
  );
  folders.add('node_modules/@scalar/fastify-api-reference');
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license } = readJson(join(root, folder, 'package.json'));
    const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'license', 'License', 'LICENCE', 'license.md']
      .map((candidate) => join(root, folder, candidate))
      .find((path) => existsSync(path));
    const text = file === undefined ? `License: ${license}` : readFileSync(file, 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `Code of these packages is part of dist/.\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}

/** The packages of the program and of its console in CycloneDX, as npm lists them, without what differs between two runs. */
function partsList(root: string, { madeAt }: Origin): object {
  const args = ['sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only'];
  const ran = spawnSync('npm', args, { cwd: root, encoding: 'utf8', maxBuffer: 64_000_000 });
  if (ran.status !== 0) throw new Error(`npm sbom failed: ${ran.error?.message ?? ran.stderr}`);
  const { serialNumber: _, metadata, components, ...rest } = JSON.parse(ran.stdout);
  const { tools: __, ...facts } = metadata;
  // npm names the program after the folder it is in.
  const component = { ...facts.component, name: readJson(join(root, 'package.json')).name };
  return { ...rest, metadata: { ...facts, component, timestamp: instantOf(madeAt) }, components };
}

/** RFC 3339 with whole seconds. */
function instantOf(seconds: number): string {
  return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
