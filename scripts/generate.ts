import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../src/kernel/project-folder.ts';
import { breakingChanges, type OpenApi } from './compare-contract.ts';
import { generatedFiles, referenceFolder } from './generated-files.ts';

/*
 * Writes the generated files: contract/, docs/reference/ and a file of the SDK. With --check it writes nothing, names
 * files that differ, and exits with 1. It also exits with 1 if v1 breaks the last release (D61):
 * contract/released/v1.json, a copy of contract/v1.json made at the release.
 */

const root = projectFolder();

function readIfThere(path: string): string | undefined {
  return existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : undefined;
}

function obsoletePages(files: ReadonlyMap<string, string>): string[] {
  if (!existsSync(join(root, referenceFolder))) return [];
  return readdirSync(join(root, referenceFolder))
    .map((name) => `${referenceFolder}/${name}`)
    .filter((path) => !files.has(path));
}

const files = await generatedFiles();
const stale = [...files].filter(([path, text]) => readIfThere(path) !== text).map(([path]) => path);
const obsolete = obsoletePages(files);

function lostPromises(): string[] {
  const released = readIfThere('contract/released/v1.json');
  if (released === undefined) return [];
  return breakingChanges(
    JSON.parse(released) as OpenApi,
    JSON.parse(files.get('contract/v1.json')!) as OpenApi,
  );
}

const lawPath = 'contract/law.json';

/** Processes tell editions of the law apart by their names: other facts under the same name would not be taken up. */
function lawHasItsOldName(): boolean {
  const before = readIfThere(lawPath);
  if (before === undefined || !stale.includes(lawPath)) return false;
  const nameOf = (text: string) => (JSON.parse(text) as { edition: string }).edition;
  return nameOf(before) === nameOf(files.get(lawPath)!);
}

if (process.argv.includes('--check')) {
  const complaints = [
    ...[...stale, ...obsolete].map((path) => `${path} is out of date: npm run generate`),
    ...lostPromises().map((change) => `v1 only grows (D61), but ${change}`),
  ];
  for (const complaint of complaints) console.error(complaint);
  process.exitCode = complaints.length > 0 ? 1 : 0;
} else {
  if (lawHasItsOldName()) {
    console.error(
      `${lawPath} has other facts: give src/engines/jurisdictions/shipped-edition.ts a later edition.`,
    );
  }
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path)!);
    console.log(`wrote ${path}`);
  }
  for (const path of obsolete) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}
