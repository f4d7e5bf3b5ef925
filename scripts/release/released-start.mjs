import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureHome, requireNode, stopWithParent } from './scripts/entry.mjs';

// The start of a release. Everything is built; only packages with native code may still have to be installed.

requireNode();
ensureHome();
if (!existsSync(join(dirname(fileURLToPath(import.meta.url)), 'node_modules'))) {
  console.error(
    'The packages of this machine are missing: run npm ci --omit=dev once in this folder, and start again.',
  );
  process.exit(1);
}
stopWithParent();
import('./dist/program.mjs').then(({ serve }) => serve());
