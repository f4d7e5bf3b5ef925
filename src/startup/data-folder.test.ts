import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataFolder, refuseLostDatabase } from './data-folder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-folder-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** What making the folder warns of. */
function warningsFor(dataDir: string): string[] {
  const warnings: string[] = [];
  makeDataFolder(dataDir, (message) => void warnings.push(message));
  return warnings;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the folder is made with those above it, for this account alone, and one that is there is taken', () => {
  const dataDir = join(folder, 'of', 'shop');
  expect([warningsFor(dataDir), warningsFor(dataDir)]).toEqual([[], []]);
  expect(modeOf(dataDir)).toBe('700');
});

test.skipIf(process.platform === 'win32')(
  'a folder that stands open to others is closed, and that is told; one that holds other files is told only',
  () => {
    const dataDir = join(folder, 'open');
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    chmodSync(dataDir, 0o755);
    expect(warningsFor(dataDir)).toEqual([
      `DATA_DIR ${dataDir} stood open to other accounts of this machine (mode 0755); it is now 0700.`,
    ]);
    expect([modeOf(dataDir), warningsFor(dataDir)]).toEqual(['700', []]);
    writeFileSync(join(dataDir, 'letter.txt'), '');
    chmodSync(dataDir, 0o750);
    expect(warningsFor(dataDir)).toEqual([
      `DATA_DIR ${dataDir} stands open to other accounts of this machine (mode 0750), and holds other files. ` +
        `Close it: chmod 700 '${dataDir}'`,
    ]);
    expect(modeOf(dataDir)).toBe('750');
  },
);

test.each([
  ['file', 'it is a file'],
  ['file/data', 'a part of the path is a file'],
])('where it cannot be, DATA_DIR is named with the reason: %s', (path, reason) => {
  const dataDir = join(folder, path);
  expect(() => warningsFor(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set it`);
});

test('a file in the place of photos or documents is named', () => {
  const dataDir = join(folder, 'papers');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'documents'), '');
  expect(() => warningsFor(dataDir)).toThrow(
    `DATA_DIR ${dataDir} cannot be used because of ${join(dataDir, 'documents')}: it is a file. Mend it`,
  );
});

// No account makes folders there, root neither.
test.skipIf(process.platform !== 'linux')('where this account may not write, DATA_DIR is named', () => {
  expect(() => warningsFor('/sys/shop')).toThrow(
    'DATA_DIR /sys/shop cannot be used: this account may not write there.',
  );
});

test.each(['photos', 'documents', 'document-master-key', 'demo.json'])(
  'no new database is made beside %s of a shop',
  (name) => {
    const dataDir = join(folder, `with-${name}`);
    const refuse = (databaseUrl?: string) => () => refuseLostDatabase({ dataDir, databaseUrl });
    mkdirSync(join(dataDir, name), { recursive: true });
    if (name === 'photos' || name === 'documents') expect(refuse()).not.toThrow();
    writeFileSync(join(dataDir, name, 'one'), '');
    expect(refuse()).toThrow(`DATA_DIR ${dataDir} has ${name} of a shop, and its database, the folder`);
    expect(refuse('postgres://db.example.com/shop')).not.toThrow();
    mkdirSync(join(dataDir, 'postgres'));
    expect(refuse()).not.toThrow();
  },
);
