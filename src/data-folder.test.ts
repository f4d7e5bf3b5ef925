import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataFolder } from './data-folder.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dispensary-folder-'));
  writeFileSync(join(folder, 'file'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

test('the folder is made with those above it, and one that is there is taken', () => {
  const dataDir = join(folder, 'of', 'shop');
  makeDataFolder(dataDir);
  makeDataFolder(dataDir);
  expect(statSync(dataDir).isDirectory()).toBe(true);
});

test.each([
  ['file', 'it is a file'],
  ['file/data', 'a part of the path is a file'],
])('where it cannot be, DATA_DIR is named with the reason: %s', (path, reason) => {
  const dataDir = join(folder, path);
  expect(() => makeDataFolder(dataDir)).toThrow(`DATA_DIR ${dataDir} cannot be used: ${reason}. Set it`);
});

// Nobody makes folders there, root neither.
test.skipIf(process.platform !== 'linux')('where nobody may write, DATA_DIR is named', () => {
  expect(() => makeDataFolder('/sys/shop')).toThrow(
    'DATA_DIR /sys/shop cannot be used: this account may not write there.',
  );
});
