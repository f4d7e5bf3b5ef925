import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { ensureSdkTypes } from '../../scripts/prepare.mjs';

/*
 * Builds the package: dist/esm for `import`, dist/cjs for `require`, each with its types, and dist/browser for `<script>`. File by file, not bundled: both
 * entries of the package share their classes, so that `instanceof CommerceError` holds. `npm pack` runs this.
 */

const here = fileURLToPath(new URL('.', import.meta.url));
const compiler = join(here, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc');
const kinds = { esm: { module: 'es2022', type: 'module' }, cjs: { module: 'commonjs', type: 'commonjs' } };

ensureSdkTypes();
rmSync(join(here, 'dist'), { recursive: true, force: true });
for (const [name, { module, type }] of Object.entries(kinds)) {
  const folder = join(here, 'dist', name);
  const { status } = spawnSync(
    process.execPath,
    [compiler, '-p', 'tsconfig.build.json', '--module', module, '--outDir', folder],
    // `npm pack --json` has stdout for itself.
    { cwd: here, stdio: ['ignore', 2, 2] },
  );
  if (status !== 0) process.exit(1);
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ type })}\n`);
  // The compiler keeps the endings of the sources in types; older ones than it do not find these files.
  for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.d.ts')) continue;
    const types = readFileSync(join(folder, file), 'utf8');
    writeFileSync(join(folder, file), types.replaceAll(/(from '\.{1,2}\/[^']*)\.ts'/g, "$1.js'"));
  }
}

// For pages without a build: one script that sets `dispensary`.
buildSync({
  ...{ absWorkingDir: here, entryPoints: ['src/commerce-sdk.ts'], outfile: 'dist/browser/commerce-sdk.js' },
  ...{
    bundle: true,
    minify: true,
    format: 'iife',
    globalName: 'dispensary',
    platform: 'browser',
    target: 'es2022',
  },
  logLevel: 'error',
});
