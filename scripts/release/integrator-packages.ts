import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { bundleOptions } from '../prepare.mjs';

/*
 * The packages for integrators as npm gets them: the TypeScript client and the command. Each is laid into a folder of its own, because links
 * to other documents of this project would lead nowhere in a package.
 */

/** Lays the client into `to`, which becomes a folder that `npm pack` and `npm publish` take. */
export function laySdk(root: string, to: string): void {
  const sources = join(root, 'sdk', 'integrator');
  const built = spawnSync(process.execPath, ['build.mjs'], { cwd: sources, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) throw new Error('The client could not be built (see above).');
  const { scripts: _, ...manifest } = readJson(join(sources, 'package.json'));
  layPackage(to, manifest, {
    license: join(sources, 'LICENSE'),
    readme: join(sources, 'README.md'),
    changes: join(sources, 'CHANGELOG.md'),
  });
  cpSync(join(sources, 'dist'), join(to, 'dist'), { recursive: true });
}

/** Lays the command of integrators into `to`: one file, which needs no other package unless a copy is kept. */
export async function layCommand(root: string, to: string): Promise<void> {
  const sources = join(root, 'cli');
  layPackage(to, readJson(join(sources, 'package.json')), {
    license: join(root, 'LICENSE'),
    readme: join(sources, 'README.md'),
    changes: join(sources, 'CHANGELOG.md'),
  });
  const { metafile } = await build({
    ...bundleOptions,
    ...{ absWorkingDir: root, minify: true, plugins: [withoutUnusedFiles], metafile: true },
    // It looks for its own package.json beside itself.
    banner: { js: `#!/usr/bin/env node\n${bundleOptions.banner!.js}` },
    entryPoints: [join(sources, 'run-remote-command.ts')],
    outfile: join(to, 'dispensary.mjs'),
    logLevel: 'error',
  });
  const needed = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const missing = needed.filter((name) => !isBuiltin(name) && !['pg', 'libsql'].includes(name));
  if (missing.length > 0) throw new Error(`The command of integrators would need ${missing.join(', ')}.`);
}

/** Packs a laid folder; returns the name of the archive. */
export function packPackage(folder: string, to: string): string {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' };
  const args = ['pack', '--silent', '--pack-destination', to];
  const ran = spawnSync('npm', args, { cwd: folder, env, encoding: 'utf8' });
  if (ran.status !== 0) throw new Error(`npm pack failed in ${folder}: ${ran.stderr}`);
  return ran.stdout.trim().split('\n').at(-1)!;
}

/** Files of the service whose exports the command does not use have effects for the service only. */
const withoutUnusedFiles: Plugin = {
  name: 'without unused files',
  setup(bundle) {
    bundle.onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved' || from.kind === 'entry-point') return undefined;
      const { importer, resolveDir, kind } = from;
      const found = await bundle.resolve(path, { importer, resolveDir, kind, pluginData: 'resolved' });
      return found.errors.length > 0 ? found : { ...found, sideEffects: false };
    });
  },
};

interface Texts {
  readonly license: string;
  readonly readme: string;
  readonly changes: string;
}

function layPackage(to: string, manifest: object, { license, readme, changes }: Texts): void {
  mkdirSync(to, { recursive: true });
  writeFileSync(join(to, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  writeFileSync(join(to, 'README.md'), withoutOutsideLinks(readFileSync(readme, 'utf8')));
  cpSync(license, join(to, 'LICENSE'));
  cpSync(changes, join(to, 'CHANGELOG.md'));
}

/** Links out of the package's folder become their text; guides are named by the address that each service has them at. */
export function withoutOutsideLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\((\.\.\/[^)\s]+)\)/g, (_, text: string, link: string) => {
    const guide = /docs\/guides\/([\w-]+)\.md(#[\w-]+)?$/.exec(link);
    return guide === null ? text : `${text} (\`/docs/guides/${guide[1]}${guide[2] ?? ''}\` of your service)`;
  });
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(path, 'utf8'));
}
