import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anchorFolderName } from './config.ts';
import { makeDataFolder, refuseLostDatabase } from './data-folder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-folder-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The warnings while making the folder. */
function warningsFor(dataDir: string): string[] {
  const warnings: string[] = [];
  makeDataFolder(dataDir, (message) => void warnings.push(message));
  return warnings;
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

test('the folder and its parents are created, private to this account, and an existing one is used', () => {
  const dataDir = join(folder, 'of', 'shop');
  expect([warningsFor(dataDir), warningsFor(dataDir)]).toEqual([[], []]);
  expect(modeOf(dataDir)).toBe('700');
});

test.skipIf(process.platform === 'win32')(
  'an open folder is closed with a warning; one with other files only causes a warning',
  () => {
    const dataDir = join(folder, 'open');
    for (const name of ['postgres', anchorFolderName]) mkdirSync(join(dataDir, name), { recursive: true });
    chmodSync(dataDir, 0o755);
    expect(warningsFor(dataDir)).toEqual([
      `DATA_DIR ${dataDir} was open to other accounts of this machine (mode 0755); it is now 0700.`,
    ]);
    expect([modeOf(dataDir), warningsFor(dataDir)]).toEqual(['700', []]);
    writeFileSync(join(dataDir, 'letter.txt'), '');
    chmodSync(dataDir, 0o750);
    expect(warningsFor(dataDir)).toEqual([
      `DATA_DIR ${dataDir} is open to other accounts of this machine (mode 0750), and contains other files. ` +
        `Close it: chmod 700 '${dataDir}'`,
    ]);
    expect(modeOf(dataDir)).toBe('750');
  },
);

test.each([
  ['file', 'it is a file'],
  ['file/data', 'a part of the path is a file'],
])('if it cannot be created, DATA_DIR is named with the reason: %s', (path, reason) => {
  const dataDir = join(folder, path);
  expect(() => warningsFor(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set it`);
});

test('a file in place of the photos or documents folder is named', () => {
  const dataDir = join(folder, 'papers');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'documents'), '');
  expect(() => warningsFor(dataDir)).toThrow(
    `DATA_DIR ${dataDir} cannot be used because of ${join(dataDir, 'documents')}: it is a file. Repair it`,
  );
});

// On Linux, no account can create folders there, not even root.
test.skipIf(process.platform !== 'linux')('if this account may not write, DATA_DIR is named', () => {
  expect(() => warningsFor('/sys/shop')).toThrow(
    'DATA_DIR /sys/shop cannot be used: this account may not write there.',
  );
});

test.each(['photos', 'documents', 'document-master-key', 'demo.json'])(
  'no new database is created beside %s of a shop',
  (name) => {
    const dataDir = join(folder, `with-${name}`);
    const refuse = (databaseUrl?: string) => () => refuseLostDatabase({ dataDir, databaseUrl });
    mkdirSync(join(dataDir, name), { recursive: true });
    if (name === 'photos' || name === 'documents') expect(refuse()).not.toThrow();
    writeFileSync(join(dataDir, name, 'one'), '');
    expect(refuse()).toThrow(
      `DATA_DIR ${dataDir} has ${name} of a shop, but its database is missing, the folder`,
    );
    expect(refuse('postgres://db.example.com/shop')).not.toThrow();
    mkdirSync(join(dataDir, 'postgres'));
    expect(refuse()).not.toThrow();
  },
);
